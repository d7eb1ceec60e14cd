import Foundation
import Jobs
import Recordings
import ReducerKit
import Synchronization
import TestSupport
import Testing

@testable import Workers

@Suite struct TraceFileTests {
    private let folder = TestFolder()
    private var path: Pathname { folder.path("run.trace") }

    // MARK: Every value comes back as it was

    /// Names that text, JSON or a terminal might change.
    private static let names: [Pathname] = [
        "", ".", "a/b.wav", "caf\u{E9}", "cafe\u{301}", "\u{FEFF}a", "\u{FFFD}", "\"\\/\n\t\u{1}",
        "\u{2028}\u{202E}", "🎙️", Pathname(bytes: [0x61, 0xFF]),
        Pathname(bytes: [0xED, 0xA0, 0x80]),
    ]

    private static let numbers = [
        0, -0.0, 0.1, 1 / 3, -3.010299956639812, 1e300, .leastNonzeroMagnitude,
        .greatestFiniteMagnitude, .infinity,
        -.infinity, 1_795_278_460.861583,
    ]

    private func comesBack(_ line: TraceFile.Line) -> Bool {
        let text = TraceFile.text(line)
        guard text.last == UInt8(ascii: "\n"), text.count(where: { $0 == 10 }) == 1 else {
            return false
        }
        let read = JSONLine.read(TraceFile.Line.self, from: text.dropLast())
        return read?.action == line.action && read?.commands == line.commands
    }

    @Test(arguments: names)
    func namesOfAnyBytesRoundTrip(name: Pathname) {
        let failure = RecordingFailure(
            stage: .scan, reason: .other, detail: name.text, code: -1, frame: .max, expected: .min)
        #expect(
            comesBack(
                .init(
                    action: .started(
                        [.folder(name), .recording(folder: name, name: name)]))))
        #expect(
            comesBack(
                .init(
                    action: .scan(
                        .listed(
                            FolderID(3),
                            FolderListing(
                                recordings: [
                                    ScannedFile(name: name, finding: .failure(failure)),
                                    ScannedFile(
                                        name: name,
                                        finding: .file(
                                            FileStamp(bytes: .max, modifiedNanoseconds: .min)),
                                        previous: Example.previousWork(
                                            Example.doneEntry(name), damaged: [.waveform, .trim])),
                                ], subfolders: [name], neighbours: [name]))))))
        #expect(
            comesBack(
                .init(commands: [
                    .announce(.folderFailed(name, failure)),
                    .announce(.planned(folder: name, name: name, .all)),
                    .scan(.list(FolderID(0), .init(path: name, only: [name], also: [name]))),
                ])))
    }

    @Test(arguments: numbers)
    func numbersRoundTripExactly(number: Double) {
        var measured = Measurements(format: Example.format())
        measured.levels = Levels(
            peakDBFS: [nil, number], rmsDBFS: [nil], dcOffset: [number], clippedSamples: [.max],
            samplesBeyondFullScale: [])
        measured.silence = Example.silence([[number, number]])
        #expect(comesBack(.init(action: .ticked(number))))
        #expect(comesBack(.init(action: .job(RecordingID(1), .listened(measured, staged: [])))))
    }

    @Test func nanValueRoundTrips() throws {
        let text = TraceFile.text(.init(action: .ticked(.nan)))
        let read = JSONLine.read(TraceFile.Line.self, from: text)
        guard case .ticked(let seconds) = try #require(read?.action) else { throw Unexpected() }
        #expect(seconds.isNaN)
    }

    private struct Unexpected: Error {}

    /// What the simulated world never does.
    private static let rareActions: [JobStore.Action] = [
        .job(RecordingID(1), .failed(Example.failure(), measured: nil)),
        .stopRequested(.interrupt), .stopRequested(.terminate), .stopRequested(.hangUp),
    ]

    @Test(arguments: rareActions)
    func rareActionsRoundTrip(action: JobStore.Action) {
        #expect(comesBack(.init(action: action)))
    }

    /// The simulated world brings about every kind of action and command, new kinds included.
    @Test func allSimulatedActionsAndCommandsRoundTrip() throws {
        let lines = Mutex<[TraceFile.Line]>([])
        let reducer = JobStore.uncheckedReducer.tracing { action, commands in
            lines.withLock { $0 += [.init(action: action), .init(commands: commands)] }
        }
        for seed: UInt64 in 0..<40 {
            var world = SimulatedWorld(seed: seed, reducer: reducer)
            try world.run()
        }
        let all = lines.withLock { $0 }
        #expect(all.count > 1_000)
        for line in all { #expect(comesBack(line)) }
    }

    @Test func configurationRoundTrips() throws {
        var recipe = Recipe()
        recipe.waveform.samplesPerPixel = [64, 512]
        recipe.trim.mode = .gaps
        recipe.trim.fadeMilliseconds = 0.1
        let configuration = JobStore.Configuration(
            recipe: recipe, jobLimit: 7, isDryRun: true, redoesAll: true, showsProgress: true)
        try TraceWriter(path).begin(version: "1.2 \"β\"", configuration) { _ in }
        let reader = try TraceReader(path)
        #expect(reader.version == "1.2 \"β\"")
        #expect(reader.configuration == configuration)
        #expect(try reader.next() == nil)
        #expect(!reader.isTorn)
    }
}
