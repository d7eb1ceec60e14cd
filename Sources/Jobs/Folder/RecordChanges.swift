import Recordings

/// Changes to a folder's recorded entries that no work on recordings led to.
package struct RecordChanges: Hashable, Codable, Sendable {
    package private(set) var changes: [Pathname: RecordChange] = [:]

    package init() {}

    package mutating func add(_ change: RecordChange, to recording: Pathname) {
        changes[recording, default: RecordChange()].add(change)
    }

    /// Drops what is said of a recording.
    package mutating func drop(_ recording: Pathname) { changes[recording] = nil }

    /// Adds changes that were made before these.
    package mutating func merge(_ earlier: RecordChanges) {
        for (name, change) in earlier.changes {
            var all = change
            if let later = changes[name] { all.add(later) }
            changes[name] = all
        }
    }
}

/// A change to one recorded entry; its parts apply in the order of their declaration.
package struct RecordChange: Hashable, Codable, Sendable {
    /// Forget the recording; its outputs are obsolete.
    package var forgets = false
    /// It cannot even be examined; its earlier outputs are retained.
    package var failure: RecordingFailure?
    /// Whether it is gone, or back.
    package var status: ManifestEntry.Status?
    /// This version decodes it like the earlier one that decoded it.
    package var decoding: Decoding?

    package init() {}

    package static let forgotten = RecordChange { $0.forgets = true }

    package static func failed(_ failure: RecordingFailure) -> RecordChange {
        RecordChange { $0.failure = failure }
    }

    package static func updated(
        _ status: ManifestEntry.Status, _ decoding: Decoding? = nil
    ) -> RecordChange {
        RecordChange {
            $0.status = status
            $0.decoding = decoding
        }
    }

    private init(_ set: (inout RecordChange) -> Void) { set(&self) }

    /// Adds a later change.
    fileprivate mutating func add(_ later: RecordChange) {
        if later.forgets { return self = later }
        if let failure = later.failure {
            self.failure = failure
            (status, decoding) = (nil, nil)
        }
        status = later.status ?? status
        decoding = later.decoding ?? decoding
    }

    /// The entry of a recording after the change; `nil` if nothing is known of it then.
    package func applied(to earlier: ManifestEntry?, named name: Pathname) -> ManifestEntry? {
        var entry = forgets ? nil : earlier
        if let failure {
            var failed = ManifestEntry(name: name, status: .failed, source: nil)
            failed.failure = failure
            entry = failed.retainingOutputs(of: entry)
        }
        if let status { entry?.status = status }
        if let decoding { entry?.confirm(decoding) }
        return entry
    }
}

extension ManifestEntry {
    /// The outcome of a recording, which retains earlier outputs if it failed: they may be the
    /// last.
    package func retainingOutputs(of previous: ManifestEntry?) -> ManifestEntry {
        guard status == .failed, let previous else { return self }
        let named = Set(outputs)
        var entry = self
        entry.leaveBehind(
            previous.outputs.filter { !named.contains($0) }, toldOf: previous.generations)
        return entry
    }

    /// Brings the result of an earlier version up to date that this version would decode alike.
    fileprivate mutating func confirm(_ decoding: Decoding) {
        self.decoding = decoding
        // Not yet a warning then.
        if decoderMessage != nil, warnings == nil { warnings = [RecordingWarning(.decoderMessage)] }
    }
}
