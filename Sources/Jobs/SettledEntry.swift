import Recordings
import ReducerKit

/// What has become of a recording, kept until its folder's manifest is written.
///
/// There may be very many of them, of which nothing is asked until then: so they are packed, unless
/// something rare is in them. Of a short recording this takes a fifth of the memory. A run without
/// end keeps them as they are: it holds them against what it sees next, and soon lets go of them.
package struct SettledEntry: Sendable {
    private enum Form: Equatable, Sendable {
        case packed([UInt8])
        case whole(Boxed<ManifestEntry>)
    }

    package let name: Pathname
    private let form: Form

    package init(_ entry: ManifestEntry) { self.init(Boxed(entry)) }

    package init(_ entry: Boxed<ManifestEntry>, isPacked: Bool = true) {
        name = entry.value.name
        form =
            if isPacked, let packed = entry.value.packed { .packed(packed) } else { .whole(entry) }
    }

    package var value: ManifestEntry {
        get {
            switch form {
            case .packed(let bytes): ManifestEntry(name: name, packed: bytes)
            case .whole(let entry): entry.value
            }
        }
        set { self = SettledEntry(Boxed(newValue), isPacked: packedBytes != nil) }
    }

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
        // None that does is packed.
        if case .whole(let entry) = form { entry.value.leftBehind != nil } else { false }
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
        guard failure == nil, leftBehind == nil, recipe == nil else { return nil }
        var packer = Packer()
        packer.put(
            status, source, sourceSHA256, format, levels, silence, waveforms, trimmed, notTrimmed)
        // In no more memory than they take.
        return packer.bytes.withUnsafeBufferPointer { Array($0) }
    }

    fileprivate init(name: Pathname, packed bytes: [UInt8]) {
        var unpacker = Unpacker(bytes)
        self.init(name: name, status: unpacker.next(), source: unpacker.next())
        sourceSHA256 = unpacker.next()
        format = unpacker.next()
        levels = unpacker.next()
        silence = unpacker.next()
        waveforms = unpacker.next()
        trimmed = unpacker.next()
        notTrimmed = unpacker.next()
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
