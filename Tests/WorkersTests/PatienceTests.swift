import Foundation
import Jobs
import Recordings
import Synchronization
import TestSupport
import Testing

@testable import Workers

/// Passes over a recording that may not be complete, where that is waited for.
@Suite struct PatienceTests {
    enum Work: CaseIterable {
        case listening, trimming

        func run(_ one: OneRecording) -> Job.Action {
            switch self {
            case .listening: one.listen()
            case .trimming: one.trim(keeping: 6400..<17_600)
            }
        }

        func isDone(_ action: Job.Action) -> Bool {
            switch (self, action) {
            case (.listening, .listened), (.trimming, .trimmed): true
            default: false
            }
        }
    }

    private func recording(isPatient: Bool = true) throws -> OneRecording {
        var one = try OneRecording()
        one.source.context.value.isPatient = isPatient
        return one
    }

    /// Files, the folders they are in left out.
    private func files(_ one: OneRecording) -> [Pathname] { one.outputs.filter { $0 != "A" } }

    /// Has the recording's file changed when a pass has begun and not read anything.
    private func change(
        _ one: OneRecording, _ change: @escaping @Sendable (Pathname) throws -> Void
    ) -> OneRecording {
        var one = one
        one.isBeingWritten = { path in
            do { try change(path) } catch { Issue.record(error) }
            return false
        }
        return one
    }

    @Test(arguments: Work.allCases)
    func unchangedRecordingIsProcessed(work: Work) throws {
        var one = try recording()
        for answer in [nil, false] as [Bool?] {
            one.isBeingWritten = { _ in answer }
            #expect(work.isDone(work.run(one)))
        }
    }

    @Test(arguments: Work.allCases)
    func changedRecordingReportsNewStamp(work: Work) throws {
        let one = try recording()
        try FileSystem.setModified(one.path, nanoseconds: 5)
        let stamp = try TestWorld.stamp(of: one.path)
        #expect(work.run(one) == .sourceChanged(stamp))
        #expect(files(one) == [])
    }

    @Test(arguments: Work.allCases)
    func missingRecordingIsReportedWithoutStamp(work: Work) throws {
        let one = try recording()
        try FileSystem.remove(one.path)
        #expect(work.run(one) == .sourceChanged(nil))
        #expect(files(one) == [])
    }

    @Test(arguments: Work.allCases)
    func recordingOpenForWritingIsRefused(work: Work) throws {
        var one = try recording()
        let asked = Mutex<[Pathname]>([])
        let path = one.path
        one.isBeingWritten = { path in
            asked.withLock { $0.append(path) }
            return true
        }
        let stage: Stage = work == .listening ? .decode : .trim
        let failure = RecordingFailure(stage: stage, reason: .beingWritten)
        #expect(work.run(one) == .failed(failure, measured: nil))
        #expect(asked.withLock { $0 } == [path])
        #expect(one.outputs == [])
    }

    @Test(arguments: Work.allCases)
    func writersAreNotCheckedWithoutPatience(work: Work) throws {
        var one = try recording(isPatient: false)
        one.isBeingWritten = { _ in
            Issue.record("it asked")
            return true
        }
        #expect(work.isDone(work.run(one)))
    }

    /// Sound that is complete, and yet not the one that the scan saw.
    @Test(arguments: Work.allCases)
    func outputOfRecordingChangedDuringPassIsDiscarded(work: Work) throws {
        let one = change(try recording()) { try FileSystem.setModified($0, nanoseconds: 5) }
        let action = work.run(one)
        #expect(action == .sourceChanged(try TestWorld.stamp(of: one.path)))
        #expect(files(one) == [])
    }

    /// A failure that comes of the change, and tells nothing of the recording.
    @Test(arguments: Work.allCases)
    func recordingTruncatedDuringPassIsReportedAsChanged(work: Work) throws {
        let one = change(try recording()) { path in
            let isCut = path.withCString { truncate($0, 1000) }
            #expect(isCut == 0)
        }
        let action = work.run(one)
        #expect(action == .sourceChanged(try TestWorld.stamp(of: one.path)))
        #expect(files(one) == [])
    }

    @Test(arguments: Work.allCases)
    func recordingDeletedDuringPassIsReported(work: Work) throws {
        let one = change(try recording()) { try FileSystem.remove($0) }
        #expect(work.run(one) == .sourceChanged(nil))
        #expect(files(one) == [])
    }

    @Test(arguments: Work.allCases)
    func truncatedUnchangedRecordingFails(work: Work) throws {
        var one = try recording()
        one.world.add("A/b.wav", Array(SmallWAV.bytes(SmallWAV.voice()).prefix(20_000)))
        one.source.stamp = try TestWorld.stamp(of: one.path)
        #expect(OneRecording.reason(work.run(one)) == .truncated)
        #expect(files(one) == [])
    }

    /// What the scan saw is there again by the time that is looked at.
    @Test func recordingChangedBackIsReportedAsChanged() throws {
        let one = try recording()
        let failure = RecordingFailure(stage: .decode, reason: .changed)
        #expect(
            SourceCheck.answer(to: failure, of: one.path, one.source)
                == .sourceChanged(one.source.stamp))
    }

    /// Where nothing is waited for, either; a FLAC that was written over was once told as damaged.
    @Test func decodeFailureOfChangedRecordingIsReportedAsChanged() throws {
        let one = try recording(isPatient: false)
        func answer(_ reason: RecordingFailure.Reason) -> RecordingFailure.Reason? {
            let failure = RecordingFailure(stage: .decode, reason: reason, frame: 7)
            let measured = Measurements(format: nil)
            let action = SourceCheck.answer(
                to: failure, measured: measured, of: one.path, one.source)
            guard case .failed(let told, let kept) = action else { return nil }
            #expect((kept == nil) == (told.reason == .changed) && told.stage == .decode)
            return told.reason
        }
        #expect(answer(.corrupt) == .corrupt)
        try FileSystem.setModified(one.path, nanoseconds: 5)
        #expect(answer(.corrupt) == .changed && answer(.truncated) == .changed)
        #expect(answer(.noSpace) == .noSpace && answer(.inputOutput) == .inputOutput)
        try FileSystem.remove(one.path)
        #expect(answer(.corrupt) == .corrupt)
    }
}
