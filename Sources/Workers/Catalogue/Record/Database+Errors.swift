import CSQLite
import Glibc
import Recordings

extension FileSystemError {
    /// - Parameters:
    ///   - sqlite: SQLite's extended result code.
    ///   - system: the `errno` behind it, if it came from a system call.
    init(_ path: Pathname, sqlite: Int32, system: Int32?) {
        let code: Int32
        switch sqlite & 0xFF {
        case SQLITE_FULL: code = ENOSPC
        case SQLITE_READONLY: code = EROFS
        case SQLITE_BUSY, SQLITE_LOCKED: code = EBUSY
        case SQLITE_NOMEM: code = ENOMEM
        // An unknown table or column is one that somebody has changed.
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR, SQLITE_SCHEMA:
            code = FileSystemError.damagedRecordCode
        // Its file grows by single bytes, of which the library does not say why they failed.
        case SQLITE_IOERR where sqlite == sqlite_ioerr_shmsize: code = ENOSPC
        case SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH:
            code = system.flatMap { $0 == 0 ? nil : $0 } ?? EIO
        default: code = EIO
        }
        self.init(path, code: code)
    }

    private static let damagedRecordCode = EBADMSG

    static func damagedRecord(_ path: Pathname) -> FileSystemError {
        FileSystemError(path, code: damagedRecordCode)
    }

    /// A record that a later version wrote; no call on files gives this code.
    static func laterRecord(_ path: Pathname) -> FileSystemError {
        FileSystemError(path, code: EPROTONOSUPPORT)
    }

    package var isLaterRecord: Bool { code == EPROTONOSUPPORT }

    /// Whether the record of an output is damaged, or no database.
    var isDamagedRecord: Bool { code == FileSystemError.damagedRecordCode }
}

extension Pathname {
    /// An absolute path as a file URI.
    func uri(query: String) -> Pathname {
        let plain = Set("/-._~abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".utf8)
        let escaped = bytes.flatMap { byte in
            plain.contains(byte)
                ? [byte] : Array("%".utf8) + Array(Pathname(bytes: [byte]).hexadecimal.utf8)
        }
        return Pathname(bytes: Array("file:".utf8) + escaped + Array("?\(query)".utf8))
    }
}
