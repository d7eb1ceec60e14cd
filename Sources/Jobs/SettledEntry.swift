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
        status.pack(into: &packer)
        source.pack(into: &packer)
        sourceSHA256.pack(into: &packer)
        format.pack(into: &packer)
        levels.pack(into: &packer)
        silence.pack(into: &packer)
        waveforms.pack(into: &packer)
        trimmed.pack(into: &packer)
        notTrimmed.pack(into: &packer)
        // In no more memory than they take.
        return packer.bytes.withUnsafeBufferPointer { Array($0) }
    }

    fileprivate init(name: Pathname, packed bytes: [UInt8]) {
        var unpacker = Unpacker(bytes)
        self.init(
            name: name, status: Status(from: &unpacker), source: FileStamp?(from: &unpacker))
        sourceSHA256 = String?(from: &unpacker)
        format = AudioFormat?(from: &unpacker)
        levels = Levels?(from: &unpacker)
        silence = SilenceMap?(from: &unpacker)
        waveforms = [WaveformFile]?(from: &unpacker)
        trimmed = TrimmedFile?(from: &unpacker)
        notTrimmed = TrimRefusal?(from: &unpacker)
    }
}

// MARK: - The parts of an entry

extension FileStamp: Packed {
    func pack(into packer: inout Packer) {
        bytes.pack(into: &packer)
        modifiedNanoseconds.pack(into: &packer)
    }

    init(from unpacker: inout Unpacker) {
        self.init(
            bytes: Int64(from: &unpacker), modifiedNanoseconds: Int64(from: &unpacker))
    }
}

extension AudioFormat: Packed {
    func pack(into packer: inout Packer) {
        container.pack(into: &packer)
        encoding.pack(into: &packer)
        sampleRateHertz.pack(into: &packer)
        channels.pack(into: &packer)
        frames.pack(into: &packer)
        durationSeconds.pack(into: &packer)
    }

    init(from unpacker: inout Unpacker) {
        self.init(
            container: AudioContainer(from: &unpacker), encoding: SampleEncoding(from: &unpacker),
            sampleRateHertz: Int(from: &unpacker), channels: Int(from: &unpacker),
            frames: Int64(from: &unpacker))
        durationSeconds = Double(from: &unpacker)
    }
}

extension Levels: Packed {
    func pack(into packer: inout Packer) {
        peakDBFS.pack(into: &packer)
        rmsDBFS.pack(into: &packer)
        dcOffset.pack(into: &packer)
        clippedSamples.pack(into: &packer)
        samplesBeyondFullScale.pack(into: &packer)
    }

    init(from unpacker: inout Unpacker) {
        self.init(
            peakDBFS: [Double?](from: &unpacker), rmsDBFS: [Double?](from: &unpacker),
            dcOffset: [Double](from: &unpacker), clippedSamples: [Int](from: &unpacker),
            samplesBeyondFullScale: [Int](from: &unpacker))
    }
}

extension SilenceMap: Packed {
    func pack(into packer: inout Packer) {
        noiseFloorDBFS.pack(into: &packer)
        signalToNoiseDecibels.pack(into: &packer)
        confidence.pack(into: &packer)
        separable.pack(into: &packer)
        silent.pack(into: &packer)
        intervalsSeconds.pack(into: &packer)
        thresholdDecibels.pack(into: &packer)
    }

    init(from unpacker: inout Unpacker) {
        self.init(
            noiseFloorDBFS: Double?(from: &unpacker),
            signalToNoiseDecibels: Double?(from: &unpacker),
            confidence: Double?(from: &unpacker), separable: Bool(from: &unpacker),
            silent: Bool(from: &unpacker), intervalsSeconds: [[Double]](from: &unpacker))
        thresholdDecibels = Double?(from: &unpacker)
    }
}

extension WaveformFile: Packed {
    func pack(into packer: inout Packer) {
        path.pack(into: &packer)
        samplesPerPixel.pack(into: &packer)
        bits.pack(into: &packer)
        channels.pack(into: &packer)
        length.pack(into: &packer)
        bytes.pack(into: &packer)
        sha256.pack(into: &packer)
    }

    init(from unpacker: inout Unpacker) {
        self.init(
            path: Pathname(from: &unpacker), samplesPerPixel: Int(from: &unpacker),
            bits: Int(from: &unpacker), channels: Int(from: &unpacker),
            length: Int(from: &unpacker), bytes: Int64(from: &unpacker),
            sha256: String(from: &unpacker))
    }
}

extension TrimmedFile: Packed {
    func pack(into packer: inout Packer) {
        path.pack(into: &packer)
        durationSeconds.pack(into: &packer)
        bytes.pack(into: &packer)
        sha256.pack(into: &packer)
        edits.pack(into: &packer)
    }

    init(from unpacker: inout Unpacker) {
        self.init(
            path: Pathname(from: &unpacker), durationSeconds: Double(from: &unpacker),
            bytes: Int64(from: &unpacker), sha256: String(from: &unpacker),
            edits: [Edit](from: &unpacker))
    }
}

extension Edit: Packed {
    func pack(into packer: inout Packer) {
        source.lowerBound.pack(into: &packer)
        source.upperBound.pack(into: &packer)
        trimmedFrame.pack(into: &packer)
    }

    init(from unpacker: inout Unpacker) {
        self.init(
            sourceFrames: Int64(from: &unpacker)..<Int64(from: &unpacker),
            trimmedFrame: Int64(from: &unpacker))
    }
}
