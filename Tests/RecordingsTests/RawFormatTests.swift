import Recordings
import Testing

@Suite struct RawFormatTests {
    @Test func textNamesEncodingRateAndChannels() {
        let cases: [(String, RawFormat?)] = [
            ("s16le,8000,1", RawFormat(.pcm16, sampleRateHertz: 8000)),
            (
                "s16be,44100,2",
                RawFormat(.pcm16, sampleRateHertz: 44_100, channels: 2, isBigEndian: true)
            ),
            ("F32LE,48000", RawFormat(.float32, sampleRateHertz: 48_000)),
            ("ulaw,8000", RawFormat(.muLaw, sampleRateHertz: 8000)),
            ("gsm,8000,1", RawFormat(.gsm610, sampleRateHertz: 8000)),
            ("g722,16000", RawFormat(.g722, sampleRateHertz: 16_000)),
            ("s16le", nil), ("s16le,", nil), ("s16le,x", nil), ("s16le,0", nil),
            ("s16le,8000,0", nil), ("s16le,8000,300", nil), ("s16le,8000,1,1", nil),
            ("s17le,8000", nil), ("", nil), ("gsm,8000,2", nil), ("g722,8000", nil),
        ]
        for (text, format) in cases { #expect(RawFormat(text: text) == format, "\(text)") }
    }

    @Test func everyEncodingCanBeNamedAndReadBack() {
        #expect(RawFormat.encodingNames.count == 17)
        for name in RawFormat.encodingNames {
            let text = name + ",16000,1"
            #expect(RawFormat(text: text)?.text == text)
        }
    }
}
