import CSndfile
import Recordings

/// Some of what a trimmed copy keeps: frames that follow each other, in numbers that hold them.
package struct CopySection: Sendable {
    /// As the library takes them.
    enum Samples: Sendable {
        case int16([Int16])
        case int32([Int32])
    }

    /// Its place among the others.
    package let number: Int
    let samples: Samples
    let channels: Int
    /// The bytes of a sample as they are stored, the upper ones of what holds it.
    private let storedBytes: Int

    /// What holds the samples.
    var byteCount: Int {
        switch samples {
        case .int16(let samples): samples.count * MemoryLayout<Int16>.size
        case .int32(let samples): samples.count * MemoryLayout<Int32>.size
        }
    }

    /// Frames of sound.
    var frames: Int {
        switch samples {
        case .int16(let samples): samples.count / channels
        case .int32(let samples): samples.count / channels
        }
    }

    fileprivate init(number: Int, samples: Samples, channels: Int, storedBytes: Int) {
        self.number = number
        self.samples = samples
        self.channels = channels
        self.storedBytes = storedBytes
    }

    /// Hands over the samples as they are stored, interleaved, the lowest byte of each first, as a
    /// FLAC's digest is taken of them.
    package func withStoredBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
        switch samples {
        case .int16(let samples): CopySection.with(samples, storedBytes, body)
        case .int32(let samples): CopySection.with(samples, storedBytes, body)
        }
    }

    private static func with<Sample: FixedWidthInteger>(
        _ samples: [Sample], _ storedBytes: Int, _ body: (UnsafeRawBufferPointer) -> Void
    ) {
        let width = MemoryLayout<Sample>.size
        #if _endian(big)
            let samples = samples.map(\.littleEndian)
        #endif
        samples.withUnsafeBytes { bytes in
            if width == storedBytes { return body(bytes) }
            let stored = [UInt8](unsafeUninitializedCapacity: samples.count * storedBytes) {
                var place = 0
                for sample in stride(from: width - storedBytes, to: bytes.count, by: width) {
                    for byte in sample..<sample + storedBytes {
                        $0[place] = bytes[byte]
                        place += 1
                    }
                }
                $1 = place
            }
            stored.withUnsafeBytes(body)
        }
    }
}

/// The sections of a trimmed copy in FLAC, one after the other.
///
/// Somebody reads them, and others may encode them meanwhile. What is read, and in which order, is
/// what `TrimmedCopy.write` reads. For one thread at a time.
package struct CopySections: ~Copyable {
    private let frames: any SectionFrames
    private let channels: Int
    private let storedBytes: Int
    private var number = 0
    /// Turns sections into stretches of the copy.
    package let encoder: SectionEncoder

    /// About as many bytes are in a section: little beside what listening keeps of a long
    /// recording, and enough for the making of an encoder to be nothing.
    package static let usualBytes = 1 << 20

    /// What a header can say: eighteen days at 44.1 kHz.
    private static let mostFrames: Int64 = (1 << 36) - 1

    /// Opens the source; `nil` where the copy is not FLAC, or longer than its header could say.
    ///
    /// Throws where the source cannot be read.
    package init?(
        keeping edits: EditList, from source: Pathname, container: TrimmedContainer,
        fadeFrames: Int, sectionBytes: Int = usualBytes
    ) throws(AudioFileError) {
        let file = try DecodableFile(opening: source)
        var info = file.sound.info
        guard edits.trimmedFrameCount <= CopySections.mostFrames,
            let format = TrimmedFormat(
                copying: info, as: container, frames: edits.trimmedFrameCount),
            format.isWritable(&info), Int(info.format) & SF_FORMAT_TYPEMASK == SF_FORMAT_FLAC,
            let width = SampleEncoding(sndfileFormat: info.format).bytesPerSample
        else { return nil }
        channels = Int(info.channels)
        storedBytes = width
        let frameBytes = channels * (format.carrier == .int16 ? 2 : 4)
        encoder = SectionEncoder(info: info, about: sectionBytes / frameBytes)
        let step = format.step
        frames =
            format.carrier == .int16
            ? OpenFrames<Int16>(file, edits, of: source, fadeFrames: fadeFrames, step)
            : OpenFrames<Int32>(file, edits, of: source, fadeFrames: fadeFrames, step)
    }

    /// The next section; `nil` at the end, and when told to stop.
    ///
    /// Throws as `TrimmedCopy.write` does.
    package mutating func next(
        isCancelled: () -> Bool
    ) throws(AudioFileError) -> CopySection? {
        guard let samples = try frames.next(encoder.sectionFrames, isCancelled) else { return nil }
        defer { number += 1 }
        return CopySection(
            number: number, samples: samples, channels: channels, storedBytes: storedBytes)
    }
}

/// What is kept of an open file, in numbers of some kind.
private protocol SectionFrames: AnyObject {
    /// So many of the next frames, fewer at the end; `nil` behind it, and when told to stop.
    func next(
        _ frames: Int, _ isCancelled: () -> Bool
    ) throws(AudioFileError) -> CopySection.Samples?
}

private final class OpenFrames<Sample: SectionSample>: SectionFrames {
    private let file: DecodableFile
    private var kept: KeptFrames<Sample>

    init(
        _ file: consuming DecodableFile, _ edits: EditList, of source: Pathname, fadeFrames: Int,
        _ step: Double
    ) {
        kept = KeptFrames(edits, of: source, in: file, fadeFrames: fadeFrames, step)
        self.file = file
    }

    func next(
        _ frames: Int, _ isCancelled: () -> Bool
    ) throws(AudioFileError) -> CopySection.Samples? {
        let channels = kept.block.channels
        var samples: [Sample] = []
        samples.reserveCapacity(frames * channels)
        gathering: while samples.count < frames * channels {
            let left = frames - samples.count / channels
            switch try kept.next(left, from: file, isCancelled: isCancelled) {
            case .block: samples += kept.block.samples[..<(kept.block.frames * channels)]
            case .end: break gathering
            case .cancelled: return nil
            }
        }
        return samples.isEmpty ? nil : Sample.section(samples)
    }
}

/// A number that FLAC's samples are carried in.
private protocol SectionSample: CarriedSample {
    static func section(_ samples: [Self]) -> CopySection.Samples
}

extension Int16: SectionSample {
    fileprivate static func section(_ samples: [Int16]) -> CopySection.Samples { .int16(samples) }
}

extension Int32: SectionSample {
    fileprivate static func section(_ samples: [Int32]) -> CopySection.Samples { .int32(samples) }
}
