import Analysis
import Recordings
import TestSupport
import Testing

/// What was listened to in sections is what was listened to in one piece.
@Suite struct SectionTests {
    /// A kind of recording, all but its sound.
    struct Kind: CustomTestStringConvertible, Sendable {
        var rate: Int
        var channels: Int
        var zooms: [Int]
        var split = false
        var keepsBands = true
        var milliseconds = 500
        /// Longer than five sections by this.
        var oddFrames = 0

        var testDescription: String { "\(channels) x \(rate) Hz, \(zooms), +\(oddFrames)" }
    }

    static let kinds = [
        Kind(rate: 8000, channels: 1, zooms: [256], oddFrames: 1),
        Kind(rate: 8000, channels: 3, zooms: [2, 1000], split: true, oddFrames: 77),
        Kind(rate: 11_025, channels: 1, zooms: [256, 1, 999], oddFrames: 311),
        Kind(rate: 11_025, channels: 2, zooms: [441], keepsBands: false, milliseconds: 330),
        Kind(rate: 44_100, channels: 2, zooms: [256, 512], oddFrames: 13_001),
        Kind(rate: 48_000, channels: 1, zooms: [100_000, 7], milliseconds: 310, oddFrames: 4799),
        Kind(rate: 88_200, channels: 1, zooms: [256], keepsBands: false, milliseconds: 200),
    ]

    /// All that is measured of a recording.
    struct Measured: Equatable {
        var levels: Levels
        var track: ActivityTrack
        var peaks: [Peaks]
    }

    private static func inOnePiece(_ sound: [[Float]], _ kind: Kind) -> Measured {
        var waveform = WaveformBuilder(
            samplesPerPixel: kind.zooms, channels: kind.channels, splitChannels: kind.split)
        var levels = LevelMeter(channels: kind.channels)
        var spectrum = SpectrumMeter(
            sampleRateHertz: kind.rate, channels: kind.channels, keepsBands: kind.keepsBands)
        for block in BlockSequence(sound) {
            waveform.consume(block)
            levels.consume(block)
            spectrum.consume(block)
        }
        return Measured(
            levels: levels.finish(), track: spectrum.finish(), peaks: waveform.finish())
    }

    private static func blocks(
        _ sound: [[Float]], _ frames: Range<Int>, blockFrames: Int = 4096
    ) -> BlockSequence {
        BlockSequence(sound.map { Array($0[frames]) }, blockFrames: blockFrames)
    }

    private static func inSections(_ sound: [[Float]], _ kind: Kind, _ plan: SectionPlan)
        -> Measured
    {
        var whole = (
            WaveformBuilder(
                samplesPerPixel: kind.zooms, channels: kind.channels, splitChannels: kind.split),
            LevelMeter(channels: kind.channels),
            SpectrumMeter(
                sampleRateHertz: kind.rate, channels: kind.channels, keepsBands: kind.keepsBands)
        )
        for section in plan.sections {
            let first = section.frames.lowerBound
            var waveform = WaveformBuilder(
                samplesPerPixel: kind.zooms, channels: kind.channels, splitChannels: kind.split,
                firstFrame: first)
            var levels = LevelMeter(channels: kind.channels, section: first)
            var spectrum = SpectrumSection(
                section, sampleRateHertz: kind.rate, channels: kind.channels)
            for block in blocks(sound, section.lead, blockFrames: section.lead.count) {
                spectrum.lead(block)
            }
            for block in blocks(sound, section.frames, blockFrames: 1000 + first % 5000) {
                waveform.consume(block)
                levels.consume(block)
                spectrum.consume(block)
            }
            for block in blocks(sound, section.tail) { spectrum.consume(block) }
            whole.0.append(waveform)
            whole.1.append(levels)
            whole.2.append(spectrum.finish())
        }
        return Measured(
            levels: whole.1.finish(), track: whole.2.finish(), peaks: whole.0.finish())
    }

    /// Noise with gaps of digital silence, and here and there too loud.
    private static func sound(_ kind: Kind, seed: UInt64) -> [[Float]] {
        let seconds = 5.3 * Double(kind.milliseconds) / 1000
        let frames = Int(seconds * Double(kind.rate)) + kind.oddFrames
        var random = SeededGenerator(seed: seed)
        return (0..<kind.channels).map { _ in
            var loudness: Float = 0
            return (0..<frames).map { frame in
                if frame % 2000 == 0 {
                    loudness = random.chance(percent: 20) ? 0 : Float(random.pick(0..<120)) / 100
                }
                let sample = Float(random.pick(0..<65_536)) / 32_768 - 1
                return max(-1, min(1, loudness * sample))
            }
        }
    }

    @Test(arguments: kinds) func areJoinedWithoutATrace(kind: Kind) throws {
        let sound = SectionTests.sound(kind, seed: UInt64(kind.rate + kind.channels))
        let plan = try #require(
            SectionPlan(
                frames: Int64(sound[0].count), sampleRateHertz: kind.rate, shortestSeconds: 0,
                sectionMilliseconds: kind.milliseconds))
        #expect(plan.sections.count >= 4)
        let whole = SectionTests.inOnePiece(sound, kind)
        let joined = SectionTests.inSections(sound, kind, plan)
        #expect(joined.peaks == whole.peaks)
        #expect(joined.levels == whole.levels)
        #expect(joined.track == whole.track)
    }

    @Test func runsOfClippedSamplesGoOnAcrossJoints() throws {
        let kind = Kind(rate: 8000, channels: 1, zooms: [256])
        var sound = [[Float](repeating: 0.1, count: 22_000)]
        let plan = try #require(
            SectionPlan(
                frames: 22_000, sampleRateHertz: 8000, shortestSeconds: 0,
                sectionMilliseconds: 500))
        // Runs of every length and sign that end or begin at joints, at those of the stretches that
        // are summed, and one over a whole section.
        let places = plan.sections.map(\.frames.lowerBound) + [4096, 4608, 8192]
        for (index, place) in places.enumerated() where place > 0 {
            for frame in place - index % 4..<place + 1 + index % 3 {
                sound[0][frame] = index.isMultiple(of: 2) ? 1 : -1
            }
        }
        for frame in 11_999..<16_700 { sound[0][frame] = -1 }
        let whole = SectionTests.inOnePiece(sound, kind)
        #expect(try #require(whole.levels.clippedSamples.first) > 4701)
        #expect(SectionTests.inSections(sound, kind, plan).levels == whole.levels)
        // Every run over a joint counts as one.
        for length in 1...6 {
            for before in 0...length {
                var sound = [[Float](repeating: 0, count: 22_000)]
                let joint = 512 * 8
                for frame in joint - before..<joint - before + length { sound[0][frame] = 1.5 }
                let meter = { (frames: Range<Int>) in
                    var meter = LevelMeter(channels: 1, section: frames.lowerBound)
                    for block in SectionTests.blocks(sound, frames) { meter.consume(block) }
                    return meter
                }
                var joined = LevelMeter(channels: 1)
                joined.append(meter(0..<joint))
                joined.append(meter(joint..<22_000))
                #expect(joined.finish().clippedSamples == [length >= 3 ? length : 0])
                #expect(joined.finish().samplesBeyondFullScale == [length])
            }
        }
    }

    @Test func coverARecordingWithoutGapsWhateverItsRate() throws {
        for rate in [1000, 8000, 11_025, 22_050, 44_100, 48_000, 88_200, 96_000, 192_000] {
            let frames = 3601 * rate + 17
            let plan = try #require(
                SectionPlan(frames: Int64(frames), sampleRateHertz: rate))
            #expect((59...60).contains(plan.sections.count))
            #expect(plan.sections.map(\.number) == Array(plan.sections.indices))
            #expect(plan.sections.first?.frames.lowerBound == 0)
            #expect(plan.sections.last?.frames.upperBound == frames)
            for (section, next) in zip(plan.sections, plan.sections.dropFirst()) {
                #expect(section.frames.upperBound == next.frames.lowerBound)
                #expect(next.lead.upperBound == next.frames.lowerBound && !next.lead.isEmpty)
                #expect(section.tail.lowerBound == section.frames.upperBound)
                #expect(!section.isLast && section.tail.upperBound < frames)
            }
            #expect(try #require(plan.sections.last).isLast)
        }
    }

    @Test func areNotMadeOfWhatIsShort() {
        #expect(SectionPlan(frames: 300 * 8000 - 1, sampleRateHertz: 8000) == nil)
        #expect(SectionPlan(frames: 300 * 8000, sampleRateHertz: 8000)?.sections.count == 5)
        #expect(SectionPlan(frames: 0, sampleRateHertz: 8000) == nil)
        #expect(SectionPlan(frames: 1_000_000, sampleRateHertz: 10) == nil)
    }
}
