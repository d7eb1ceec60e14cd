import Recordings
import Testing

@Suite struct EarlierOutputsTests {
    private func waveform(_ path: Pathname) -> WaveformFile {
        WaveformFile(
            path: path, samplesPerPixel: 256, bits: 8, channels: 1, length: 1, bytes: 22,
            sha256: "aa")
    }

    private var outputs: EarlierOutputs {
        EarlierOutputs(
            format: nil, source: FileStamp(bytes: 1, modifiedNanoseconds: 2),
            trimmed: TrimmedFile(
                path: "b", durationSeconds: 1, bytes: 3, sha256: "bb", edits: [],
                waveforms: [waveform("b.trimmed.dat"), waveform("b.trimmed.64.dat")]),
            waveforms: [waveform("b.dat")])
    }

    @Test func filesIncludeWaveformsOfTheCopy() {
        #expect(outputs.names == ["b.dat", "b", "b.trimmed.dat", "b.trimmed.64.dat"])
        #expect(
            outputs.files.map(\.kind) == [.waveform, .copy, .copyWaveform, .copyWaveform])
    }

    @Test(
        arguments: [
            ["b.dat", "b", "b.trimmed.dat", "b.trimmed.64.dat"], ["b"], ["b.trimmed.dat"],
            ["b", "b.trimmed.64.dat"], ["b.dat", "b.trimmed.64.dat"], [],
        ] as [[Pathname]])
    func everyFileIsToldOfByItself(names: [Pathname]) {
        let told = [outputs].telling(of: names)
        #expect(Set(told.flatMap(\.names)) == Set(names))
        #expect(told.count == (names.isEmpty ? 0 : 1))
        #expect([outputs, outputs].telling(of: names).count == told.count)
    }
}
