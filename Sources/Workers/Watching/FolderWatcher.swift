@preconcurrency import Dispatch
import Glibc
import Jobs
import Recordings
import Synchronization

/// Watches folders with inotify; each folder separately, without its subfolders.
///
/// Uses one file descriptor, and one kernel watch (about a kilobyte) per folder.
package final class FolderWatcher: Sendable {
    private typealias Listener = @Sendable (WatchReport) -> Void

    private struct State {
        var table = WatchTable()
        /// Reports that were read but not yet delivered.
        var untold: [WatchReport] = []
        var listener: Listener?
    }

    /// Closed on deinit; every reader retains the watcher.
    private let descriptor: Int32
    /// The `errno` if there is no descriptor.
    private let code: Int32
    private let state = Mutex(State())
    /// Delivers the reports in order.
    private let queue = DispatchQueue(label: "tapedeck.watching")

    /// Creates a watcher without folders; if inotify is unavailable, `watch` reports why.
    package init() {
        descriptor = inotify_init1(O_NONBLOCK | O_CLOEXEC)
        code = descriptor < 0 ? errno : 0
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Watches a folder; call it before each listing, so that no change is missed.
    /// - Parameters:
    ///   - folder: its name in reports.
    ///   - path: its location; a symlink is not followed.
    package func watch(_ folder: Pathname, at path: Pathname) -> WatchOutcome {
        guard descriptor >= 0 else { return WatchOutcome(noWatcherFor: code) }
        do throws(FileSystemError) {
            guard try !FileSystem.isRemote(path) else {
                forget(folder)
                return .remote
            }
            try state.withLock { (state) throws(FileSystemError) in
                let watch = try freshWatch(at: path, for: folder, &state)
                if let old = state.table.set(watch, for: folder) { end(old) }
            }
            return .watched
        } catch {
            forget(folder)
            return WatchOutcome(notWatchedFor: error.code)
        }
    }

    /// Stops watching a folder; a report being delivered is completed.
    package func forget(_ folder: Pathname) {
        state.withLock { state in
            if let watch = state.table.remove(folder) { end(watch) }
        }
    }

    /// Delivers reports from now on, and those since `watch`; one listener at a time.
    ///
    /// - Parameter report: called serially on the watcher's own queue.
    /// - Returns: a closure that stops it; a report being delivered is completed.
    package func start(
        report: @escaping @Sendable (WatchReport) -> Void
    ) -> @Sendable () -> Void {
        guard descriptor >= 0 else { return {} }
        state.withLock { state in
            precondition(state.listener == nil, "a watcher has one listener at a time")
            state.listener = report
        }
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler { self.tell() }
        // Retains the watcher, and so the descriptor, until the source has released it.
        source.setCancelHandler { withExtendedLifetime(self) {} }
        source.activate()
        // Deliver reports that were already read.
        queue.async { self.tell() }
        return {
            self.state.withLock { $0.listener = nil }
            source.cancel()
        }
    }
}

// MARK: - Reading

extension FolderWatcher {
    /// Delivers all reports, one read at a time, so that `watch` never waits long for the lock.
    private func tell() {
        while let next = state.withLock({ takeNext(from: &$0) }) {
            for report in next.reports { next.listener(report) }
        }
    }

    /// The next reports to deliver; `nil` if there are none, or no listener.
    private func takeNext(from state: inout State) -> (
        reports: [WatchReport], listener: Listener
    )? {
        guard let listener = state.listener else { return nil }
        while state.untold.isEmpty, read(into: &state) {}
        guard !state.untold.isEmpty else { return nil }
        defer { state.untold = [] }
        return (state.untold, listener)
    }

    /// Reads once from inotify.
    /// - Returns: whether anything was read, so that there may be more.
    private func read(into state: inout State) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: FolderWatcher.readBytes, alignment: 8) {
            room in
            var count = systemRead(descriptor, room)
            while count < 0 && errno == EINTR { count = systemRead(descriptor, room) }
            guard count > 0 else { return false }
            let bytes = UnsafeRawBufferPointer(rebasing: room[..<count])
            state.untold += state.table.reports(of: InotifyEvent.all(in: bytes), end: end)
            return true
        }
    }

    /// Room for the events of a thousand files.
    private static let readBytes = 1 << 16

    /// A watch for a path, without pending events from before.
    private func freshWatch(
        at path: Pathname, for folder: Pathname, _ state: inout State
    ) throws(FileSystemError) -> Int32 {
        let watch = try begin(path)
        guard let other = state.table.folder(of: watch), other != folder else { return watch }
        // The folder has been renamed. Events so far belong to its old name, including the rename
        // itself, which ends the old watch.
        while read(into: &state) {}
        queue.async { self.tell() }
        return try begin(path)
    }

    private func begin(_ path: Pathname) throws(FileSystemError) -> Int32 {
        let mask = InotifyEvent.wanted | UInt32(IN_ONLYDIR | IN_DONT_FOLLOW | IN_EXCL_UNLINK)
        let watch = path.withCString { inotify_add_watch(descriptor, $0, mask) }
        guard watch >= 0 else { throw FileSystemError(path) }
        return watch
    }

    /// Removes a watch; one that the kernel has already removed is not an error.
    private func end(_ watch: Int32) {
        inotify_rm_watch(descriptor, watch)
    }
}

/// Calls `read(2)`, which `FolderWatcher.read` would hide.
private func systemRead(_ descriptor: Int32, _ room: UnsafeMutableRawBufferPointer) -> Int {
    read(descriptor, room.baseAddress, room.count)
}

extension WatchOutcome {
    /// - Parameter code: the `errno` of `inotify_init1`.
    init(noWatcherFor code: Int32) {
        switch code {
        case EMFILE: self = .outOfInstances
        case ENOSYS: self = .unsupported
        default: self = .failed(code: code)
        }
    }

    /// - Parameter code: the `errno` of `inotify_add_watch`.
    init(notWatchedFor code: Int32) {
        self = code == ENOSPC ? .outOfWatches : .failed(code: code)
    }
}
