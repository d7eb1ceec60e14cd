import CSndfile
import Recordings

/// A sound file, decoded from the beginning to the end in blocks of frames.
///
/// For one thread at a time; several readers may work in parallel. Reading allocates nothing once
/// the first block has been lent.
package struct AudioFileReader: ~Copyable {
    /// Frames in a block that keep decoding busy and the block in the cache.
    package static let recommendedBlockFrames = 8192

    /// What the header declares; `frames` is 0 where it declares none.
    package let format: AudioFormat
    /// Frames lent so far.
    package private(set) var framesRead: Int64 = 0

    private let source: SourceFile
    private let sound: SoundFile
    private let view: SampleView
    /// Holds a block of 32-bit samples on their way into both views.
    private var wideSamples: [Int32] = []
    /// The first complaint of the decoder, and where it came.
    private var damage: AudioFileError?

    /// Opens the sound file at `path`.
    ///
    /// Throws where there is no such file, it is no regular file, has no bytes, or is nothing that
    /// can be decoded.
    package init(opening path: Pathname) throws(AudioFileError) {
        let source = try SourceFile(opening: path)
        sound = try SoundFile(reading: source)
        format = AudioFormat(sound.info)
        view = SampleView(of: format.encoding)
        self.source = source
    }

    /// What was decoded so far, to be asked after the end.
    package var decodedFormat: AudioFormat {
        AudioFormat(
            container: format.container, encoding: format.encoding,
            sampleRateHertz: format.sampleRateHertz, channels: format.channels, frames: framesRead)
    }

    /// Fills `block` up to its capacity, or with what is left; no frames at the end.
    ///
    /// The block's channels must be the file's. Damage that the decoder can step over is remembered
    /// for `verifyEnd()`; where it cannot go on, the frames before are lent and the next call throws.
    package mutating func read(into block: inout AudioBlock) throws(AudioFileError) {
        precondition(block.channels == format.channels, "A block of another file's channels.")
        block.frames = 0
        if let damage, damage.reason == .inputOutput { throw damage }
        let capacity = block.capacityFrames
        while block.frames < capacity {
            let frames = decode(into: &block, from: block.frames, count: capacity - block.frames)
            noteDamage(afterFrame: framesRead)
            framesRead += Int64(frames)
            block.frames += frames
            if frames == 0 { break }
        }
    }

    /// Decodes up to `count` frames into both views behind the `first` frames of the block.
    private mutating func decode(into block: inout AudioBlock, from first: Int, count: Int) -> Int {
        let range = first * block.channels..<(first + count) * block.channels
        let handle = sound.handle
        let view = view
        if view == .wide, wideSamples.count < range.count {
            wideSamples = Array(repeating: 0, count: range.count)
        }
        return block.samples.withUnsafeMutableBufferPointer { allSamples in
            block.int16.withUnsafeMutableBufferPointer { allInt16 in
                wideSamples.withUnsafeMutableBufferPointer { wide in
                    view.read(
                        handle, frames: count,
                        samples: UnsafeMutableBufferPointer(rebasing: allSamples[range]),
                        int16: UnsafeMutableBufferPointer(rebasing: allInt16[range]), wide: wide)
                }
            }
        }
    }

    /// Remembers the decoder's first complaint.
    private mutating func noteDamage(afterFrame frame: Int64) {
        guard damage == nil, let refusal = sound.refusal else { return }
        damage = AudioFileError(
            activity: .reading, path: source.path, reason: refusal.reason, code: refusal.code,
            detail: refusal.detail, frame: frame)
    }
}
