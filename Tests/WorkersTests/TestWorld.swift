import Foundation
import Jobs
import Recordings
import ReducerKit
import TestSupport

@testable import Workers

/// A folder with recordings and room for an output folder beside them.
///
/// What file names may be is wider than what Foundation takes, so everything goes by bytes.
final class TestWorld {
    let folder = TestFolder()
    /// What earlier runs recorded of the output.
    let record = TestWorld.emptyRecord()

    var root: Pathname { folder.path("source") }
    var output: Pathname { folder.path("output") }
    var places: RunPlaces { RunPlaces(root: root, output: output, targets: [.folder(.empty)]) }

    /// What a run that begins now may write over.
    var ownership: OutputOwnership { OutputOwnership(places, record) }

    init() {
        makeFolder(root)
        makeFolder(output)
    }

    private static func emptyRecord() -> OutputRecord {
        do throws(FileSystemError) {
            return try OutputRecord()
        } catch {
            preconditionFailure("no record can be made in memory: \(error.detail)")
        }
    }

    /// A scanner as a run that begins now has one.
    func scanner(of other: RunPlaces? = nil, isDryRun: Bool = false) -> FolderScanner {
        FolderScanner(places: other ?? places, record: record, isDryRun: isDryRun)
    }

    /// Records results as an earlier run did that printed no manifest.
    func settle(
        _ entries: [ManifestEntry], in folder: Pathname = .empty, recipe: Recipe = Recipe()
    ) throws {
        try record.put(entries, in: folder, recipe: recipe)
    }

    func makeFolder(_ path: Pathname) {
        do {
            try FileSystem.makeFolder(path)
        } catch {
            preconditionFailure("\(path) cannot be made: \(error.detail)")
        }
    }

    /// Writes a file below the root, with the folders above it, and returns its path.
    @discardableResult
    func add(_ name: Pathname, _ bytes: [UInt8] = [1, 2, 3]) -> Pathname {
        let path = root.appending(name)
        makeFolder(path.parent)
        return folder.write(bytes, to: Pathname("source").appending(name))
    }

    /// Makes a link that leads to `target`, which need not exist.
    static func link(_ path: Pathname, to target: Pathname) {
        let result = target.withCString { target in path.withCString { symlink(target, $0) } }
        precondition(result == 0, "\(path) cannot be made a link.")
    }

    /// Makes a named pipe below the root.
    func addPipe(_ name: Pathname) {
        let result = root.appending(name).withCString { mkfifo($0, 0o644) }
        precondition(result == 0, "\(name) cannot be made a pipe.")
    }

    /// Every name below a folder, ascending, relative to it.
    static func tree(_ folder: Pathname, below path: Pathname = .empty) -> [Pathname] {
        let names = (try? FileSystem.names(in: folder.appending(path))) ?? []
        return names.sorted { $0.name < $1.name }.flatMap { entry in
            let name = path.appending(entry.name)
            return [name] + (entry.kind == .folder ? tree(folder, below: name) : [])
        }
    }

    /// As `tree(_:)`, with a star in the place of each temporary name, which nobody can foresee.
    static func maskedTree(_ folder: Pathname) -> [Pathname] {
        tree(folder).map { path in
            StagedOutput.isTemporary(path.lastComponent) ? path.parent.appending("*") : path
        }
    }

    /// Carries out an order and prints its manifest, as a run does that has no other to write.
    /// - Returns: obsolete files that were spared.
    @discardableResult
    func print(_ order: ManifestOrder) throws -> [Pathname] {
        let ownership = ownership
        try record.update([order])
        var staged = try ManifestFile.stage(order, of: record, ownership)
        do throws(RecordingFailure) {
            try staged.publish(ownership)
        } catch {
            staged.discard(ownership)
            throw error
        }
        try record.didPrint([staged])
        return staged.spared
    }

    static func stamp(of path: Pathname) throws -> FileStamp {
        try FileSystem.status(path).stamp
    }
}

extension FileSystem {
    /// Sets the time of last change of a file or folder.
    static func setModified(
        _ path: Pathname, nanoseconds: Int64
    ) throws(FileSystemError) {
        let descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw FileSystemError(path) }
        defer { close(descriptor) }
        try setModified(descriptor, path, nanoseconds: nanoseconds)
    }

    static func rename(_ old: Pathname, to new: Pathname) throws(FileSystemError) {
        let result = old.withCString { old in new.withCString { renameFile(old, $0) } }
        guard result == 0 else { throw FileSystemError(new) }
    }
}

/// The system's `rename`, outside the type whose own function hides that name.
private func renameFile(_ old: UnsafePointer<CChar>, _ new: UnsafePointer<CChar>) -> Int32 {
    rename(old, new)
}
