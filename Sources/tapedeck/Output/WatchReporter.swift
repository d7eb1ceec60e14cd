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
        var hasBegun = false
        /// What became of the last few recordings, the last one first.
        var recent: [String] = []
        /// How things stood when the manager was last told, and when that was.
        var told = (standing: "", seconds: -Double.infinity)
    }

    private let painter: TerminalPainter
    private let printer: RunPrinter
    private let state = Mutex(State())
    private let manager = ServiceNotice.address
    /// A manager that takes its time keeps nobody else waiting.
    private let queue = DispatchQueue(label: "tapedeck.service")

    /// The manager is told how things stand no more often.
    private static let pauseSeconds = 1.0

    init(painter: TerminalPainter, printer: RunPrinter) {
        self.painter = painter
        self.printer = printer
    }

    private var root: Pathname { printer.places.shownRoot }

    /// Keeps in mind what became of a recording, for the next painting.
    func note(_ announcement: Announcement) {
        guard painter.isActive, let line = WatchView.recent(announcement, below: root) else {
            return
        }
        state.withLock { $0.recent = [line] + $0.recent.prefix(WatchView.mostRecent - 1) }
    }

    /// Takes in how things stand; called for each batch of actions that changes something, and so
    /// with each tick.
    func take(_ facts: WatchFacts) {
        state.withLock { state in
            let isLast = facts.isStopping && state.facts?.isStopping != true
            // Many batches go by between two ticks, and nobody can read so fast.
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

    /// Waits until the service manager has been told all.
    func finish() {
        queue.sync {}
    }

    private func tellManager(_ text: String) {
        guard let manager else { return }
        queue.async { ServiceNotice.send(text, to: manager) }
    }
}
