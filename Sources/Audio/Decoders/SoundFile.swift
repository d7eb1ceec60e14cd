import CSndfile
import Recordings
import Synchronization

/// An open libsndfile file, for one thread at a time; closed on deinit.
final class SoundFile: Decoder {
    let handle: OpaquePointer
    /// The format that the header declares.
    let info: SF_INFO
    /// Makes the library's system calls.
    private let virtualFile: VirtualFile
    private var isClosed = false
    /// By how many bits integers are shifted left.
    private var shift: Int32 = 0

    /// Held from opening a file until its error is read: libsndfile keeps errors of failed openings
    /// in a global.
    private static let openings = Mutex<Void>(())

    private init(
        _ file: VirtualFile, at path: Pathname, _ activity: AudioFileError.Activity, mode: Int,
        info declared: SF_INFO
    ) throws(AudioFileError) {
        var info = declared
        var refusal: LibraryRefusal?
        var opened: OpaquePointer?
        SoundFile.openings.withLock { _ in
            opened = file.open(mode: mode, info: &info)
            if opened == nil { refusal = LibraryRefusal(of: nil) }
        }
        guard let opened else {
            let number = file.errorNumber
            if number != 0 { throw AudioFileError(activity, path, errno: number) }
            throw AudioFileError(activity, path, refusal, or: .other)
        }
        handle = opened
        self.info = info
        virtualFile = file
    }

    /// Opens a sound file for reading; an MPEG stream up to the end of its last frame.
    ///
    /// The end of an MPEG stream is made unseekable, so that libsndfile does not estimate the
    /// length and trust the estimate.
    convenience init(
        reading source: SourceFile, stream: MPEGStream?
    ) throws(AudioFileError) {
        let file =
            if let stream {
                VirtualFile(
                    reading: source, from: stream.start, length: stream.end - stream.start,
                    isEndSeekable: false)
            } else {
                VirtualFile(reading: source, length: HeaderGuard.shownBytes(of: source))
            }
        // Format 0: libsndfile detects the format, and never assumes raw samples.
        try self.init(file, at: source.path, .opening, mode: SFM_READ, info: SF_INFO())
        file.endOpening()
    }

    /// Opens `length` bytes of samples from `start` on, whose format the caller knows.
    convenience init(
        reading source: SourceFile, as raw: RawFormat, from start: Int64, length: Int64
    ) throws(AudioFileError) {
        let file = VirtualFile(reading: source, from: start, length: length)
        var info = SF_INFO()
        info.samplerate = Int32(clamping: raw.sampleRateHertz)
        info.channels = Int32(clamping: raw.channels)
        let subtype = raw.isLowIn32 ? SF_FORMAT_PCM_32 : raw.encoding.sndfileSubtype
        let endian = raw.isBigEndian ? SF_ENDIAN_BIG : SF_ENDIAN_LITTLE
        info.format = Int32(SF_FORMAT_RAW | subtype | endian)
        try self.init(file, at: source.path, .opening, mode: SFM_READ, info: info)
        if raw.isLowIn32 { shift = 8 }
    }

    /// The library's offset in the file; after opening, where the samples begin.
    var position: Int64 { virtualFile.position }

    /// Starts a sound file of `info`'s format in `new`, which the caller keeps open.
    convenience init(writing new: NewFile, info: SF_INFO) throws(AudioFileError) {
        let file = try VirtualFile(writing: new)
        try self.init(file, at: new.path, .creating, mode: SFM_WRITE, info: info)
    }

    /// Writes the header, and returns its length.
    func writeHeader() -> Int64 {
        sf_command(handle, Int32(SFC_UPDATE_HEADER_NOW), nil, 0)
        return virtualFile.length
    }

    /// Writes bytes into the file that the library does not see.
    func insert(_ insertion: VirtualFile.Insertion) { virtualFile.insert(insertion) }

    /// Flushes and closes the file; `errorNumber` is 0 if that succeeded.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        sf_close(handle)
    }

    /// Closes an output file without flushing, which leaves it incomplete.
    func abandon() {
        virtualFile.abandon()
        close()
    }

    deinit { abandon() }

    /// libsndfile's error of the last call; `nil` if there was none.
    var refusal: LibraryRefusal? {
        sf_error(handle) == 0 ? nil : LibraryRefusal(of: handle)
    }

    /// Whether the format is recognised by more than a coincidence.
    ///
    /// libsndfile accepts any two matching bytes as an Akai MPC 2000 sample (raw recordings may
    /// begin so), and text as an MPEG stream, which `MPEGStream` would have recognised.
    var isRecognisedForCertain: Bool {
        ![SF_FORMAT_MPC2K, SF_FORMAT_MPEG].contains(Int(info.format) & SF_FORMAT_TYPEMASK)
    }

    /// Sets a boolean option of libsndfile.
    func set(_ command: Int, to value: Bool) {
        sf_command(handle, Int32(command), nil, value ? 1 : 0)
    }
}

// MARK: - Frames

extension SoundFile {
    var errorNumber: Int32 { virtualFile.errorNumber }
    var complaint: (refusal: LibraryRefusal?, frame: Int64?)? { refusal.map { ($0, nil) } }
    var isReadToItsEnd: Bool { virtualFile.isAtEnd }
    /// libsndfile reports neither missing frames nor its position in the file.
    var lacksFramesWithinAlone: Bool { false }
    var troubleAtEnd: RecordingFailure.Reason? { nil }

    func seek(to frame: Int64) -> Bool { sf_seek(handle, frame, SEEK_SET) == frame }

    func read(
        _ frames: Int, as carrier: SampleType, into samples: UnsafeMutableRawPointer
    ) -> Int {
        let count = sf_count_t(frames)
        // The caller guarantees that the buffer holds samples of this type.
        let read =
            switch carrier {
            case .int16: sf_readf_short(handle, samples.assumingMemoryBound(to: Int16.self), count)
            case .int32: readInts(samples.assumingMemoryBound(to: Int32.self), count)
            case .float32:
                sf_readf_float(handle, samples.assumingMemoryBound(to: Float.self), count)
            case .float64:
                sf_readf_double(handle, samples.assumingMemoryBound(to: Double.self), count)
            }
        return max(0, Int(read))
    }

    private func readInts(_ samples: UnsafeMutablePointer<Int32>, _ count: sf_count_t) -> sf_count_t
    {
        let read = sf_readf_int(handle, samples, count)
        guard shift > 0, read > 0 else { return read }
        for index in 0..<Int(read) * Int(info.channels) { samples[index] <<= shift }
        return read
    }

    /// Writes that many frames; returns how many were written.
    func write<Sample: LosslessSample>(_ samples: [Sample], frames: Int) -> Int {
        let count = sf_count_t(frames)
        let written =
            switch samples {
            case let samples as [Int16]: sf_writef_short(handle, samples, count)
            case let samples as [Int32]: sf_writef_int(handle, samples, count)
            case let samples as [Float]: sf_writef_float(handle, samples, count)
            case let samples as [Double]: sf_writef_double(handle, samples, count)
            default: sf_count_t(0)
            }
        return Int(written)
    }
}

/// An error of libsndfile: its number and message.
struct LibraryRefusal: Hashable {
    let code: Int
    let detail: String

    init(code: Int, detail: String) { (self.code, self.detail) = (code, detail) }

    /// Reads the last error of a file; `nil` means the last failed opening.
    init(of handle: OpaquePointer?) {
        code = Int(sf_error(handle))
        detail = String(cString: sf_strerror(handle))
    }

    /// The reason, as far as libsndfile's documented error numbers show it.
    ///
    /// Numbers above four are undocumented details of one container: the container was recognised,
    /// and its contents are invalid.
    var reason: RecordingFailure.Reason {
        switch code {
        case SF_ERR_UNRECOGNISED_FORMAT: .unrecognisedFormat
        case SF_ERR_SYSTEM: .inputOutput
        case SF_ERR_UNSUPPORTED_ENCODING: .unsupportedEncoding
        default: .corrupt
        }
    }
}
