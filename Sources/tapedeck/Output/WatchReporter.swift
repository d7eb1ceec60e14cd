import Dispatch
import Jobs
import Recordings
import Reports
import Synchronization
import Workers

/// Tells how a run stands that goes on: on the terminal, and to a service manager that wants to
/// know.
final class WatchReporter: Sendable {
    private struct State {
        var facts: WatchFacts?
        /// What became of the last few recordings, the last one first.
        var recent: [String] = []
        var hasBegun = false
        var isStopping = false
    }

    private let painter: TerminalPainter
    private let printer: any RunPrinter
    private let root: Pathname
    private let state = Mutex(State())
    private let manager = ServiceNotice.address
    /// A manager that takes its time keeps nobody else waiting.
    private let queue = DispatchQueue(label: "tapedeck.service")
    /// Tells the manager how things stand; `nil` where there is none.
    private let status: StatusThrottle?

    /// - Parameter root: the run's root as it is to be shown before each path.
    init(painter: TerminalPainter, printer: any RunPrinter, root: Pathname) {
        self.painter = painter
        self.printer = printer
        self.root = root
        status = manager.map { [queue] manager in
            StatusThrottle(on: queue) { ServiceNotice.send("STATUS=" + $0, to: manager) }
        }
    }

    /// Keeps in mind what became of a recording, for the next painting.
    func note(_ announcement: Announcement) {
        guard painter.isActive, let line = WatchView.recent(announcement, below: root) else {
            return
        }
        state.withLock { $0.recent = [line] + $0.recent.prefix(WatchView.mostRecent - 1) }
    }

    /// Takes in how things stand; called for each batch of actions that changes something.
    func take(_ facts: WatchFacts) {
        let (isFirst, isLast, recent) = state.withLock { state in
            let isFirst = facts.hasBegun && !state.hasBegun
            let isLast = facts.isStopping && !state.isStopping
            // Many batches go by between two ticks, and nobody can read so fast.
            let isNewTime = state.facts?.nowSeconds != facts.nowSeconds || facts.isIdle
            state.hasBegun = facts.hasBegun || state.hasBegun
            state.isStopping = facts.isStopping
            state.facts = facts
            return (isFirst, isLast, isNewTime || isLast ? state.recent : nil)
        }
        if let recent {
            painter.paint { [root] in
                WatchView.lines(facts, recent: recent, below: root, width: $0)
            }
        }
        if isFirst {
            printer.beginWatching(folders: facts.folders)
            tellManager("READY=1")
        }
        if isLast { tellManager("STOPPING=1") }
        status?.take(WatchView.standing(facts))
    }

    /// Waits until the service manager has been told all.
    func finish() {
        queue.sync {}
    }

    private func tellManager(_ text: String) {
        guard let manager else { return }
        queue.async { ServiceNotice.send(text, to: manager) }
    }
}
