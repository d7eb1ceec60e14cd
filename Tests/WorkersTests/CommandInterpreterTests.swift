import Dispatch
import Foundation
import Jobs
import Recordings
import ReducerKit
import Synchronization
import TestSupport
import Testing

@testable import Workers

/// Actions as they come in, for a test that waits for them.
private final class Answers: Sendable {
    private let actions = Mutex<[JobStore.Action]>([])
    private let arrival = DispatchSemaphore(value: 0)

    func send(_ action: JobStore.Action) {
        actions.withLock { $0.append(action) }
        arrival.signal()
    }

    /// The next so many actions in their order, and no others.
    func next(_ count: Int = 1) -> [JobStore.Action] {
        for _ in 0..<count {
            #expect(arrival.wait(timeout: .now() + 60) == .success, "an answer is missing")
        }
        return actions.withLock { all in
            defer { all = [] }
            return all
        }
    }
}

@Suite struct CommandInterpreterTests {
    private let world = TestWorld()
    private let answers = Answers()

    private func interpreter(
        isDryRun: Bool = false,
        announce: @escaping @Sendable (Announcement) -> Void = { _ in },
        finish: @escaping @Sendable () -> Void = {}
    ) -> CommandInterpreter {
        CommandInterpreter(
            places: world.places, record: world.record, isDryRun: isDryRun, announce: announce,
            finish: finish)
    }

    private func source(_ name: Pathname) throws -> RecordingSource {
        let stamp = try TestWorld.stamp(of: world.root.appending(name))
        return RecordingSource(folder: .empty, name: name, stamp: stamp)
    }

    private func listening(_ source: RecordingSource) -> JobStore.Command {
        .job(
            RecordingID(4),
            .listen(
                ListeningOrder(source: source, stages: .listening)))
    }

    private func trimming(_ source: RecordingSource) -> JobStore.Command {
        let format = AudioFormat(
            container: .wav, encoding: .pcm16, sampleRateHertz: 8000, channels: 1, frames: 24_000)
        return .job(
            RecordingID(4),
            .trim(
                TrimmingOrder(
                    source: source, format: format,
                    edits: EditList(keeping: [0..<8000], of: 24_000), container: .same)))
    }

    @Test func scanIsAnsweredWithListing() {
        world.add("b.wav")
        interpreter()(.scan(.list(FolderID(2), .init(path: .empty))), answers.send)
        guard case .scan(.listed(FolderID(2), let listing))? = answers.next().first else {
            return #expect(Bool(false), "no listing")
        }
        #expect(listing.recordings.map(\.name) == ["b.wav"])
    }

    @Test func failedScanIsAnsweredWithFailure() {
        interpreter()(.scan(.list(FolderID(2), .init(path: "gone"))), answers.send)
        guard case .scan(.failed(FolderID(2), _))? = answers.next().first else {
            return #expect(Bool(false), "no failure")
        }
    }

    @Test func listeningAndTrimmingJobsAreAnswered() throws {
        world.add("b.wav", SmallWAV.bytes(SmallWAV.voice()))
        let interpreter = interpreter()
        interpreter(listening(try source("b.wav")), answers.send)
        guard case .job(RecordingID(4), .listened)? = answers.next().first else {
            return #expect(Bool(false), "not listened")
        }
        interpreter(trimming(try source("b.wav")), answers.send)
        guard case .job(RecordingID(4), .trimmed)? = answers.next().first else {
            return #expect(Bool(false), "not trimmed")
        }
    }

    @Test func failuresOfEachStageAreReported() throws {
        world.add("b.wav", Array("a letter".utf8))
        let source = try source("b.wav")
        let interpreter = interpreter()
        let order = ManifestOrder(folder: "b.wav", recipe: Boxed(Recipe()))
        FileSystem.removeEmptyFolders([world.output])
        world.folder.write([], to: "output")
        interpreter(listening(source), answers.send)
        interpreter(trimming(source), answers.send)
        interpreter(.writeManifest(FolderID(1), order), answers.send)
        let kinds = answers.next(3).map { action in
            switch action {
            case .job(RecordingID(4), .failed(let failure, _)): "\(failure.stage)"
            case .manifestFailed(FolderID(1), let failure): "\(failure.stage)"
            default: "\(action)"
            }
        }
        #expect(kinds.sorted() == ["decode", "manifest", "trim"])
    }

    @Test func writtenManifestIsConfirmed() {
        let order = ManifestOrder(folder: "A", recipe: Boxed(Recipe()))
        interpreter()(.writeManifest(FolderID(1), order), answers.send)
        #expect(answers.next() == [.manifestWritten(FolderID(1))])
        #expect(TestWorld.tree(world.output) == ["A", "A/manifest.json"])
    }

    @Test func cancelledJobsAreAnsweredAsCancelled() throws {
        world.add("b.wav", SmallWAV.bytes(SmallWAV.voice()))
        let interpreter = interpreter()
        interpreter(.cancelWork, answers.send)
        interpreter(listening(try source("b.wav")), answers.send)
        interpreter(trimming(try source("b.wav")), answers.send)
        let cancelled = JobStore.Action.job(RecordingID(4), .cancelled)
        #expect(answers.next(2) == [cancelled, cancelled])
        #expect(TestWorld.tree(world.output).isEmpty)
    }

    @Test func announceAndFinishSendNoAnswer() {
        let told = Told()
        let isOver = DispatchSemaphore(value: 0)
        let interpreter = interpreter(
            announce: { told.note("\($0)") },
            finish: {
                told.note("finish")
                isOver.signal()
            })
        let plan = Announcement.planned(folder: .empty, name: "b.wav", .all)
        interpreter(.announce(plan), answers.send)
        #expect(told.words == ["\(plan)"])
        interpreter(.finish, answers.send)
        isOver.wait()
        #expect(told.words == ["\(plan)", "finish"])
        #expect(answers.next(0).isEmpty)
    }

    @Test func finishWaitsForPendingDiscards() {
        world.makeFolder(world.output)
        let names = (1...100).map { Pathname(".tapedeck.\($0).partial") }
        for name in names { world.folder.write([], to: Pathname("output").appending(name)) }
        let isOver = DispatchSemaphore(value: 0)
        let output = world.output
        let left = Told()
        let interpreter = interpreter(finish: {
            for name in TestWorld.tree(output) { left.note("\(name)") }
            isOver.signal()
        })
        for name in names {
            let file = StagedFile(temporary: name, name: "x")
            interpreter(.commit(.discard(folder: .empty, [file])), answers.send)
        }
        interpreter(.finish, answers.send)
        isOver.wait()
        #expect(left.words == [])
        #expect(answers.next(0).isEmpty)
    }

    @Test func eachCommitStepIsAnswered() {
        let interpreter = interpreter()
        world.makeFolder(world.output)
        let outcome = Commit.Outcome(
            id: RecordingID(4), folder: FolderID(1), path: .empty,
            entry: Boxed(Example.doneEntry("b.wav")))
        let steps: [(Commit.Command, Commit.Action)] = [
            (.sync(7, [outcome]), .synced(7)),
            (.record(7, [outcome], Recipes()), .recorded(7)),
            (.publish(7, [outcome]), .published(7, [])),
        ]
        for (command, answer) in steps {
            interpreter(.commit(command), answers.send)
            #expect(answers.next() == [.commit(answer)])
        }
        #expect(TestWorld.tree(world.output) == [])
    }

    /// The next run need not look for them.
    @Test func finishRecordsLastPublishedFiles() throws {
        let isOver = DispatchSemaphore(value: 0)
        let interpreter = interpreter(finish: { isOver.signal() })
        let staged = StagedFile(temporary: ".tapedeck.1.partial", name: "b.wav.dat")
        let outcome = Commit.Outcome(
            id: RecordingID(4), folder: FolderID(1), path: .empty,
            entry: Boxed(Example.doneEntry("b.wav")), staged: [staged])
        world.folder.write([1], to: "output/.tapedeck.1.partial")
        interpreter(.commit(.record(7, [outcome], Recipes())), answers.send)
        interpreter(.commit(.publish(7, [outcome])), answers.send)
        _ = answers.next(2)
        #expect(try world.record.contents(of: .empty).staged.map(\.name) == ["b.wav.dat"])
        interpreter(.finish, answers.send)
        isOver.wait()
        #expect(try world.record.contents(of: .empty).staged == [])
    }

    private final class Told: Sendable {
        private let notes = Mutex<[String]>([])
        var words: [String] { notes.withLock { $0 } }
        func note(_ text: String) { notes.withLock { $0.append(text) } }
    }
}

// MARK: - Sources of actions

/// One after the other: a signal goes to the whole process.
@Suite(.serialized) struct ActionSourcesTests {
    private let answers = Answers()

    @Test func tickTimesNeverDecrease() {
        let stop = ActionSources.start(.ticks(perSecond: 1000), send: answers.send)
        let times = answers.next(3).map { action -> Double in
            if case .ticked(let seconds) = action { return seconds }
            return -1
        }
        stop()
        #expect(times == times.sorted())
        #expect(times.allSatisfy { $0 > 0 })
    }
}
