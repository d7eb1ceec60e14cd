import Jobs
import Recordings
import Reports
import Workers

/// Events for programs (NDJSON): one JSON object per line, without the line end, each with the time
/// at which it is told.
enum EventLine {
    /// - Parameter entry: reads a recording's entry from the record.
    static func text(
        for announcement: Announcement, entry: (RecordedPlace) -> ManifestEntry? = { _ in nil }
    ) -> String {
        text(object(for: announcement, entry))
    }

    /// The event that the initial scan is complete and watching starts.
    static func watching(folders: Int) -> String {
        text(["event": "watching", "folders": folders])
    }

    /// The last line of a hook's call that leaves events out.
    static func omitted(_ count: Int) -> String { text(["event": "omitted", "count": count]) }

    static func serving(_ url: String) -> String {
        text(["event": "serving", "address": url])
    }

    static func recordRebuilt(setAside name: Pathname) -> String {
        text(["event": "recordRebuilt", "setAside": name])
    }

    /// The settings file of a run, the options that it takes over from its output, and what
    /// changed ones do to results.
    static func settings(
        _ file: Pathname?, _ remembered: [String], _ changes: [String], _ results: ChangedResults?
    ) -> String {
        text(
            [
                "event": "runSettings", "file": file, "remembered": remembered,
                "changes": results.map { _ in changes }, "results": results,
            ])
    }

    /// The last line, with all counts of a summary.
    static func summary(
        _ summary: any Encodable, _ status: ExitStatus, output: Pathname? = nil
    ) -> String {
        let line: JSONObject = [
            "event": "summary", "exitStatus": status.rawValue, "output": output,
        ]
        return text(line.with(summary))
    }

    private static func text(_ object: JSONObject) -> String {
        JSONLine.text(object.with(["time": ClockText.now] as JSONObject))
    }

    private static func object(
        for announcement: Announcement, _ entry: (RecordedPlace) -> ManifestEntry?
    ) -> JSONObject {
        switch announcement {
        case .settled(let folder, let settled, let whole, let upToDate):
            let line: JSONObject = [
                "event": "recording", "folder": folder.orDot, "upToDate": upToDate,
            ]
            let place = RecordedPlace(folder: folder, name: settled.name)
            return line.with(whole?.value ?? settled.completed(by: entry(place)))
        case .planned(let folder, let name, let stages):
            return [
                "event": "planned", "folder": folder.orDot, "name": name, "stages": stages.names,
            ]
        case .explained(let folder, let name, let reasons):
            return [
                "event": "stale", "folder": folder.orDot, "name": name,
                "reasons": reasons.map { StalenessText.words(for: $0) },
            ]
        case .settingsChanged(let reasons):
            return [
                "event": "settingsChanged",
                "reasons": reasons.map { StalenessText.words(for: $0) },
            ]
        case .folderFailed(let folder, let failure), .manifestFailed(let folder, let failure):
            return ["event": "folder", "folder": folder.orDot, "failure": failure]
        case .stopped(let failure): return ["event": "stopped", "failure": failure]
        case .manifestSetAside(let folder, let name):
            return ["event": "manifestSetAside", "folder": folder.orDot, "name": name]
        case .awaited(let folder, let name, let failure):
            return ["event": "waiting", "folder": folder.orDot, "name": name, "failure": failure]
        case .missing(let folder, let name, let pruned):
            return ["event": "gone", "folder": folder.orDot, "name": name, "pruned": pruned]
        case .exportTrouble(let trouble):
            let line: JSONObject = [
                "event": "export", "format": trouble.format, "path": trouble.path,
            ]
            return line.with(trouble.obstacle.members)
        case .spared(let folder, let name):
            return ["event": "spared", "folder": folder.orDot, "name": name]
        case .moved(let folder, let name, let newFolder, let newName):
            return [
                "event": "moved", "folder": folder.orDot, "name": name,
                "newFolder": newFolder.orDot, "newName": newName,
            ]
        case .polled(let folder, let outcome):
            return ["event": "polled", "folder": folder.orDot, "reason": outcome.word]
        }
    }
}

extension SettledEntry {
    /// The whole entry, by what is recorded, which may not be up to date with this.
    fileprivate func completed(by recorded: ManifestEntry?) -> ManifestEntry {
        var entry = recorded ?? ManifestEntry(name: name, status: status, source: source)
        entry.status = status
        entry.failure = failure
        entry.decoding = decoding
        entry.warnings = warnings
        return entry
    }
}

extension ExportObstacle {
    fileprivate var members: JSONObject {
        switch self {
        case .name: ["reason": "name"]
        case .tooManyStretches(let limit): ["reason": "tooManyParts", "limit": limit]
        case .taken(let name): ["reason": "nameTaken", "file": name]
        case .failed(let failure): ["reason": "failed", "failure": failure]
        }
    }
}

extension WatchOutcome {
    /// The outcome as one word.
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
