import ArgumentParser
import Jobs
import Recordings
import Reports
import Workers

/// `tapedeck map`: from the times of a trimmed copy to those of its recording, and back.
struct MapCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "map",
        abstract: "Says where a time of a trimmed copy is in its recording, or the other way.",
        discussion: """
            Times are written as 754.5, 12:34.5 or 1:02:03, and - takes them from standard input, \
            one a line. What is asked goes to the nearest frame, and from there on it is exact: the \
            answer, asked the other way, gives that frame again.

            Exit status: 0 all times found, 1 could not read the manifest, or it has no copy of the \
            recording, 3 some times lie beyond the end or are none, 64 wrong usage.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "A manifest.json, the folder it is in, an output, or a folder of recordings.",
            valueName: "manifest"))
    var manifest: Pathname

    @Argument(
        help: ArgumentHelp(
            "The recording's name, or its copy's, from that folder on.", valueName: "recording"))
    var recording: Pathname

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Times in the copy, to find in the recording.", valueName: "time"))
    var toSource: [AskedTime] = []

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Times in the recording, to find in the copy.", valueName: "time"))
    var toTrimmed: [AskedTime] = []

    @Flag(help: "Print a JSON object a line for each time.")
    var json = false

    func validate() throws {
        try requirePath(manifest)
        try requirePath(recording)
        guard toSource.isEmpty != toTrimmed.isEmpty else {
            throw ValidationError(
                "ask with --to-source or with --to-trimmed"
                    + (toSource.isEmpty ? ", as in --to-source 12:34.5" : ", not with both"))
        }
        guard (toSource + toTrimmed).count(where: { $0 == .standardInput }) <= 1 else {
            throw ValidationError("standard input can be read only once; write - once")
        }
    }

    func run() throws {
        var status = ExitStatus.allWell
        do throws(MapRefusal) {
            let found = try EditLookup.find(recording, inManifest: manifest)
            let teller = Teller(
                found: found, direction: toTrimmed.isEmpty ? .toSource : .toTrimmed, json: json)
            for time in toSource + toTrimmed where !answer(time, teller) { status = .someFailed }
        } catch {
            StandardStream.complain(FailureText.sentence(for: error))
            status = .couldNotRun
        }
        throw status.exitCode
    }

    /// Whether all times were found.
    private func answer(_ time: AskedTime, _ teller: Teller) -> Bool {
        switch time {
        case .time(let time): return teller.tell(time)
        case .standardInput:
            var isAllFound = true
            var number = 0
            while let line = readLine() {
                number += 1
                // Some editors begin a file with a mark that is no character.
                let isMarked = number == 1 && line.unicodeScalars.first == "\u{FEFF}"
                let text = (isMarked ? String(line.unicodeScalars.dropFirst()) : line)
                    .trimmingBlanks
                if text.isEmpty { continue }
                let isFound = ClockTime(argument: text).map(teller.tell)
                if isFound == nil { teller.tellNoTime(text, line: number) }
                isAllFound = isAllFound && isFound == true
            }
            return isAllFound
        }
    }
}

/// One time, or all that come on standard input.
enum AskedTime: ExpressibleByArgument, Hashable {
    case time(ClockTime)
    case standardInput

    init?(argument: String) {
        if argument == "-" {
            self = .standardInput
        } else if let time = ClockTime(argument: argument) {
            self = .time(time)
        } else {
            return nil
        }
    }
}

/// Answers, for people or for programs.
private struct Teller {
    let found: EditLookup.Found
    let direction: TimeMap.Direction
    let json: Bool

    private var rate: Int { found.format.sampleRateHertz }

    /// Answers about one time; whether it could be found.
    func tell(_ time: ClockTime) -> Bool {
        let moment = found.map.moment(direction, seconds: time.seconds, sampleRateHertz: rate)
        guard let moment else {
            let end = Double(found.map.frames(asked: direction)).seconds(atRate: rate)
            StandardStream.complain(
                MapView.beyondEnd(direction, seconds: time.seconds, endSeconds: end))
            if json { print(JSONLine.text(BeyondEndLine(asked: time.text, endSeconds: end))) }
            return false
        }
        print(
            json
                ? JSONLine.text(MomentLine(moment, asked: time.text, sampleRateHertz: rate))
                : MapView.line(moment, direction, seconds: time.seconds, sampleRateHertz: rate))
        return true
    }

    func tellNoTime(_ text: String, line: Int) {
        StandardStream.complain(MapView.noTime(line: line, text: text))
        if json { print(JSONLine.text(NoTimeLine(asked: text, line: line))) }
    }

    private func print(_ line: String) { StandardStream.output.write(line + "\n") }
}

private struct MomentLine: Encodable {
    let event = "mapped"
    let asked: String
    let cut: Bool
    let cutFrames: [Int64]?
    let sourceFrame: Int64
    let sourceSeconds: Double
    let trimmedFrame: Int64
    let trimmedSeconds: Double

    init(_ moment: TimeMap.Moment, asked: String, sampleRateHertz: Int) {
        self.asked = asked
        cut = moment.cut != nil
        cutFrames = moment.cut.map { [$0.lowerBound, $0.upperBound] }
        sourceFrame = moment.sourceFrame
        sourceSeconds = Double(moment.sourceFrame).seconds(atRate: sampleRateHertz)
        trimmedFrame = moment.trimmedFrame
        trimmedSeconds = Double(moment.trimmedFrame).seconds(atRate: sampleRateHertz)
    }
}

private struct BeyondEndLine: Encodable {
    let event = "beyondEnd"
    let asked: String
    let endSeconds: Double
}

private struct NoTimeLine: Encodable {
    let event = "noTime"
    let asked: String
    let line: Int
}

extension String {
    /// Without spaces, tabs and carriage returns at its ends.
    fileprivate var trimmingBlanks: String {
        let isBlank = { (character: Character) in character.isWhitespace }
        guard let first = firstIndex(where: { !isBlank($0) }),
            let last = lastIndex(where: { !isBlank($0) })
        else { return "" }
        return String(self[first...last])
    }
}
