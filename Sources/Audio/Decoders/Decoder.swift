import Recordings

/// Decodes an open file, for one thread at a time: libsndfile (`SoundFile`), a `FLACDecoder`, a
/// `LibavDecoder`, or any of them in a process of its own (`IsolatedDecoder`).
///
/// A file has one decoder from its first frame to its last.
protocol Decoder: AnyObject {
    /// Decodes up to `frames` next frames into `samples`, which must have room; returns how many.
    func read(
        _ frames: Int, as carrier: SampleType, into samples: UnsafeMutableRawPointer
    ) -> Int

    /// Moves to a frame, so that the next read starts there; false if it cannot be reached.
    func seek(to frame: Int64) -> Bool

    /// The first system error number; 0 if there was no error.
    var errorNumber: Int32 { get }
    /// The first decoding error; `frame` if its position is known better than by the last call.
    var complaint: (refusal: LibraryRefusal?, frame: Int64?)? { get }

    /// Whether all bytes of the file have been read.
    var isReadToItsEnd: Bool { get }
    /// Whether frames are known to be missing although the last one is present.
    var lacksFramesWithinAlone: Bool { get }
    /// The error in what follows the last frame; valid once that is read.
    var troubleAtEnd: RecordingFailure.Reason? { get }

    /// Texts that the library finds in the file, by their names in small letters.
    var tags: [String: String] { get }
    /// The picture that the library finds; `nil` if there is none, or our own code reads it.
    var picture: Picture? { get }
    /// The loudspeakers of the channels, by the bits of `WAVEFORMATEXTENSIBLE`; 0 if the library
    /// does not say.
    var speakers: UInt32 { get }
}

extension Decoder {
    var tags: [String: String] { [:] }
    var picture: Picture? { nil }
    var speakers: UInt32 { 0 }

    func read<Sample: LosslessSample>(
        _ frames: Int, into samples: UnsafeMutablePointer<Sample>
    ) -> Int { read(frames, as: Sample.carrier, into: samples) }
}
