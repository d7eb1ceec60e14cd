import CSndfile
import Recordings
import Synchronization

/// An open file of libsndfile: for one thread at a time, closed when it goes away.
struct SoundFile: ~Copyable {
    let handle: OpaquePointer
    /// What the header says.
    let info: SF_INFO

    /// libsndfile keeps the reason of a failed opening in a global: whoever opens holds this until
    /// the reason is fetched.
    private static let openings = Mutex<Void>(())

    /// Takes the result of one of libsndfile's opening functions, or its reason for failing.
    init(
        path: Pathname, activity: AudioFileError.Activity, info declared: SF_INFO,
        open: (inout SF_INFO) -> OpaquePointer?
    ) throws(AudioFileError) {
        var info = declared
        var refusal: LibraryRefusal?
        let opened = SoundFile.openings.withLock { _ -> OpaquePointer? in
            let opened = open(&info)
            if opened == nil { refusal = LibraryRefusal(of: nil) }
            return opened
        }
        guard let opened else {
            throw AudioFileError(
                activity: activity, path: path, reason: refusal?.reason ?? .other,
                code: refusal?.code, detail: refusal?.detail)
        }
        handle = opened
        self.info = info
    }

    /// Opens a sound file for reading; the library gets a descriptor of its own.
    init(reading source: borrowing SourceFile) throws(AudioFileError) {
        let path = source.path
        // The library closes the descriptor when opening fails even if asked not to, so it must
        // never see ours.
        let duplicate = duplicateDescriptor(source.descriptor)
        guard duplicate >= 0 else { throw AudioFileError(.opening, path, errno: -duplicate) }
        // A format of zero: let the library look at the bytes, and never take them for raw samples.
        try self.init(path: path, activity: .opening, info: SF_INFO()) { info in
            sf_open_fd(duplicate, Int32(SFM_READ), &info, 1)
        }
    }

    deinit {
        sf_close(handle)
    }

    /// What the library says of the last call, if it was not content.
    var refusal: LibraryRefusal? {
        sf_error(handle) == 0 ? nil : LibraryRefusal(of: handle)
    }

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
