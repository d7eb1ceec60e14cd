import Foundation
import Jobs
import Recordings
import ReducerKit
import TestSupport
import Testing

@testable import Workers

@Suite struct ListeningPassTests {
    @Test func measuresAllInOneGo() throws {
        let one = try OneRecording()
        guard case .listened(let measured, let staged) = one.listen() else {
            return #expect(Bool(false), "it was not listened to")
        }
        #expect(
            measured.format
                == AudioFormat(
                    container: .wav, encoding: .pcm16, sampleRateHertz: 8000, channels: 1,
                    frames: 24_000))
        let peak = try #require(measured.levels?.peakDBFS.first ?? nil)
        #expect(abs(peak - -6.02) < 0.02)
        let silences = try #require(measured.silence?.intervalsSeconds)
        #expect(silences.count == 2)
        #expect(measured.silence?.silent == false)
        #expect(measured.waveforms?.map(\.path) == ["b.wav.dat"])
        #expect(measured.sourceSHA256 == (try StagedOutput.receipt(of: one.path).sha256))
        #expect(staged == [StagedFile(temporary: ".tapedeck.1.0.partial", name: "b.wav.dat")])
        #expect(one.outputs == ["A", "A/.tapedeck.1.0.partial"])
    }

    @Test func writesAFileForEachZoomWithItsSourcesTime() throws {
        let one = try OneRecording()
        guard case .listened(let measured, let staged) = one.listen(zooms: [256, 512])
        else { return #expect(Bool(false), "it was not listened to") }
        #expect(staged.map(\.name) == ["b.wav.dat", "b.wav.512.dat"])
        #expect(one.outputs == ["A", "A/.tapedeck.1.0.partial", "A/.tapedeck.1.1.partial"])
        for (file, place) in zip(try #require(measured.waveforms), staged) {
            #expect(file.path == place.name)
            let stamp = try TestWorld.stamp(
                of: one.world.output.appending("A").appending(place.temporary))
            #expect(stamp.bytes == file.bytes)
            #expect(stamp.modifiedNanoseconds == one.source.stamp.modifiedNanoseconds)
        }
    }

    @Test func doesOnlyWhatItIsAskedFor() throws {
        let one = try OneRecording()
        guard case .listened(let measured, let staged) = one.listen(.silence) else {
            return #expect(Bool(false), "it was not listened to")
        }
        #expect(measured.levels == nil)
        #expect(measured.waveforms == nil)
        #expect(measured.sourceSHA256 == nil)
        #expect(measured.silence != nil)
        #expect(staged.isEmpty && one.outputs.isEmpty)
    }

    @Test func forTheChecksumAloneDecodesNothing() throws {
        // What no decoder would take.
        let world = TestWorld()
        let path = world.add("A/b.wav", Array("abc".utf8))
        let order = ListeningOrder(
            source: RecordingSource(
                folder: "A", name: "b.wav", stamp: try TestWorld.stamp(of: path)),
            stages: .checksum)
        let pass = ListeningPass(
            order: order, places: world.places, tag: "1", cancellation: Cancellation())
        var measured = Measurements(format: nil)
        // The example of FIPS 180-2.
        measured.sourceSHA256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(pass.run() == .listened(measured, staged: []))
        #expect(TestWorld.tree(world.output).isEmpty)
    }

    @Test func makesTheChecksumBesideTheRest() throws {
        let one = try OneRecording()
        guard case .listened(let measured, _) = one.listen([.levels, .checksum]) else {
            return #expect(Bool(false), "it was not listened to")
        }
        #expect(measured.levels != nil && measured.format != nil)
        #expect(measured.sourceSHA256 == (try StagedOutput.receipt(of: one.path).sha256))
    }

    @Test func leavesNoWaveformWhereAnotherCannotBeWritten() throws {
        let one = try OneRecording()
        // The second one's temporary name is taken by a folder.
        one.world.makeFolder(one.world.output.appending("A/.tapedeck.1.1.partial"))
        let action = one.listen(zooms: [256, 512])
        #expect(OneRecording.reason(action) != nil)
        #expect(one.outputs == ["A", "A/.tapedeck.1.1.partial"])
    }

    @Test func refusesASourceThatIsNotWhatTheScanSaw() throws {
        let one = try OneRecording()
        try FileSystem.setModified(one.path, nanoseconds: 5)
        #expect(OneRecording.reason(one.listen()) == .changed)
        #expect(one.outputs.isEmpty)
    }

    @Test func saysThatASourceIsGone() throws {
        let one = try OneRecording()
        try FileSystem.remove(one.path)
        #expect(OneRecording.reason(one.listen()) == .vanished)
        #expect(one.outputs.isEmpty)
    }

    @Test func stopsWhenItIsToldTo() throws {
        let one = try OneRecording()
        let cancellation = Cancellation()
        cancellation.cancel()
        #expect(one.listen(cancellation: cancellation) == .cancelled)
        #expect(one.listen(.checksum, cancellation: cancellation) == .cancelled)
        #expect(one.outputs.isEmpty)
    }

    @Test func tellsWhatItHeardOfAFileThatBreaksOff() throws {
        let world = TestWorld()
        let whole = SmallWAV.bytes(SmallWAV.voice())
        let path = world.add("A/b.wav", Array(whole.prefix(whole.count / 2)))
        let source = RecordingSource(
            folder: "A", name: "b.wav", stamp: try TestWorld.stamp(of: path))
        let order = ListeningOrder(source: source, stages: .listening)
        let pass = ListeningPass(
            order: order, places: world.places, tag: "1", cancellation: Cancellation())
        guard case .failed(let failure, let measured?) = pass.run() else {
            return #expect(Bool(false), "it did not fail")
        }
        let heard = Int64((whole.count / 2 - 44) / 2)
        #expect(failure.stage == .decode)
        #expect(failure.reason == .truncated)
        #expect(failure.frame == heard)
        #expect(failure.expected == 24_000)
        #expect(measured.format?.frames == heard)
        #expect(measured.levels != nil)
        #expect(measured.waveforms == nil)
        #expect(TestWorld.tree(world.output).isEmpty)
    }

    @Test func saysThatTheWaveformCouldNotBeWritten() throws {
        let one = try OneRecording()
        one.world.makeFolder(one.world.output)
        one.world.folder.write([], to: "output/A")
        guard case .failed(let failure, let measured) = one.listen() else {
            return #expect(Bool(false), "it did not fail")
        }
        #expect(failure.stage == .waveform)
        #expect(failure.reason == .placeTaken)
        #expect(measured?.levels != nil)
    }
}
