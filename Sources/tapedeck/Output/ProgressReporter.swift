import Recordings
import Reports
import Synchronization

/// Shows the progress of a run on the terminal.
final class ProgressReporter: Sendable {
    private let painter: TerminalPainter
    private let root: Pathname
    /// When the block was painted last.
    private let paintedSeconds = Mutex(-1.0)

    /// - Parameter root: the run's, as displayed before each path.
    init(painter: TerminalPainter, root: Pathname) { (self.painter, self.root) = (painter, root) }

    /// Called for each batch of actions that changes the facts.
    func take(_ facts: ProgressFacts) {
        // Painted once for each tick: batches are too frequent to read.
        let isDue = paintedSeconds.withLock { painted in
            defer { painted = facts.elapsedSeconds }
            return painted != facts.elapsedSeconds || facts.isStopping
        }
        guard isDue else { return }
        painter.paint { ProgressView.lines(facts, below: root, width: $0) }
    }
}
