import Foundation
import Recordings
import TestSupport
import Testing

/// A call with a channel for each who speaks, by the built binary.
@Suite struct ChannelTests {
    private let library = Library()
    private static let rate = 8000
    private static let agent = [[1.0, 4], [8, 11]]
    private static let customer = [[4.5, 7.5], [12, 14]]

    /// Both have noise of their own, and hear the other 50 dB below.
    private func addCall() {
        let parts = [(Self.agent, 118.0), (Self.customer, 205)].map { turns, hertz in
            var samples = [Float](repeating: 0, count: 16 * Self.rate)
            for turn in turns {
                let voice = SpokenSound.samples(
                    hertz: hertz, seconds: turn[1] - turn[0], sampleRateHertz: Self.rate)
                let first =
                    Int(turn[0]) * Self.rate + Int((turn[0] - turn[0].rounded(.down)) * 8000)
                for (index, sample) in voice.enumerated() { samples[first + index] = sample }
            }
            return samples
        }
        var random = SeededGenerator(seed: 3)
        var stereo: [Int16] = []
        for index in parts[0].indices {
            for channel in 0..<2 {
                let noise = Float(Int.random(in: -20...20, using: &random))
                let own = parts[channel][index] + 0.003 * parts[1 - channel][index]
                stereo.append(Int16(max(-32_767, min(32_767, own * 3000 + noise))))
            }
        }
        library.add("call.wav", SmallWAV.bytes(stereo, channels: 2))
    }

    private func expect(_ segments: [SoundSegment]?, are turns: [[Double]]) {
        #expect(segments?.count == turns.count)
        for (segment, turn) in zip(segments ?? [], turns) {
            #expect(abs(segment.startSeconds - turn[0]) < 0.15)
            #expect(abs(segment.endSeconds - turn[1]) < 0.15)
        }
    }

    private func export(_ format: String) -> String {
        let place = library.folder.path("exports")
        let export = Tool.run(
            ["export", library.root.text, "--to", format, "--into", place.text, "--overwrite"])
        #expect(export.status == 0)
        let names = Snapshot(place).files.filter { !$0.text.contains("/") }
        let ending = ["rttm": ".rttm", "textgrid": ".TextGrid", "audacity": ".txt"][format]
        let name = names.first { $0.text.hasSuffix(ending ?? "") }
        return String(decoding: TestFolder.bytes(of: place.appending(name ?? "")), as: UTF8.self)
    }

    @Test func eachChannelIsHeardByItself() throws {
        addCall()
        #expect(library.run("--channels", "each", "--trim", "gaps").status == 0)
        let entry = try #require(try library.manifest()["call.wav"])
        let silence = try #require(entry.silence)
        let channels = try #require(silence.channels)
        #expect(channels.count == 2)
        expect(channels[0].segments, are: Self.agent)
        expect(channels[1].segments, are: Self.customer)
        // Shorter pauses are none.
        expect(silence.segments, are: [[1, 11], [12, 14]])
        // What is cut is silent in both.
        let trimmed = try #require(entry.trimmed)
        for edit in zip(trimmed.edits, trimmed.edits.dropFirst()) {
            let gap = [edit.0.source.upperBound, edit.1.source.lowerBound]
                .map { Double($0) / Double(Self.rate) }
            for channel in channels {
                #expect(channel.intervalsSeconds.contains { $0[0] <= gap[0] && gap[1] <= $0[1] })
            }
        }
        let rttm = export("rttm").split(separator: "\n").map { $0.split(separator: " ") }
        #expect(rttm.map { $0[2] } == ["1", "2", "1", "2"])
        #expect(rttm.map { $0[7] } == ["channel1", "channel2", "channel1", "channel2"])
        #expect(export("textgrid").contains("size = 2\nitem []:"))
        #expect(export("audacity").contains("sound 2\n"))
    }

    @Test func togetherIsTheDefaultAndRemembered() throws {
        addCall()
        #expect(library.run().status == 0)
        #expect(try library.manifest()["call.wav"]?.silence?.channels == nil)
        let change = library.run("--channels", "each")
        #expect(change.output.contains("silence will be detected again in 1 recording"))
        #expect(library.run().output.contains("1 up to date"))
        #expect(try library.manifest()["call.wav"]?.silence?.channels?.count == 2)
        let query = Tool.run([
            "query", "SELECT channel, count(*) FROM segments GROUP BY channel", library.root.text,
            "--csv",
        ])
        #expect(query.outputLines.dropFirst() == [",2", "1,2", "2,2"])
    }

    @Test func inspectCountsTheSegmentsOfEachChannel() {
        addCall()
        let call = library.root.appending("call.wav").text
        let outcome = Tool.run(["inspect", call, "--channels", "each"])
        #expect(outcome.output.contains("channel 1: 2 segments of sound, 6"))
        #expect(outcome.output.contains("channel 2: 2 segments of sound, 5"))
    }

    @Test(arguments: ["wav", "mp3"]) func turnsAreSplitByChannel(kind: String) throws {
        addCall()
        if kind == "mp3" {
            let convert =
                "ffmpeg -v error -nostdin -y -i call.wav -c:a libmp3lame call.mp3 && rm call.wav"
            #expect(Tool.shell("cd '\(library.root.text)' && \(convert)").status == 0)
        }
        let place = library.folder.path("parts")
        #expect(library.run("--channels", "each").status == 0)
        let split = Tool.run(
            ["split", library.root.text, "--into", place.text, "--format", "wav"])
        #expect(split.outputLines == ["1 recording, 4 segments written in \(place)"])
        let names = Snapshot(place).files.map(\.text).filter { $0.hasSuffix(".wav") }
        #expect(
            names.map { $0.prefix(11) } == [
                "call-1_0001", "call-1_0002", "call-2_0001", "call-2_0002",
            ])
        // Mono, three seconds of 16 bits.
        let bytes = TestFolder.bytes(of: place.appending(Pathname(names[0])))
        #expect(abs(bytes.count - 2 * 3 * Self.rate) < 3000)
        let list = String(
            decoding: TestFolder.bytes(of: place.appending("metadata.jsonl")), as: UTF8.self)
        #expect(list.split(separator: "\n").count { $0.contains("\"channel\":2") } == 2)
    }
}
