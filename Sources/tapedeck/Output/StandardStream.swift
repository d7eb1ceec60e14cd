import Glibc
import Synchronization

/// Standard output and standard error, written synchronously so that their order is preserved.
enum StandardStream: Int32 {
    case output = 1
    case error = 2

    /// Whether a write to standard output failed.
    static var hasLostOutput: Bool { lostOutput.load(ordering: .relaxed) }

    private static let lostOutput = Atomic(false)

    /// Opens `/dev/null` for closed standard streams: otherwise the next opened file would get
    /// their number and receive our output.
    ///
    /// Writes to a closed standard output count as lost, as on a full disk.
    static func secure() {
        for (number, mode) in [(0, O_RDWR), (output.rawValue, O_RDONLY), (error.rawValue, O_RDWR)]
        where fcntl(number, F_GETFD) < 0 {
            // `open` returns the lowest free descriptor, which is this one.
            _ = open("/dev/null", mode)
        }
    }

    /// Writes text, waiting for slow readers; a closed pipe is ignored, and a full disk is reported
    /// once.
    func write(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(rawValue, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            if written < 0, errno == EAGAIN {
                // Another process that shares the pipe has made it non-blocking.
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

    /// Prints an error message on standard error.
    static func complain(_ sentence: String) { error.write("tapedeck: \(sentence)\n") }

    var isTerminal: Bool { isatty(rawValue) == 1 }

    /// Whether it is connected to systemd's journal, which has times of its own (systemd.exec(5)).
    var isJournal: Bool {
        var info = stat()
        guard fstat(rawValue, &info) == 0 else { return false }
        return StandardStream.variable("JOURNAL_STREAM") == "\(info.st_dev):\(info.st_ino)"
    }

    /// Terminal size in characters; 80 × 24 if unknown.
    var size: (width: Int, height: Int) {
        var size = winsize()
        guard ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
        else { return (80, 24) }
        return (Int(size.ws_col), Int(size.ws_row))
    }
}

extension StandardStream {
    /// Whether output may be coloured: as asked for, or else on a terminal, if `NO_COLOR`
    /// (no-color.org) is not set.
    func takesColour(_ choice: ColorChoice = .auto) -> Bool {
        switch choice {
        case .auto: isPaintable && StandardStream.variable("NO_COLOR").isEmpty
        case .always: true
        case .never: false
        }
    }

    /// Whether lines can be erased: on a terminal that supports cursor movement.
    var isPaintable: Bool {
        isTerminal && !["", "dumb"].contains(StandardStream.variable("TERM"))
    }

    private static func variable(_ name: String) -> String {
        getenv(name).map { String(cString: $0) } ?? ""
    }
}
