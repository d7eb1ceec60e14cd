import CSndfile
import Recordings

/// Hands over the decoded frames of an open file.
///
/// They come from libsndfile, but for those of FLAC streams, which come from a `FLACDecoder` as
/// long as all is as it should be. From the first frame on where it is not, libsndfile is asked, as
/// if it had been asked for all before, so that damage is what libsndfile says it is, or a
/// `gap`, of which it knows nothing. For one thread at a time.
final class FrameDecoder {
    private let handle: OpaquePointer
    private var flac: FLACDecoder?
    /// Where reading began that went on from there.
    private var origin: Int64 = 0
    /// Where frames of a FLAC stream are missing, or cannot be made out, so that silence comes for
    /// them, or where there is one that belongs elsewhere, once reading came there.
    ///
    /// libsndfile may say nothing of either.
    private(set) var gap: Int64?
    /// Whether a FLAC stream of unknown length goes on where its decoder could not.
    private(set) var hasRemains = false
    /// Whether libsndfile does not come to where reading has come.
    private var isLost = false
    /// Whether libsndfile goes elsewhere than it is asked to.
    private let isPart: Bool

    /// Whoever calls this keeps both open at least as long.
    init(of sound: borrowing SoundFile, in source: borrowing SourceFile) {
        handle = sound.handle
        flac = FLACDecoder(reading: source, format: AudioFormat(sound.info))
        isPart = flac?.isPart ?? false
    }

    /// Whether reading can begin at any frame without those before it.
    var isSeekable: Bool { flac?.isSeekable ?? true }

    /// Whether the next frames come from a stream's own decoder.
    var isPastLibrary: Bool { flac != nil }

    /// Writes up to so many of the next frames to where there is room for them; how many.
    ///
    /// What went wrong where they are fewer is libsndfile's to say; it first reads once more what
    /// was read, which takes as long as that did.
    func read(_ frames: Int, into samples: UnsafeMutablePointer<Int16>?) -> Int {
        if let samples, let read = readFLAC(frames, bits: 16, into: samples) { return read }
        return isLost ? 0 : Int(sf_readf_short(handle, samples, Int64(frames)))
    }

    func read(_ frames: Int, into samples: UnsafeMutablePointer<Int32>?) -> Int {
        if let samples, let read = readFLAC(frames, bits: 32, into: samples) { return read }
        return isLost ? 0 : Int(sf_readf_int(handle, samples, Int64(frames)))
    }

    func read(_ frames: Int, into samples: UnsafeMutablePointer<Float>?) -> Int {
        leaveFLAC()
        return isLost ? 0 : Int(sf_readf_float(handle, samples, Int64(frames)))
    }

    func read(_ frames: Int, into samples: UnsafeMutablePointer<Double>?) -> Int {
        leaveFLAC()
        return isLost ? 0 : Int(sf_readf_double(handle, samples, Int64(frames)))
    }

    /// Where in the file a stream's own decoder is.
    var place: Int64? { flac?.place }

    /// Whether a FLAC stream goes on behind its last frame within the block that it ends in.
    var isWithinBlock: Bool { flac?.isWithinBlock ?? false }

    /// Goes to a frame, so that the next one read is that; whether there was a way.
    /// - Parameter atAnyCost: whether to come there by decoding all before it where a FLAC stream
    ///   has no other way, or shows a wrong one.
    func seek(to frame: Int64, atAnyCost: Bool = false) -> Bool {
        if let flac, flac.seek(to: frame) {
            origin = frame
            return true
        }
        if let flac, atAnyCost || !flac.isSeekable {
            if flac.isSeekable { flac.restart() }
            if readOn(flac, to: frame) {
                origin = 0
                return true
            }
        }
        flac = nil
        isLost = isPart || frame < 0 || sf_seek(handle, frame, SEEK_SET) != frame
        return !isLost
    }

    /// Comes to a frame further on by decoding all before it.
    private func readOn(_ flac: FLACDecoder, to frame: Int64) -> Bool {
        let most = AudioFileReader.recommendedBlockFrames
        // Room for samples of any kind.
        var passed = [Int32](repeating: 0, count: most * flac.channels)
        while flac.position < frame {
            let count = Int(min(Int64(most), frame - flac.position))
            guard flac.read(count, into: &passed) == count else { return false }
        }
        return flac.position == frame
    }

    /// As the stream's own decoder has them; `nil` where libsndfile is to be asked.
    private func readFLAC(
        _ frames: Int, bits: Int, into samples: UnsafeMutableRawPointer
    ) -> Int? {
        if let flac, flac.handsOver(bits: bits), let read = flac.read(frames, into: samples) {
            return read
        }
        leaveFLAC()
        return nil
    }

    /// Brings libsndfile to where reading has come, if it is not there.
    private func leaveFLAC() {
        guard let left = flac else { return }
        (flac, gap, hasRemains) = (nil, left.gap, left.hasRemains)
        if origin > 0, isPart || sf_seek(handle, origin, SEEK_SET) != origin { isLost = true }
        let most = AudioFileReader.recommendedBlockFrames
        var passed = [Int16](repeating: 0, count: most * left.channels)
        while !isLost, origin < left.position {
            let frames = min(Int64(most), left.position - origin)
            isLost = sf_readf_short(handle, &passed, frames) != frames
            origin += frames
        }
    }
}
