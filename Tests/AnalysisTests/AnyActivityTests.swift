import Analysis
import Recordings
import TestSupport
import Testing

/// `--activity any`: whatever is not usual in a recording is sound, however long it lasts, however
/// soft it is beside others and wherever in the spectrum it lies.
@Suite struct AnyActivityTests {
    private func map(_ signal: Signal) -> SilenceMap {
        silenceMap([signal]) { $0.activity = .any }
    }

    /// A steady machine longer than the window that the floor is taken from.
    @Test(arguments: [10.0, 30, 42]) func machineNoiseLongerThanFloorWindowIsKept(start: Double) {
        let machine = Signal.noise(levelDBFS: -35, seconds: 12, seed: 4)
        let signal = Signal.noise(levelDBFS: -70, seconds: 60).adding(machine, atSeconds: start)
        let found = map(signal)
        #expect(found.separable && !found.silent)
        #expect(found.silentSeconds(within: start...start + 12) == 0)
        #expect(found.totalSeconds > 45)
    }

    @Test func machineNoiseRunningToTheEndIsKept() {
        let machine = Signal.noise(levelDBFS: -35, seconds: 30, seed: 4)
        let found = map(Signal.noise(levelDBFS: -70, seconds: 60).adding(machine, atSeconds: 30))
        #expect(found.silentSeconds(within: 30...60) == 0)
        #expect(found.totalSeconds > 28)
    }

    @Test func steadyNoiseAloneIsStillSilent() {
        #expect(map(.noise(levelDBFS: -70, seconds: 60)).silent)
        #expect(map(.fan(levelDBFS: -45, seconds: 60)).silent)
    }

    /// For speech, what is forty decibels beneath the loudest voices is none.
    @Test func softSongFarBelowLoudCallIsKept() {
        let call = Signal.tone(
            hertz: 1000, levelDBFS: -10, seconds: 3, sampleRateHertz: 48_000)
        let song = Signal.tone(
            hertz: 3000, levelDBFS: -50, seconds: 3, sampleRateHertz: 48_000)
        let ground = Signal.noise(levelDBFS: -85, seconds: 40, sampleRateHertz: 48_000)
        let found = map(ground.adding(call, atSeconds: 1).adding(song, atSeconds: 15))
        #expect(found.silentSeconds(within: 15...18) == 0)
        #expect(found.totalSeconds > 30)
    }

    @Test(arguments: [48_000, 96_000, 192_000]) func birdSongIsKeptAtHighSampleRates(rate: Int) {
        let song = Signal.tone(
            hertz: 10_000, levelDBFS: -56, seconds: 1.5, sampleRateHertz: rate)
        let ground = Signal.noise(levelDBFS: -75, seconds: 12, sampleRateHertz: rate)
        let found = map(ground.adding(song, atSeconds: 5))
        #expect(found.silentSeconds(within: 5...6.5) == 0)
        #expect(found.totalSeconds > 9.5)
    }

    /// Of these rates no half is left after the bands, which end at 6.85 kHz.
    @Test(arguments: [
        (16_000, 7500.0), (22_050, 7500), (22_050, 10_000), (24_000, 11_000), (32_000, 9000),
    ]) func toneAboveMelBandsIsKept(rate: Int, hertz: Double) {
        let song = Signal.tone(hertz: hertz, levelDBFS: -30, seconds: 2, sampleRateHertz: rate)
        let ground = Signal.noise(levelDBFS: -70, seconds: 12, sampleRateHertz: rate)
        let found = map(ground.adding(song, atSeconds: 5))
        #expect(found.silentSeconds(within: 5...7) == 0)
        #expect(found.totalSeconds > 9)
    }
}
