import Glibc
import Jobs
import Recordings

/// The top of an output tree, for as long as a run writes there.
///
/// It is marked by a hidden file, so that no later scan takes the copies in it for recordings.
/// The mark is also the lock: two runs never write to one output, and the lock goes with the
/// process that holds it, however that ends. And it says where the recordings are, as one output
/// cannot hold the results of two folders: their manifests would have the same names.
package struct OutputFolder: ~Copyable {
    static let mark: Pathname = ".tapedeck"

    private let lock: Int32

    /// Makes the folder if need be, marks it, and takes the lock.
    ///
    /// Where that cannot be done, no folder is left that was not there before.
    /// - Parameter root: where the recordings are.
    package init(_ path: Pathname, root: Pathname) throws(RunRefusal) {
        var made: [Pathname] = []
        do throws(RunRefusal) {
            try OutputFolder.make(path, made: &made)
            lock = try OutputLock.take(in: path, root: root)
        } catch {
            FileSystem.removeEmptyFolders(made)
            throw error
        }
    }

    deinit { OutputLock.release(lock) }

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

    /// Lets the next run in, now rather than when the value happens to go.
    package consuming func release() {}

    /// Refuses an output that holds the results of recordings elsewhere; looks only.
    static func requireNoOther(than root: Pathname, in output: Pathname) throws(RunRefusal) {
        guard isMarked(output),
            let other = otherRoot(in: text(of: output), of: output, root: root)
        else { return }
        throw .outputOfOthers(output: output, root: other)
    }

    /// The folder whose results a marked folder holds; `nil` where that is not known, or gone.
    package static func root(of output: Pathname) -> Pathname? {
        root(in: text(of: output), of: output)
    }

    private static func text(of output: Pathname) -> [UInt8] {
        FileSystem.beginning(of: output.appending(mark), bytes: OutputMark.mostBytes)
    }

    static func root(in text: [UInt8], of output: Pathname) -> Pathname? {
        guard let way = OutputMark.root(in: text),
            let root = try? FileSystem.resolve(output.appending(way)),
            (try? FileSystem.status(root))?.kind == .folder
        else { return nil }
        return root
    }

    static func otherRoot(
        in text: [UInt8], of output: Pathname, root own: Pathname
    ) -> Pathname? {
        guard let root = root(in: text, of: output),
            root != ((try? FileSystem.resolve(own)) ?? own)
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
