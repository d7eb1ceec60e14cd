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
    ///   - names: of the files, each once.
    ///   - told: by whoever tells of them; what is said of others is left out.
    package init(_ names: [Pathname], of recording: Pathname, toldOf told: [EarlierOutputs]) {
        self.recording = recording
        var packer = Packer(room: 256)
        packer.put(names, told.telling(of: names))
        bytes = packer.fitted
    }

    /// All that was made of a recording.
    package init(_ entry: ManifestEntry) {
        self.init(entry.outputs, of: entry.name, toldOf: entry.generations)
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

    /// These, and those that others of the recording have left.
    package func joined(with others: Leftovers) -> Leftovers {
        var seen = Set<Pathname>()
        let all = (names + others.names).filter { seen.insert($0).inserted }
        return Leftovers(all, of: recording, toldOf: told + others.told)
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

extension EarlierOutputs: Packed {
    func pack(into packer: inout Packer) { packer.put(format, source, trimmed, waveforms) }

    init(from unpacker: inout Unpacker) {
        self.init(
            format: unpacker.next(), source: unpacker.next(), trimmed: unpacker.next(),
            waveforms: unpacker.next())
    }
}
