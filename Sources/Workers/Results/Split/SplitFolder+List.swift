import Exports
import Jobs
import Recordings

// The list of the split files in a folder.

extension SplitFolder {
    /// The list is written at least this often.
    private static let secondsBetweenLists = 5.0

    /// Reads the list, and deletes what a crash has left.
    /// - Parameter mayMake: whether to make the folder.
    /// - Returns: whether there is one.
    mutating func begin(mayMake: Bool) throws(ExportRefusal) -> Bool {
        let place = place
        let all = try ExportRefusal.writing(place) { () throws(FileSystemError) -> [SplitLine?]? in
            let found = try ifThere { () throws(FileSystemError) in try FileSystem.status(place) }
            guard found != nil || mayMake else { return nil }
            try FileSystem.makeFolder(place)
            if !sharesPlace {
                for name in try FileSystem.names(in: place).map(\.name)
                where StagedOutput.isTemporary(name) {
                    try FileSystem.remove(place.appending(name))
                }
            }
            return try SplitLine.lines(in: place)
        }
        guard let all else { return false }
        guard !all.contains(nil) else {
            throw .notWritten(
                place.appending(SplitLine.listName),
                detail: "it has lines of another program; rename it, or choose another folder")
        }
        for case .some(let line) in all { listed[line.name] = line }
        return true
    }

    /// Writes the list if it is time, once all that it names is safe on the disk; then deletes what
    /// recordings no longer have, or had that are no longer known.
    ///
    /// What somebody has modified, or added something to in the list, stays.
    mutating func list(_ outcome: inout SplitOutcome, isLast: Bool) throws(FileSystemError) {
        let isDue = lastListed.duration(to: .now) >= .seconds(SplitFolder.secondsBetweenLists)
        guard isLast || isDue else { return }
        let (split, recordings, lines) = (split, recordings, lines)
        let old = listed.values.filter {
            let isOver = split.contains($0.recording) || !recordings.contains($0.recording)
            return isOver && lines[$0.name] == nil && $0.others.isEmpty
        }
        guard !isListCurrent || !old.isEmpty else { return }
        let gone = Set(old.map(\.name))
        var all = listed.filter { !gone.contains($0.key) }
        all.merge(lines) { $1 }
        try FileSystem.syncAll(at: place)
        let staged = try StagedOutput(at: place.appending(SplitLine.listName))
        _ = try staged.write(syncing: true) { (put) throws(FileSystemError) in
            for name in all.keys.sorted() {
                if let line = all[name] { try put(line.text) }
            }
        }
        try staged.commit()
        for line in old where isUnchanged(line) {
            try FileSystem.remove(place.appending(Pathname(line.name)))
            outcome.removed += 1
        }
        (listed, isListCurrent, lastListed) = (all, true, .now)
    }

    /// Whether a file is as it was written; read only if its time differs, as after a copy.
    func isUnchanged(_ line: SplitLine) -> Bool {
        let path = place.appending(Pathname(line.name))
        guard let found = try? FileSystem.status(path, followingLink: false),
            found.kind == .regular, found.stamp.bytes == line.bytes
        else { return false }
        return found.stamp.modifiedNanoseconds == line.source.modifiedNanoseconds
            || (try? StagedOutput.receipt(of: path).sha256) == line.sha256
    }
}
