import Jobs
import Recordings

/// The end of the program, or of the current, in the midst of what it did.
struct SimulatedCrash: Error {}

/// The output tree as a value: what programs see of it, and what a loss of power leaves.
///
/// Every change is volatile until it is synced. A loss of power keeps some of what was not: of the
/// names, any changes that do not presuppose a lost one; of a file's bytes, all, none, or anything.
package struct SimulatedDisk: Sendable {
    /// A name in a folder.
    struct Place: Hashable {
        var folder: Pathname
        var name: Pathname
    }

    enum Content: Hashable, Sendable {
        /// The bytes' digest.
        case output(String)
        case manifest(Manifest)
        /// What a loss of power may leave of a file that was not synced.
        case garbage
    }

    struct File: Hashable, Sendable {
        var content: Content
        var stamp: FileStamp
    }

    /// A change of names that is not on the disk for certain.
    struct Change: Sendable {
        var folder: Pathname
        /// The name that goes; `nil` where a file is made.
        var from: Pathname?
        /// The name that comes; `nil` where a file is removed.
        var to: Pathname?
        var file: Int
    }

    typealias Names = [Pathname: [Pathname: Int]]

    /// Steps until the crash; `nil` where none is to come.
    var stepsLeft: Int?
    /// Folders in which something has changed since the last look.
    var touched: Set<Pathname> = []
    var files: [File] = []
    /// What is on the disk for certain of each file; `nil` where nothing is.
    var durable: [File?] = []
    var unsynced: Set<Int> = []
    var names: Names = [:]
    var durableNames: Names = [:]
    var changes: [Change] = []

    init() {}

    /// Counts a step, before which it may all be over.
    mutating func step() throws(SimulatedCrash) {
        guard let left = stepsLeft else { return }
        guard left > 0 else { throw SimulatedCrash() }
        stepsLeft = left - 1
    }
}

// MARK: - Looking

extension SimulatedDisk {
    /// Folders with files, ascending.
    var folders: [Pathname] { names.filter { !$0.value.isEmpty }.keys.sorted() }

    /// Names in a folder, ascending.
    func names(in folder: Pathname) -> [Pathname] { (names[folder] ?? [:]).keys.sorted() }

    func file(_ name: Pathname, in folder: Pathname) -> File? {
        names[folder]?[name].map { files[$0] }
    }

    /// The file, if its name and its bytes are both on the disk for certain.
    func durableFile(_ name: Pathname, in folder: Pathname) -> File? {
        durableNames[folder]?[name].flatMap { durable[$0] }
    }

    func digest(of name: Pathname, in folder: Pathname) -> String? {
        if case .output(let digest)? = file(name, in: folder)?.content { digest } else { nil }
    }

    func manifest(in folder: Pathname) -> Manifest? {
        if case .manifest(let manifest)? = file(OutputNames.manifest, in: folder)?.content {
            manifest
        } else {
            nil
        }
    }
}
