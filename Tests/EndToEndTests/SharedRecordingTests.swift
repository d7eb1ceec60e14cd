import Recordings
import TestSupport
import Testing

/// A recording that is long enough for several workers.
@Suite struct SharedRecordingTests {
    /// A voice that comes back every few seconds, for five minutes and more.
    private static func longRecording() -> [UInt8] {
        let once = SmallWAV.bytes(SmallWAV.voice(after: 0.9, seconds: 2.13, before: 1.3))
        let sound = once[44...]
        var bytes = Array(once[..<44])
        let times = 310 * 2 * SmallWAV.sampleRateHertz / sound.count
        for _ in 0..<times { bytes += sound }
        // The lengths of all, and of the sound.
        for (place, length) in [(4, bytes.count - 8), (40, bytes.count - 44)] {
            for byte in 0..<4 {
                bytes[place + byte] = UInt8(truncatingIfNeeded: length >> (8 * byte))
            }
        }
        return bytes
    }

    @Test func leavesTheSameBytesHoweverManyWorkersListen() {
        let library = Library()
        library.add("A/long.wav", SharedRecordingTests.longRecording())
        let trace = library.folder.path("trace")
        var outputs: [[Pathname: [UInt8]]] = []
        for jobs in ["1", "2", "3"] {
            let output = library.folder.path(Pathname("output\(jobs)"))
            let outcome = Tool.run([
                "run", library.root.text, "--output", output.text, "--jobs", jobs, "--trace",
                trace.text, "--samples-per-pixel", "256,1000",
            ])
            #expect(outcome.status == 0 && outcome.outputLines.first == "1 recording: 1 done")
            let order = String(decoding: TestFolder.bytes(of: trace), as: UTF8.self)
            #expect(order.contains("\"workers\":\(jobs)"))
            outputs.append(Snapshot(output).sights.mapValues(\.contents))
        }
        // Two waveforms, the copy, the manifest, the folders, and what marks it as an output.
        #expect(outputs[0].count == 7)
        #expect(outputs[1] == outputs[0])
        #expect(outputs[2] == outputs[0])
    }
}
