import Glibc
import Synchronization

/// Standard output and standard error; no text is begun before the one before it is written.
enum StandardStream: Int32 {
    case output = 1
    case error = 2

    /// Whether something that was to go to standard output could not be written.
    static var hasLostOutput: Bool { lostOutput.load(ordering: .relaxed) }

    private static let lostOutput = Atomic(false)

    /// Opens something in the place of standard streams that are closed: the next file to be opened
    /// would have their number, and what is said would be written into it.
    ///
    /// What goes to standard output is missed then, as on a full disk.
    static func secure() {
        for (number, mode) in [(0, O_RDWR), (output.rawValue, O_RDONLY), (error.rawValue, O_RDWR)]
        where fcntl(number, F_GETFD) < 0 {
            // The lowest number that is free is this one, as those below are taken.
            _ = open("/dev/null", mode)
        }
    }

    /// Writes text, and waits where its reader takes its time; one that has gone away is no reason
    /// to stop, and a full disk is told of once.
    func write(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(rawValue, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            if written < 0, errno == EAGAIN {
                // Whoever shares the pipe has asked that nobody waits in writing.
                var ready = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
                _ = poll(&ready, 1, -1)
                continue
            }
            guard written > 0 else { return noteLoss(errno) }
            rest = rest.dropFirst(written)
        }
    }

    private func noteLoss(_ code: Int32) {
        guard self == .output, code != EPIPE,
            !StandardStream.lostOutput.exchange(true, ordering: .relaxed)
        else { return }
        let detail = String(cString: strerror(code))
        StandardStream.complain("standard output cannot be written: \(detail)")
    }

    /// Says on standard error what is wrong.
    static func complain(_ sentence: String) { error.write("tapedeck: \(sentence)\n") }

    var isTerminal: Bool { isatty(rawValue) == 1 }

    /// Characters in a line of the terminal, and lines; 80 and 24 where it does not say.
    var size: (width: Int, height: Int) {
        var size = winsize()
        guard ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
        else { return (80, 24) }
        return (Int(size.ws_col), Int(size.ws_row))
    }
}

extension StandardStream {
    /// Whether what is written may hold colours: on a terminal whose user has not said otherwise.
    ///
    /// `NO_COLOR` is what many programs heed (no-color.org).
    var takesColour: Bool { isPaintable && StandardStream.variable("NO_COLOR").isEmpty }

    /// Whether lines can be taken back: on a terminal that knows more than to type on.
    var isPaintable: Bool {
        isTerminal && !["", "dumb"].contains(StandardStream.variable("TERM"))
    }

    private static func variable(_ name: String) -> String {
        getenv(name).map { String(cString: $0) } ?? ""
    }
}
