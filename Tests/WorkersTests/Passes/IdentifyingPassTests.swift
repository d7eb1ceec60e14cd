import Jobs
import Recordings
import TestSupport
import Testing

@testable import Workers

@Suite struct IdentifyingPassTests {
    private let one: OneRecording

    init() throws { one = try OneRecording() }

    private func identify(cancellation: Cancellation = Cancellation()) -> Job.Action {
        var source = one.source
        source.context.value.isPatient = true
        return IdentifyingPass(
            source: source, places: one.world.places, cancellation: cancellation
        ).run()
    }

    @Test func recordingIsIdentifiedByItsSHA256() throws {
        let path = one.world.add("A/abc.wav", Array("abc".utf8))
        let source = RecordingSource(
            folder: "A", name: "abc.wav", stamp: try TestWorld.stamp(of: path))
        let pass = IdentifyingPass(
            source: source, places: one.world.places, cancellation: Cancellation())
        // The first example of FIPS 180-2.
        let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(pass.run() == .identified(digest))
    }

    @Test func changedOrMissingRecordingIsReported() throws {
        try FileSystem.setModified(one.path, nanoseconds: 5)
        #expect(identify() == .sourceChanged(try TestWorld.stamp(of: one.path)))
        try FileSystem.remove(one.path)
        #expect(identify() == .sourceChanged(nil))
    }

    @Test func passStopsWhenCancelled() {
        let cancellation = Cancellation()
        cancellation.cancel()
        #expect(identify(cancellation: cancellation) == .cancelled)
    }
}
