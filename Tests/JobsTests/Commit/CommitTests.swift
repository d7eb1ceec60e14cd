import Jobs
import Recordings
import ReducerKit
import TestSupport
import Testing

/// The way to the disk by itself: what gathers, what is ordered, what is given up.
@Suite struct CommitTests {
    typealias Store = TestStore<Way, Commit.Action, Commit.Command>

    /// The state, with the outcomes whose way has ended.
    @dynamicMemberLookup struct Way: Equatable {
        var state = Commit.State()
        var landed: [Commit.Outcome] = []
        var dropped: [Commit.Outcome] = []

        subscript<Value>(dynamicMember path: WritableKeyPath<Commit.State, Value>) -> Value {
            get { state[keyPath: path] }
            set { state[keyPath: path] = newValue }
        }
    }

    private static let reducer = Reducer<Way, Commit.Action, Commit.Command> {
        way, answer, order in
        let ended = way.state.handle(answer, order)
        way.landed += ended.landed
        way.dropped += ended.dropped
    }

    private func outcome(_ index: Int, staged: [Pathname]? = nil) -> Commit.Outcome {
        let name: Pathname = ["a.wav", "b.wav", "c.wav", "d.wav"][index]
        let files = staged ?? [name.adding(suffix: ".dat")]
        return Commit.Outcome(
            id: RecordingID(index), folder: FolderID(0), path: "f",
            entry: Boxed(Example.doneEntry(name)),
            staged: files.map { StagedFile(temporary: $0.adding(suffix: ".partial"), name: $0) })
    }

    private func state(_ change: (inout Way) -> Void = { _ in }) -> Way {
        var state = Way()
        change(&state)
        return state
    }

    /// A group that is under way, and what has gathered meanwhile.
    private func underway(
        _ step: Commit.Step, _ outcomes: [Commit.Outcome], gathering: [Commit.Outcome] = []
    ) -> Way {
        state {
            $0.groups = 1
            $0.underway = Commit.Group(number: 1, step: step, outcomes: outcomes)
            $0.gathering = gathering
        }
    }

    private func store(_ state: Way) -> Store {
        Store(initialState: state, reducer: Self.reducer)
    }

    private func second(_ outcomes: [Commit.Outcome]) -> Commit.Group {
        Commit.Group(number: 2, step: .syncing, outcomes: outcomes)
    }

    /// The state once outcomes have been taken, with what that ordered.
    private func take(
        _ outcomes: [Commit.Outcome], into start: Way
    ) -> (state: Way, commands: [Commit.Command]) {
        var state = start
        var commands: [Commit.Command] = []
        for outcome in outcomes {
            let isKept = state.state.take(outcome) { commands.append($0) }
            if !isKept { state.dropped.append(outcome) }
        }
        return (state, commands)
    }

    private let full = Example.failure(.noSpace, in: .manifest)

    // MARK: A group's way

    @Test func outcomesDuringACommitFormTheNextGroup() {
        let (a, b, c) = (outcome(0), outcome(1), outcome(2))
        let (begun, commands) = take([a, b, c], into: state())
        #expect(begun == underway(.syncing, [a], gathering: [b, c]))
        #expect(commands == [.sync(1, [a])])
        let store = store(begun)
        store.send(.synced(1), expecting: { $0.underway?.step = .recording })
        store.send(
            .recorded(1), expecting: { $0.underway?.step = .publishing },
            commands: [.publish(1, [a])])
        store.send(
            .published(1, []),
            expecting: {
                $0.landed = [a]
                $0.groups = 2
                $0.underway = second([b, c])
                $0.gathering = []
            },
            commands: [.sync(2, [b, c])])
    }

    @Test func commitIsIdleAfterLastGroupIsPublished() {
        let group = [outcome(0), outcome(1)]
        store(underway(.publishing, group)).send(
            .published(1, []),
            expecting: {
                $0.underway = nil
                $0.landed = group
            })
    }

    /// The files of a recording that failed, or of which nothing was drawn, may be none.
    @Test func outcomeWithoutFilesStartsACommit() {
        let bare = outcome(0, staged: [])
        let (begun, commands) = take([bare], into: state())
        #expect(begun == underway(.syncing, [bare]))
        #expect(commands == [.sync(1, [bare])])
    }

    @Test func countsUncommittedOutcomes() {
        let (a, b, c) = (outcome(0), outcome(1), outcome(2))
        #expect(state().state.count == 0)
        #expect(state { $0.gathering = [a] }.state.count == 1)
        #expect(underway(.syncing, [a, b], gathering: [c]).state.count == 3)
    }

    // MARK: Late and doubled answers

    @Test(arguments: [Commit.Step.syncing, .recording, .publishing])
    func answersForAnotherStepOrGroupAreIgnored(_ step: Commit.Step) {
        let state = underway(step, [outcome(0)], gathering: [outcome(1)])
        for number in [0, 1, 2] {
            let answers: [(Commit.Step, Commit.Action)] = [
                (.syncing, .synced(number)), (.syncing, .syncFailed(number, full)),
                (.recording, .recorded(number)), (.recording, .recordFailed(number, full)),
                (.publishing, .published(number, [])),
            ]
            for (answered, action) in answers where number != 1 || answered != step {
                store(state).send(action)
            }
        }
    }

    @Test func answersForAPublishedGroupAreIgnored() {
        let answers: [Commit.Action] = [
            .synced(1), .recorded(1), .published(1, []), .syncFailed(1, full),
            .recordFailed(1, full),
        ]
        for answer in answers { store(state { $0.groups = 1 }).send(answer) }
    }

    // MARK: Files that cannot take their places

    /// An entry of an earlier run that names these files.
    private func earlier(_ name: Pathname, files: [Pathname]) -> ManifestEntry {
        var entry = Example.doneEntry(name)
        entry.waveforms = files.map { Example.waveform($0) }
        return entry
    }

    @Test func failedWaveformMoveMarksRecordingAsFailed() {
        let failure = Example.failure(.other, in: .waveform)
        var lost = outcome(1, staged: ["b.wav.dat", "b.wav.64.dat", "b.wav"])
        lost.entry.value.trimmed = TrimmedFile(
            path: "b.wav", durationSeconds: 1, bytes: 2, sha256: "", edits: [])
        lost.previous = Boxed(earlier("b.wav", files: ["b.wav.json"]))
        let (a, c) = (outcome(0), outcome(2))
        var failed = lost
        failed.entry.value.status = .failed
        failed.entry.value.failure = failure
        failed.entry.value.waveforms = nil
        failed.entry.value.trimmed = nil
        failed.entry.value.notTrimmed = nil
        // What did move, and what it was to replace, is there and named.
        failed.entry.value.leaveBehind(
            ["b.wav.dat", "b.wav.json"],
            toldOf: lost.entry.value.generations + (lost.previous?.value.generations ?? []))
        #expect(failed.entry.value.earlier?.map(\.names) == [["b.wav.dat"], ["b.wav.json"]])
        failed.staged = []
        failed.previous = nil
        // They are deleted only once the record no longer names them.
        failed.abandoned = Array(lost.staged.dropFirst())
        let misplacement = Commit.Misplacement(
            id: RecordingID(1), failure: failure, landed: ["b.wav.dat"])
        store(underway(.publishing, [a, lost], gathering: [c])).send(
            .published(1, [misplacement]),
            expecting: {
                $0.landed = [a]
                $0.groups = 2
                $0.underway = second([c, failed])
                $0.gathering = []
            },
            commands: [.sync(2, [c, failed])])
    }

    @Test func failedCopyMoveKeepsWaveforms() {
        let failure = Example.failure(.other, in: .trim)
        var lost = outcome(0, staged: ["a.wav.dat", "a.wav"])
        lost.entry.value.trimmed = TrimmedFile(
            path: "a.wav", durationSeconds: 1, bytes: 2, sha256: "", edits: [])
        lost.entry.value.notTrimmed = nil
        lost.previous = Boxed(earlier("a.wav", files: ["a.wav.flac"]))
        var failed = lost
        failed.entry.value.status = .failed
        failed.entry.value.failure = failure
        failed.entry.value.trimmed = nil
        failed.entry.value.leaveBehind(
            ["a.wav.flac"], toldOf: lost.previous?.value.generations ?? [])
        failed.staged = []
        failed.previous = nil
        failed.abandoned = [lost.staged[1]]
        store(underway(.publishing, [lost])).send(
            .published(
                1,
                [Commit.Misplacement(id: RecordingID(0), failure: failure, landed: ["a.wav.dat"])]),
            expecting: {
                $0.groups = 2
                $0.underway = second([failed])
            },
            commands: [.sync(2, [failed])])
    }

    @Test func filesAlreadyMovedAreNotDiscarded() {
        let failure = Example.failure(.other, in: .waveform)
        let lost = outcome(0)
        let landed = lost.staged.map(\.name)
        let commands = store(underway(.publishing, [lost])).skip(
            .published(
                1, [Commit.Misplacement(id: lost.id, failure: failure, landed: landed)]))
        #expect(commands.count == 1)
        guard case .sync(2, let outcomes)? = commands.first else {
            Issue.record("the failure is recorded: \(commands)")
            return
        }
        #expect(outcomes.map(\.entry.value.leftBehind) == [landed])
    }

    /// The new one may be there or the old one, and each is to be known again.
    @Test func failedMoveRecordsGenerationOfEachFile() throws {
        var old = Example.doneEntry("a.wav")
        old.source = FileStamp(bytes: 3, modifiedNanoseconds: 4)
        old.trimmed = TrimmedFile(
            path: "a.wav", durationSeconds: 1, bytes: 2, sha256: "", edits: [])
        var lost = outcome(0, staged: ["a.wav.dat", "a.wav"])
        lost.previous = Boxed(old)
        let failure = Example.failure(.other, in: .waveform)
        let commands = store(underway(.publishing, [lost])).skip(
            .published(
                1, [Commit.Misplacement(id: lost.id, failure: failure, landed: ["a.wav.dat"])]))
        guard case .sync(2, let outcomes)? = commands.first else {
            Issue.record("the failure is recorded: \(commands)")
            return
        }
        let earlier = try #require(outcomes.first?.entry.value.earlier)
        #expect(earlier.map(\.names) == [["a.wav.dat"], ["a.wav"]])
        #expect(earlier.map(\.source) == [Example.stamp, old.source])
    }

    @Test func fullDiskWhileMovingKeepsJournaledFiles() {
        let (a, b, c) = (outcome(0), outcome(1), outcome(2))
        let blocked = Commit.Misplacement(id: RecordingID(1), failure: full, landed: [])
        store(underway(.publishing, [a, b], gathering: [c])).send(
            .published(1, [blocked]),
            expecting: {
                $0.underway = nil
                $0.gathering = []
                $0.landed = [a]
                $0.dropped = [b, c]
                $0.isBroken = true
            },
            commands: [.discard(folder: "f", c.staged)])
    }

    @Test func moveFailureOutsideTheGroupIsIgnored() {
        let group = [outcome(0)]
        let stray = Commit.Misplacement(id: RecordingID(3), failure: full, landed: [])
        store(underway(.publishing, group)).send(
            .published(1, [stray]),
            expecting: {
                $0.underway = nil
                $0.landed = group
            })
    }

    // MARK: Nothing can be kept any more

    @Test func syncFailureDropsOutcomesAndDiscardsFiles() {
        let (a, b, bare) = (outcome(0), outcome(1), outcome(2, staged: []))
        store(underway(.syncing, [a, bare], gathering: [b])).send(
            .syncFailed(1, full),
            expecting: {
                $0.isBroken = true
                $0.underway = nil
                $0.gathering = []
                $0.dropped = [a, bare, b]
            },
            commands: [.discard(folder: "f", a.staged), .discard(folder: "f", b.staged)])
    }

    @Test func journalWriteFailureKeepsFilesOfTheGroup() {
        let (a, b) = (outcome(0), outcome(1))
        store(underway(.recording, [a], gathering: [b])).send(
            .recordFailed(1, full),
            expecting: {
                $0.isBroken = true
                $0.underway = nil
                $0.gathering = []
                $0.dropped = [a, b]
            },
            commands: [.discard(folder: "f", b.staged)])
    }

    @Test func outcomesAreDroppedAfterACommitFailure() {
        let (a, bare) = (outcome(0), outcome(1, staged: []))
        let broken = state { $0.isBroken = true }
        let (given, commands) = take([a, bare], into: broken)
        #expect(given.dropped == [a, bare] && given.state.count == 0)
        #expect(commands == [.discard(folder: "f", a.staged)])
    }
}
