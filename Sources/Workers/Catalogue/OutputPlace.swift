import Glibc
import Jobs
import Recordings

/// Where the results of one folder go, as it is found before anything is written there.
struct OutputPlace {
    enum Finding {
        /// Nothing is there, and nothing in the way.
        case nothing
        /// A folder that is the output's own: which one it is.
        case folder(UInt64)
        case obstacle(RecordingFailure.Reason)
    }

    private let folder: Pathname
    private let path: Pathname
    private let places: RunPlaces

    init(_ folder: Pathname, _ places: RunPlaces) {
        self.folder = folder
        self.places = places
        path = places.output.appending(folder)
    }

    /// - Parameters:
    ///   - isNew: Whether this is the first look. What is in the output when a run begins is taken
    ///     for its own, unless a link or a mount has brought it there; a folder that has taken the
    ///     place of one that was seen is not.
    ///   - isOwn: Whether the output has a record of recordings and manifests of these names.
    func finding(
        isNew: Bool, isOwn: ([Pathname]) throws(FileSystemError) -> Bool
    ) throws(FileSystemError) -> Finding {
        // That is the manifest of the folder above.
        if folder.lastComponent == OutputNames.manifest { return .obstacle(.placeTaken) }
        do throws(FileSystemError) {
            let isLink = try isLink()
            if isLink, try !isOwnLink() { return .obstacle(.leadsElsewhere) }
            let status = try FileSystem.status(path)
            if status.kind != .folder { return .obstacle(.placeTaken) }
            let manifest = path.appending(OutputNames.manifest)
            let below = try ifThere { () throws(FileSystemError) in
                try FileSystem.status(manifest)
            }
            if below?.kind == .folder { return .obstacle(.placeTaken) }
            return try isForeign(status, isNew: isNew, isLink: isLink, isOwn)
                ? .obstacle(.leadsElsewhere) : .folder(status.identity)
        } catch {
            guard error.isMissing else { throw error }
            return error.code == ENOTDIR ? .obstacle(.placeTaken) : .nothing
        }
    }

    private func isLink() throws(FileSystemError) -> Bool {
        if folder.isEmpty { return false }
        return try FileSystem.status(path, followingLink: false).kind == .link
    }

    /// Whether the link was made by us or root; anybody else could have put it there to have files
    /// written where he may not.
    private func isOwnLink() throws(FileSystemError) -> Bool {
        let owner = try FileSystem.status(path, followingLink: false).owner
        if FileSystem.isOurs(owner: owner) { return true }
        return try !FileSystem.keepsOwners(path.parent)
    }

    /// Whether it holds what is not the output's: recordings, above all, which we would write over.
    private func isForeign(
        _ status: FileSystem.Status, isNew: Bool, isLink: Bool,
        _ isOwn: ([Pathname]) throws(FileSystemError) -> Bool
    ) throws(FileSystemError) -> Bool {
        let source = try? FileSystem.status(places.root.appending(folder))
        if let source, source.identity == status.identity { return true }
        let place = try FileSystem.resolve(path)
        if !places.output.contains(place) {
            if places.targets.contains(where: { places.root.appending($0.place).contains(place) }) {
                return true
            }
            if OutputFolder.markedFolder(atOrAbove: place) != nil { return true }
        }
        // A folder of the output may well be on another disk.
        let isMount = try FileSystem.status(places.output).device != status.device
        guard place != path || isMount || !isNew else { return false }
        let names = try OutputFolder.namesAtRisk(in: place)
        // An empty folder to which a link came to lead has nothing of what was there.
        return names.isEmpty ? isLink && !isNew : try !isOwn(names)
    }
}
