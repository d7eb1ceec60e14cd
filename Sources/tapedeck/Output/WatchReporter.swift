import Dispatch
import Jobs
import Recordings
import Reports
import Synchronization
import Workers

/// Reports the status of a watching run on the terminal and to a service manager (systemd).
final class WatchReporter: Sendable {
    private struct State {
        var facts: WatchFacts?
        var hasBegun = false
        /// Lines about the last finished recordings, newest first.
        var recent: [String] = []
        /// The status last sent to the manager, and when.
        var told = (standing: "", seconds: -Double.infinity)
    }

    private let painter: TerminalPainter
    private let printer: RunPrinter
    private let state = Mutex(State())
    private let manager = ServiceNotice.address
    /// A separate queue: a slow manager blocks nobody else.
    private let queue = DispatchQueue(label: "tapedeck.service")

    /// The minimum interval between status messages to the manager.
    private static let pauseSeconds = 1.0

    init(painter: TerminalPainter, printer: RunPrinter) {
        self.painter = painter
        self.printer = printer
    }

    private var root: Pathname { printer.places.shownRoot }

    /// Remembers the outcome of a recording for the next repaint.
    func note(_ announcement: Announcement) {
        guard painter.isActive, let line = WatchView.recent(announcement, below: root) else {
            return
        }
        state.withLock { $0.recent = [line] + $0.recent.prefix(WatchView.mostRecent - 1) }
    }

    /// Updates the status; called for each batch of actions that changes it, so at every tick.
    func take(_ facts: WatchFacts) {
        state.withLock { state in
            let isLast = facts.isStopping && state.facts?.isStopping != true
            // Repaint once per tick: batches are too frequent to read.
            if state.facts?.nowSeconds != facts.nowSeconds || facts.isIdle || isLast {
                painter.paint {
                    WatchView.lines(facts, recent: state.recent, below: root, width: $0)
                }
            }
            if facts.hasBegun, !state.hasBegun {
                state.hasBegun = true
                printer.beginWatching(folders: facts.folders)
                tellManager("READY=1")
            }
            if isLast { tellManager("STOPPING=1") }
            let standing = WatchView.standing(facts)
            let isDue = facts.nowSeconds - state.told.seconds >= WatchReporter.pauseSeconds
            if isDue || isLast, standing != state.told.standing {
                state.told = (standing, facts.nowSeconds)
                tellManager("STATUS=" + standing)
            }
            state.facts = facts
        }
    }

    /// Waits until all messages to the service manager are sent.
    func finish() {
        queue.sync {}
    }

    private func tellManager(_ text: String) {
        guard let manager else { return }
        queue.async { ServiceNotice.send(text, to: manager) }
    }
}
