import CSndfile
import Recordings

/// Hands over the decoded frames of an open file: those of FLAC streams by a `FLACDecoder`, all
/// others by libsndfile.
///
/// One file has one of the two from its first frame to its last. For one thread at a time, which
/// keeps the file open at least as long.
struct FrameDecoder {
    private let handle: OpaquePointer
    let flac: FLACDecoder?

    init(of sound: borrowing SoundFile, in source: borrowing SourceFile) {
        handle = sound.handle
        flac = FLACDecoder(reading: source, format: AudioFormat(sound.info))
    }

    /// Writes up to so many of the next frames to where there is room for them; how many.
    func read(_ frames: Int, into samples: UnsafeMutablePointer<Int16>?) -> Int {
        if let flac { return samples.map { flac.read(frames, into: $0) } ?? 0 }
        return Int(sf_readf_short(handle, samples, Int64(frames)))
    }

    func read(_ frames: Int, into samples: UnsafeMutablePointer<Int32>?) -> Int {
        if let flac { return samples.map { flac.read(frames, into: $0) } ?? 0 }
        return Int(sf_readf_int(handle, samples, Int64(frames)))
    }

    func read(_ frames: Int, into samples: UnsafeMutablePointer<Float>?) -> Int {
        precondition(flac == nil, "the samples of FLAC are integers")
        return Int(sf_readf_float(handle, samples, Int64(frames)))
    }

    func read(_ frames: Int, into samples: UnsafeMutablePointer<Double>?) -> Int {
        precondition(flac == nil, "the samples of FLAC are integers")
        return Int(sf_readf_double(handle, samples, Int64(frames)))
    }

    /// Goes to a frame, so that the next one read is that; whether there was a way.
    func seek(to frame: Int64) -> Bool {
        flac?.seek(to: frame) ?? (sf_seek(handle, frame, SEEK_SET) == frame)
    }
}
