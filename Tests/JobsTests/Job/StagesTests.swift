import Jobs
import Testing

@Suite struct StagesTests {
    @Test func stageNamesFollowProcessingOrder() {
        #expect(Stages.all.names == ["waveform", "levels", "silence", "trim"])
        #expect(Stages([.trim, .checksum, .waveform]).names == ["waveform", "trim", "checksum"])
    }
}
