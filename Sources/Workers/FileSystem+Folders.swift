import Recordings

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension FileSystem {
    /// The folders in a folder that are not hidden, in no order; links are none.
    ///
    /// Makes nothing of the other names, of which there may be several hundred thousand.
    static func folderNames(in path: Pathname) throws(FileSystemError) -> [Pathname] {
        guard let folder = path.withCString({ opendir($0) }) else { throw FileSystemError(path) }
        defer { closedir(folder) }
        var names: [Pathname] = []
        errno = 0
        while let entry = readdir(folder) {
            let type = Int(entry.pointee.d_type)
            if type == Int(DT_DIR) || type == Int(DT_UNKNOWN) {
                let name = Pathname(entry: entry)
                if !name.isHidden,
                    type == Int(DT_DIR)
                        || (try? status(path.appending(name), followingLink: false))?.kind
                            == .folder
                {
                    names.append(name)
                }
            }
            errno = 0
        }
        // The end of the folder and a failure look alike but for this.
        guard errno == 0 else { throw FileSystemError(path) }
        return names
    }
}
