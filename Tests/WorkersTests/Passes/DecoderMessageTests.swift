import Audio
import Jobs
import Recordings
import TestSupport
import Testing

@testable import Workers

/// What the decoder prints, in what is said of a recording.
@Suite struct DecoderMessageTests {
    private let world = TestWorld()

    private func listen(
        _ bytes: [UInt8], _ tolerance: FaultTolerance = .all
    ) throws -> Job.Action {
        let path = world.add("A/b.sds", bytes)
        let source = RecordingSource(
            folder: "A", name: "b.sds", stamp: try TestWorld.stamp(of: path))
        return ListeningPass(
            order: ListeningOrder(
                source: source, stages: [.levels, .silence], tolerance: tolerance),
            places: world.places, ownership: world.ownership, cancellation: Cancellation()
        ).run()
    }

    @Test func messageIsStoredForDecodedRecording() throws {
        guard case .listened(let measured, _) = try listen(NoisySound.sampleDump()) else {
            return #expect(Bool(false), "it was not listened to")
        }
        #expect(measured.decoderMessage?.hasPrefix("Error A : AA") == true)
        #expect(measured.warnings == [RecordingWarning(.decoderMessage)])
    }

    @Test func messageFollowsOtherWarnings() throws {
        guard case .listened(let measured, _) = try listen(NoisySound.sampleDump(packets: 2))
        else { return #expect(Bool(false), "it was not listened to") }
        #expect(measured.warnings?.map(\.kind) == [.truncated, .decoderMessage])
    }

    @Test func messageBecomesDetailOfFailure() throws {
        let answer = try listen(NoisySound.sampleDump(packets: 2), .none)
        guard case .failed(let failure, let measured) = answer else {
            return #expect(Bool(false), "it did not fail")
        }
        #expect(failure.reason == .truncated)
        #expect(failure.frame == 80 && failure.expected == 120)
        let message = try #require(measured?.decoderMessage)
        #expect(failure.detail == message)
        #expect(message.hasPrefix("Error A : AA"))
    }

    @Test func messageIsAppendedToFailureDetail() {
        let failure = RecordingFailure(stage: .decode, reason: .corrupt, detail: "Bad.")
        #expect(failure.noting(decoderMessage: "Error 1").detail == "Bad.; Error 1")
        #expect(failure.noting(decoderMessage: nil) == failure)
        let answer = Job.Action.failed(failure, measured: nil).noting(decoderMessage: "Error 1")
        guard case .failed(let told, let measured) = answer else {
            return #expect(Bool(false), "it is another answer")
        }
        #expect(told.detail == "Bad.; Error 1" && measured?.decoderMessage == "Error 1")
        // The recording is not to blame, and was hardly read.
        let other = RecordingFailure(stage: .decode, reason: .permissionDenied)
        let unchanged = Job.Action.failed(other, measured: nil)
        #expect(unchanged.noting(decoderMessage: "Error 1") == unchanged)
        #expect(Job.Action.cancelled.noting(decoderMessage: "Error 1") == .cancelled)
    }

    @Test func messageIsReportedByInspection() throws {
        let path = world.add("A/b.sds", NoisySound.sampleDump())
        let inspection = try InspectionPass(path, recipe: SilenceRecipe(), isForPicture: false)
            .run()
        #expect(inspection.decoderMessage?.hasPrefix("Error A : AA") == true)
        let cut = world.add("A/c.sds", NoisySound.sampleDump(packets: 2))
        let partial = try InspectionPass(cut, recipe: SilenceRecipe(), isForPicture: false).run()
        #expect(partial.failure == nil)
        #expect(partial.warnings?.map(\.kind) == [.truncated])
        #expect(partial.decoderMessage != nil)
    }
}
