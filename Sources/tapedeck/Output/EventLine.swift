import Jobs
import Recordings
import Reports
import Workers

/// What happened, for programs, as one JSON object; what does not apply is left out.
struct EventLine: Encodable {
    let event: String
    var folder: Pathname?
    var name: Pathname?
    var newFolder: Pathname?
    var newName: Pathname?
    var stages: [String]?
    /// Why a recording is not up to date, in words.
    var reasons: [String]?
    /// Why a folder cannot be watched.
    var reason: String?
    var failure: RecordingFailure?
    /// Damaged ones of the journal.
    var lines: [Int]?
    var pruned: Bool?
    var upToDate: Bool?
    var folders: Int?
    var exitStatus: Int32?
    var output: Pathname?
}

extension Encodable {
    /// The same, and beside it all that another value says.
    func with(_ other: some Encodable) -> some Encodable {
        JoinedLine(first: self, second: other)
    }
}

/// One object of two values.
private struct JoinedLine<First: Encodable, Second: Encodable>: Encodable {
    let first: First
    let second: Second

    func encode(to encoder: any Encoder) throws {
        try first.encode(to: encoder)
        try second.encode(to: encoder)
    }
}

extension EventLine {
    /// The line that tells of something, without a line end.
    static func text(for announcement: Announcement) -> String {
        let line: EventLine
        switch announcement {
        case .settled(let folder, let entry, let upToDate):
            line = EventLine(event: "recording", folder: folder.orDot, upToDate: upToDate)
            return JSONLine.text(line.with(entry.value))
        case .planned(let folder, let name, let stages):
            line = EventLine(
                event: "planned", folder: folder.orDot, name: name, stages: stages.names)
        case .explained(let folder, let name, let reasons):
            line = EventLine(
                event: "stale", folder: folder.orDot, name: name,
                reasons: reasons.map { StalenessText.words(for: $0, of: name) })
        case .settingsChanged(let reasons):
            line = EventLine(
                event: "settingsChanged",
                reasons: reasons.map { StalenessText.words(for: $0, of: .empty) })
        case .folderFailed(let folder, let failure), .manifestFailed(let folder, let failure):
            line = EventLine(event: "folder", folder: folder.orDot, failure: failure)
        case .stopped(let failure): line = EventLine(event: "stopped", failure: failure)
        case .journalFailed(let failure): line = EventLine(event: "journalFailed", failure: failure)
        case .journalDamaged(let lines): line = EventLine(event: "journalDamaged", lines: lines)
        case .manifestSetAside(let folder, let name):
            line = EventLine(event: "manifestSetAside", folder: folder.orDot, name: name)
        case .awaited(let folder, let name, let failure):
            line = EventLine(event: "waiting", folder: folder.orDot, name: name, failure: failure)
        case .missing(let folder, let name, let pruned):
            line = EventLine(event: "gone", folder: folder.orDot, name: name, pruned: pruned)
        case .spared(let folder, let name):
            line = EventLine(event: "spared", folder: folder.orDot, name: name)
        case .moved(let folder, let name, let newFolder, let newName):
            line = EventLine(
                event: "moved", folder: folder.orDot, name: name, newFolder: newFolder.orDot,
                newName: newName)
        case .polled(let folder, let outcome):
            line = EventLine(event: "polled", folder: folder.orDot, reason: outcome.word)
        }
        return JSONLine.text(line)
    }
}

extension WatchOutcome {
    /// The outcome in a word.
    fileprivate var word: String {
        switch self {
        case .watched: "watched"
        case .outOfWatches: "outOfWatches"
        case .outOfInstances: "outOfInstances"
        case .remote: "remote"
        case .unsupported: "unsupported"
        case .failed: "failed"
        }
    }
}
