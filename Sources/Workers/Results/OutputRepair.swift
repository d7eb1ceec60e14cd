import Glibc
import Jobs
import Recordings
import Synchronization

/// What a run has to make again, given the outputs that are not what they were.
package struct OutputRepair: Sendable {
    /// Why an output stays as it is: it may be all that is left of the sound recording.
    package enum Obstacle: Hashable, Sendable {
        /// The recording is gone or has failed.
        case cannotBeProcessed
        /// The recording is corrupt, or cannot be read.
        case recordingCorrupt
        /// Somebody has modified the copy or export.
        case modified
    }

    /// Relative to the root, ascending: those to process again.
    package private(set) var recordings: [Pathname] = []
    /// Exports and split files to make again, at fault in any way.
    package private(set) var exports: [Pathname] = []
    /// Outputs that stay, relative to the output.
    package private(set) var kept: [(path: Pathname, obstacle: Obstacle)] = []
    private let tree: ResultTree

    /// Finds the recordings of outputs, all of one output.
    ///
    /// Those that are gone, have failed, or are corrupt are none. To know the last, the recordings
    /// are read whole, if the record has their SHA-256.
    /// - Parameters:
    ///   - faults: what a verification found of outputs.
    ///   - detailsSuffix: the end of names of pages' details, behind their recordings' names.
    package init(
        of faults: [Discrepancy], in tree: ResultTree, detailsSuffix: String
    ) throws(RunRefusal) {
        self.tree = tree
        let (record, root) = try tree.recordAndRoot()
        defer { record.close() }
        kept = faults.filter(\.isModified).map { ($0.path, .modified) }
        let rest = faults.filter { !$0.isModified }
        exports = rest.filter { $0.role == .export }.map(\.path)
        let paths = rest.filter { $0.role != .export }.map(\.path)
        // These are made while a recording is heard.
        let suffix = Array(detailsSuffix.utf8)
        let details = exports.filter { $0.bytes.suffix(suffix.count).elementsEqual(suffix) }
            .map { Pathname(bytes: $0.bytes.dropLast(suffix.count)) }
        try OutputRecord.reading(tree.shownOutput) { () throws(FileSystemError) in
            for (folder, files) in Dictionary(grouping: paths, by: \.parent) {
                try find(Set(files), try record.entries(in: folder), folder, root)
            }
            for path in details where !recordings.contains(path) {
                let entry = try record.entries(in: path.parent)
                    .first { $0.name == path.lastComponent }
                guard let entry,
                    try OutputRepair.obstacle(to: entry, at: root.appending(path)) == nil
                else { continue }
                recordings.append(path)
            }
        }
        recordings.sort()
        kept.sort { $0.path < $1.path }
    }

    private mutating func find(
        _ files: Set<Pathname>, _ entries: [ManifestEntry], _ folder: Pathname, _ root: Pathname
    ) throws(FileSystemError) {
        var rest = files
        // A manifest is printed when any recording of its folder is processed.
        let hasManifest = rest.remove(folder.appending(OutputNames.manifest)) != nil
        var printsManifest = false
        for entry in entries {
            let own = rest.intersection(entry.files.map { folder.appending($0.path) })
            let isFirst = hasManifest && !printsManifest
            guard !own.isEmpty || isFirst else { continue }
            rest.subtract(own)
            let path = folder.appending(entry.name)
            if let obstacle = try OutputRepair.obstacle(to: entry, at: root.appending(path)) {
                kept += own.map { ($0, obstacle) }
            } else {
                recordings.append(path)
                printsManifest = true
            }
        }
        kept += rest.map { ($0, .cannotBeProcessed) }
    }

    private static func obstacle(
        to entry: ManifestEntry, at source: Pathname
    ) throws(FileSystemError) -> Obstacle? {
        guard entry.status == .done, entry.failure == nil, let stamp = entry.source else {
            return .cannotBeProcessed
        }
        let check = FileCheck(
            shown: source, path: source, promise: .stamp(stamp, sha256: entry.sourceSHA256))
        return switch try check.look(at: source) {
        case nil, .changed, .altered: nil
        case .missing, .notAFile: .cannotBeProcessed
        case .corrupt, .unreadable: .recordingCorrupt
        }
    }

    /// Deletes exports and split files that are still corrupt, as no run would make them again; no
    /// other run may work in the output.
    package func discardExports() throws(RunRefusal) {
        guard !exports.isEmpty else { return }
        var verification = try Verification(tree, recordings: nil)
        (verification.checksRecordings, verification.only) = (false, Set(exports))
        let found = Mutex<[Pathname]>([])
        _ = verification.carryOut(jobs: 1) { event in
            guard case .discrepancy(let fault) = event, fault.finding == .corrupt else { return }
            found.withLock { $0.append(fault.path) }
        }
        for name in found.withLock(\.self) {
            let path = tree.output.appending(name)
            guard path.withCString({ unlink($0) }) == 0 || errno == ENOENT else {
                throw .pathUnreadable(path, detail: FileSystemError(path).detail)
            }
        }
    }
}
