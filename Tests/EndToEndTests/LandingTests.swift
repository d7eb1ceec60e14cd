import Dispatch
import Foundation
import Recordings
import TestSupport
import Testing

/// How long it takes from the close of a recording to its entry in its folder's manifest.
///
/// `LANDINGS` in the environment makes it more landings, tells of how long they took, and holds
/// them to what is promised; otherwise a busy machine is not to fail for being busy.
@Suite(.serialized) struct LandingTests {
    private static let asked = ProcessInfo.processInfo.environment["LANDINGS"].flatMap { Int($0) }
    private static let mostSeconds = 30.0
    private static let medianSeconds = 0.25
    private static let percentile95Seconds = 0.5

    private let library = Library()

    /// Ten seconds of speech.
    private func speech() throws -> [UInt8] {
        let file = Corpus.bytes("interviews/interview_weak_s_mono_pcm16_16000hz.wav")
        let samples = try #require(SmallWAV.samples(in: file))
        let rate = 16_000
        let repeated = (0..<10 * rate).map { samples[$0 % samples.count] }
        return SmallWAV.bytes(repeated, sampleRateHertz: rate)
    }

    @Test func newRecordingReachesManifestWithinTimeLimit() async throws {
        let landings = LandingTests.asked ?? 8
        var generator = SeededGenerator(seed: 1)
        let speech = try speech()
        let watch = Watch(library)
        await watch.begin()
        var seconds: [Double] = []
        for number in 0..<landings {
            let name = Pathname("\(number).wav")
            let begin = land(speech, as: name, byRename: number % 2 == 1)
            let end = try #require(await sawInManifest(name, watch))
            seconds.append(Double(end - begin) / 1e9)
            // People and recorders take their time.
            let pause = UInt64.random(in: 1_000_000_000...1_600_000_000, using: &generator)
            let next = begin + pause
            while DispatchTime.now().uptimeNanoseconds < next {
                try await Task.sleep(nanoseconds: 5_000_000)
            }
        }
        await watch.stop()
        #expect(watch.events.count(where: \.isDone) == landings)
        judge(seconds)
    }

    /// - Returns: when the file was closed or renamed.
    private func land(_ bytes: [UInt8], as name: Pathname, byRename: Bool) -> UInt64 {
        let path = library.root.appending(name)
        guard byRename else {
            let file = fopen(path.text, "wb")
            fwrite(bytes, 1, bytes.count, file)
            fflush(file)
            let begin = DispatchTime.now().uptimeNanoseconds
            fclose(file)
            return begin
        }
        let temporary = library.add(Pathname(".\(name.text).part"), bytes)
        let begin = DispatchTime.now().uptimeNanoseconds
        rename(temporary.text, path.text)
        return begin
    }

    /// - Returns: when the recording was first seen in the manifest; `nil` where it never came.
    private func sawInManifest(_ name: Pathname, _ watch: Watch) async -> UInt64? {
        let manifest = library.output.appending("manifest.json")
        let entry = Data(#""name":"\#(name.text)""#.utf8)
        let end = DispatchTime.now().uptimeNanoseconds + UInt64(Watch.patienceSeconds * 1e9)
        var known: UInt64 = 0
        while DispatchTime.now().uptimeNanoseconds < end {
            let now = DispatchTime.now().uptimeNanoseconds
            if let status = Snapshot.status(manifest), UInt64(status.st_ino) != known {
                known = UInt64(status.st_ino)
                if Data(TestFolder.bytes(of: manifest)).range(of: entry) != nil { return now }
            }
            try? await Task.sleep(nanoseconds: 2_000_000)
        }
        return nil
    }

    private func judge(_ seconds: [Double]) {
        let sorted = seconds.sorted()
        let median = sorted[sorted.count / 2]
        let percentile95 = sorted[min(sorted.count - 1, sorted.count * 95 / 100)]
        guard LandingTests.asked != nil else {
            #expect(sorted.allSatisfy { $0 < LandingTests.mostSeconds })
            return
        }
        let milliseconds = { (seconds: Double) in Int((seconds * 1000).rounded()) }
        print(
            "landings: \(seconds.count), ms from close to manifest: min"
                + " \(milliseconds(sorted[0])), median \(milliseconds(median)), 95th percentile"
                + " \(milliseconds(percentile95)), max \(milliseconds(sorted[sorted.count - 1]))")
        print("landings: in order \(seconds.map(milliseconds))")
        #expect(median < LandingTests.medianSeconds)
        #expect(percentile95 < LandingTests.percentile95Seconds)
    }
}
