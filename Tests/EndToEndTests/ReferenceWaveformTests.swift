import Foundation
import Recordings
import TestSupport
import Testing

/// What is written for the recordings of the corpus is, byte for byte, what audiowaveform 1.10.3
/// writes for them with the same options: here are the SHA-256 of its files.
@Suite struct ReferenceWaveformTests {
    /// With `-b 8 -z 256`.
    private static let plain: [(recording: Pathname, digest: String)] = [
        (
            "calls/call_antiphase_stereo_pcm16_8000hz.wav",
            "cecf54f47ccbfd783526abb3c045da44079b4c5ec069cfa7ca69d666b63779f9"
        ),
        (
            "calls/call_mono_alaw_8000hz.wav",
            "b48bef5c33c88102d262f4ad45dab8ee93e623a39362145635fca5a66c905480"
        ),
        (
            "calls/call_two_parties_stereo_ulaw_8000hz.wav",
            "2a60c0680cf3a56c8ee02fa1cc317bc3be74d33257f6c59b4d18af9e2df006c6"
        ),
        (
            "calls/voicemail_mono_ima_adpcm_8000hz.wav",
            "0b82a12aaa99e86c674db5d5061265e5a80ed297bb6ecc2ec0c32d0d94cc96b9"
        ),
        (
            "formats/speech_mono_float64_8000hz.wav",
            "6972558e8b55768f6f73efb01644732514d2dd76f0313f5eddf7b1a3160ebaff"
        ),
        (
            "formats/speech_mono_pcm32_8000hz.wav",
            "2773f8bff30695ce03a6d4db89de58ba7cbb4d693ec183337a351eed3ec525ca"
        ),
        (
            "formats/speech_mono_rf64_pcm16_8000hz.wav",
            "fea28d5d6560ab3161dbe5f89440f3b4c5f6d0d634aa4e888bc104c3e2e9e89a"
        ),
        (
            "formats/tones_mono_pcmu8_8000hz.wav",
            "0c5074b47d049b89749ca02e861482b78b8bcc567f4a8e710a35da9b3b5c98a3"
        ),
        (
            "formats/tones_stereo_wavex24_8000hz.wav",
            "8c58cdc293bc2318166088d49e50b1b2d01ce50b1c46598e6d78037a45930df5"
        ),
        (
            "interviews/2024/harbour/keeper_fr_mono_pcm24_16000hz.wav",
            "e6fd51e6402ac40a8362506963711619f3d22d8c47e1b30dd8bbf5ccc3a06758"
        ),
        (
            "interviews/2024/harbour/pilot_de_mono_flac16_16000hz.flac",
            "b273d839245d50d7e455d57fc4b1f4656d5da2b01494165f7adacc94491e10f7"
        ),
        (
            "interviews/interview_mono_pcm16_44100hz.wav",
            "7bbec038e0e4a16001e5741f9724ecf933e7190dc28de934ac777e5913ef582c"
        ),
    ]

    /// The SHA-256 of the waveform that is written for a recording.
    private func digest(
        of recording: Pathname, _ options: [String] = [], ending: String = "dat"
    ) -> String {
        let results = TestFolder()
        let source = Corpus.folder.appending(path: "\(recording)").path
        let options = ["--trim", "off", "--quiet"] + options
        let outcome = Tool.run(["run", source, "--output", results.path.text] + options)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let output = results.path(Pathname("\(recording.lastComponent).\(ending)"))
        return String(Tool.shell("sha256sum <'\(output)'").output.prefix(64))
    }

    @Test func waveformsMatchAudiowaveformForEachEncoding() {
        for (recording, digest) in Self.plain {
            #expect(self.digest(of: recording) == digest, "\(recording)")
        }
    }

    /// audiowaveform also draws the frames that fill up the last block of GSM 6.10.
    ///
    /// So does Tapedeck where the `fact` chunk does not say how many frames there are.
    @Test func gsmWithoutFrameCountMatchesAudiowaveform() throws {
        let path = Corpus.folder.appending(path: "calls/call_mono_gsm610_8000hz.wav").path
        var bytes = TestFolder.bytes(of: Pathname(path))
        let count = try #require(bytes.firstRange(of: Array("fact".utf8))).upperBound + 4
        bytes.replaceSubrange(count..<count + 4, with: [0, 0, 0, 0])
        let source = TestFolder()
        source.write(bytes, to: "uncounted.wav")
        let results = TestFolder()
        let outcome = Tool.run([
            "run", source.path.text, "--output", results.path.text, "--trim", "off", "--quiet",
        ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let sum = Tool.shell("sha256sum <'\(results.path("uncounted.wav.dat"))'").output
        #expect(
            sum.prefix(64) == "47060f3b700d42dcd33b10133d09fb90de1b421fe704cd6be8deeec0231647d2")
    }

    @Test(arguments: [
        (
            ["--waveform-bits", "16"], "dat",
            "b50a54d887c66413f5bd956951d6cb8cb578cd8015f6cef7c3d5aa72fc50a9fa"
        ),
        (
            ["--split-channels"], "dat",
            "46f0d9ddbb722b9eb94de6335fc3564473aa8fdd3fb6cfddd6eb9d9ad669f166"
        ),
        (
            ["--samples-per-pixel", "100"], "dat",
            "4e7696d0b7ab4c080b91488b62cd09522262b290cde2a318e48fb1941a72a62d"
        ),
        (
            ["--waveform-format", "json"], "json",
            "2d7039da464313de7dca6d189fc38edf6cf712c6e7f7645be3c0f2d219648bb2"
        ),
    ]) func eachOptionMatchesAudiowaveform(options: [String], ending: String, digest: String) {
        let recording: Pathname = "calls/call_antiphase_stereo_pcm16_8000hz.wav"
        #expect(self.digest(of: recording, options, ending: ending) == digest)
    }
}
