@preconcurrency import Dispatch
import Glibc
import Jobs
import Recordings

/// Polls whether a target folder was replaced: inotify watches a folder, not a path.
///
/// No event reports a disk mounted over a folder, or the rename of a folder above it. So they are
/// polled, at some system calls for each target.
struct ReplacedFolderCheck {
    /// The path of each target, and its path below the root.
    private let tops: [(path: Pathname, folder: Pathname)]
    /// Reads the mount table.
    private let mounts: () -> [UInt8]
    private var identities: [UInt64?]
    private var text: [UInt8]
    private var mounted: Set<ArraySlice<UInt8>>

    /// The polling interval in seconds.
    static let pauseSeconds = 5.0

    init(_ places: RunPlaces, mounts: @escaping () -> [UInt8] = ReplacedFolderCheck.systemMounts) {
        let folders = Set(places.targets.map(\.place)).sorted()
        tops = folders.map { (places.root.appending($0), $0) }
        self.mounts = mounts
        identities = tops.map { ReplacedFolderCheck.identity(of: $0.path) }
        text = mounts()
        mounted = []
        mounted = relevant()
    }

    /// Reports what has changed since the last check.
    mutating func look() -> [WatchReport] {
        let now = tops.map { ReplacedFolderCheck.identity(of: $0.path) }
        let moved = zip(tops, zip(identities, now)).filter { $1.0 != $1.1 }
        identities = now
        let notices = moved.map { FileEvent(folder: $0.0.folder, kind: .gone) }
        return (notices.isEmpty ? [] : [.noticed(notices)]) + (takeMounts() ? [.overflowed] : [])
    }

    /// Whether the relevant mounts have changed since the last check.
    private mutating func takeMounts() -> Bool {
        let now = mounts()
        guard now != text else { return false }
        text = now
        let before = mounted
        mounted = relevant()
        return mounted != before
    }

    /// Starts polling; the returned closure stops it.
    static func start(
        _ places: RunPlaces, report: @escaping @Sendable (WatchReport) -> Void
    ) -> @Sendable () -> Void {
        let queue = DispatchQueue(label: "tapedeck.places")
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + pauseSeconds, repeating: pauseSeconds)
        // Accessed on the queue only.
        nonisolated(unsafe) var watcher = ReplacedFolderCheck(places)
        timer.setEventHandler { for found in watcher.look() { report(found) } }
        timer.resume()
        return { timer.cancel() }
    }

    private static func identity(of path: Pathname) -> UInt64? {
        (try? FileSystem.status(path))?.identity
    }

    /// The mount table lines whose mount point is a target or below one.
    private func relevant() -> Set<ArraySlice<UInt8>> {
        Set(
            text.split(separator: UInt8(ascii: "\n")).filter { line in
                let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
                guard fields.count > 4 else { return false }
                // Special characters are escaped there; such a line always counts as relevant.
                let place = Pathname(bytes: Array(fields[4]))
                return fields[4].contains(UInt8(ascii: "\\"))
                    || tops.contains { $0.path.contains(place) }
            })
    }

    /// `/proc/self/mountinfo`: one line per mount; the fifth field is the mount point.
    static func systemMounts() -> [UInt8] {
        (try? FileSystem.contents(of: "/proc/self/mountinfo")) ?? []
    }
}
