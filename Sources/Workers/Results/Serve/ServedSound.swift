import Audio
import Recordings
import Synchronization

/// A recording as a WAV file of 16 bits, decoded while it is sent.
///
/// For browsers that cannot play its format. Files of more than 4 GiB have the header of RF64 (EBU
/// Tech 3306). Cost: a request for a later place in a lossy recording decodes all before it.
package final class ServedSound: ServedBody {
    package let type = "audio/wav"
    package let length: Int64
    package let tag: String
    private let header: [UInt8]
    private let file: ServedFile
    private let raw: RawFormat?
    private let frameBytes: Int
    private let frames: Int64
    /// `nil` until something is read, and once decoding has failed.
    private let decoding = Mutex<Decoding?>(nil)

    /// A decoder and what it has decoded.
    private struct Decoding: ~Copyable {
        var reader: AudioFileReader
        var block: AudioBlock
        /// The frame after those in the block.
        var next: Int64 = 0
    }

    private static let blockFrames = 16_384
    /// A year at 34 kHz: whoever can write to the record may have it say anything.
    private static let mostFrames: Int64 = 1 << 40

    /// - Parameters:
    ///   - format: of the recording when it was processed.
    ///   - raw: how it is stored if it has no header.
    init(_ file: ServedFile, _ format: AudioFormat, withoutHeaderAs raw: RawFormat?) {
        (self.file, self.raw) = (file, raw)
        frames = min(format.frames, ServedSound.mostFrames)
        frameBytes = 2 * format.channels
        header = ServedSound.header(format, frames: frames)
        length = Int64(header.count) + frames * Int64(frameBytes)
        tag = String(file.tag.dropLast()) + "-wav\""
    }

    package func read(at place: Int64, count: Int) -> [UInt8] {
        if place < header.count {
            return Array(header.dropFirst(Int(place)).prefix(count))
        }
        let (frame, rest) = (place - Int64(header.count))
            .quotientAndRemainder(dividingBy: Int64(frameBytes))
        guard frame < frames else { return [] }
        return decoding.withLock { decoding in
            do throws(AudioFileError) {
                return Array(
                    try bytes(from: frame, &decoding).dropFirst(Int(rest)).prefix(count))
            } catch {
                decoding = nil
                return []
            }
        }
    }

    /// Some bytes of sound from a frame on.
    private func bytes(
        from frame: Int64, _ decoding: inout Decoding?
    ) throws(AudioFileError) -> [UInt8] {
        if let next = decoding?.next, frame < next - Int64(decoding?.block.frames ?? 0) {
            decoding = nil
        }
        if decoding == nil {
            let reader = try AudioFileReader(
                opening: file.openedAt, withoutHeaderAs: raw)
            let block = AudioBlock(
                channels: reader.format.channels, capacityFrames: ServedSound.blockFrames)
            decoding = Decoding(reader: reader, block: block)
        }
        guard var opened = decoding.take() else { return [] }
        if frame >= opened.next { opened.next += try opened.reader.skip(to: frame) }
        while opened.next <= frame {
            try opened.reader.read(into: &opened.block)
            if opened.block.frames == 0 { return [] }
            opened.next += Int64(opened.block.frames)
        }
        let channels = opened.block.channels
        let start = Int(frame - opened.next + Int64(opened.block.frames)) * channels
        let samples = opened.block.int16[start..<opened.block.frames * channels]
        // Little-endian, as the processors that Swift on Linux is for.
        let bytes = samples.withUnsafeBytes { Array($0) }
        decoding = consume opened
        return bytes
    }

    private static func header(_ format: AudioFormat, frames: Int64) -> [UInt8] {
        func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
            withUnsafeBytes(of: number.littleEndian) { Array($0) }
        }
        let frameBytes = 2 * format.channels
        let sound = frames * Int64(frameBytes)
        let isLong = sound > Int64(UInt32.max) - 64
        var header: [UInt8] = Array((isLong ? "RF64" : "RIFF").utf8)
        header += bytes(isLong ? UInt32.max : UInt32(36 + sound)) + Array("WAVE".utf8)
        if isLong {
            header += Array("ds64".utf8) + bytes(UInt32(28)) + bytes(sound + 72)
            header += bytes(sound) + bytes(frames) + bytes(UInt32(0))
        }
        header += Array("fmt ".utf8) + bytes(UInt32(16)) + bytes(UInt16(1))
        header += bytes(UInt16(clamping: format.channels))
        header += bytes(UInt32(clamping: format.sampleRateHertz))
        header += bytes(UInt32(clamping: format.sampleRateHertz * frameBytes))
        header += bytes(UInt16(clamping: frameBytes)) + bytes(UInt16(16))
        return header + Array("data".utf8) + bytes(isLong ? UInt32.max : UInt32(sound))
    }
}
