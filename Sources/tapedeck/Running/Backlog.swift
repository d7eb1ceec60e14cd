import Glibc
import Jobs
import Recordings
import Reports
import Synchronization
import Workers

/// The recordings of an output that have no results yet, found by looking at all of them, whether
/// or not anybody works on them.
struct Backlog {
    var recordings = 0
    /// How long the oldest has been here; since its last change, or since it was moved here.
    var seconds = 0
    /// The oldest.
    var oldest: Pathname?
    /// Lines about folders that could not be read.
    var troubles: [String] = []

    /// The recordings that have failed of the folder that was looked at last.
    private var failedFolder: Pathname?
    private var failed: Set<Pathname> = []

    /// Plans the work of a run with the settings that the output remembers; writes nothing.
    static func find(_ tree: ResultTree) throws(RunRefusal) -> Backlog {
        let (record, root) = try tree.recordAndRoot()
        defer { record.close() }
        let targets = try record.targets(in: tree, root)
        var places = RunPlaces(root: root, output: tree.output, targets: targets)
        let settings = try record.settings(of: places)
        var configuration = settings.configuration
        configuration.isDryRun = true
        places.rules = configuration.rules
        let work = BatchWork(
            configuration: configuration, places: places, record: record,
            limit: LengthLimit(hours: settings.usual.maxHours ?? Settings.usualMaxHours),
            signals: nil, watcher: nil)
        let found = Mutex(Backlog())
        let now = time(nil)
        _ = work.carryOut(
            reducer: JobStore.reducer,
            announce: { [places] announcement in
                found.withLock { $0.take(announcement, places, record, now) }
            },
            observe: { _ in })
        return found.withLock(\.self)
    }

    private mutating func take(
        _ announcement: Announcement, _ places: RunPlaces, _ record: OutputRecord, _ now: Int
    ) {
        switch announcement {
        case .planned(let folder, let name, _):
            // What is to be tried again has failed, and is counted so.
            if failedFolder != folder {
                (failedFolder, failed) = (folder, record.failed(in: folder))
            }
            guard !failed.contains(name) else { return }
            recordings += 1
            let path = folder.appending(name)
            let age = now - Backlog.arrival(of: places.root.appending(path), else: now)
            guard oldest == nil || age > seconds else { return }
            (seconds, oldest) = (max(0, age), path)
        case .folderFailed, .stopped:
            if let line = FailureText.line(for: announcement, below: places.shownRoot) {
                troubles.append(line)
            }
        default: break
        }
    }

    /// When a file was written or moved last, since 1970; its own time may be any.
    private static func arrival(of path: Pathname, else now: Int) -> Int {
        var info = stat()
        guard path.withCString({ stat($0, &info) }) == 0 else { return now }
        return info.st_ctim.tv_sec
    }
}
