import CSndfile
import Recordings

/// A new sound file, written in blocks of frames by libsndfile; for one thread at a time.
struct SoundWriter: ~Copyable {
    private let file: OpaquePointer
    private let channels: Int

    struct Failure: Error {
        let detail: String
    }

    /// Creates a file of a format as libsndfile's numbers say it, in the place of what is there.
    init(creating path: Pathname, format: Int, sampleRateHertz: Int, channels: Int) throws {
        var info = SF_INFO(
            frames: 0, samplerate: Int32(sampleRateHertz), channels: Int32(channels),
            format: Int32(format), sections: 0, seekable: 0)
        let opened = path.withCString { sf_open($0, Int32(SFM_WRITE), &info) }
        guard let opened else { throw Failure(detail: String(cString: sf_strerror(nil))) }
        sf_command(opened, Int32(SFC_SET_CLIPPING), nil, 1)
        file = opened
        self.channels = channels
    }

    deinit { sf_close(file) }

    /// Writes samples, interleaved by channel, of full scale ±1; what is beyond is clamped.
    func write(_ samples: [Float]) throws {
        let frames = Int64(samples.count / channels)
        guard sf_writef_float(file, samples, frames) == frames else {
            throw Failure(detail: String(cString: sf_strerror(file)))
        }
    }
}
