import Dispatch
import Foundation
import Recordings
import TestSupport
import Testing

/// When a run is killed.
///
/// Its own lines are the clock; between two of them, a timer is.
enum KillMoment: CustomStringConvertible {
    case afterStart(microseconds: Int)
    /// After so many recordings were told to be done.
    case afterDone(Int, microseconds: Int)
    /// After the last recording was told of: manifests are being written, and the journal put away.
    case afterAll(microseconds: Int)

    var description: String {
        switch self {
        case .afterStart(let microseconds): "\(microseconds) µs after its start"
        case .afterDone(let count, let microseconds): "\(microseconds) µs after \(count) done"
        case .afterAll(let microseconds): "\(microseconds) µs after all were told of"
        }
    }

    fileprivate var microseconds: Int {
        switch self {
        case .afterStart(let time), .afterDone(_, let time), .afterAll(let time): time
        }
    }

    fileprivate func hasCome(done: Int, told: Int, of all: Int) -> Bool {
        switch self {
        case .afterStart: true
        case .afterDone(let count, _): done >= count
        case .afterAll: told >= all
        }
    }
}

/// How often and when runs are killed, by a seed.
struct KillPlan {
    var seed: UInt64
    var kills: Int
    /// Whether each kill is told of.
    var isTalkative: Bool

    /// As `KILLS` and `SEED` in the environment say; few otherwise, so that tests are quick.
    static let fromEnvironment: KillPlan = {
        let environment = ProcessInfo.processInfo.environment
        let kills = environment["KILLS"].flatMap { Int($0) }
        return KillPlan(
            seed: environment["SEED"].flatMap { UInt64($0) } ?? 1, kills: kills ?? 12,
            isTalkative: kills != nil)
    }()

    /// The moments, so that most fall within the work and the last ones behind it.
    func moments(recordings: Int) -> [KillMoment] {
        var generator = SeededGenerator(seed: seed)
        let atEnd = max(2, kills / 5)
        let most = max(1, 2 * recordings / kills)
        return (0..<kills).map { number in
            if kills - number <= atEnd {
                return .afterAll(microseconds: Int.random(in: 0...6000, using: &generator))
            }
            guard !generator.chance(percent: 20) else {
                return .afterStart(microseconds: Int.random(in: 0...60_000, using: &generator))
            }
            return .afterDone(
                Int.random(in: 0...most, using: &generator),
                microseconds: Int.random(in: 0...8000, using: &generator))
        }
    }
}

/// A recording, as a line of `--json` tells of it.
struct ToldRecording: Decodable {
    var event: String
    var folder: String?
    var name: String?
    var upToDate: Bool?
    var status: String?

    var isRecording: Bool { event == "recording" }
    var isDone: Bool { isRecording && upToDate == false }
    var path: String { "\(folder ?? "")/\(name ?? "")" }

    init?(_ line: String) {
        guard let told = try? JSONDecoder().decode(ToldRecording.self, from: Data(line.utf8))
        else { return nil }
        self = told
    }
}

/// Runs over one library that are killed, one after the other.
final class KilledRuns {
    private let library: Library
    private let recordings: Int
    private let options: [String]
    private let isTalkative: Bool
    private(set) var runs = 0
    /// How often each recording was told to be done, over all runs.
    private(set) var timesDone: [String: Int] = [:]

    init(_ library: Library, recordings: Int, options: [String], isTalkative: Bool) {
        self.library = library
        self.recordings = recordings
        self.options = options
        self.isTalkative = isTalkative
    }

    /// Runs until the moment comes; a run may end before it.
    func run(killedAt moment: KillMoment) -> Tool.Outcome {
        runs += 1
        let tool = RunningTool(["run", library.root.text, "--json"] + options)
        let process = tool.processIdentifier
        let timer = DispatchSource.makeTimerSource()
        timer.setEventHandler { kill(process, SIGKILL) }
        var isSet = false
        var done = 0
        var told = 0
        repeat {
            guard !isSet, moment.hasCome(done: done, told: told, of: recordings) else { continue }
            isSet = true
            timer.schedule(deadline: .now() + .microseconds(moment.microseconds))
            timer.resume()
        } while note(tool.nextLine(), &done, &told)
        // A timer is to run before it goes; without a time, it never fires.
        if !isSet { timer.resume() }
        let outcome = tool.wait()
        timer.cancel()
        tellOfRun(outcome, moment, done: done, told: told)
        return outcome
    }

    /// Runs to the end.
    func runUndisturbed() -> Tool.Outcome {
        runs += 1
        let outcome = Tool.run(["run", library.root.text, "--json"] + options)
        var done = 0
        var told = 0
        for line in outcome.outputLines { _ = note(line, &done, &told) }
        tellOfRun(outcome, nil, done: done, told: told)
        return outcome
    }

    /// Takes in a line; whether there was one.
    private func note(_ line: String?, _ done: inout Int, _ told: inout Int) -> Bool {
        guard let line else { return false }
        guard let recording = ToldRecording(line), recording.isRecording else { return true }
        told += 1
        if recording.isDone {
            done += 1
            timesDone[recording.path, default: 0] += 1
        }
        return true
    }

    private func tellOfRun(
        _ outcome: Tool.Outcome, _ moment: KillMoment?, done: Int, told: Int
    ) {
        guard isTalkative else { return }
        let isKilled = outcome.status == 128 + SIGKILL
        let end = isKilled ? "killed" : "ended with status \(outcome.status)"
        let facts = "\(done) done, \(told - done) up to date"
        let options = options.joined(separator: " ")
        print(
            "kills: run \(runs) (\(options)) \(end)\(moment.map { " \($0)" } ?? ""):"
                + " \(facts)")
    }
}

extension Library {
    /// Adds short recordings of several kinds to several folders, no two of them the same, and a
    /// few files that are none.
    /// - Returns: how many there are in all.
    func addManyRecordings(_ count: Int) -> Int {
        let sounds = [
            SmallWAV.voice(after: 0.15, seconds: 0.1, before: 0.15),
            SmallWAV.voice(after: 0, seconds: 0.2, before: 0),
            SmallWAV.voice(after: 0.3, seconds: 0.05, before: 0, hertz: 190),
            [Int16](repeating: 0, count: 1600),
        ].map { SmallWAV.bytes($0) }
        for number in 0..<count {
            var bytes = sounds[number % sounds.count]
            // A click of its own in the middle of the sound, but for silent ones.
            if number % sounds.count < 3 {
                let place = bytes.count * (number % sounds.count == 2 ? 7 : 4) / 8 & ~1
                bytes[place] = UInt8(truncatingIfNeeded: number * 37)
                bytes[place + 1] = UInt8(truncatingIfNeeded: number / 2)
            }
            let folder = ["", "A/", "A/inner/", "B/", "B/C/D/", "E/"][number / 3 % 6]
            add(Pathname("\(folder)\(number).wav"), bytes)
        }
        add("A/letter.wav", Array("Dear all,\n".utf8))
        add("B/empty.wav", [])
        add("E/cut off.wav", Array(sounds[0].prefix(1000)))
        return count + 3
    }
}
