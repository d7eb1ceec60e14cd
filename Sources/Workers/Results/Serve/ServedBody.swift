import Glibc
import Recordings

/// What a page server sends: bytes that can be read from any place.
package protocol ServedBody: Sendable {
    /// The media type.
    var type: String { get }
    var length: Int64 { get }
    /// Differs between contents, with its quotes (an entity tag; RFC 9110, 8.8.3).
    var tag: String { get }
    /// At most so many bytes from a place on; none at the end, and where they cannot be read.
    func read(at place: Int64, count: Int) -> [UInt8]
}

/// A text that was made for the page.
package struct ServedText: ServedBody {
    package let type: String
    private let bytes: [UInt8]
    package let tag: String

    init(_ bytes: [UInt8], type: String) {
        (self.bytes, self.type) = (bytes, type)
        tag = "\"\(SHA256.hexadecimal(of: bytes))\""
    }

    package var length: Int64 { Int64(bytes.count) }

    package func read(at place: Int64, count: Int) -> [UInt8] {
        Array(bytes.dropFirst(Int(place)).prefix(count))
    }
}

/// A file below the recordings or the output.
package final class ServedFile: ServedBody {
    package let type: String
    let stamp: FileStamp
    /// Where the open file can be opened again, whatever has its name by then.
    let openedAt: Pathname
    private let descriptor: Int32

    /// Opens a file; throws `EXDEV` if the path leads out of the folder.
    init(_ path: Pathname, below folder: DirectoryHandle) throws(FileSystemError) {
        descriptor = try folder.openBeneath(path)
        openedAt = Pathname("/proc/self/fd/\(descriptor)")
        type = ServedFile.type(of: path)
        do throws(FileSystemError) {
            stamp = try FileSystem.status(descriptor, path).stamp
        } catch {
            close(descriptor)
            throw error
        }
    }

    deinit { close(descriptor) }

    package var length: Int64 { stamp.bytes }

    package var tag: String { "\"\(stamp.bytes)-\(stamp.modifiedNanoseconds)\"" }

    package func read(at place: Int64, count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = max(0, pread(descriptor, buffer.baseAddress, count, off_t(place)))
        }
    }

    private static func type(of path: Pathname) -> String {
        switch path.fileExtension {
        case "json": "application/json"
        case "js": "text/javascript"
        case "wav", "wave": "audio/wav"
        case "flac": "audio/flac"
        case "mp3": "audio/mpeg"
        case "ogg", "oga", "opus": "audio/ogg"
        case "m4a", "mp4": "audio/mp4"
        case "aac": "audio/aac"
        case "webm", "mka": "audio/webm"
        default: "application/octet-stream"
        }
    }
}
