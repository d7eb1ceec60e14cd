import Jobs
import Recordings
import ReducerKit
import TestSupport
import Testing

/// Recordings and outputs that were copied, and have other times than were recorded.
@Suite struct TimesOnlyTests {
    private let before: ManifestEntry = {
        var entry = Example.doneEntry("a.wav")
        entry.sourceSHA256 = "ab"
        return entry
    }()
    private let later = FileStamp(bytes: 1_000, modifiedNanoseconds: 9)

    private func run(
        stamp: FileStamp = Example.stamp, damage: [OutputDamage] = [], digest: String = "ab",
        recipe: Recipe = Recipe(), _ change: (inout ManifestEntry) -> Void = { _ in }
    ) -> ScriptedRun {
        var entry = before
        change(&entry)
        let run = ScriptedRun()
        run.record.put([entry], by: recipe, in: "")
        run.digests["a.wav"] = digest
        run.listings[""] = FolderListing(recordings: [
            Example.scanned(
                "a.wav", stamp: stamp, previous: PreviousWork(entry, recipe: recipe, damage: damage)
            )
        ])
        return run
    }

    private func retimed(_ name: Pathname = "a.wav.dat") -> OutputDamage {
        OutputDamage(name: name, kind: .retimed, stage: .waveform)
    }

    private func adopted(_ run: ScriptedRun) -> [AdoptionOrder] {
        run.commands.compactMap { if case .job(_, .adopt(let order)) = $0 { order } else { nil } }
    }

    @Test func retimedOutputsAreAdoptedWithoutDecoding() throws {
        let run = run(damage: [retimed()])
        let summary = run.run()
        #expect(summary.upToDate == 1 && summary.decodedSeconds == 0 && run.listened.isEmpty)
        let order = try #require(adopted(run).first)
        #expect(order.files == [.init(old: "a.wav.dat", new: "a.wav.dat", sha256: "aa")])
        #expect(run.record.folders[""]?.sorted == [before])
    }

    @Test func waveformsOfTheCopyAreAdoptedWithIt() throws {
        var recipe = Recipe()
        recipe.waveform.subjects = [.trimmed]
        let place = RecordedPlace(folder: "x", name: "z.wav")
        var former = Example.doneEntry("z.wav", recipe: recipe)
        former.trimmed = TrimmedFile(
            path: "z.wav", durationSeconds: 1, bytes: 2, sha256: "bb", edits: [],
            waveforms: [Example.waveform("z.wav.trimmed.dat")])
        func orders(by recipe: Recipe) -> Job.Next {
            var job = Job.State(
                folder: FolderID(0), name: "a.wav", stamp: Example.stamp, phase: .ended)
            job.context.value.recipe = recipe
            return job.adopt(former, from: place.folder)
        }
        guard case .order(.adopt(let order)) = orders(by: recipe) else {
            return #expect(Bool(false), "it was not adopted")
        }
        #expect(
            order.files == [
                .init(old: "z.wav.trimmed.dat", new: "a.wav.trimmed.dat", sha256: "aa"),
                .init(old: "z.wav", new: "a.wav", sha256: "bb"),
            ])
        recipe.waveform.samplesPerPixel = [64, 128]
        guard case .order(.listen) = orders(by: recipe) else {
            return #expect(Bool(false), "other zooms were adopted")
        }
    }

    @Test func copiedRecordingWithSameDigestIsNotDecoded() throws {
        let run = run(stamp: later, damage: [retimed()])
        let summary = run.run()
        #expect(summary.upToDate == 1 && run.listened.isEmpty && adopted(run).count == 1)
        var expected = before
        expected.source = later
        #expect(run.record.folders[""]?.sorted == [expected])
    }

    @Test func copiedRecordingWithOtherDigestIsDecoded() {
        let run = run(stamp: later, digest: "cd")
        #expect(run.run().done == 1 && run.listened.count == 1 && adopted(run).isEmpty)
    }

    /// Once it was told to be up to date, though all of it had been made again.
    @Test func recordingWhoseEntryIsLostIsToldAsDone() {
        let run = run(damage: [retimed()])
        run.listings[""]?.recordings[0].previous?.whole = nil
        run.start()
        run.answerNext()
        run.send(.job(RecordingID(0), .recalled(nil)))
        run.answerAll()
        #expect(run.listened.count == 1)
        #expect(run.state.summary.done == 1 && run.state.summary.upToDate == 0)
    }

    @Test func outputThatIsNotTheRecordedOneIsMadeAgain() {
        let run = run(damage: [retimed()])
        run.start()
        run.answerNext()
        run.send(
            .job(RecordingID(0), .failed(Example.failure(.other, in: .waveform), measured: nil)))
        run.send(.ticked(0))
        run.send(.ticked(1))
        run.answerAll()
        #expect(run.listened.count == 1 && run.state.summary.done == 1)
        #expect(run.state.deepViolation == nil)
    }

    /// Once, what had been made with other settings was taken for current.
    @Test func otherStalenessLeadsToWork() {
        var other = Recipe()
        other.waveform.bits = 16
        let others = [
            run(damage: [retimed(), OutputDamage(name: "x", kind: .missing, stage: .waveform)]),
            run(damage: [OutputDamage(name: "a.wav.dat", kind: .altered, stage: .waveform)]),
            run(stamp: FileStamp(bytes: 7, modifiedNanoseconds: 9)),
            run(stamp: later) { $0.sourceSHA256 = nil },
            run(stamp: later, recipe: other),
            run(stamp: later, damage: [OutputDamage(name: "x", kind: .missing, stage: .trim)]),
        ]
        for run in others {
            #expect(run.run().done == 1 && run.listened.count == 1 && adopted(run).isEmpty)
        }
    }
}
