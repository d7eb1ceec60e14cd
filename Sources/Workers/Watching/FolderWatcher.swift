@preconcurrency import Dispatch
import Glibc
import Jobs
import Recordings
import Synchronization

/// Tells what happens in folders, as far as the kernel sees it; each folder for itself, without
/// what lies below.
///
/// Takes one open file, and a watch of the kernel's (about a kilobyte) for each folder.
package final class FolderWatcher: Sendable {
    private typealias Listener = @Sendable (WatchReport) -> Void

    private struct State {
        var table = WatchTable()
        /// What was read and not told yet.
        var untold: [WatchReport] = []
        var listener: Listener?
    }

    /// Closed with the last reference; whatever reads from it holds one.
    private let descriptor: Int32
    /// Why there is no descriptor.
    private let code: Int32
    private let state = Mutex(State())
    /// Where reports are told, in order.
    private let queue = DispatchQueue(label: "tapedeck.watching")

    /// A watcher without folders; where the system lets none be, `watch` says so.
    package init() {
        descriptor = inotify_init1(O_NONBLOCK | O_CLOEXEC)
        code = descriptor < 0 ? errno : 0
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Watches a folder; call it before each listing, so that nothing is missed.
    /// - Parameters:
    ///   - folder: its name in reports.
    ///   - path: where it is; a link is not followed.
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

    /// Tells no more of a folder, but for what is being told just now.
    package func forget(_ folder: Pathname) {
        state.withLock { state in
            if let watch = state.table.remove(folder) { end(watch) }
        }
    }

    /// Tells from now on what happens, and what has happened since `watch`; to one listener at
    /// a time.
    /// - Parameter report: called on a queue of the watcher's own, one report after the other.
    /// - Returns: what ends it; a report that is being told just then is told to its end.
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
        // Holds the watcher, and so the descriptor, until the source has let go of it.
        source.setCancelHandler { withExtendedLifetime(self) {} }
        source.activate()
        // Some may have been read already.
        queue.async { self.tell() }
        return {
            self.state.withLock { $0.listener = nil }
            source.cancel()
        }
    }
}

// MARK: - Reading

extension FolderWatcher {
    /// Tells all there is, a read at a time, so that nobody waits for long to watch a folder.
    private func tell() {
        while let next = state.withLock({ takeNext(from: &$0) }) {
            for report in next.reports { next.listener(report) }
        }
    }

    /// What is to be told next; `nil` where there is nothing, or nobody to tell it to.
    private func takeNext(from state: inout State) -> (
        reports: [WatchReport], listener: Listener
    )? {
        guard let listener = state.listener else { return nil }
        while state.untold.isEmpty, read(into: &state) {}
        guard !state.untold.isEmpty else { return nil }
        defer { state.untold = [] }
        return (state.untold, listener)
    }

    /// Reads once.
    /// - Returns: whether there was something to read, and so may be more.
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

    /// A watch for what is at a path, which has nothing to tell from before.
    private func freshWatch(
        at path: Pathname, for folder: Pathname, _ state: inout State
    ) throws(FileSystemError) -> Int32 {
        let watch = try begin(path)
        guard let other = state.table.folder(of: watch), other != folder else { return watch }
        // The folder has been renamed. What has happened up to now did so under its old name,
        // its moving away as well, with which that watch ends.
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

    /// Ends a watch; one that the kernel has ended already is no failure.
    private func end(_ watch: Int32) {
        inotify_rm_watch(descriptor, watch)
    }
}

/// The system's `read`, outside the type whose own function hides that name.
private func systemRead(_ descriptor: Int32, _ room: UnsafeMutableRawBufferPointer) -> Int {
    read(descriptor, room.baseAddress, room.count)
}

extension WatchOutcome {
    /// - Parameter code: why the system gave us nothing to watch with.
    init(noWatcherFor code: Int32) {
        switch code {
        case EMFILE: self = .outOfInstances
        case ENOSYS: self = .unsupported
        default: self = .failed(code: code)
        }
    }

    /// - Parameter code: why the system does not watch a folder.
    init(notWatchedFor code: Int32) {
        self = code == ENOSPC ? .outOfWatches : .failed(code: code)
    }
}
