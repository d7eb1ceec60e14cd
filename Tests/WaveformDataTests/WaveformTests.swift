import Recordings
import Testing
import WaveformData

@Suite struct WaveformTests {
    private let stereo = Waveform(
        sampleRateHertz: 16000, samplesPerPixel: 64, bits: 8, channels: 2,
        values: [-1, 1, -128, 127, 0, 0, -3, 4])

    @Test func dividesBy256TowardZeroForEightBits() {
        let peaks = Peaks(
            samplesPerPixel: 2, channels: 1, values: [-32768, 32767, -255, 255, -256, 256])
        let waveform = Waveform(peaks: peaks, sampleRateHertz: 8000, bits: 8)
        #expect(waveform.values == [-128, 127, 0, 0, -1, 1])
        #expect(Waveform(peaks: peaks, sampleRateHertz: 8000, bits: 16).values == peaks.values)
    }

    @Test func writesVersionOneForOneChannel() {
        let waveform = Waveform(
            sampleRateHertz: 0x0001_0203, samplesPerPixel: 256, bits: 16, channels: 1,
            values: [-2, 0x0102])
        #expect(
            waveform.binaryBytes() == [
                1, 0, 0, 0, 0, 0, 0, 0, 3, 2, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0xFE, 0xFF, 2, 1,
            ])
    }

    @Test func writesVersionTwoForSeveralChannelsAndWhereAskedTo() {
        #expect(
            stereo.binaryBytes() == [
                2, 0, 0, 0, 1, 0, 0, 0, 0x80, 0x3E, 0, 0, 64, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0,
                0xFF, 1, 0x80, 127, 0, 0, 0xFD, 4,
            ])
        let mono = Waveform(
            sampleRateHertz: 8000, samplesPerPixel: 2, bits: 8, channels: 1, values: [1, 2])
        #expect(mono.binaryBytes(asVersion2: true).count == 26)
        #expect(mono.binaryBytes(asVersion2: true)[20] == 1)
    }

    @Test func writesJSONInTheOrderThatReadersTake() {
        let text = String(decoding: stereo.jsonBytes(), as: UTF8.self)
        #expect(
            text
                == #"{"version":2,"channels":2,"sample_rate":16000,"samples_per_pixel":64,"#
                + #""bits":8,"length":2,"data":[-1,1,-128,127,0,0,-3,4]}"# + "\n")
    }

    @Test func writesEveryValueInDecimal() {
        let values: [Int16] = [0, 9, 10, 99, 100, 999, 1000, 9999, 10000, 32767, -32768, -10]
        let waveform = Waveform(
            sampleRateHertz: 1, samplesPerPixel: 2, bits: 16, channels: 1, values: values)
        let text = String(decoding: waveform.jsonBytes(), as: UTF8.self)
        #expect(text.hasSuffix("[\(values.map(String.init).joined(separator: ","))]}\n"))
    }

    @Test func readsBackWhatItWrites() throws {
        for bits in [8, 16] {
            for channels in [1, 2, 5] {
                let scale = bits == 8 ? 1 : 257
                let values = (0..<channels * 2 * 20000).map { Int16(($0 % 255 - 127) * scale) }
                let waveform = Waveform(
                    sampleRateHertz: 44100, samplesPerPixel: 256, bits: bits, channels: channels,
                    values: values)
                #expect(try Waveform(binary: waveform.binaryBytes()) == waveform)
                #expect(try Waveform(binary: waveform.binaryBytes(asVersion2: true)) == waveform)
                #expect(try Waveform(json: waveform.jsonBytes()) == waveform)
            }
        }
    }

    @Test func readsAndWritesAnEmptyWaveform() throws {
        let empty = Waveform(
            sampleRateHertz: 8000, samplesPerPixel: 256, bits: 8, channels: 1, values: [])
        #expect(try Waveform(binary: empty.binaryBytes()) == empty)
        #expect(try Waveform(json: empty.jsonBytes()) == empty)
    }

    @Test func handsOverBoundedChunks() {
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

    @Test func stopsWhereTheWriterThrows() {
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

@Suite struct MalformedWaveformTests {
    private let valid = Waveform(
        sampleRateHertz: 8000, samplesPerPixel: 64, bits: 8, channels: 1, values: [-1, 1, -2, 2])

    private func binary(_ change: (inout [UInt8]) -> Void) -> [UInt8] {
        var bytes = valid.binaryBytes(asVersion2: true)
        change(&bytes)
        return bytes
    }

    @Test func refusesMalformedBinaryFiles() {
        #expect(throws: WaveformError.headerTooShort) {
            try Waveform(binary: binary { $0.removeLast(5) }.dropLast(0).prefix(19).map { $0 })
        }
        #expect(throws: WaveformError.unknownVersion(3)) {
            try Waveform(binary: binary { $0[0] = 3 })
        }
        #expect(throws: WaveformError.truncated(expectedValues: 4, foundValues: 3)) {
            try Waveform(binary: binary { $0.removeLast() })
        }
        #expect(throws: WaveformError.badField("flags")) {
            try Waveform(binary: binary { $0[4] = 2 })
        }
        #expect(throws: WaveformError.badField("sample_rate")) {
            try Waveform(binary: binary { $0[8...11] = [0, 0, 0, 0] })
        }
        #expect(throws: WaveformError.badField("samples_per_pixel")) {
            try Waveform(binary: binary { $0[12] = 1 })
        }
        #expect(throws: WaveformError.badField("channels")) {
            try Waveform(binary: binary { $0[20] = 0 })
        }
    }

    @Test func survivesALengthBeyondTheFile() {
        let bytes = binary { $0[16...19] = [255, 255, 255, 255] }
        #expect(throws: WaveformError.truncated(expectedValues: 8_589_934_590, foundValues: 4)) {
            try Waveform(binary: bytes)
        }
    }

    private func json(_ text: String) throws(WaveformError) -> Waveform {
        try Waveform(json: Array(text.utf8))
    }

    @Test func readsJSONWithSpaceAndWithoutChannels() throws {
        let text = """
             { "sample_rate" : 8000, "samples_per_pixel":64, "bits":8,
               "length":2, "data":[ -1 , 1,-2,2 ] }

            """
        #expect(try json(text) == valid)
    }

    @Test func refusesMalformedJSON() {
        let head = #"{"sample_rate":8000,"samples_per_pixel":64,"bits":8,"length":2,"#
        #expect(throws: WaveformError.wrongValueCount(expected: 4, found: 2)) {
            try json(head + #""data":[1,2]}"#)
        }
        #expect(throws: WaveformError.missingKey("data")) { try json(head + #""version":2}"#) }
        #expect(throws: WaveformError.unknownKey("extra")) { try json(head + #""extra":1}"#) }
        #expect(throws: WaveformError.unknownVersion(9)) {
            try json(head + #""version":9,"data":[1,2,3,4]}"#)
        }
        #expect(throws: WaveformError.badField("data")) {
            try json(head + #""data":[1,2,3,40000]}"#)
        }
        #expect(throws: WaveformError.badField("data")) {
            try json(head + #""data":[1,2,3,400]}"#)
        }
        #expect(throws: WaveformError.missingKey("sample_rate")) {
            try json(#"{"samples_per_pixel":64,"bits":8,"length":0,"data":[]}"#)
        }
    }

    @Test(arguments: [
        "", "{", "[]", "{}x", #"{"data":[1,]}"#, #"{"data":[1"#, #"{"bits":08}"#, #"{"bits":-}"#,
        #"{"bits":8,"bits":8}"#, #"{"bits" 8}"#, #"{"bits":1.5}"#, #"{"bits":99999999999}"#,
        #"{"data":[]"#, "{\"bit",
    ])
    func tellsWhereJSONBreaksOff(text: String) {
        #expect {
            try json(text)
        } throws: {
            if case .malformedJSON = $0 as? WaveformError { true } else { false }
        }
    }
}
