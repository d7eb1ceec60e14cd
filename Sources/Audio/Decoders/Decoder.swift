import Recordings

/// Decodes an open file, for one thread at a time: a `FLACDecoder`, or libsndfile (`SoundFile`).
///
/// A file has one decoder from its first frame to its last.
protocol Decoder: AnyObject {
    /// Writes up to so many of the next frames to where there is room for them; how many.
    func read(
        _ frames: Int, as carrier: SampleType, into samples: UnsafeMutableRawPointer
    ) -> Int

    /// Goes to a frame, so that the next one read is that; whether there was a way.
    func seek(to frame: Int64) -> Bool

    /// The first error number of the system, 0 while all is well.
    var errorNumber: Int32 { get }
    /// The first complaint, and where it came, if it is known more exactly than by the last call.
    var complaint: (refusal: LibraryRefusal?, frame: Int64?)? { get }

    /// Whether all bytes of the file have been read.
    var isReadToItsEnd: Bool { get }
    /// Whether frames are known to be missing, but the last one is there.
    var lacksFramesWithinAlone: Bool { get }
    /// What is wrong with what follows the last frame, once that is read.
    var troubleAtEnd: RecordingFailure.Reason? { get }
}

extension Decoder {
    func read<Sample: LosslessSample>(
        _ frames: Int, into samples: UnsafeMutablePointer<Sample>
    ) -> Int { read(frames, as: Sample.carrier, into: samples) }
}
