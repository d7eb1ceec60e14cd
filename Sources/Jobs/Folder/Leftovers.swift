import Recordings
import ReducerKit

/// Files that were made of a recording and are to go, with what was said of them when they were
/// made: it tells them from a recording that somebody has moved to their place since.
///
/// Packed: where something was asked for in another way, each recording of a folder has some.
package struct Leftovers: Hashable, Sendable {
    /// The recording's name.
    package let recording: Pathname
    private let bytes: [UInt8]

    /// - Parameters:
    ///   - names: of the files; each is taken once.
    ///   - told: by whoever tells of them; what is said of others is left out.
    package init(_ names: [Pathname], of recording: Pathname, toldOf told: [EarlierOutputs]) {
        self.recording = recording
        var seen = Set<Pathname>()
        let names = names.filter { seen.insert($0).inserted }
        var packer = Packer(room: 256)
        packer.put(names, told.telling(of: names))
        bytes = packer.fitted
    }

    /// All that was made of a recording.
    package init(_ entry: ManifestEntry) {
        self.init(entry.outputs, of: entry.name, toldOf: entry.generations)
    }

    /// What an entry has left behind.
    init(behind entry: ManifestEntry) {
        self.init(entry.leftBehind ?? [], of: entry.name, toldOf: entry.earlier ?? [])
    }

    /// Of the files, each once.
    package var names: [Pathname] {
        var unpacker = Unpacker(bytes)
        return unpacker.next()
    }

    /// What is known of them, of each once.
    package var told: [EarlierOutputs] {
        var unpacker = Unpacker(bytes)
        let _: [Pathname] = unpacker.next()
        return unpacker.next()
    }

    /// These, and what the recording left before; of a file in both, these tell.
    package func joined(with earlier: Leftovers?) -> Leftovers {
        guard let earlier else { return self }
        return Leftovers(
            names + earlier.names, of: recording, toldOf: told + earlier.told)
    }

    /// These but for some; `nil` where that is all.
    package func without(_ others: [Pathname]) -> Leftovers? {
        let rest = names.filter { !others.contains($0) }
        return rest.isEmpty ? nil : Leftovers(rest, of: recording, toldOf: told)
    }
}

extension ManifestEntry {
    /// As a manifest names files of a recording that it knows nothing else of.
    init(_ leftovers: Leftovers) {
        self.init(name: leftovers.recording, status: .sourceMissing, source: nil)
        leaveBehind(leftovers.names, toldOf: leftovers.told)
    }
}

extension Leftovers: Codable, CustomReflectable {
    private enum CodingKeys: CodingKey { case recording, names, told }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(recording, forKey: .recording)
        try container.encode(names, forKey: .names)
        try container.encode(told, forKey: .told)
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try container.decode([Pathname].self, forKey: .names),
            of: try container.decode(Pathname.self, forKey: .recording),
            toldOf: try container.decode([EarlierOutputs].self, forKey: .told))
    }

    /// By what they say.
    package var customMirror: Mirror {
        Mirror(self, children: ["recording": recording, "names": names, "told": told])
    }
}
