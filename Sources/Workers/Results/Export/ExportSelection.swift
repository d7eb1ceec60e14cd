import Jobs
import Recordings

/// Which recordings of an output an export lists.
///
/// It is asked folder by folder.
struct ExportSelection {
    private let filter: PathFilter
    /// The filter of the folder that was asked for last.
    private var current: (folder: Pathname, filter: FolderFilter)?
    /// Listed paths as the user wrote them, by their path below the root; `nil` for all.
    private let listed: [Pathname: Pathname]?
    private var found: Set<Pathname> = []

    /// - Parameters:
    ///   - list: paths relative to `folder`, or absolute.
    ///   - folder: relative to the root.
    init(_ filter: PathFilter, _ list: PathList?, in folder: Pathname, root: Pathname) {
        self.filter = filter
        listed = list.map { list in
            let pairs = list.paths.map { path -> (Pathname, Pathname) in
                let place = ExportSelection.place(of: path, in: folder, root: root)
                let names = place.components.filter { $0 != "." }
                return (names.reduce(.empty) { $0.appending($1) }, path)
            }
            return Dictionary(pairs) { first, _ in first }
        }
    }

    /// A listed path, relative to the root; it need not exist any more.
    private static func place(of path: Pathname, in folder: Pathname, root: Pathname) -> Pathname {
        guard path.isAbsolute else { return folder.appending(path) }
        // The root is known without symlinks.
        let parent = try? FileSystem.resolve(path.parent)
        return root.relative(parent?.appending(path.lastComponent) ?? path) ?? path
    }

    /// Whether a recording is listed.
    mutating func holds(_ sound: OutputRecord.RecordedSound) -> Bool {
        guard isListed(sound.folder.appending(sound.name)) else { return false }
        if current?.folder != sound.folder {
            current = (sound.folder, FolderFilter(filter, [], in: sound.folder))
        }
        guard let filter = current?.filter, !filter.leavesOut(sound.name) else { return false }
        return sound.source.map { !filter.leavesOut($0) } ?? true
    }

    /// Listed paths of which there are no results, ascending.
    var unknown: [Pathname] {
        (listed ?? [:]).filter { !found.contains($0.key) }.map(\.value).sorted()
    }

    /// Whether a path is listed, or a folder that holds it.
    private mutating func isListed(_ path: Pathname) -> Bool {
        guard let listed else { return true }
        var place = path
        while listed[place] == nil {
            guard !place.isEmpty else { return false }
            place = place.parent
        }
        found.insert(place)
        return true
    }
}
