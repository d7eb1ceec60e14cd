import Analysis
import Audio
import Benchmark
import Glibc
import Recordings

/// Decodes a file, and lends its blocks.
private func decode(_ name: String, _ take: (borrowing AudioBlock) -> Void) throws {
    var reader = try AudioFileReader(opening: Sounds.shared.path(name))
    _ = try reader.forEachBlock(take)
    try reader.verifyEnd()
}

/// Decoding alone; its floor is to copy the samples that come of it.
func measureDecoding() {
    for (name, _) in Sounds.formats {
        Benchmark("Decoding: \(name)") { benchmark in
            for _ in benchmark.scaledIterations { try decode(name) { _ in } }
        } setup: {
            _ = Sounds.shared
        }
    }
    Benchmark("Decoding: floor, copying the samples") { benchmark in
        let sounds = Sounds.shared
        var target = sounds.blocks[0]
        for _ in benchmark.scaledIterations {
            for index in 0..<sounds.blockCount {
                let source = sounds.blocks[index % sounds.blocks.count]
                target.samples.replaceSubrange(0..<source.sampleCount, with: source.samples)
                target.int16.replaceSubrange(0..<source.sampleCount, with: source.int16)
            }
            blackHole(target)
        }
    } setup: {
        _ = Sounds.shared
    }
}

/// What is done with blocks that are decoded; the floor is to go over their samples once.
func measureConsumers() {
    func measure(_ name: String, _ work: @escaping (Sounds) -> Void) {
        Benchmark("Blocks: \(name)") { benchmark in
            for _ in benchmark.scaledIterations { work(Sounds.shared) }
        } setup: {
            _ = Sounds.shared
        }
    }
    func consume(_ sounds: Sounds, _ consumer: inout some BlockConsumer) {
        for index in 0..<sounds.blockCount {
            consumer.consume(sounds.blocks[index % sounds.blocks.count])
        }
    }
    measure("waveform") { sounds in
        var builder = WaveformBuilder(
            zooms: [.samplesPerPixel(256)], channels: 2, splitChannels: false)
        consume(sounds, &builder)
        blackHole(builder.finish())
    }
    measure("levels") { sounds in
        var meter = LevelMeter(channels: 2)
        consume(sounds, &meter)
        blackHole(meter.finish())
    }
    measure("spectrum") { sounds in
        var meter = SpectrumMeter(
            sampleRateHertz: sounds.format.sampleRateHertz, channels: 2)
        consume(sounds, &meter)
        blackHole(meter.finish())
    }
    measure("spectrum, for the learned detector") { sounds in
        var meter = SpectrumMeter(
            sampleRateHertz: sounds.format.sampleRateHertz, channels: 2, keepsBands: true)
        consume(sounds, &meter)
        blackHole(meter.finish())
    }
    // Of the 16-bit ones: of floating-point numbers, the plain loop is none that can be made fast.
    measure("floor, lowest and highest of the samples") { sounds in
        var (lowest, highest) = (Int16.max, Int16.min)
        for index in 0..<sounds.blockCount {
            for sample in sounds.blocks[index % sounds.blocks.count].int16 {
                lowest = min(lowest, sample)
                highest = max(highest, sample)
            }
        }
        blackHole((lowest, highest))
    }
}

/// Decoding with all consumers, and what is concluded; the floor is decoding alone.
func measureListening() {
    for name in ["WAV", "FLAC", "MP3"] {
        Benchmark("Listening: \(name)") { benchmark in
            for _ in benchmark.scaledIterations {
                let format = Sounds.shared.format
                var waveform = WaveformBuilder(
                    zooms: [.samplesPerPixel(256)], channels: 2, splitChannels: false)
                var levels = LevelMeter(channels: 2)
                var spectrum = SpectrumMeter(
                    sampleRateHertz: format.sampleRateHertz, channels: 2)
                try decode(name) { block in
                    waveform.consume(block)
                    levels.consume(block)
                    spectrum.consume(block)
                }
                blackHole(waveform.finish())
                blackHole(levels.finish())
                blackHole(
                    SilenceDetector.detect(
                        spectrum.finish(), recipe: SilenceRecipe(), format: format))
            }
        } setup: {
            _ = Sounds.shared
        }
    }
    Benchmark("Listening: floor, decoding FLAC alone") { benchmark in
        for _ in benchmark.scaledIterations { try decode("FLAC") { _ in } }
    } setup: {
        _ = Sounds.shared
    }
}

/// Writing what is kept to a file of its own; the floor is to decode it and keep nothing.
func measureTrimming() {
    for (name, container) in [("WAV", TrimmedContainer.same), ("FLAC", .same), ("MP3", .flac)] {
        Benchmark("Trimming: \(name)") { benchmark in
            let sounds = Sounds.shared
            var reader = try AudioFileReader(opening: sounds.path(name))
            _ = try reader.forEachBlock { _ in }
            let frames = reader.framesRead
            let second = Int64(sounds.format.sampleRateHertz)
            let edits = EditList(keeping: [second..<frames - second], of: frames)
            benchmark.startMeasurement()
            for _ in benchmark.scaledIterations {
                let copy = sounds.path("copy")
                let descriptor = open(copy.text, O_RDWR | O_CREAT | O_TRUNC, 0o666)
                defer { close(descriptor) }
                _ = try TrimmedCopy.write(
                    keeping: edits, from: sounds.path(name),
                    to: NewFile(descriptor: descriptor, path: copy),
                    container: container, fadeFrames: 240, isCancelled: { false })
            }
        } setup: {
            _ = Sounds.shared
        }
    }
    Benchmark("Trimming: floor, decoding FLAC alone") { benchmark in
        for _ in benchmark.scaledIterations { try decode("FLAC") { _ in } }
    } setup: {
        _ = Sounds.shared
    }
}
