import Foundation
import Jobs
import Recordings
import TestSupport
import Testing

@testable import Workers

@Suite struct FolderWatcherLimitsTests {
    private let folder = TestFolder()
    private let listener = WatchListener()
    private var watcher: FolderWatcher { listener.watcher }

    /// How many events the kernel keeps in mind; more than a test can make where it is not
    /// said.
    private static let longestQueue: Int = {
        let path: Pathname = "/proc/sys/fs/inotify/max_queued_events"
        let text = String(decoding: TestFolder.bytes(of: path), as: UTF8.self)
        return Int(text.trimmingCharacters(in: .whitespacesAndNewlines)) ?? .max
    }()

    @Test func repeatedEventsAreReportedOnce() {
        #expect(watcher.watch("in", at: folder.path) == .watched)
        for name in ["a", "b", "a"] as [Pathname] {
            let path = folder.path(name)
            _ = path.withCString { mkdir($0, 0o755) }
            _ = path.withCString { rmdir($0) }
        }
        let notices = listener.notices()
        #expect(notices.filter { $0.kind == .changed }.map(\.name) == ["b", "a"])
        #expect(notices.filter { $0.kind == .written }.map(\.name) == ["b", "a"])
    }

    @Test(.enabled(if: longestQueue < 200_000, "it takes too many events"))
    func overflowIsReportedWhenKernelQueueIsFull() {
        #expect(watcher.watch("in", at: folder.path) == .watched)
        _ = folder.path("first").withCString { mkdir($0, 0o755) }
        // By turns, as the kernel makes one of equal events that follow each other.
        let paths = ["a", "b"].map { folder.write([], to: $0) }
        for number in 0...FolderWatcherLimitsTests.longestQueue {
            _ = paths[number % 2].withCString { chmod($0, 0o644) }
        }
        let end = listener.start()
        let reports = listener.reports(until: { $0.contains(.overflowed) })
        end()
        #expect(reports.last == .overflowed)
        #expect(reports.flatMap(\.notices).first?.name == "first")
        // From then on all is as before.
        let notices = listener.notices {
            folder.path("new").withCString { _ = mkdir($0, 0o755) }
        }
        #expect(notices == [FileEvent(folder: "in", name: "new", kind: .written)])
    }

    @Test func manyFilesAreReportedUnlessQueueOverflows() {
        #expect(watcher.watch("in", at: folder.path) == .watched)
        let end = listener.start()
        let names = (0..<10_000).map { Pathname("\($0).wav") }
        for name in names { folder.write([1], to: name) }
        _ = listener.reports { reports in
            guard !reports.contains(.overflowed) else { return true }
            let written = reports.lazy.flatMap(\.notices).count { $0.kind == .written }
            return written >= names.count
        }
        end()
    }

    @Test func watchingNonFolderFailsWithErrorCode() {
        let file = folder.write([], to: "file")
        TestWorld.link(folder.path("link"), to: folder.path)
        #expect(watcher.watch("gone", at: folder.path("gone")) == .failed(code: ENOENT))
        #expect(watcher.watch("file", at: file) == .failed(code: ENOTDIR))
        #expect(watcher.watch("link", at: folder.path("link")) == .failed(code: ENOTDIR))
    }

    @Test func exhaustedInotifyLimitsAreReported() async {
        await #expect(processExitsWith: .success) {
            var none = rlimit(rlim_cur: 0, rlim_max: 0)
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &none)
            let watcher = FolderWatcher()
            #expect(watcher.watch("in", at: "/") == .outOfInstances)
            watcher.forget("in")
            watcher.start { _ in }()
        }
        #expect(WatchOutcome(notWatchedFor: ENOSPC) == .outOfWatches)
        #expect(WatchOutcome(notWatchedFor: EACCES) == .failed(code: EACCES))
        #expect(WatchOutcome(noWatcherFor: ENOSYS) == .unsupported)
        #expect(WatchOutcome(noWatcherFor: ENFILE) == .failed(code: ENFILE))
    }

    @Test func unneededWatchesAreRemoved() async {
        await #expect(processExitsWith: .success) {
            /// The kernel's own list, a line for each watch.
            func watches() -> Int {
                let path: Pathname = "/proc/self/fdinfo"
                let names = (try? FileSystem.names(in: path)) ?? []
                let texts = names.map {
                    String(
                        decoding: TestFolder.bytes(of: path.appending($0.name)), as: UTF8.self)
                }
                return texts.joined().split(separator: "\n").count { $0.hasPrefix("inotify ") }
            }
            let folder = TestFolder()
            let listener = WatchListener()
            for number in 0..<10 {
                let path = folder.path("in")
                try FileSystem.makeFolder(path)
                #expect(listener.watcher.watch("in", at: path) == .watched)
                // It is made anew, before or after that is told.
                try FileSystem.rename(path, to: folder.path(Pathname("\(number)")))
                if number < 5 { _ = listener.notices() }
            }
            try FileSystem.makeFolder(folder.path("in"))
            #expect(listener.watcher.watch("in", at: folder.path("in")) == .watched)
            #expect(listener.watcher.watch("out", at: folder.path("1")) == .watched)
            #expect(watches() == 2)
            listener.watcher.forget("in")
            #expect(watches() == 1)
            try FileSystem.rename(folder.path("1"), to: folder.path("last"))
            _ = listener.notices()
            #expect(watches() == 0)
        }
    }

    @Test func stoppedWatcherClosesItsFiles() async {
        await #expect(processExitsWith: .success) {
            // Other files of the process are opened whenever Dispatch needs them.
            func openWatchers() -> Int {
                let all = "/proc/self/fd"
                let names = (try? FileManager.default.contentsOfDirectory(atPath: all)) ?? []
                return names.count { name in
                    let target = try? FileManager.default.destinationOfSymbolicLink(
                        atPath: "\(all)/\(name)")
                    return target?.contains("inotify") == true
                }
            }
            let held = FolderWatcher()
            #expect(held.watch("in", at: "/") == .watched)
            #expect(openWatchers() == 1)
            for _ in 0..<50 {
                let watcher = FolderWatcher()
                #expect(watcher.watch("in", at: "/") == .watched)
                watcher.start { _ in }()
            }
            let deadline = DispatchTime.now() + 60
            while openWatchers() > 1 && DispatchTime.now() < deadline { sched_yield() }
            #expect(openWatchers() == 1)
            withExtendedLifetime(held) {}
        }
    }

    @Test(arguments: [
        (kind: UInt32(0xEF53), isRemote: false), (0x5846_5342, false), (0x9123_683E, false),
        (0x0102_1994, false), (0x794C_7630, false), (0x6969, true), (0xFF53_4D42, true),
        (0xFE53_4D42, true), (0x6573_5546, true), (0x0102_1997, true), (0x786F_4256, true),
    ])
    func remoteFileSystemsAreDetected(kind: UInt32, isRemote: Bool) {
        #expect(FileSystem.isRemote(kind: kind) == isRemote)
    }

    @Test func procFileSystemIsLocal() throws {
        #expect(try !FileSystem.isRemote("/proc"))
        #expect(FileSystem.isRemote(-1))
    }
}
