import CLibav
import Glibc

/// What libav says of errors in the file at hand; by itself it would print it.
enum LibavLog {
    /// - Note: `nonisolated(unsafe)` holds because the helper has one thread.
    nonisolated(unsafe) private static var lines: [String] = []
    private static let mostLines = 4

    /// Has libav tell its errors here; called once.
    static func begin() {
        av_log_set_callback { _, level, format, values in
            guard level <= AV_LOG_ERROR, let format, let values else { return }
            var text = [CChar](repeating: 0, count: 200)
            vsnprintf(&text, text.count, format, values)
            let words = String(buffer: text).split(whereSeparator: \.isWhitespace).joined(
                separator: " ")
            LibavLog.add(words)
        }
    }

    private static func add(_ line: String) {
        guard !line.isEmpty, lines.count < mostLines, !lines.contains(line) else { return }
        lines.append(line)
    }

    /// Returns what was said since the last call.
    static func take() -> [String] {
        defer { lines.removeAll() }
        return lines
    }
}
