import Glibc
import Jobs
import Recordings

/// The root and output folder of a run, and what is a recording in between.
///
/// All its other paths are relative to these folders.
package struct RunPlaces: Hashable, Sendable {
    /// The deepest folder that contains all targets; absolute, without symlinks.
    package let root: Pathname
    /// Absolute.
    package let output: Pathname
    package let targets: [FolderScan.Target]
    /// The shard of the output that is worked on; `nil` for all of it.
    package let shard: Shard?
    package var rules: InputRules
    /// The root relative to the working folder, for display; empty for that folder itself.
    package let shownRoot: Pathname
    /// The output relative to the working folder, for display.
    package let shownOutput: Pathname

    /// The default output folder's name, below the root.
    package static let defaultOutput: Pathname = "tapedeck"

    package init(
        root: Pathname, output: Pathname, targets: [FolderScan.Target],
        rules: InputRules = InputRules(), shard: Shard? = nil
    ) {
        (self.rules, self.shard) = (rules, shard)
        self.root = root
        self.output = output
        self.targets = targets
        // Computed once, since every recording uses them.
        shownRoot = RunPlaces.shown(root)
        shownOutput = RunPlaces.shown(output)
    }

    /// Refuses an empty folder of recordings, which looks like a disk that is not mounted.
    static func requireRecordings(
        in root: Pathname, beside output: Pathname
    ) throws(RunRefusal) {
        let names = try ResultTree.inPath(root) { () throws(FileSystemError) in
            try FileSystem.names(in: root)
        }
        guard names.contains(where: { root.appending($0.name) != output }) else {
            throw .recordingsAway(shown(root))
        }
    }

    /// Where the record is, and what goes with it: the output, or a folder of the shard's own.
    package var catalogue: Pathname {
        shard.map { ShardPlan.catalogue(of: $0, in: output) } ?? output
    }

    /// These places for a shard, and what it works on.
    func working(on targets: [FolderScan.Target], as shard: Shard) -> RunPlaces {
        RunPlaces(root: root, output: output, targets: targets, rules: rules, shard: shard)
    }

    /// A path for display: relative if it is below the working folder.
    ///
    /// The working folder of services and containers is `/`, where nobody types relative paths.
    package static func shown(
        _ path: Pathname, from folder: Pathname = FileSystem.workingFolder
    ) -> Pathname {
        guard let here = try? FileSystem.resolve(folder), here != "/" else { return path }
        return here.relative(path) ?? path
    }
}

extension RunPlaces {
    /// Finds a run's root and output folder, and rejects unsafe combinations; writes nothing.
    ///
    /// The rules are set later: the output remembers them.
    /// - Parameters:
    ///   - output: the output folder as the user wrote it; `nil` for the default.
    ///   - list: paths in the only folder of `paths`, which then is the root; `nil` for all of it.
    ///   - isMoved: whether the output may hold the results of recordings that exist elsewhere.
    package static func resolve(
        paths: [Pathname], output: Pathname?, list: PathList? = nil, isMoved: Bool = false
    ) throws(RunRefusal) -> RunPlaces {
        precondition(!paths.isEmpty, "a run needs something to work on")
        var found: [(folder: Pathname, name: Pathname?)] = []
        for path in paths { found.append(try find(path)) }
        let root = commonFolder(of: found.map(\.folder))
        if let list {
            guard found.count == 1, found[0].name == nil else {
                throw .list(list.name, .notAFolder(paths[0]))
            }
        }
        let targets =
            try list.map { list throws(RunRefusal) in
                try RunPlaces.targets(list, in: root)
            } ?? found.map { target($0, in: root) }
        let destination = try locate(output ?? root.appending(defaultOutput))
        let refusal = RunRefusal.against(
            output: destination, sources: found.map(\.folder), site: site(destination))
        if let refusal { throw refusal }
        if !isMoved { try OutputFolder.requireNoOther(than: root, in: destination) }
        return RunPlaces(root: root, output: destination, targets: targets)
    }

    /// The folder of a user's path, and the recording's name if the path is not a folder.
    private static func find(
        _ path: Pathname
    ) throws(RunRefusal) -> (folder: Pathname, name: Pathname?) {
        let found = try ResultTree.inPath(path) {
            () throws(FileSystemError) -> (folder: Pathname, name: Pathname?) in
            if try FileSystem.status(path).kind == .folder {
                return (try FileSystem.resolve(path), nil)
            }
            // Do not resolve the name: a symlink to a recording keeps its own name.
            let parent = path.parent
            return (try FileSystem.resolve(parent.isEmpty ? "." : parent), path.lastComponent)
        }
        if let marked = OutputFolder.markedFolder(atOrAbove: found.folder) {
            throw .pathIsOutput(marked)
        }
        return found
    }

    private static func target(
        _ found: (folder: Pathname, name: Pathname?), in root: Pathname
    ) -> FolderScan.Target {
        let relative = root.relative(found.folder) ?? .empty
        return found.name.map { .recording(folder: relative, name: $0) } ?? .folder(relative)
    }

    /// What a list asks for; its paths are relative to the root, or absolute.
    ///
    /// Those in an output are skipped, as in folders.
    private static func targets(
        _ list: PathList, in root: Pathname
    ) throws(RunRefusal) -> [FolderScan.Target] {
        var targets: [FolderScan.Target] = []
        var missing: [Pathname] = []
        for path in list.paths {
            do throws(RunRefusal) {
                let found = try find(path.isAbsolute ? path : root.appending(path))
                guard root.contains(found.folder) else {
                    throw .list(list.name, .elsewhere(path, folder: shown(root)))
                }
                targets.append(target(found, in: root))
            } catch {
                switch error {
                case .pathMissing: missing.append(path)
                case .pathIsOutput: break
                default: throw error
                }
            }
        }
        if let example = missing.first {
            throw .list(
                list.name, .missing(count: missing.count, example: example, folder: shown(root)))
        }
        return targets
    }

    private static func commonFolder(of folders: [Pathname]) -> Pathname {
        var common = folders[0]
        while !folders.allSatisfy(common.contains) { common = common.parent }
        return common
    }

    /// The absolute path of a folder that may not exist, with existing symlinks resolved.
    private static func locate(_ path: Pathname) throws(RunRefusal) -> Pathname {
        do throws(FileSystemError) {
            return try FileSystem.resolve(path)
        } catch {
            guard error.code == ENOENT, path.lastComponent != ".." else {
                throw error.code == ENOTDIR
                    ? .outputNotAFolder(path) : .outputNotMade(path, detail: error.detail)
            }
        }
        let parent = path.parent
        let absolute = parent.isEmpty ? FileSystem.workingFolder : try locate(parent)
        return path.lastComponent == "." ? absolute : absolute.appending(path.lastComponent)
    }

    /// What exists at the output path.
    private static func site(_ output: Pathname) -> OutputSite {
        if let marked = OutputFolder.markedFolder(atOrAbove: output) {
            return marked == output ? .marked : .inside(marked)
        }
        guard let status = try? FileSystem.status(output) else { return .nothing }
        guard status.kind == .folder else { return .notAFolder }
        return .unmarked(fileAtRisk: OutputFolder.firstFileAtRisk(below: output))
    }
}
