import Synchronization

/// Prints a trouble once, until it is over.
final class SaidOnce: Sendable {
    private let painter: TerminalPainter
    private let said = Mutex<Set<String>>([])

    init(_ painter: TerminalPainter) { self.painter = painter }

    /// - Parameter sentence: what is wrong; `nil` if nothing is.
    func take(_ subject: String, _ sentence: String?) {
        let isNews = said.withLock { said in
            guard sentence == nil else { return said.insert(subject).inserted }
            said.remove(subject)
            return false
        }
        guard isNews, let sentence else { return }
        painter.print("tapedeck: \(subject): \(sentence)", to: .error, .warning)
    }
}
