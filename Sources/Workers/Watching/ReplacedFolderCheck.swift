@preconcurrency import Dispatch
import Glibc
import Jobs
import Recordings

/// Tells when other folders are where those that are watched were: the kernel watches a folder, and
/// not a path.
///
/// Nothing is told of a disk that is mounted over a folder, or of one above it that is renamed.
/// So it is looked at now and then: some system calls for each folder asked for.
struct ReplacedFolderCheck {
    /// Where a folder asked for is, and its path below the root.
    private let tops: [(path: Pathname, folder: Pathname)]
    /// Says which disks are mounted where.
    private let mounts: () -> [UInt8]
    private var identities: [UInt64?]
    private var text: [UInt8]
    private var mounted: Set<ArraySlice<UInt8>>

    /// Seconds from one look to the next.
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

    /// What has changed since the last look.
    mutating func look() -> [WatchReport] {
        let now = tops.map { ReplacedFolderCheck.identity(of: $0.path) }
        let moved = zip(tops, zip(identities, now)).filter { $1.0 != $1.1 }
        identities = now
        let notices = moved.map { FileEvent(folder: $0.0.folder, kind: .gone) }
        return (notices.isEmpty ? [] : [.noticed(notices)]) + (takeMounts() ? [.overflowed] : [])
    }

    /// Whether something else is mounted there than at the last look.
    private mutating func takeMounts() -> Bool {
        let now = mounts()
        guard now != text else { return false }
        text = now
        let before = mounted
        mounted = relevant()
        return mounted != before
    }

    /// A look every few seconds; the closure that it returns ends it.
    static func start(
        _ places: RunPlaces, report: @escaping @Sendable (WatchReport) -> Void
    ) -> @Sendable () -> Void {
        let queue = DispatchQueue(label: "tapedeck.places")
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now() + pauseSeconds, repeating: pauseSeconds)
        // Read and changed on the queue alone.
        nonisolated(unsafe) var watcher = ReplacedFolderCheck(places)
        timer.setEventHandler { for found in watcher.look() { report(found) } }
        timer.resume()
        return { timer.cancel() }
    }

    private static func identity(of path: Pathname) -> UInt64? {
        (try? FileSystem.status(path))?.identity
    }

    /// The lines of mounts below the folders asked for.
    private func relevant() -> Set<ArraySlice<UInt8>> {
        Set(
            text.split(separator: UInt8(ascii: "\n")).filter { line in
                let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
                guard fields.count > 4 else { return false }
                // Odd characters are escaped there; where one is, it is looked once too often.
                let place = Pathname(bytes: Array(fields[4]))
                return fields[4].contains(UInt8(ascii: "\\"))
                    || tops.contains { $0.path.contains(place) }
            })
    }

    /// `/proc/self/mountinfo`: a line for each mount, the fifth word of which says where it is.
    static func systemMounts() -> [UInt8] {
        (try? FileSystem.contents(of: "/proc/self/mountinfo")) ?? []
    }
}
