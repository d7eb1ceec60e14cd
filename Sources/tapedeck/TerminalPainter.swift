import Synchronization
import TerminalView

/// Keeps one line of progress at the bottom of a terminal.
final class TerminalPainter: Sendable {
    /// Whether anyone can see it.
    let isActive: Bool
    private let line = Mutex("")

    init(isEnabled: Bool) {
        isActive = isEnabled && StandardStream.error.isTerminal
    }

    /// Shows how far the run is.
    func paint(_ facts: ProgressFacts) {
        // A full last column makes some terminals wrap.
        let text = ProgressView.line(facts, width: StandardStream.error.width - 1)
        line.withLock { line in
            guard isActive, text != line else { return }
            line = text
            StandardStream.error.write("\r\u{1B}[K" + text)
        }
    }

    /// Prints a line above the progress.
    func print(_ text: String, to stream: StandardStream) {
        line.withLock { line in
            if isActive { StandardStream.error.write("\r\u{1B}[K") }
            stream.write(text + "\n")
            if isActive { StandardStream.error.write(line) }
        }
    }

    /// Takes the line away.
    func clear() {
        line.withLock { line in
            guard isActive, !line.isEmpty else { return }
            StandardStream.error.write("\r\u{1B}[K")
            line = ""
        }
    }
}
