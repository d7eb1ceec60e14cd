import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Standard output and standard error, written at once and whole.
enum StandardStream: Int32 {
    case output = 1
    case error = 2

    /// Whether something that was to go to standard output could not be written.
    static var hasLostOutput: Bool { lostOutput.load(ordering: .relaxed) }

    private static let lostOutput = Atomic(false)

    /// Writes text; a reader that has gone away is no reason to stop, and a full disk is told of
    /// once.
    func write(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { writeBytes(rawValue, $0.baseAddress, $0.count) }
            if written < 0 && errno == EINTR { continue }
            guard written > 0 else { return noteLoss(errno) }
            rest = rest.dropFirst(written)
        }
    }

    private func noteLoss(_ code: Int32) {
        guard self == .output, code != EPIPE,
            !StandardStream.lostOutput.exchange(true, ordering: .relaxed)
        else { return }
        let detail = String(cString: strerror(code))
        StandardStream.error.write("tapedeck: standard output cannot be written: \(detail)\n")
    }

    var isTerminal: Bool { isatty(rawValue) == 1 }

    /// Characters in a line of the terminal, and lines; 80 and 24 where it does not say.
    var size: (width: Int, height: Int) {
        var size = winsize()
        guard ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
        else { return (80, 24) }
        return (Int(size.ws_col), Int(size.ws_row))
    }
}

/// The system's `write`, outside the type whose own function hides that name.
private func writeBytes(
    _ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int
) -> Int {
    write(descriptor, bytes, count)
}

extension StandardStream {
    /// Whether what is written may hold colours: on a terminal whose user has not said otherwise.
    ///
    /// `NO_COLOR` is what many programs heed (no-color.org).
    var takesColour: Bool {
        func variable(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
        return isTerminal && variable("NO_COLOR").isEmpty && variable("TERM") != "dumb"
    }
}
