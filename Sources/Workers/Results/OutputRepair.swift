import Glibc
import Jobs
import Recordings

/// Corrupt outputs, which a run would take for sound unless they are deleted.
package struct OutputRepair: Sendable {
    /// Why a corrupt output stays: it may be all that is left of the sound recording.
    package enum Obstacle: Hashable, Sendable {
        /// The recording is gone or has failed.
        case cannotBeProcessed
        /// The recording is corrupt, or cannot be read.
        case recordingCorrupt
    }

    /// Those that stay, relative to the output.
    package private(set) var kept: [(path: Pathname, obstacle: Obstacle)] = []
    private var mendable: [Pathname] = []

    /// Finds out which corrupt files can be made again.
    ///
    /// These are exports, and the outputs of recordings that are done, still there, and sound as
    /// far as is known. To know that, the recordings of corrupt outputs are read whole, if the
    /// record has their SHA-256.
    /// - Parameter corrupt: relative to the output.
    package init(
        of corrupt: [Pathname], _ record: OutputRecord, _ places: RunPlaces
    ) throws(RunRefusal) {
        let obstacles = try OutputRecord.reading(places.shownOutput) {
            () throws(FileSystemError) in
            try OutputRepair.obstacles(to: Set(corrupt), record, places)
        }
        for path in corrupt {
            // What is neither has a recording that failed or is gone.
            if let obstacle = obstacles[path] ?? .cannotBeProcessed {
                kept.append((path, obstacle))
            } else {
                mendable.append(path)
            }
        }
    }

    /// Deletes the corrupt files that can be made again; no other run may work in the output.
    package func discard(in output: Pathname) throws(RunRefusal) {
        for name in mendable {
            let path = output.appending(name)
            guard path.withCString({ unlink($0) }) == 0 || errno == ENOENT else {
                throw .pathUnreadable(path, detail: FileSystemError(path).detail)
            }
        }
    }

    /// What keeps corrupt exports and outputs of processed recordings from being made again; the
    /// inner `nil` means nothing does.
    private static func obstacles(
        to corrupt: Set<Pathname>, _ record: OutputRecord, _ places: RunPlaces
    ) throws(FileSystemError) -> [Pathname: Obstacle?] {
        var obstacles: [Pathname: Obstacle?] = [:]
        try record.forEachExport { obstacles.updateValue(nil, forKey: $0.path) }
        for folder in Set(corrupt.map(\.parent)) {
            for entry in try record.entries(in: folder)
            where entry.status == .done && entry.failure == nil {
                let files = entry.files.map { folder.appending($0.path) }.filter(corrupt.contains)
                guard !files.isEmpty else { continue }
                let source = places.root.appending(folder).appending(entry.name)
                let obstacle = try obstacle(of: entry, at: source)
                for file in files { obstacles.updateValue(obstacle, forKey: file) }
            }
        }
        return obstacles
    }

    private static func obstacle(
        of entry: ManifestEntry, at source: Pathname
    ) throws(FileSystemError) -> Obstacle? {
        guard let stamp = entry.source else { return .cannotBeProcessed }
        let check = FileCheck(
            shown: source, path: source, promise: .stamp(stamp, sha256: entry.sourceSHA256))
        return switch try check.look(at: source) {
        case nil, .changed, .altered: nil
        case .missing, .notAFile: .cannotBeProcessed
        case .corrupt, .unreadable: .recordingCorrupt
        }
    }
}
