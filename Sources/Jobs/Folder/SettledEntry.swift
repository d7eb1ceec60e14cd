import Recordings
import ReducerKit

/// What has become of a recording, in this run or an earlier one, kept until its folder's manifest
/// is written.
///
/// There may be very many of them, of which little is asked until then: so they are packed, unless
/// something rare is in them. Of a short recording this takes a fifth of the memory. To pack one
/// and to unpack it again costs about a microsecond each.
package struct SettledEntry: Sendable {
    private enum Form: Equatable, Sendable {
        case packed([UInt8])
        case whole(Boxed<ManifestEntry>)
    }

    package let name: Pathname
    private let form: Form

    package init(_ entry: ManifestEntry) { self.init(Boxed(entry)) }

    package init(_ entry: Boxed<ManifestEntry>) {
        name = entry.value.name
        form = if let packed = entry.value.packed { .packed(packed) } else { .whole(entry) }
    }

    private init(name: Pathname, _ form: Form) {
        self.name = name
        self.form = form
    }

    /// The same, which from now on shares the memory of a name that is the same.
    package func sharing(_ name: Pathname) -> SettledEntry {
        if case .packed = form { SettledEntry(name: name, form) } else { self }
    }

    package var value: ManifestEntry {
        get {
            switch form {
            case .packed(let bytes): ManifestEntry(name: name, packed: bytes)
            case .whole(let entry): entry.value
            }
        }
        set { self = SettledEntry(newValue) }
    }

    /// The value's, without unpacking the rest.
    package var status: ManifestEntry.Status {
        switch form {
        case .packed(let bytes): ManifestEntry.head(ofPacked: bytes).status
        case .whole(let entry): entry.value.status
        }
    }

    /// The value's.
    package var failure: RecordingFailure? { rarities?.value.failure }

    /// The value's.
    package var recipe: Recipe? { rarities?.value.recipe }

    /// The value, which nothing is copied for where it is not packed.
    package var boxed: Boxed<ManifestEntry> {
        if case .whole(let entry) = form { entry } else { Boxed(value) }
    }

    /// What it takes, where it is packed.
    var packedBytes: Int? {
        if case .packed(let bytes) = form { bytes.count } else { nil }
    }

    /// Whether it names files of an earlier one.
    package var leavesBehind: Bool {
        switch form {
        case .packed(let bytes): ManifestEntry.head(ofPacked: bytes).leavesBehind
        case .whole(let entry): entry.value.leftBehind != nil
        }
    }

    /// The entry where there may be something rare in it: nothing that is packed has such.
    private var rarities: Boxed<ManifestEntry>? {
        if case .whole(let entry) = form { entry } else { nil }
    }
}

extension SettledEntry: Hashable, Codable, CustomReflectable {
    /// By what they say, however they are kept.
    package static func == (left: SettledEntry, right: SettledEntry) -> Bool {
        left.name == right.name && (left.form == right.form || left.value == right.value)
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }

    package func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }

    package init(from decoder: any Decoder) throws {
        self.init(try ManifestEntry(from: decoder))
    }

    /// The entry's own.
    package var customMirror: Mirror { Mirror(reflecting: value) }
}

extension ManifestEntry {
    /// All but its name; `nil` where something is in it that most do without.
    fileprivate var packed: [UInt8]? {
        guard failure == nil, recipe == nil, leftBehind != nil || earlier == nil,
            decoderMessage == nil, levels?.nonFiniteSamples == nil
        else { return nil }
        var packer = Packer(room: 256)
        packer.put(
            status, leftBehind != nil, source, sourceSHA256, format, levels, silence, waveforms,
            trimmed, notTrimmed)
        if let leftBehind { packer.put(leftBehind, earlier) }
        return packer.fitted
    }

    fileprivate static func head(
        ofPacked bytes: [UInt8]
    ) -> (status: Status, leavesBehind: Bool) {
        var unpacker = Unpacker(bytes)
        return (unpacker.next(), unpacker.next())
    }

    fileprivate init(name: Pathname, packed bytes: [UInt8]) {
        var unpacker = Unpacker(bytes)
        let status: Status = unpacker.next()
        let leavesBehind: Bool = unpacker.next()
        self.init(name: name, status: status, source: unpacker.next())
        sourceSHA256 = unpacker.next()
        format = unpacker.next()
        levels = unpacker.next()
        silence = unpacker.next()
        waveforms = unpacker.next()
        trimmed = unpacker.next()
        notTrimmed = unpacker.next()
        guard leavesBehind else { return }
        let names: [Pathname] = unpacker.next()
        leftBehind = names
        earlier = unpacker.next()
    }
}

// MARK: - The parts of an entry

extension FileStamp: Packed {
    func pack(into packer: inout Packer) {
        packer.put(bytes, modifiedNanoseconds)
    }

    init(from unpacker: inout Unpacker) {
        self.init(bytes: unpacker.next(), modifiedNanoseconds: unpacker.next())
    }
}

extension AudioFormat: Packed {
    func pack(into packer: inout Packer) {
        packer.put(container, encoding, sampleRateHertz, channels, frames, durationSeconds)
    }

    init(from unpacker: inout Unpacker) {
        self.init(
            container: unpacker.next(), encoding: unpacker.next(), sampleRateHertz: unpacker.next(),
            channels: unpacker.next(), frames: unpacker.next())
        durationSeconds = unpacker.next()
    }
}

extension Levels: Packed {
    func pack(into packer: inout Packer) {
        packer.put(peakDBFS, rmsDBFS, dcOffset, clippedSamples, samplesBeyondFullScale)
    }

    init(from unpacker: inout Unpacker) {
        self.init(
            peakDBFS: unpacker.next(), rmsDBFS: unpacker.next(), dcOffset: unpacker.next(),
            clippedSamples: unpacker.next(), samplesBeyondFullScale: unpacker.next())
    }
}

extension SilenceMap: Packed {
    func pack(into packer: inout Packer) {
        packer.put(
            noiseFloorDBFS, signalToNoiseDecibels, confidence, separable, silent, intervalsSeconds,
            thresholdDecibels)
    }

    init(from unpacker: inout Unpacker) {
        self.init(
            noiseFloorDBFS: unpacker.next(), signalToNoiseDecibels: unpacker.next(),
            confidence: unpacker.next(), separable: unpacker.next(), silent: unpacker.next(),
            intervalsSeconds: unpacker.next())
        thresholdDecibels = unpacker.next()
    }
}

extension WaveformFile: Packed {
    func pack(into packer: inout Packer) {
        packer.put(path, samplesPerPixel, bits, channels, length, bytes, sha256)
    }

    init(from unpacker: inout Unpacker) {
        self.init(
            path: unpacker.next(), samplesPerPixel: unpacker.next(), bits: unpacker.next(),
            channels: unpacker.next(), length: unpacker.next(), bytes: unpacker.next(),
            sha256: unpacker.next())
    }
}

extension TrimmedFile: Packed {
    func pack(into packer: inout Packer) {
        packer.put(path, durationSeconds, bytes, sha256, edits)
    }

    init(from unpacker: inout Unpacker) {
        self.init(
            path: unpacker.next(), durationSeconds: unpacker.next(), bytes: unpacker.next(),
            sha256: unpacker.next(), edits: unpacker.next())
    }
}

extension Edit: Packed {
    func pack(into packer: inout Packer) {
        packer.put(source.lowerBound, source.upperBound, trimmedFrame)
    }

    init(from unpacker: inout Unpacker) {
        self.init(sourceFrames: unpacker.next()..<unpacker.next(), trimmedFrame: unpacker.next())
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
