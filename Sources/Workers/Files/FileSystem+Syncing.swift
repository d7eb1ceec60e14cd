import CSync
import Glibc
import Recordings

extension FileSystem {
    /// Returns once all that was written to a folder's file system is on the disk.
    ///
    /// One call for any number of files: it costs about as much as syncing one of them.
    static func syncAll(at folder: Pathname) throws(FileSystemError) {
        let descriptor = folder.withCString { open($0, O_RDONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw FileSystemError(folder) }
        defer { close(descriptor) }
        guard syncfs(descriptor) == 0 else { throw FileSystemError(folder) }
    }

    /// As `syncAll(at:)`, for the file systems of several folders, each of them once.
    static func syncAll(at folders: Set<Pathname>) throws(FileSystemError) {
        var seen: Set<dev_t> = []
        for folder in folders.sorted() {
            var info = stat()
            guard folder.withCString({ fstatat(AT_FDCWD, $0, &info, 0) }) == 0 else {
                throw FileSystemError(folder)
            }
            if seen.insert(info.st_dev).inserted { try syncAll(at: folder) }
        }
    }
}
