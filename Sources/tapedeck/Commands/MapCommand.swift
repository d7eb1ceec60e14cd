import ArgumentParser
import Jobs
import Recordings
import Reports
import Workers

/// `tapedeck map`: converts times between a trimmed copy and its recording.
struct MapCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "map",
        abstract: "Convert times between a trimmed copy and its original.",
        discussion: """
            Write times as 754.5, 12:34.5 or 1:02:03; - reads them from standard input, one per line. \
            A time is rounded to the nearest frame; from there the mapping is exact in both directions.

            Exit status: 0 all times found, 1 the manifest could not be read or has no copy of the \
            recording, 3 some times are beyond the end or no times, 64 wrong usage.

            Example: tapedeck map results interview.wav --to-source 12:34.5
            """
    )

    @Argument(
        help: ArgumentHelp(
            "A manifest.json, its folder, an output, or a folder of recordings.",
            valueName: "manifest"))
    var manifest: Pathname

    @Argument(
        help: ArgumentHelp(
            "The recording or its copy, relative to that folder.", valueName: "recording"))
    var recording: Pathname

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Convert these times of the copy to times of the original.", valueName: "time"))
    var toSource: [AskedTime] = []

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Convert these times of the original to times of the copy.", valueName: "time"))
    var toTrimmed: [AskedTime] = []

    @Flag(help: "Print one JSON object per line (NDJSON).")
    var json = false

    func validate() throws {
        try requirePath(manifest)
        try requirePath(recording)
        guard toSource.isEmpty != toTrimmed.isEmpty else {
            throw ValidationError(
                "ask with --to-source or with --to-trimmed"
                    + (toSource.isEmpty ? ", as in --to-source 12:34.5" : ", not with both"))
        }
        guard (toSource + toTrimmed).count(where: { $0.time == nil }) <= 1 else {
            throw ValidationError("standard input can be read only once; write - once")
        }
    }

    func run() throws {
        try ExitStatus.end(saying: FailureText.sentence(for:)) { () throws(MapRefusal) in
            let found = try EditLookup.find(recording, inManifest: manifest)
            var status = ExitStatus.allWell
            for asked in toSource + toTrimmed where !answer(asked, found) { status = .someFailed }
            return status
        }
    }

    /// Answers one time or all of standard input; returns whether all times were found.
    private func answer(_ asked: AskedTime, _ found: EditLookup.Found) -> Bool {
        if let time = asked.time { return tell(time, found) }
        var isAllFound = true
        var number = 0
        // Some editors begin a file with a byte order mark.
        let isBlank = { (some: Character) in some.isWhitespace || some == "\u{FEFF}" }
        while let line = readLine() {
            number += 1
            let text = String(line.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
            if text.isEmpty { continue }
            let time = ClockTime(argument: text)
            if time == nil {
                StandardStream.complain(MapView.noTime(line: number, text: text))
                printJSON(["event": "noTime", "asked": text, "line": number])
            }
            isAllFound = time.map { tell($0, found) } == true && isAllFound
        }
        return isAllFound
    }

    /// Answers one time; returns whether it was found.
    private func tell(_ time: ClockTime, _ found: EditLookup.Found) -> Bool {
        let direction: TimeMap.Direction = toTrimmed.isEmpty ? .toSource : .toTrimmed
        let rate = found.format.sampleRateHertz
        func seconds(_ frame: Int64) -> Double { Double(frame).seconds(atRate: rate) }
        let moment = found.map.moment(direction, seconds: time.seconds, sampleRateHertz: rate)
        guard let moment else {
            let end = seconds(found.map.frames(asked: direction))
            StandardStream.complain(
                MapView.beyondEnd(direction, seconds: time.seconds, endSeconds: end))
            printJSON(["event": "beyondEnd", "asked": time.text, "endSeconds": end])
            return false
        }
        if !json {
            let line = MapView.line(
                moment, direction, seconds: time.seconds, sampleRateHertz: rate)
            StandardStream.output.write(line + "\n")
        }
        printJSON([
            "event": "mapped", "asked": time.text, "cut": moment.cut != nil,
            "cutFrames": moment.cut.map { [$0.lowerBound, $0.upperBound] },
            "sourceFrame": moment.sourceFrame, "sourceSeconds": seconds(moment.sourceFrame),
            "trimmedFrame": moment.trimmedFrame, "trimmedSeconds": seconds(moment.trimmedFrame),
        ])
        return true
    }

    private func printJSON(_ line: JSONObject) {
        if json { StandardStream.output.write(JSONLine.text(line) + "\n") }
    }
}

/// One time, or all times on standard input.
struct AskedTime: ExpressibleByArgument, Hashable {
    /// `nil` for standard input.
    let time: ClockTime?
}

extension AskedTime {
    init?(argument: String) {
        time = ClockTime(argument: argument)
        if time == nil, argument != "-" { return nil }
    }
}
