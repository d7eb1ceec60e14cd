import Recordings

/// What is to go in a folder, by the recording that it was made of.
package struct ObsoleteOutputs: Hashable, Codable, Sendable {
    /// Of recordings that were done anew and did not need it again.
    ///
    /// The journal tells of it, so that it may go once the manifest is in its place that no longer
    /// names it.
    package private(set) var replaced: [Pathname: Leftovers] = [:]
    /// Of recordings that are gone, and what a manifest has as left behind.
    ///
    /// No journal tells of it, so that the manifest has to name it until it is gone.
    package private(set) var named: [Pathname: Leftovers] = [:]

    package init() {}

    package var isEmpty: Bool { replaced.isEmpty && named.isEmpty }

    /// Whether there is something of a recording.
    package func concerns(_ recording: Pathname) -> Bool {
        replaced[recording] != nil || named[recording] != nil
    }

    /// All that a recording has left; `nil` where there is nothing.
    package subscript(recording: Pathname) -> Leftovers? {
        replaced[recording]?.joined(with: named[recording]) ?? named[recording]
    }

    /// Takes in what a recording has no need for since it was done anew.
    package mutating func replace(_ leftovers: Leftovers) {
        let name = leftovers.recording
        replaced[name] = leftovers.joined(with: replaced[name])
    }

    /// Takes in what a manifest names.
    package mutating func leave(_ leftovers: Leftovers) {
        let name = leftovers.recording
        replaced[name] = replaced[name]?.without(leftovers.names)
        named[name] = leftovers.joined(with: named[name])
    }

    /// Has the manifest name all of it, as it cannot go yet.
    package mutating func nameAll() {
        for leftovers in replaced.values {
            named[leftovers.recording] = leftovers.joined(with: named[leftovers.recording])
        }
        replaced = [:]
    }

    /// Takes back what a recording has made again under the same names.
    package mutating func forget(_ names: [Pathname], of recording: Pathname) {
        replaced[recording] = replaced[recording]?.without(names)
        named[recording] = named[recording]?.without(names)
    }

    /// Takes in what was there earlier.
    package mutating func merge(_ earlier: ObsoleteOutputs) {
        replaced.merge(earlier.replaced) { $0.joined(with: $1) }
        named.merge(earlier.named) { $0.joined(with: $1) }
    }
}
