import Foundation
import Recordings
import Testing
import WaveformData

@Suite struct WaveformTests {
    private let stereo = Waveform(
        sampleRateHertz: 16000, samplesPerPixel: 64, bits: 8, channels: 2,
        values: [-1, 1, -128, 127, 0, 0, -3, 4])

    @Test(arguments: [(8, 1), (8, 2), (16, 1), (16, 3)])
    func binaryFormatIsReadAsItWasWritten(bits: Int, channels: Int) {
        let values = (0..<60).map { Int16(($0 * 37) % 250 - 125) * (bits == 16 ? 200 : 1) }
        let waveform = Waveform(
            sampleRateHertz: 8000, samplesPerPixel: 256, bits: bits, channels: channels,
            values: values)
        let bytes = waveform.binaryBytes()
        #expect(Waveform(binary: bytes) == waveform)
        #expect(Waveform(binary: Array(bytes.dropLast())) == nil)
        #expect(Waveform(binary: Array(bytes.prefix(19))) == nil)
        #expect(Waveform(binary: [9] + bytes.dropFirst()) == nil)
    }

    /// Forty pixels a second; from 2 to 2.25 s it is quiet, and from 5 to 5.05 s too briefly.
    @Test func quietestPlaceIsATenthOfASecondWide() {
        let heights = (0..<400).map { pixel in
            (80..<90).contains(pixel) ? 3 : (200..<202).contains(pixel) ? 0 : 90
        }
        let waveform = Waveform(
            sampleRateHertz: 8000, samplesPerPixel: 200, bits: 8, channels: 1,
            values: heights.flatMap { [Int16(-$0), Int16($0 / 2)] })
        #expect((2...2.25).contains(waveform.quietestSecond(in: 1...9)))
        #expect((3...4).contains(waveform.quietestSecond(in: 3...4)))
        #expect(waveform.quietestSecond(in: 20...21) == 20)
    }

    @Test func eightBitValuesAreDividedBy256TowardZero() {
        let peaks = Peaks(
            samplesPerPixel: 2, channels: 1, values: [-32768, 32767, -255, 255, -256, 256])
        let waveform = Waveform(peaks: peaks, sampleRateHertz: 8000, bits: 8)
        #expect(waveform.values == [-128, 127, 0, 0, -1, 1])
        #expect(Waveform(peaks: peaks, sampleRateHertz: 8000, bits: 16).values == peaks.values)
    }

    @Test func oneChannelUsesFormatVersionOne() {
        let waveform = Waveform(
            sampleRateHertz: 0x0001_0203, samplesPerPixel: 256, bits: 16, channels: 1,
            values: [-2, 0x0102])
        #expect(
            waveform.binaryBytes() == [
                1, 0, 0, 0, 0, 0, 0, 0, 3, 2, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0xFE, 0xFF, 2, 1,
            ])
    }

    @Test func severalChannelsUseFormatVersionTwo() {
        #expect(
            stereo.binaryBytes() == [
                2, 0, 0, 0, 1, 0, 0, 0, 0x80, 0x3E, 0, 0, 64, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0,
                0xFF, 1, 0x80, 127, 0, 0, 0xFD, 4,
            ])
    }

    @Test func jsonKeysHaveFixedOrder() {
        let text = String(decoding: stereo.jsonBytes(), as: UTF8.self)
        #expect(
            text
                == #"{"version":2,"channels":2,"sample_rate":16000,"samples_per_pixel":64,"#
                + #""bits":8,"length":2,"data":[-1,1,-128,127,0,0,-3,4]}"# + "\n")
    }

    @Test func jsonValuesAreWrittenInDecimal() {
        let values: [Int16] = [0, 9, 10, 99, 100, 999, 1000, 9999, 10000, 32767, -32768, -10]
        let waveform = Waveform(
            sampleRateHertz: 1, samplesPerPixel: 2, bits: 16, channels: 1, values: values)
        let text = String(decoding: waveform.jsonBytes(), as: UTF8.self)
        #expect(text.hasSuffix("[\(values.map(String.init).joined(separator: ","))]}\n"))
    }

    @Test func floatJSONHasNumbersByChannel() {
        let text = String(decoding: stereo.floatJSONBytes(durationSeconds: 0.0075), as: UTF8.self)
        #expect(
            text
                == #"{"version":1,"channels":2,"sample_rate":16000,"samples_per_pixel":64,"#
                + #""length":2,"duration":0.0075,"#
                + #""peaks":[[-0.00781,0.00781,0,0],[-1,0.99219,-0.02344,0.03125]]}"# + "\n")
    }

    @Test func floatsTellAllValuesApart() throws {
        let values = (Int16.min...Int16.max).map { $0 }
        let waveform = Waveform(
            sampleRateHertz: 8000, samplesPerPixel: 2, bits: 16, channels: 1, values: values)
        struct Read: Decodable {
            var length: Int
            var peaks: [[Double]]
        }
        let read = try JSONDecoder().decode(
            Read.self, from: Data(waveform.floatJSONBytes(durationSeconds: 8.192)))
        #expect(read.length == 32_768 && read.peaks.count == 1)
        let areSame = read.peaks[0].map { Int(($0 * 32_768).rounded()) } == values.map(Int.init)
        #expect(areSame)
        #expect(read.peaks[0].allSatisfy { (-1...1).contains($0) })
        let none = Waveform(
            sampleRateHertz: 8000, samplesPerPixel: 2, bits: 16, channels: 1, values: [])
        let text = String(decoding: none.floatJSONBytes(durationSeconds: 0), as: UTF8.self)
        #expect(text.hasSuffix(#""duration":0.0,"peaks":[[]]}"# + "\n"))
    }

    @Test func longWaveformIsWrittenCompletely() throws {
        for bits in [8, 16] {
            let scale = bits == 8 ? 1 : 257
            let values = (0..<2 * 2 * 20000).map { Int16(($0 % 255 - 127) * scale) }
            let waveform = Waveform(
                sampleRateHertz: 44100, samplesPerPixel: 256, bits: bits, channels: 2,
                values: values)
            let bytes = waveform.binaryBytes().dropFirst(24)
            #expect(
                bytes.elementsEqual(
                    bits == 8
                        ? values.map { UInt8(truncatingIfNeeded: $0) }
                        : values.flatMap {
                            [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
                        }))
            let object = try JSONSerialization.jsonObject(with: Data(waveform.jsonBytes()))
            #expect((object as? [String: Any])?["data"] as? [Int16] == values)
        }
    }

    @Test func emptyWaveformHasNoValues() {
        let empty = Waveform(
            sampleRateHertz: 8000, samplesPerPixel: 256, bits: 8, channels: 1, values: [])
        #expect(empty.binaryBytes().count == 20)
        #expect(String(decoding: empty.jsonBytes(), as: UTF8.self).hasSuffix("\"data\":[]}\n"))
    }

    @Test func writtenChunksAreBoundedInSize() {
        let waveform = Waveform(
            sampleRateHertz: 8000, samplesPerPixel: 256, bits: 16, channels: 1,
            values: Array(repeating: -32768, count: 1_000_000))
        var largest = 0
        var bytes: [UInt8] = []
        waveform.writeJSON { chunk in
            largest = max(largest, chunk.count)
            bytes += chunk
        }
        #expect(largest <= 1 << 18)
        #expect(bytes == waveform.jsonBytes())
        largest = 0
        waveform.writeBinary { largest = max(largest, $0.count) }
        #expect(largest <= 1 << 18)
    }

    @Test func writingStopsWhenWriterThrows() {
        struct Full: Error {}
        var chunks = 0
        #expect(throws: Full.self) {
            try stereo.writeBinary { (_: [UInt8]) throws(Full) in
                chunks += 1
                throw Full()
            }
        }
        #expect(chunks == 1)
    }
}

extension Waveform {
    /// The binary file as a whole.
    func binaryBytes() -> [UInt8] {
        var bytes: [UInt8] = []
        writeBinary { bytes += $0 }
        return bytes
    }

    /// The JSON file as a whole.
    func jsonBytes() -> [UInt8] {
        var bytes: [UInt8] = []
        writeJSON { bytes += $0 }
        return bytes
    }

    func floatJSONBytes(durationSeconds: Double) -> [UInt8] {
        var bytes: [UInt8] = []
        writeFloatJSON(durationSeconds: durationSeconds) { bytes += $0 }
        return bytes
    }
}
