import FoundationEssentials
import Jobs
import Recordings
import Reports
import Workers

/// For programs: one JSON object a line on standard output.
struct JSONLinesPrinter: RunPrinter {
    let painter: TerminalPainter
    let places: RunPlaces

    func announce(_ announcement: Announcement) {
        tellFailure(announcement, below: places.shownRoot, through: painter)
        painter.print(JSONLine.text(for: announcement), to: .output)
    }

    func beginWatching(folders: Int) {
        painter.print(JSONLine.text(forWatching: folders), to: .output)
    }

    func finish(_ summary: Summary, phase: JobStore.Phase, status: ExitStatus) {
        let line = JSONLine.text(for: summary, status: status, output: places.output)
        painter.print(line, to: .output)
    }
}

/// The lines themselves, without line ends.
enum JSONLine {
    static func text(for announcement: Announcement) -> String {
        switch announcement {
        case .settled(let folder, let entry, let upToDate):
            text(SettledLine(folder: folder.orDot, upToDate: upToDate, entry: entry.value))
        case .planned(let folder, let name, let stages):
            text(PlannedLine(folder: folder.orDot, name: name, stages: stages.names))
        case .explained(let folder, let name, let reasons):
            text(
                StaleLine(
                    folder: folder.orDot, name: name,
                    reasons: reasons.map { StalenessText.words(for: $0, of: name) }))
        case .settingsChanged(let reasons):
            text(SettingsLine(reasons: reasons.map { StalenessText.words(for: $0, of: .empty) }))
        case .folderFailed(let folder, let failure), .manifestFailed(let folder, let failure):
            text(FolderLine(folder: folder.orDot, failure: failure))
        case .stopped(let failure): text(TroubleLine(event: "stopped", failure: failure))
        case .journalFailed(let failure):
            text(TroubleLine(event: "journalFailed", failure: failure))
        case .journalDamaged(let lines): text(JournalLine(lines: lines))
        case .manifestSetAside(let folder, let name):
            text(SetAsideLine(folder: folder.orDot, name: name))
        case .awaited(let folder, let name, let failure):
            text(WaitingLine(folder: folder.orDot, name: name, failure: failure))
        case .missing(let folder, let name, let pruned):
            text(GoneLine(folder: folder.orDot, name: name, pruned: pruned))
        case .spared(let folder, let name):
            text(SparedLine(folder: folder.orDot, name: name))
        case .moved(let folder, let name, let newFolder, let newName):
            text(
                MovedLine(
                    folder: folder.orDot, name: name, newFolder: newFolder.orDot,
                    newName: newName))
        case .polled(let folder, let outcome):
            text(PolledLine(folder: folder.orDot, reason: outcome.word))
        }
    }

    static func text(for summary: Summary, status: ExitStatus, output: Pathname) -> String {
        text(SummaryLine(exitStatus: status.rawValue, output: output, summary: summary))
    }

    /// That everything that is there is known, and what lands from now on is seen.
    static func text(forWatching folders: Int) -> String {
        text(WatchingLine(folders: folders))
    }

    static func text(_ line: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // A trace may hold what no recording has.
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        guard let data = try? encoder.encode(line) else {
            preconditionFailure("a line could not be spelled as JSON")
        }
        return String(decoding: data, as: UTF8.self)
    }
}

/// A recording that is settled: its manifest entry, and where it is.
private struct SettledLine: Encodable {
    let event = "recording"
    let folder: Pathname
    let upToDate: Bool
    let entry: ManifestEntry

    private enum CodingKeys: CodingKey {
        case event, folder, upToDate
    }

    func encode(to encoder: any Encoder) throws {
        try entry.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(event, forKey: .event)
        try container.encode(folder, forKey: .folder)
        try container.encode(upToDate, forKey: .upToDate)
    }
}

private struct PlannedLine: Encodable {
    let event = "planned"
    let folder: Pathname
    let name: Pathname
    let stages: [String]
}

/// Why a recording is not up to date, in words.
private struct StaleLine: Encodable {
    let event = "stale"
    let folder: Pathname
    let name: Pathname
    let reasons: [String]
}

/// In what earlier work was asked for otherwise, in words.
private struct SettingsLine: Encodable {
    let event = "settingsChanged"
    let reasons: [String]
}

/// A recording that is not complete.
private struct WaitingLine: Encodable {
    let event = "waiting"
    let folder: Pathname
    let name: Pathname
    let failure: RecordingFailure?
}

/// A recording that is not there any more.
private struct GoneLine: Encodable {
    let event = "gone"
    let folder: Pathname
    let name: Pathname
    let pruned: Bool
}

/// A file in the output that stays though nothing names it any more.
private struct SparedLine: Encodable {
    let event = "spared"
    let folder: Pathname
    let name: Pathname
}

private struct MovedLine: Encodable {
    let event = "moved"
    let folder: Pathname
    let name: Pathname
    let newFolder: Pathname
    let newName: Pathname
}

/// A folder that cannot be watched.
private struct PolledLine: Encodable {
    let event = "polled"
    let folder: Pathname
    let reason: String
}

private struct WatchingLine: Encodable {
    let event = "watching"
    let folders: Int
}

private struct TroubleLine: Encodable {
    let event: String
    let failure: RecordingFailure
}

private struct JournalLine: Encodable {
    let event = "journalDamaged"
    let lines: [Int]
}

private struct SetAsideLine: Encodable {
    let event = "manifestSetAside"
    let folder: Pathname
    let name: Pathname
}

private struct FolderLine: Encodable {
    let event = "folder"
    let folder: Pathname
    let failure: RecordingFailure
}

private struct SummaryLine: Encodable {
    let event = "summary"
    let exitStatus: Int32
    let output: Pathname
    let summary: Summary

    private enum CodingKeys: CodingKey {
        case event, exitStatus, output
    }

    func encode(to encoder: any Encoder) throws {
        try summary.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(event, forKey: .event)
        try container.encode(exitStatus, forKey: .exitStatus)
        try container.encode(output, forKey: .output)
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
