import Reports
import Synchronization

/// Keeps a few lines at the bottom of a terminal.
final class TerminalPainter: Sendable {
    /// Whether anyone can see them.
    let isActive: Bool
    private let block = Mutex(TerminalBlock())

    init(isEnabled: Bool) {
        isActive = isEnabled && StandardStream.error.isPaintable
    }

    /// Shows other lines in the place of those that are there.
    /// - Parameter lines: given how many characters a line may have.
    func paint(_ lines: (_ width: Int) -> [String]) {
        guard isActive else { return }
        let size = StandardStream.error.size
        // A full last column makes some terminals wrap.
        let new = TerminalBlock(Array(lines(size.width - 1).prefix(max(1, size.height - 1))))
        block.withLock { block in
            guard new != block else { return }
            StandardStream.error.write(block.erasure(width: size.width) + new.text)
            block = new
        }
    }

    /// Prints a line above the others.
    func print(_ text: String, to stream: StandardStream) {
        block.withLock { block in
            guard isActive else { return stream.write(text + "\n") }
            StandardStream.error.write(block.erasure(width: StandardStream.error.size.width))
            stream.write(text + "\n")
            StandardStream.error.write(block.text)
        }
    }

    /// Takes the lines away.
    func clear() { paint { _ in [] } }
}
