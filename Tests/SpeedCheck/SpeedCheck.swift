import Audio
import CLanes
import Glibc
import Recordings

/// Holds the CPU time of listening, and of each of its parts, against that of decoding alone.
///
///     speed-check [--slowed] RECORDING
///
/// Short loops over samples are also held against copying them, as `Limits` says.
///
/// The recording is repeated to a minute of FLAC in stereo, in a temporary file. Rounds go on until
/// all is within the limits, or there were very many: of each part the least time counts, so that
/// what else the machine does only makes it take longer. With `--slowed`, each part does half of
/// its work once more, and listening as a whole is to be beyond its limit: so the limit is none
/// that nobody could ever reach.
///
/// Exit status: 0 where all is as it is to be, 1 where it is not, 2 where it could not be measured,
/// 64 for wrong usage.
@main enum SpeedCheck {
    private static let fewestRounds = 15
    private static let mostRounds = 120

    static func main() {
        var arguments = Array(CommandLine.arguments.dropFirst())
        let isSlowed = arguments.first == "--slowed"
        if isSlowed { arguments.removeFirst() }
        guard arguments.count == 1 else {
            complain("usage: speed-check [--slowed] RECORDING")
            exit(64)
        }
        var status: Int32 = 2
        do {
            let sound = try SoundUnderTest(repeating: Pathname(arguments[0]))
            defer { sound.remove() }
            status = try check(sound, isSlowed: isSlowed) ? 0 : 1
        } catch {
            complain("speed-check: \(arguments[0]): \(error)")
        }
        exit(status)
    }

    /// Whether all parts are within their limits, or, slowed, listening is not.
    private static func check(
        _ sound: SoundUnderTest, isSlowed: Bool
    ) throws(AudioFileError) -> Bool {
        var least = Least()
        var rounds = 0
        while rounds < fewestRounds || rounds < mostRounds && !isSlowed && !least.isWithinLimits {
            rounds += 1
            for part in Part.allCases {
                let start = cpuSeconds()
                try sound.work(part)
                if isSlowed, part.limit != nil { try sound.work(part, half: true) }
                least.note(cpuSeconds() - start, of: part)
            }
        }
        let width = "with vectors of \(lanes_width()) bits"
        print("CPU time against decoding FLAC alone, \(width), the least of \(rounds) rounds,")
        print("and against copying the samples; at most one of these, or the other:")
        for part in Part.allCases { print("  \(least.line(of: part))") }
        guard isSlowed else { return least.isWithinLimits }
        let isSeen = !least.isWithinLimits(.listen)
        print("half as slow again is \(isSeen ? "seen" : "not seen: lower the limit")")
        return isSeen
    }

    private static func cpuSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func complain(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = write(2, bytes, bytes.count)
    }
}

/// What is timed; the first two are what the others are held against.
enum Part: CaseIterable {
    case decode, copy, listen, waveform, levels, silence

    var limit: Limits.Limit? {
        switch self {
        case .decode, .copy: nil
        case .listen: Limits.here.listen
        case .waveform: Limits.here.waveform
        case .levels: Limits.here.levels
        case .silence: Limits.here.silence
        }
    }
}

/// The least CPU time of each part so far.
private struct Least {
    private var seconds: [Part: Double] = [:]

    mutating func note(_ time: Double, of part: Part) {
        seconds[part] = min(seconds[part] ?? .infinity, time)
    }

    var isWithinLimits: Bool { Part.allCases.allSatisfy(isWithinLimits) }

    func isWithinLimits(_ part: Part) -> Bool {
        guard let limit = part.limit else { return true }
        return ratio(of: part, to: .decode) <= limit.decodings
            || limit.copies.map { ratio(of: part, to: .copy) <= $0 } ?? false
    }

    func line(of part: Part) -> String {
        func rounded(_ ratio: Double) -> Double { (ratio * 1000).rounded() / 1000 }
        var line = "\(part): \(rounded(ratio(of: part, to: .decode)))"
        guard let limit = part.limit else { return line }
        line += ", at most \(limit.decodings)"
        if let copies = limit.copies {
            line += "; \(rounded(ratio(of: part, to: .copy))), at most \(copies)"
        }
        return line + (isWithinLimits(part) ? "" : ": too slow")
    }

    private func ratio(of part: Part, to floor: Part) -> Double {
        (seconds[part] ?? .infinity) / (seconds[floor] ?? .infinity)
    }
}
