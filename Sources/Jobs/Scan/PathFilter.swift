import Recordings

/// Which recordings the user's options leave out.
package struct PathFilter: Hashable, Codable, Sendable {
    /// Only what matches one of these, or lies in a folder that does; everything if empty.
    package var include: [Glob] = []
    package var exclude: [Glob] = []
    /// The earliest time of modification, in nanoseconds since 1970, UTC; `nil` for any.
    package var newerThanNanoseconds: Int64?

    package init() {}
}

/// The patterns of one `.tapedeckignore`, which apply to what lies below its folder.
package struct IgnoreList: Hashable, Sendable {
    /// The name of these files.
    package static let name: Pathname = ".tapedeckignore"

    private struct Rule: Hashable, Sendable {
        var glob: Glob
        /// Whether what matches is not left out, whatever earlier rules say.
        var isException: Bool
    }

    /// The number of folders from the root to that of the file.
    private let depth: Int
    private var rules: [Rule] = []

    /// - Parameters:
    ///   - text: the contents of the file; lines that cannot match anything are skipped.
    ///   - depth: the number of folders from the root to that of the file.
    package init(_ text: [UInt8], depth: Int) {
        self.depth = depth
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let body = text.starts(with: byteOrderMark) ? text[byteOrderMark.count...] : text[...]
        for line in body.split(separator: UInt8(ascii: "\n")) {
            var line = line
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            while line.last == UInt8(ascii: " "), line.dropLast().last != UInt8(ascii: "\\") {
                line.removeLast()
            }
            guard let first = line.first, first != UInt8(ascii: "#") else { continue }
            let isException = first == UInt8(ascii: "!")
            if isException { line.removeFirst() }
            guard let glob = Glob(Pathname(bytes: Array(line))) else { continue }
            rules.append(Rule(glob: glob, isException: isException))
        }
    }

    /// Whether the last rule that matches leaves a path out; `nil` if none matches.
    /// - Parameter path: the names from the root on.
    fileprivate func leavesOut(_ path: ArraySlice<Pathname>, isFolder: Bool) -> Bool? {
        rules.last { $0.glob.matches(path.dropFirst(depth), isFolder: isFolder) }
            .map { !$0.isException }
    }
}

/// What filters leave out of one folder.
package struct FolderFilter: Hashable, Sendable {
    /// Whether the folder is left out as a whole, with everything below it.
    package let isLeftOut: Bool
    private let filter: PathFilter
    private let lists: [IgnoreList]
    /// The names from the root to the folder.
    private let folder: [Pathname]
    /// Whether the folder or one above it matches a pattern for what is included.
    private let isIncluded: Bool

    /// A filter that leaves out nothing.
    package init() { self.init(PathFilter(), [], in: .empty) }

    /// - Parameters:
    ///   - lists: of the folders from the root to this one.
    ///   - folder: relative to the root.
    package init(_ filter: PathFilter, _ lists: [IgnoreList], in folder: Pathname) {
        (self.filter, self.lists, self.folder) = (filter, lists, folder.components)
        let names = self.folder
        let paths = names.indices.map { names[...$0] }
        isLeftOut = paths.contains { FolderFilter.excludes($0, filter, lists, isFolder: true) }
        isIncluded =
            filter.include.isEmpty
            || paths.contains { path in
                filter.include.contains { $0.matches(path, isFolder: true) }
            }
    }

    /// Whether a recording in the folder is left out because of its name.
    package func leavesOut(_ name: Pathname) -> Bool {
        if isLeftOut { return true }
        let path = (folder + [name])[...]
        let isIncluded =
            isIncluded || filter.include.contains { $0.matches(path, isFolder: false) }
        return !isIncluded || FolderFilter.excludes(path, filter, lists, isFolder: false)
    }

    /// Whether a recording is left out because of its age.
    package func leavesOut(_ stamp: FileStamp) -> Bool {
        filter.newerThanNanoseconds.map { stamp.modifiedNanoseconds < $0 } ?? false
    }

    /// Whether a folder in this one is left out as a whole.
    package func leavesOut(folder name: Pathname) -> Bool {
        isLeftOut || FolderFilter.excludes((folder + [name])[...], filter, lists, isFolder: true)
    }

    /// Whether a pattern excludes a path, whether or not it excludes a folder above that.
    private static func excludes(
        _ path: ArraySlice<Pathname>, _ filter: PathFilter, _ lists: [IgnoreList], isFolder: Bool
    ) -> Bool {
        if filter.exclude.contains(where: { $0.matches(path, isFolder: isFolder) }) { return true }
        // The list nearest to the path decides.
        for list in lists.reversed() {
            if let isOut = list.leavesOut(path, isFolder: isFolder) { return isOut }
        }
        return false
    }
}
