/// What a line says, which a terminal shows by colour.
package enum Tone: Sendable {
    case plain, failure, warning
    /// Of no lasting interest.
    case passing

    /// The line in its colour (ECMA-48, 8.3.117): red, yellow, or faint.
    package func coloured(_ line: String) -> String {
        switch self {
        case .plain: line
        case .failure: "\u{1B}[31m\(line)\u{1B}[0m"
        case .warning: "\u{1B}[33m\(line)\u{1B}[0m"
        case .passing: "\u{1B}[2m\(line)\u{1B}[0m"
        }
    }
}
