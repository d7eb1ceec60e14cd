import Dispatch
import Jobs
import Recordings
import Synchronization
import TestSupport
import Testing

@testable import Workers

/// From the kernel to actions, and from commands to the kernel.
@Suite struct FolderChangesTests {
    private final class Inbox: Sendable {
        private let actions = Mutex<[JobStore.Action]>([])
        private let arrival = DispatchSemaphore(value: 0)

        func send(_ action: JobStore.Action) {
            actions.withLock { $0.append(action) }
            arrival.signal()
        }

        /// All actions so far, as soon as one of them is such.
        func actions(until isAwaited: (JobStore.Action) -> Bool) -> [JobStore.Action] {
            while true {
                let all = actions.withLock { $0 }
                if all.contains(where: isAwaited) { return all }
                guard arrival.wait(timeout: .now() + 60) == .success else {
                    Issue.record("not told in time: \(all)")
                    return all
                }
            }
        }
    }

    private let world = TestWorld()
    private let inbox = Inbox()
    private let watcher = FolderWatcher()

    private func tells(_ folder: Pathname, _ name: Pathname) -> (JobStore.Action) -> Bool {
        { action in
            guard case .scan(.noticed(let notices)) = action else { return false }
            return notices.contains {
                $0.folder == folder && $0.name == name && $0.kind == .written
            }
        }
    }

    private func interpreter() -> CommandInterpreter {
        CommandInterpreter(
            places: world.places, record: world.record, isDryRun: false, watcher: watcher,
            announce: { _ in }, finish: {})
    }

    private func list(_ folder: Pathname, _ interpreter: CommandInterpreter) {
        let isListed = DispatchSemaphore(value: 0)
        var request = FolderScan.Request(path: folder, top: "")
        request.watches = true
        interpreter(.scan(.list(FolderID(0), request))) { _ in isListed.signal() }
        #expect(isListed.wait(timeout: .now() + 60) == .success)
    }

    @Test func eachReportIsPrecededByATick() {
        let before = ActionSources.nowSeconds
        list("", interpreter())
        let stop = ActionSources.start(
            .folderChanges, watcher: watcher, send: { [inbox] in inbox.send($0) })
        defer { stop() }
        world.add("a.wav", [1])
        let actions = inbox.actions(until: tells("", "a.wav"))
        for (time, report) in zip(actions, actions.dropFirst()) {
            guard case .scan(.noticed) = report else { continue }
            guard case .ticked(let seconds) = time else {
                Issue.record("a report without a time")
                return
            }
            #expect((before...ActionSources.nowSeconds).contains(seconds))
        }
        guard case .ticked = actions.first else {
            Issue.record("a report without a time")
            return
        }
    }

    @Test func forgottenFolderReportsNoChanges() {
        world.makeFolder(world.root.appending("A"))
        world.makeFolder(world.root.appending("B"))
        let interpreter = interpreter()
        list("A", interpreter)
        list("B", interpreter)
        interpreter(.scan(.forget("A"))) { _ in Issue.record("nothing is to be answered") }
        // The other folder is listed again behind it.
        list("B", interpreter)
        let stop = ActionSources.start(
            .folderChanges, watcher: watcher, send: { [inbox] in inbox.send($0) })
        defer { stop() }
        world.add("A/a.wav", [1])
        world.add("B/b.wav", [1])
        let actions = inbox.actions(until: tells("B", "b.wav"))
        #expect(!actions.contains(where: tells("A", "a.wav")))
    }
}
