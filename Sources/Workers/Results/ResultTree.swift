import Glibc
import Jobs
import Recordings

/// The results of earlier runs, whole or below one folder; read-only.
package struct ResultTree: Hashable, Sendable {
    /// The output folder; absolute, without symlinks.
    package var output: Pathname
    /// The requested folder, relative to the output and so to the root as well.
    package var folder: Pathname

    /// The output relative to the working folder, for display.
    package var shownOutput: Pathname { RunPlaces.shown(output) }

    init(output: Pathname, folder: Pathname = .empty) {
        self.output = output
        self.folder = folder
    }

    /// Finds the results for a user's path: an output, a folder in one, or a folder of recordings
    /// with results in the default place, or below one.
    package static func find(_ path: Pathname) throws(RunRefusal) -> ResultTree {
        guard let tree = try inPath(path, { () throws(FileSystemError) in try results(in: path) })
        else { throw .noResults(path) }
        return tree
    }

    private static func results(in path: Pathname) throws(FileSystemError) -> ResultTree? {
        let place = try FileSystem.resolve(path)
        guard try FileSystem.status(place).kind == .folder else { return nil }
        if let output = OutputFolder.markedFolder(atOrAbove: place) {
            return ResultTree(output: output, folder: output.relative(place) ?? .empty)
        }
        if let tree = try results(behindLinkIn: path) { return tree }
        // The results of a folder may be in the output of one above it.
        var root = place
        while true {
            let output = root.appending(RunPlaces.defaultOutput)
            let folder = root.relative(place) ?? .empty
            if OutputFolder.isMarked(output),
                (try? FileSystem.status(output.appending(folder)))?.kind == .folder
            {
                return ResultTree(output: try FileSystem.resolve(output), folder: folder)
            }
            guard !root.lastComponent.isEmpty else { return nil }
            root = root.parent
        }
    }

    /// Finds results in a symlinked folder of an output; the path must go through the symlink, as
    /// the target does not refer to the output.
    private static func results(
        behindLinkIn path: Pathname
    ) throws(FileSystemError) -> ResultTree? {
        let path = path.isAbsolute ? path : FileSystem.workingFolder.appending(path)
        guard let output = OutputFolder.markedFolder(atOrAbove: path),
            let names = output.relative(path)?.components, !names.contains("..")
        else { return nil }
        return ResultTree(
            output: try FileSystem.resolve(output),
            folder: names.filter { $0 != "." }.reduce(.empty) { $0.appending($1) })
    }

    /// The whole of the output that a tree is in.
    package static func whole(_ tree: ResultTree) -> ResultTree { ResultTree(output: tree.output) }

    package static func isFolder(_ path: Pathname) -> Bool {
        (try? FileSystem.status(path).kind) == .folder
    }

    /// Accesses a path from the user and converts errors to refusals.
    static func inPath<Value>(
        _ path: Pathname, _ look: () throws(FileSystemError) -> Value
    ) throws(RunRefusal) -> Value {
        do throws(FileSystemError) {
            return try look()
        } catch {
            throw [ENOENT, ENOTDIR].contains(error.code)
                ? .pathMissing(path) : .pathUnreadable(path, detail: error.detail)
        }
    }
}

// MARK: - What there is to read

extension ResultTree {
    /// Something that could not be read.
    package struct Trouble: Hashable, Sendable {
        /// Relative to the working folder, for display.
        package var path: Pathname
        package var trouble: ResultTrouble
    }

    /// The record of the output.
    func record() throws(RunRefusal) -> OutputRecord {
        try OutputRecord.reading(shownOutput) { () throws(FileSystemError) in
            try OutputRecord.forReading(output)
        }
    }

    /// The record of the output, and where its recordings are.
    package func recordAndRoot() throws(RunRefusal) -> (record: OutputRecord, root: Pathname) {
        let record = try record()
        let way = try OutputRecord.reading(shownOutput) { () throws(FileSystemError) in
            try record.wayToRoot
        }
        guard let way, let root = OutputFolder.existing(way, from: output) else {
            throw .recordingsUnknown(output: shownOutput)
        }
        return (record, root)
    }

    /// Where the recordings are.
    package func root() throws(RunRefusal) -> Pathname {
        let (record, root) = try recordAndRoot()
        record.close()
        return root
    }

    func trouble(_ path: Pathname, _ trouble: ResultTrouble) -> Trouble {
        Trouble(path: shownOutput.appending(path), trouble: trouble)
    }
}
