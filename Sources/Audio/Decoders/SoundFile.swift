import CSndfile
import Recordings
import Synchronization

/// An open file of libsndfile: for one thread at a time, closed when it goes away.
struct SoundFile: ~Copyable {
    let handle: OpaquePointer
    /// What the header says.
    let info: SF_INFO
    /// Makes the library's system calls, where it does not make them itself.
    private let virtualFile: VirtualFile?
    private var isClosed = false

    /// libsndfile keeps the reason of a failed opening in a global: whoever opens holds this until
    /// the reason is fetched.
    private static let openings = Mutex<Void>(())

    /// Takes the result of one of libsndfile's opening functions, or its reason for failing.
    init(
        path: Pathname, activity: AudioFileError.Activity, info declared: SF_INFO,
        virtualFile: VirtualFile? = nil, open: (inout SF_INFO) -> OpaquePointer?
    ) throws(AudioFileError) {
        var info = declared
        var refusal: LibraryRefusal?
        let opened = SoundFile.openings.withLock { _ -> OpaquePointer? in
            let opened = open(&info)
            if opened == nil { refusal = LibraryRefusal(of: nil) }
            return opened
        }
        guard let opened else {
            if let number = virtualFile?.errorNumber, number != 0 {
                throw AudioFileError(activity, path, errno: number)
            }
            throw AudioFileError(
                activity: activity, path: path, reason: refusal?.reason ?? .other,
                code: refusal?.code, detail: refusal?.detail)
        }
        handle = opened
        self.info = info
        self.virtualFile = virtualFile
    }

    /// Opens a sound file for reading.
    ///
    /// Whoever calls this keeps `source` open at least as long.
    init(reading source: borrowing SourceFile) throws(AudioFileError) {
        try self.init(
            reading: source, upTo: HeaderGuard.shownBytes(of: source), isEndSeekable: true)
    }

    /// Opens an MPEG stream for reading up to the end of its last frame.
    ///
    /// Whoever calls this keeps `source` open at least as long. The library cannot seek to the end,
    /// so that it does not estimate the stream's length and then believe the estimate.
    init(reading source: borrowing SourceFile, stream: MPEGStream) throws(AudioFileError) {
        try self.init(reading: source, upTo: stream.end, isEndSeekable: false)
    }

    private init(
        reading source: borrowing SourceFile, upTo length: Int64, isEndSeekable: Bool
    ) throws(AudioFileError) {
        let file = VirtualFile(lending: source, length: length, isEndSeekable: isEndSeekable)
        let path = source.path
        // A format of zero: let the library look at the bytes, and never take them for raw samples.
        try self.init(path: path, activity: .opening, info: SF_INFO(), virtualFile: file) { info in
            file.open(mode: SFM_READ, info: &info)
        }
        file.endOpening()
    }

    /// Begins a sound file of `info`'s format in a file that whoever calls this keeps open.
    init(writing new: NewFile, info: SF_INFO) throws(AudioFileError) {
        let file = try VirtualFile(writing: new)
        try self.init(path: new.path, activity: .creating, info: info, virtualFile: file) { info in
            file.open(mode: SFM_WRITE, info: &info)
        }
    }

    /// Writes out what the library still holds; `errorNumber` tells whether that succeeded.
    mutating func close() {
        guard !isClosed else { return }
        isClosed = true
        sf_close(handle)
        virtualFile?.removeWritingTime()
    }

    /// Leaves a file that is written as it is, incomplete.
    mutating func abandon() {
        virtualFile?.abandon()
        close()
    }

    deinit {
        guard !isClosed else { return }
        virtualFile?.abandon()
        sf_close(handle)
    }

    /// What the library says of the last call, if it was not content.
    var refusal: LibraryRefusal? {
        sf_error(handle) == 0 ? nil : LibraryRefusal(of: handle)
    }

    /// Takes over which channel goes to which loudspeaker, where the other file says so.
    func copyChannelMap(from other: borrowing SoundFile) {
        var map = [Int32](repeating: 0, count: Int(info.channels))
        let bytes = Int32(map.count * MemoryLayout<Int32>.size)
        guard sf_command(other.handle, Int32(SFC_GET_CHANNEL_MAP_INFO), &map, bytes) != 0 else {
            return
        }
        sf_command(handle, Int32(SFC_SET_CHANNEL_MAP_INFO), &map, bytes)
    }

    /// Whether the file's first bytes are more than a coincidence.
    ///
    /// The library takes two bytes for an Akai MPC 2000 sample, which a recording without a header
    /// may begin with, and a text for an MPEG stream, which `MPEGStream` would have recognised.
    var isRecognisedForCertain: Bool {
        ![SF_FORMAT_MPC2K, SF_FORMAT_MPEG].contains(Int(info.format) & SF_FORMAT_TYPEMASK)
    }

    /// The first error number of the system, where the system calls are ours.
    var errorNumber: Int32 { virtualFile?.errorNumber ?? 0 }

    /// Whether the library has come to the file's end.
    var isReadToItsEnd: Bool { virtualFile?.isAtEnd ?? false }

    /// Switches one of the library's yes-or-no settings.
    func set(_ command: Int, to value: Bool) {
        sf_command(handle, Int32(command), nil, value ? 1 : 0)
    }
}

/// An error number of libsndfile, and its words.
struct LibraryRefusal: Hashable {
    let code: Int
    let detail: String

    /// Reads the last error of a file, or of the last opening where there is no file.
    init(of handle: OpaquePointer?) {
        code = Int(sf_error(handle))
        detail = String(cString: sf_strerror(handle))
    }

    /// The reason as far as the library's published numbers tell.
    ///
    /// The numbers above four are not published; they name details of one container, so the
    /// container was known and what is in it was not as it should be.
    var reason: RecordingFailure.Reason {
        switch code {
        case SF_ERR_UNRECOGNISED_FORMAT: .unrecognisedFormat
        case SF_ERR_SYSTEM: .inputOutput
        case SF_ERR_UNSUPPORTED_ENCODING: .unsupportedEncoding
        default: .corrupt
        }
    }
}
