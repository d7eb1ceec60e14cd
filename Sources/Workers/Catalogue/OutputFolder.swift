import Glibc
import Jobs
import Recordings

/// The top of an output tree, locked for as long as a run writes there.
///
/// Its record marks it, so that no later scan takes the copies in it for recordings, and says where
/// the recordings are: one output cannot hold the results of two folders, as their manifests would
/// have the same names.
package struct OutputFolder: ~Copyable {
    static let mark = OutputRecord.name

    package let record: OutputRecord
    /// The new name of a damaged record, in whose place one was made from manifests.
    package let setAside: Pathname?
    private let path: Pathname
    private let lock: Int32

    /// Makes the folder if need be, locks it, and opens its record.
    ///
    /// If that fails, no folder is left that was not there before.
    /// - Parameters:
    ///   - root: where the recordings are.
    ///   - isMoved: whether they may still exist where they were, too.
    package init(
        _ path: Pathname, root: Pathname, isMoved: Bool = false, isOfShard: Bool = false
    ) throws(RunRefusal) {
        var made: [Pathname] = []
        do throws(RunRefusal) {
            try OutputFolder.make(path, made: &made)
            let folder = try OutputLock.refusing(path) { () throws(FileSystemError) in
                try DirectoryHandle(try FileSystem.resolve(path))
            }
            let lock = try OutputLock.take(in: folder)
            do throws(RunRefusal) {
                (record, setAside) = try OutputFolder.open(
                    folder, root: root, isMoved, isOfShard)
                self.lock = lock
                self.path = folder.path
            } catch {
                if !made.isEmpty {
                    for name in [OutputLock.name, OutputRecord.name] { try? folder.remove(name) }
                }
                OutputLock.release(lock)
                throw error
            }
        } catch {
            FileSystem.removeEmptyFolders(made)
            throw error
        }
    }

    deinit {
        record.close()
        OutputLock.release(lock)
    }

    /// Opens the record of a locked output, which is from then on that of these recordings.
    private static func open(
        _ folder: DirectoryHandle, root: Pathname, _ isMoved: Bool, _ isOfShard: Bool
    ) throws(RunRefusal) -> (OutputRecord, Pathname?) {
        let (record, setAside) = try OutputLock.refusing(folder.path) {
            () throws(FileSystemError) in try OutputRecord.open(in: folder, isOfShard: isOfShard)
        }
        let own = (try? FileSystem.resolve(root)) ?? root
        let known = try? record.wayToRoot
        if !isMoved, let other = known.flatMap({ existing($0, from: folder.path) }), other != own {
            throw .outputOfOthers(output: folder.path, root: other)
        }
        try OutputLock.refusing(folder.path) { () throws(FileSystemError) in
            try record.setWayToRoot(OutputMark.way(from: folder.path, to: own))
        }
        return (record, setAside)
    }

    private static func make(
        _ path: Pathname, made: inout [Pathname]
    ) throws(RunRefusal) {
        do throws(FileSystemError) {
            try FileSystem.makeFolder(path, made: &made)
        } catch {
            throw error.code == ENOTDIR || error.code == EEXIST
                ? .outputNotAFolder(path) : .outputNotMade(path, detail: error.detail)
        }
    }

    /// Closes the record, and sets it aside if the run has found damage in it: the next run makes
    /// it anew from the manifests.
    /// - Returns: the damaged file's new name; `nil` if the record is sound, or it failed.
    package borrowing func closeRecord() -> Pathname? {
        record.close()
        guard record.isDamaged, let folder = try? DirectoryHandle(path) else { return nil }
        return try? OutputRecord.setAsideDamaged(in: folder)
    }

    /// Lets the next run in, now rather than when the value happens to go.
    package consuming func release() {}

    /// Refuses an output that holds the results of recordings elsewhere; looks only.
    static func requireNoOther(than root: Pathname, in output: Pathname) throws(RunRefusal) {
        guard let other = self.root(of: output),
            other != ((try? FileSystem.resolve(root)) ?? root)
        else { return }
        throw .outputOfOthers(output: output, root: other)
    }

    /// The folder whose results a marked folder holds; `nil` where that is not known, or gone.
    package static func root(of output: Pathname) -> Pathname? {
        guard isMarked(output), let way = try? OutputRecord.wayToRoot(of: output) else {
            return nil
        }
        return existing(way, from: output)
    }

    /// The root, by the way to it; `nil` if it does not exist.
    static func existing(_ way: Pathname, from output: Pathname) -> Pathname? {
        guard let root = try? FileSystem.resolve(output.appending(way)),
            (try? FileSystem.status(root))?.kind == .folder
        else { return nil }
        return root
    }

    /// Whether a folder is the top of an output tree.
    package static func isMarked(_ folder: Pathname) -> Bool {
        (try? FileSystem.status(folder.appending(mark)))?.kind == .regular
    }

    /// The output folder that `folder` is, or lies in; `nil` where it is none.
    package static func markedFolder(atOrAbove folder: Pathname) -> Pathname? {
        var place = folder
        while !isMarked(place) {
            guard place.parent != place else { return nil }
            place = place.parent
        }
        return place
    }

    /// Files in a folder that a run might write over: recordings, and the manifest.
    static func namesAtRisk(in folder: Pathname) throws(FileSystemError) -> [Pathname] {
        try FileSystem.names(in: folder)
            .filter { !$0.name.isHidden && $0.name.isAtRisk && $0.kind != .folder }
            .map(\.name)
    }

    /// Some recording or manifest in a folder or below it, which a run might overwrite; hidden
    /// names are left out.
    static func firstFileAtRisk(below folder: Pathname) -> Pathname? {
        guard let names = try? FileSystem.names(in: folder) else { return nil }
        for entry in names.sorted(by: { $0.name < $1.name }) where !entry.name.isHidden {
            let path = folder.appending(entry.name)
            switch FileSystem.kind(of: entry, at: path) {
            case .folder:
                if let found = firstFileAtRisk(below: path) { return found }
            case .regular where entry.name.isAtRisk, .link where entry.name.isAtRisk:
                return path
            default:
                continue
            }
        }
        return nil
    }
}

extension Pathname {
    /// Whether an output may bear this name.
    fileprivate var isAtRisk: Bool { isRecordingName || self == OutputNames.manifest }
}
