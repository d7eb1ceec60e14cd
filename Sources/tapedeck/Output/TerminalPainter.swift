import Reports
import Synchronization

/// Maintains a block of status lines at the bottom of a terminal.
final class TerminalPainter: Sendable {
    /// Whether the block is shown at all.
    let isActive: Bool
    private let block = Mutex(TerminalBlock())

    init(isEnabled: Bool) {
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
            StandardStream.error.write(block.erasure(width: size.width) + new.text)
            block = new
        }
    }

    /// Prints a line above the block.
    func print(_ text: String, to stream: StandardStream) {
        block.withLock { block in
            guard isActive else { return stream.write(text + "\n") }
            StandardStream.error.write(block.erasure(width: StandardStream.error.size.width))
            stream.write(text + "\n")
            StandardStream.error.write(block.text)
        }
    }

    /// Erases the block.
    func clear() { paint { _ in [] } }
}
