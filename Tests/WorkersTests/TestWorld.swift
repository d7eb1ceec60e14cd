import Foundation
import Jobs
import Recordings
import TestSupport

@testable import Workers

/// A folder with recordings and room for an output folder beside them.
///
/// What file names may be is wider than what Foundation takes, so everything goes by bytes.
final class TestWorld {
    let folder = TestFolder()

    var root: Pathname { folder.path("source") }
    var output: Pathname { folder.path("output") }
    var places: RunPlaces { RunPlaces(root: root, output: output, targets: [.folder(.empty)]) }

    /// What a run that begins now may write over.
    var ownership: OutputOwnership { OutputOwnership(places, .none) }

    init() {
        makeFolder(root)
        makeFolder(output)
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

    /// Puts a manifest in its place, as a run does that has no other to write.
    func write(_ order: ManifestOrder, in other: Pathname? = nil) throws {
        let output = other ?? output
        try FileSystem.makeFolder(output)
        let places = RunPlaces(root: root, output: output, targets: [])
        let ownership = OutputOwnership(places, .none)
        var staged = try ManifestFile.stage(order, ownership)
        do throws(RecordingFailure) {
            try staged.prepare(ownership)
            try staged.publish(ownership)
        } catch {
            staged.discard(ownership)
            throw error
        }
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
