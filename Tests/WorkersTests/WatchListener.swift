import Dispatch
import Foundation
import Jobs
import Recordings
import Synchronization
import TestSupport
import Testing

@testable import Workers

/// A watcher on folders of a test's own, and all that it tells.
final class WatchListener: Sendable {
    let watcher = FolderWatcher()
    private let reports = Mutex<[WatchReport]>([])
    private let arrival = DispatchSemaphore(value: 0)

    /// Listens from now on, until the closure is called.
    func start() -> @Sendable () -> Void {
        watcher.start { report in
            self.reports.withLock { $0.append(report) }
            self.arrival.signal()
        }
    }

    /// All reports so far, as soon as they are enough.
    func reports(
        until isEnough: ([WatchReport]) -> Bool, _ location: SourceLocation = #_sourceLocation
    ) -> [WatchReport] {
        let deadline = DispatchTime.now() + 60
        while true {
            let reports = reports.withLock { $0 }
            if isEnough(reports) { return reports }
            guard arrival.wait(timeout: deadline) == .success else {
                Issue.record("not told in time: \(reports)", sourceLocation: location)
                return reports
            }
        }
    }

    /// Everything told of what happens meanwhile, and has happened before it was listened to.
    /// - Parameter awaited: to be told later than the deed is done, as a file is closed only
    ///   when a process that another test just begins has let go of it as well.
    func notices(
        awaiting awaited: FileEvent..., during deed: () -> Void = {},
        _ location: SourceLocation = #_sourceLocation
    ) -> [FileEvent] {
        let fence = TestFolder()
        let name = Pathname("fence \(fence.path)")
        #expect(watcher.watch(name, at: fence.path) == .watched, sourceLocation: location)
        let earlier = reports.withLock { $0.count }
        let end = start()
        deed()
        func told(_ reports: [WatchReport]) -> [FileEvent] {
            reports[earlier...].flatMap(\.notices)
        }
        _ = reports(until: { Set(told($0)).isSuperset(of: awaited) }, location)
        // What is told comes in its order, so what is not told before this never will be.
        _ = fence.path("x").withCString { mkdir($0, 0o755) }
        let reports = reports(
            until: { told($0).contains { $0.folder == name } }, location)
        end()
        watcher.forget(name)
        return told(reports).filter { $0.folder != name }
    }
}

extension WatchReport {
    var notices: [FileEvent] {
        if case .noticed(let notices) = self { notices } else { [] }
    }
}
