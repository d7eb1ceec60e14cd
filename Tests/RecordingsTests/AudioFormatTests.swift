import Foundation
import Recordings
import Testing

@Suite struct RoundingTests {
    @Test(arguments: [
        (1.25, 1, 1.3), (-1.25, 1, -1.3), (0.1 + 0.2, 6, 0.3), (2.5, 0, 3), (1e-9, 6, 0),
        (123_456.789_012_4, 6, 123_456.789_012),
    ])
    func numberIsRoundedToNearestDecimal(number: Double, decimals: Int, rounded: Double) {
        #expect(number.rounded(toDecimals: decimals) == rounded)
    }

    @Test(arguments: [-0.0, -1e-12, -0.000_000_4])
    func roundedZeroIsNeverNegative(number: Double) {
        let rounded = number.rounded(toDecimals: 6)
        #expect(rounded == 0)
        #expect(rounded.sign == .plus)
        #expect("\(rounded)" == "0.0")
    }
}

@Suite struct AudioFormatTests {
    @Test(
        arguments: [
            (79_380_000, 44_100, 1800.0), (1, 3, 0.333333), (0, 8000, 0), (5, 0, 0),
            (1, 48_000, 0.000021),
        ] as [(Int64, Int, Double)])
    func durationIsRoundedToMicroseconds(frames: Int64, rate: Int, seconds: Double) {
        let format = AudioFormat(
            container: .wav, encoding: .pcm16, sampleRateHertz: rate, channels: 2, frames: frames)
        #expect(format.durationSeconds == seconds)
    }

    @Test(arguments: [8000, 11_025, 44_100, 48_000, 192_000])
    func frameNumberRoundTripsThroughSeconds(rate: Int) {
        for frame in stride(from: Int64(0), to: Int64(rate) * 36_000, by: 7_919_317) {
            let seconds = Double(frame).seconds(atRate: rate)
            #expect(Int64((seconds * Double(rate)).rounded()) == frame)
        }
    }

    @Test func lossyEncodingsAreRecognised() {
        let lossy = SampleEncoding.allCases.filter { !$0.isLossless }
        let expected: [SampleEncoding] = [
            .gsm610, .imaADPCM, .msADPCM, .vorbis, .opus, .mp3, .aac, .amrNB, .amrWB, .wma, .speex,
            .g722, .g726, .voxADPCM, .other,
        ]
        #expect(lossy == expected)
    }
}

@Suite struct EditListTests {
    private let list = EditList(keeping: [10..<20, 30..<35, 90..<100], of: 100)

    @Test func keptRangesAreConcatenated() {
        #expect(list.edits.map(\.trimmedFrame) == [0, 10, 15])
        #expect(list.edits.map(\.frames) == [10, 5, 10])
        #expect(list.edits.map(\.sourceFrames) == [[10, 20], [30, 35], [90, 100]])
        #expect(list.trimmedFrameCount == 25)
        #expect(list.sourceFrameCount == 100)
    }

    @Test func emptyEditListHasNoFrames() {
        let empty = EditList(keeping: [], of: 100)
        #expect(empty.edits.isEmpty)
        #expect(empty.trimmedFrameCount == 0)
    }

    @Test func editListRoundTripsThroughJSON() throws {
        let json = try JSONEncoder().encode(list)
        #expect(try JSONDecoder().decode(EditList.self, from: json) == list)
    }

    @Test func editEncodesToDocumentedJSON() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let json = try encoder.encode(list.edits[1])
        #expect(
            String(decoding: json, as: UTF8.self) == #"{"sourceFrames":[30,35],"trimmedFrame":10}"#)
    }
}

@Suite struct PeaksTests {
    @Test func lengthIsNumberOfPixelsPerChannel() {
        #expect(Peaks(samplesPerPixel: 2, channels: 2, values: Array(0..<8)).length == 2)
        #expect(Peaks(samplesPerPixel: 2, channels: 0, values: []).length == 0)
    }
}

@Suite struct SilenceMapTests {
    @Test func totalSecondsSumsAllIntervals() {
        let map = SilenceMap(
            noiseFloorDBFS: nil, signalToNoiseDecibels: nil, confidence: 1, separable: true,
            silent: false, intervalsSeconds: [[0, 1.5], [4, 4.25]])
        #expect(map.totalSeconds == 1.75)
    }
}

@Suite struct ManifestTests {
    @Test func recordingsAreSortedByNameBytes() {
        let names: [Pathname] = ["é", "b", "B", Pathname(bytes: [0xFF]), "a"]
        let manifest = Manifest(
            folder: .empty, recipe: Recipe(), recipeFingerprint: "",
            recordings: names.map { ManifestEntry(name: $0, status: .done, source: nil) })
        #expect(manifest.recordings.map(\.name) == ["B", "a", "b", "é", Pathname(bytes: [0xFF])])
        #expect(manifest.folder == ".")
        #expect(manifest.version == Manifest.currentVersion)
    }
}
