import Reports
import Synchronization

/// Maintains a block of status lines at the bottom of a terminal.
final class TerminalPainter: Sendable {
    /// Whether the block is shown at all.
    let isActive: Bool
    private let block = Mutex(TerminalBlock())
    private let color: ColorChoice
    /// The streams whose lines begin with the time.
    private let stamped: Set<StandardStream>

    init(
        isEnabled: Bool, color: ColorChoice = .auto, stamped: Set<StandardStream> = []
    ) {
        (self.color, self.stamped) = (color, stamped)
        isActive = isEnabled && StandardStream.error.isPaintable
    }

    /// Replaces the block.
    /// - Parameter lines: returns the lines, given the maximum characters per line.
    func paint(_ lines: (_ width: Int) -> [String]) {
        guard isActive else { return }
        let size = StandardStream.error.size
        // Some terminals wrap when the last column is used.
        let new = TerminalBlock(Array(lines(size.width - 1).prefix(max(1, size.height - 1))))
        block.withLock { block in
            guard new != block else { return }
            StandardStream.error.write(
                block.erasure(width: size.width) + text(of: new))
            block = new
        }
    }

    private func text(of block: TerminalBlock) -> String {
        block.text(isColoured: StandardStream.error.takesColour(color))
    }

    /// Prints a line above the block.
    func print(_ line: String, to stream: StandardStream, _ tone: Tone = .plain) {
        let colored = stream.takesColour(color) ? tone.coloured(line) : line
        let text = stamped.contains(stream) ? "\(ClockText.now) \(colored)" : colored
        block.withLock { block in
            guard isActive else { return stream.write(text + "\n") }
            StandardStream.error.write(block.erasure(width: StandardStream.error.size.width))
            stream.write(text + "\n")
            StandardStream.error.write(self.text(of: block))
        }
    }

    /// Erases the block.
    func clear() { paint { _ in [] } }
}
