import Analysis
import Audio
import Foundation
import Jobs
import Recordings
import TestSupport
import Testing

@testable import Workers

/// One recording, listened to by several workers.
@Suite struct SharedListeningTests {
    /// What an answer is, and the bytes of the files that were drawn.
    struct Outcome: Equatable {
        var action: Job.Action
        var files: [[UInt8]]
    }

    /// What comes of a recording with so many workers, in sections of half a second.
    static func listen(
        _ world: TestWorld, _ name: Pathname, workers: Int, split: Bool = false,
        cancellation: Cancellation = Cancellation()
    ) throws -> Outcome {
        var source = RecordingSource(
            folder: "", name: name, stamp: try TestWorld.stamp(of: world.root.appending(name)))
        source.setting.value.recipe.waveform.samplesPerPixel = [256, 999]
        source.setting.value.recipe.waveform.splitChannels = split
        let order = ListeningOrder(source: source, stages: .listening, workers: workers)
        var pass = ListeningPass(
            order: order, places: world.places, claims: world.claims, cancellation: cancellation)
        pass.plan = {
            SectionPlan(
                frames: $0, sampleRateHertz: $1, shortestSeconds: 1, sectionMilliseconds: 500)
        }
        var action = pass.run()
        guard case .listened(let measured, let staged) = action else {
            return Outcome(action: action, files: [])
        }
        let files = try staged.map {
            Array(try Data(contentsOf: URL(filePath: world.output.appending($0.temporary).text)))
        }
        // The names of what is on its way to its place are those of the pass.
        action = .listened(measured, staged: [])
        return Outcome(action: action, files: files)
    }

    /// Whether several workers come to an end themselves, and do not leave it to one.
    static func isShared(_ path: Pathname, sectionMilliseconds: Int = 500) throws -> Bool {
        let reader = try AudioFileReader(opening: path)
        guard reader.isExactlySeekable,
            let plan = SectionPlan(
                frames: reader.format.frames, sampleRateHertz: reader.format.sampleRateHertz,
                shortestSeconds: 1, sectionMilliseconds: sectionMilliseconds)
        else { return false }
        let source = RecordingSource(
            folder: "", name: path.lastComponent, stamp: try TestWorld.stamp(of: path))
        return SharedListening(
            order: ListeningOrder(source: source, stages: .listening), path: path,
            format: reader.format, plan: plan, workers: 2, cancellation: Cancellation()
        ).run() != nil
    }

    /// A voice with pauses over noise, a few seconds long.
    static func samples(channels: Int, rate: Int) -> [Float] {
        let ground = Signal.noise(levelDBFS: -50, seconds: 3.83, sampleRateHertz: rate)
        var sound = ground
        for start in [0.4, 1.7, 2.9] {
            let word = Signal.vowel(levelDBFS: -18, seconds: 0.6, sampleRateHertz: rate)
            sound = sound.adding(word, atSeconds: start)
        }
        return sound.samples.flatMap { sample in
            (0..<channels).map { sample * (1 - 0.3 * Float($0)) }
        }
    }

    static func write(
        _ world: TestWorld, _ name: Pathname, _ container: AudioContainer,
        _ encoding: SampleEncoding, channels: Int = 2, rate: Int = 11_025
    ) throws {
        let format = AudioFormat(
            container: container, encoding: encoding, sampleRateHertz: rate, channels: channels,
            frames: 0)
        let path = world.root.appending(name)
        unlink(path.text)
        var writer = try AudioFileWriter(creating: path, as: format)
        try writer.write(samples(channels: channels, rate: rate))
        try writer.finish()
    }

    /// A recording of some kind: one that is made, or a sample recording.
    struct Kind: CustomTestStringConvertible, Sendable {
        var container: AudioContainer = .wav
        var encoding: SampleEncoding = .pcm16
        var channels = 2
        var rate = 11_025
        var sample: String?
        var isShared = true

        var testDescription: String {
            sample ?? "\(container) \(encoding) \(channels) x \(rate) Hz"
        }

        /// Puts it into a world, and says what it is called there.
        func place(in world: TestWorld) throws -> Pathname {
            guard let sample else {
                let name = Pathname("a.\(container)")
                try SharedListeningTests.write(
                    world, name, container, encoding, channels: channels, rate: rate)
                return name
            }
            let here = URL(filePath: #filePath).deletingLastPathComponent()
            let file = here.appending(path: "../../corpus/\(sample)")
            world.add(Pathname(file.lastPathComponent), Array(try Data(contentsOf: file)))
            return Pathname(file.lastPathComponent)
        }
    }

    static let kinds = [
        Kind(), Kind(encoding: .pcm24, channels: 1, rate: 44_100),
        Kind(container: .flac), Kind(container: .flac, encoding: .pcm24, channels: 1, rate: 48_000),
        Kind(container: .ogg, encoding: .vorbis, isShared: false),
        Kind(sample: "formats/beyond_full_scale_mono_float32_16000hz.wav"),
        Kind(sample: "formats/speech_mono_float64_8000hz.wav"),
        Kind(sample: "formats/speech_mono_pcm16_8000hz.caf"),
        Kind(sample: "formats/speech_mono_pcm16_8000hz.w64"),
        Kind(sample: "formats/speech_mono_rf64_pcm16_8000hz.wav"),
        Kind(sample: "formats/speech_stereo_pcm24_8000hz.aiff"),
        Kind(sample: "calls/voicemail_mono_ulaw_8000hz.au"),
        Kind(sample: "calls/voicemail_mono_ima_adpcm_8000hz.wav", isShared: false),
        Kind(sample: "calls/call_mono_gsm610_8000hz.wav", isShared: false),
    ]

    @Test(arguments: kinds) func nothingTellsHowManyListened(kind: Kind) throws {
        let world = TestWorld()
        let name = try kind.place(in: world)
        #expect(
            try SharedListeningTests.isShared(world.root.appending(name)) == kind.isShared)
        for split in [false, true] {
            let one = try SharedListeningTests.listen(world, name, workers: 1, split: split)
            #expect(one.files.count == 2)
            for workers in [2, 5] {
                let more = try SharedListeningTests.listen(
                    world, name, workers: workers, split: split)
                #expect(more == one)
            }
        }
    }

    @Test func samplesThatAreNotNumbersAreCountedAlikeByAnyNumberOfWorkers() throws {
        let world = TestWorld()
        var samples = SharedListeningTests.samples(channels: 2, rate: 11_025)
        // Some in the lead and the tail of sections, which two workers read.
        for place in stride(from: 0, to: samples.count, by: 997) { samples[place] = .nan }
        samples[5] = .infinity
        // 32-bit floating point, two channels at 11,025 Hz.
        let format: [UInt8] = [
            3, 0, 2, 0, 0x11, 0x2B, 0, 0, 0x88, 0x58, 1, 0, 8, 0, 32, 0,
        ]
        let sound = samples.withUnsafeBytes { Array($0) }
        let size = withUnsafeBytes(of: UInt32(sound.count).littleEndian) { Array($0) }
        let path = world.add(
            "a.wav",
            Array("RIFF".utf8) + size + Array("WAVEfmt ".utf8) + [16, 0, 0, 0] + format
                + Array("data".utf8) + size + sound)
        #expect(try SharedListeningTests.isShared(path))
        let one = try SharedListeningTests.listen(world, "a.wav", workers: 1)
        guard case .listened(let measured, _) = one.action else {
            return #expect(Bool(false), "it was not listened to")
        }
        let places = Array(stride(from: 0, to: samples.count, by: 997)) + [5]
        let expected = [0, 1].map { channel in places.count(where: { $0 % 2 == channel }) }
        #expect(measured.levels?.nonFiniteSamples == expected)
        for workers in [2, 5] {
            let more = try SharedListeningTests.listen(world, "a.wav", workers: workers)
            #expect(more == one)
        }
    }

    /// Bytes of a recording that are put out of order.
    static let damages: [(Pathname, AudioContainer, @Sendable (inout [UInt8]) -> Void)] = [
        // Twenty bytes in the middle.
        ("a.flac", .flac, { for place in $0.count / 2..<$0.count / 2 + 20 { $0[place] = 0x55 } }),
        // The end is missing.
        ("a.flac", .flac, { $0.removeLast($0.count / 3) }),
        ("a.wav", .wav, { $0.removeLast($0.count / 3) }),
        // Another stream follows.
        ("a.flac", .flac, { $0 += $0 }),
        // The header promises more than there is, and less.
        ("a.wav", .wav, { $0[42] = 0x7f }),
        ("a.wav", .wav, { $0[42] = 0 }),
    ]

    @Test(arguments: damages.indices) func whatIsDamagedIsDamagedForAll(index: Int) throws {
        let (name, container, damage) = SharedListeningTests.damages[index]
        let world = TestWorld()
        try SharedListeningTests.write(world, name, container, .pcm16)
        let path = world.root.appending(name)
        var bytes = Array(try Data(contentsOf: URL(filePath: path.text)))
        damage(&bytes)
        world.add(name, bytes)
        #expect(try !SharedListeningTests.isShared(path))
        let one = try SharedListeningTests.listen(world, name, workers: 1)
        #expect(OneRecording.reason(one.action) != nil)
        #expect(try SharedListeningTests.listen(world, name, workers: 2) == one)
    }

    /// Where the frames of a short FLAC stream begin: with fourteen bits that are always the same,
    /// and then with their number.
    private static func frames(of stream: [UInt8]) -> [Int] {
        stream.indices.dropLast(5).filter {
            stream[$0] == 0xff && stream[$0 + 1] == 0xf8 && stream[$0 + 4] < 0x40
        }
    }

    /// Frames of FLAC say where they belong, so that one may be missing, or be twice there.
    @Test func whatWasTakenOutIsMissedByAll() throws {
        let world = TestWorld()
        try SharedListeningTests.write(world, "a.flac", .flac, .pcm16)
        let path = world.root.appending("a.flac")
        let bytes = Array(try Data(contentsOf: URL(filePath: path.text)))
        let frames = SharedListeningTests.frames(of: bytes)
        #expect(frames.count >= 8)
        for index in 1..<7 {
            let (frame, next) = (frames[index], frames[index + 1])
            for damaged in [bytes[..<frame] + bytes[next...], bytes[..<next] + bytes[frame...]] {
                world.add("a.flac", Array(damaged))
                let one = try SharedListeningTests.listen(world, "a.flac", workers: 1)
                #expect(try SharedListeningTests.listen(world, "a.flac", workers: 2) == one)
                #expect(OneRecording.reason(one.action) == .corrupt)
            }
        }
    }

    /// Of a tone that repeats with each frame of the stream, all sections begin as the one before
    /// goes on, also behind a frame that is twice there.
    @Test func whatRepeatsIsNotTakenForWhatFollows() throws {
        let world = TestWorld()
        let format = AudioFormat(
            container: .flac, encoding: .pcm16, sampleRateHertz: 16_384, channels: 1, frames: 0)
        var writer = try AudioFileWriter(creating: world.root.appending("a.flac"), as: format)
        let period = (0..<64).map { Float(sin(Double($0) * .pi / 32) * 0.3) }
        try writer.write(Array(repeatElement(period, count: 64 * 40).joined()))
        try writer.finish()
        let path = world.root.appending("a.flac")
        #expect(try SharedListeningTests.isShared(path))
        let bytes = Array(try Data(contentsOf: URL(filePath: path.text)))
        let frames = SharedListeningTests.frames(of: bytes)
        #expect(frames.count == 40)
        for number in [1, 9, 20, 30] {
            let (frame, next) = (frames[number], frames[number + 1])
            world.add("a.flac", Array(bytes[..<next] + bytes[frame...]))
            let one = try SharedListeningTests.listen(world, "a.flac", workers: 1)
            #expect(OneRecording.reason(one.action) == .corrupt)
            #expect(try SharedListeningTests.listen(world, "a.flac", workers: 2) == one)
        }
    }

    /// A decoder that looks for a frame halves the file, and may find the same in another stream.
    ///
    /// Whether it does hangs on where it comes from, and so on which worker takes which section.
    @Test(arguments: [2, 3, 9], [900, 1000, 1200, 1500])
    func leavesItToOneWhereTheSameStreamFollows(streams: Int, milliseconds: Int) throws {
        let world = TestWorld()
        try SharedListeningTests.write(world, "a.flac", .flac, .pcm16)
        let path = world.root.appending("a.flac")
        #expect(try SharedListeningTests.isShared(path, sectionMilliseconds: milliseconds))
        let bytes = Array(try Data(contentsOf: URL(filePath: path.text)))
        world.add("a.flac", (1..<streams).reduce(into: bytes) { all, _ in all += bytes })
        for _ in 0..<3 {
            #expect(try !SharedListeningTests.isShared(path, sectionMilliseconds: milliseconds))
        }
    }

    @Test func stopsWhenItIsToldTo() throws {
        let world = TestWorld()
        try SharedListeningTests.write(world, "a.wav", .wav, .pcm16)
        let cancellation = Cancellation()
        cancellation.cancel()
        let outcome = try SharedListeningTests.listen(
            world, "a.wav", workers: 3, cancellation: cancellation)
        #expect(outcome.action == .cancelled && outcome.files.isEmpty)
        #expect(TestWorld.tree(world.output).isEmpty)
    }

    @Test(arguments: [(1, 11_025), (2, 22_050)])
    func leavesItToOneWhereAnotherFileHasTakenItsPlace(channels: Int, rate: Int) throws {
        let world = TestWorld()
        try SharedListeningTests.write(world, "a.wav", .wav, .pcm16)
        let path = world.root.appending("a.wav")
        let format = try AudioFileReader(opening: path).format
        let plan = try #require(
            SectionPlan(
                frames: format.frames, sampleRateHertz: format.sampleRateHertz, shortestSeconds: 1,
                sectionMilliseconds: 500))
        let source = RecordingSource(
            folder: "", name: "a.wav", stamp: try TestWorld.stamp(of: path))
        try SharedListeningTests.write(
            world, "a.wav", .wav, .pcm16, channels: channels, rate: rate)
        let heard = SharedListening(
            order: ListeningOrder(source: source, stages: .listening), path: path, format: format,
            plan: plan, workers: 2, cancellation: Cancellation()
        ).run()
        #expect(heard == nil)
    }
}
