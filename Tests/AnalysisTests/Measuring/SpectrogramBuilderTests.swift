import Analysis
import Recordings
import TestSupport
import Testing

@Suite struct SpectrogramBuilderTests {
    private func spectrogram(_ channels: [Signal], blockFrames: Int = 4096) -> Spectrogram {
        var builder = SpectrogramBuilder(
            sampleRateHertz: channels[0].sampleRateHertz, channels: channels.count)
        for block in BlockSequence(channels.map(\.samples), blockFrames: blockFrames) {
            builder.consume(block)
        }
        return builder.finish()
    }

    /// The row that holds a frequency, and the loudest row of a column.
    private func rows(_ picture: Spectrogram, hertz: Double, column: Int) -> (Int?, Int?) {
        let place = picture.edgesHertz.firstIndex { $0 > hertz }.map { $0 - 1 }
        let levels = picture.levelsDBFS[
            column * picture.rows..<(column + 1) * picture.rows]
        let loudest = levels.indices.max { levels[$0] < levels[$1] }
        return (place, loudest.map { $0 - levels.startIndex })
    }

    @Test(arguments: [300.0, 1_000, 3_000, 7_000])
    func toneIsLoudestInRowOfItsFrequency(hertz: Double) throws {
        let tone = Signal.tone(
            hertz: hertz, levelDBFS: -20, seconds: 1, sampleRateHertz: 16_000)
        let picture = spectrogram([tone])
        #expect(picture.columns == 100 && picture.framesPerColumn == 160)
        for column in [10, 50, 90] {
            let (row, loudest) = rows(picture, hertz: hertz, column: column)
            // Rows of low frequencies are narrower than what the transform can tell apart.
            let distance = try abs(#require(row) - #require(loudest))
            #expect(distance <= 3, "\(hertz) Hz")
        }
    }

    /// Many are transformed at once, in an order of their own.
    @Test(arguments: [1, 2]) func impulseAppearsInColumnOfItsTime(channels: Int) {
        for hop in [0, 5, 31, 37, 64, 99] {
            var sound = Signal.constant(seconds: 1)
            sound.samples[sound.sampleRateHertz / 100 * hop] = 0.5
            let picture = spectrogram(Array(repeating: sound, count: channels))
            let loudest = (0..<picture.columns).map { column in
                picture.levelsDBFS[column * picture.rows..<(column + 1) * picture.rows].max() ?? 0
            }
            #expect(loudest.indices.max { loudest[$0] < loudest[$1] } == hop)
            #expect(loudest.indices.allSatisfy { abs($0 - hop) < 3 || loudest[$0] < -110 })
        }
    }

    /// Of each column, of which there is one in 320 ms, eight hops are analysed.
    @Test func longRecordingShowsWhatASecondOfItDoes() throws {
        let rate = 1000
        func tone(_ hertz: Double, _ seconds: Double) -> [Float] {
            Signal.tone(
                hertz: hertz, levelDBFS: -20, seconds: seconds, sampleRateHertz: rate
            ).samples
        }
        let minutes = 18.0
        var sound = Signal.tone(
            hertz: 100, levelDBFS: -20, seconds: 1, sampleRateHertz: rate)
        let short = spectrogram([sound])
        sound.samples = tone(100, minutes * 30) + tone(300, minutes * 30)
        let long = spectrogram([sound])
        #expect(long.framesPerColumn == 320 && long.columns == 3375)
        let loudest = rows(long, hertz: 100, column: 1600).1
        #expect(loudest == rows(short, hertz: 100, column: 50).1)
        #expect(loudest != rows(long, hertz: 300, column: 1800).1)
        // The same level, and the change where it is.
        let row = try #require(loudest)
        func level(_ picture: Spectrogram, _ column: Int) -> Float {
            picture.levelsDBFS[column * picture.rows + row]
        }
        #expect(abs(level(long, 1600) - level(short, 50)) < 0.1)
        let middle = long.columns / 2
        #expect(level(long, middle - 2) > -35 && level(long, middle + 2) < -50)
    }

    /// Of the whole minute, columns are merged; a second of it gets one every 10 ms.
    @Test func partGetsAllColumnsForItself() {
        var sound = Signal.constant(seconds: 60)
        let rate = sound.sampleRateHertz
        sound.samples[rate * 101 / 2] = 0.5
        let whole = spectrogram([sound])
        #expect(whole.framesPerColumn == rate / 50 && whole.startSeconds == 0)
        var builder = SpectrogramBuilder(
            sampleRateHertz: rate, channels: 1, part: 50 * rate..<51 * rate)
        for block in BlockSequence([sound.samples], blockFrames: 1_000) { builder.consume(block) }
        let part = builder.finish()
        #expect(part.framesPerColumn == rate / 100)
        let end = part.startSeconds + Double(part.columns) / 100
        #expect((49.5...50).contains(part.startSeconds) && (51...51.5).contains(end))
        let loudest = (0..<part.columns).max { left, right in
            func level(_ column: Int) -> Float {
                part.levelsDBFS[column * part.rows..<(column + 1) * part.rows].max() ?? 0
            }
            return level(left) < level(right)
        }
        #expect(loudest == Int(((50.5 - part.startSeconds) * 100).rounded()))
    }

    @Test func oppositePhaseChannelsDoNotCancel() {
        let tone = Signal.tone(hertz: 1_000, levelDBFS: -20, seconds: 0.5, sampleRateHertz: 16_000)
        var opposite = tone
        opposite.transform { -$0 }
        #expect(spectrogram([tone, opposite]) == spectrogram([tone, tone]))
    }

    @Test func digitalSilenceIsBelowMinus110DBFS() {
        let picture = spectrogram([.constant(seconds: 0.3)])
        #expect(picture.columns == 30)
        #expect(picture.levelsDBFS.allSatisfy { $0 < -110 })
    }

    @Test func columnCountIsBoundedForLongRecordings() throws {
        // Half of it silent, half a tone: 84 s are more than twice as many hops as there may be
        // columns, so four become one.
        let silence = Signal.constant(seconds: 42)
        let tone = Signal.tone(hertz: 1_000, levelDBFS: -20, seconds: 42)
        let picture = spectrogram([silence.followed(by: tone)])
        #expect(picture.framesPerColumn == 320)
        try #require(picture.columns == 2_100)
        let (row, loudest) = rows(picture, hertz: 1_000, column: 2_000)
        #expect(try abs(#require(row) - #require(loudest)) <= 3)
        #expect(picture.levelsDBFS[..<(1_000 * picture.rows)].allSatisfy { $0 < -110 })
    }

    @Test(arguments: [1, 777, 50_000])
    func spectrogramIsIndependentOfBlockSize(blockFrames: Int) {
        let noise = Signal.noise(levelDBFS: -20, seconds: 1)
        #expect(spectrogram([noise], blockFrames: blockFrames) == spectrogram([noise]))
    }

    @Test func spectrogramIsBuiltAtAnySampleRate() {
        for rate in [100, 4_000, 11_025, 192_000] {
            let noise = Signal.noise(levelDBFS: -20, seconds: 0.2, sampleRateHertz: rate)
            #expect((20...21).contains(spectrogram([noise]).columns), "\(rate)")
        }
    }
}
