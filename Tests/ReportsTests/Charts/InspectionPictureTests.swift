import Jobs
import Recordings
import Testing

@testable import Reports

@Suite struct InspectionPictureTests {
    /// Ten seconds, silent from 6 to 9, with values that rise.
    static func inspection(frames: Int = 1_000) -> Inspection {
        let format = AudioFormat(
            container: .wav, encoding: .pcm16, sampleRateHertz: 8_000, channels: 1,
            frames: Int64(frames) * 80)
        var inspection = Inspection(
            source: FileStamp(bytes: 1, modifiedNanoseconds: 1), format: format,
            levels: Levels(
                peakDBFS: [0], rmsDBFS: [0], dcOffset: [0], clippedSamples: [0],
                samplesBeyondFullScale: [0]),
            silence: SilenceMap(
                noiseFloorDBFS: -60, signalToNoiseDecibels: 40, confidence: 1, separable: true,
                silent: false, intervalsSeconds: [[6, 9]]),
            peaks: Peaks(
                samplesPerPixel: 80, channels: 1,
                values: Array(repeating: [-16_384, 16_384], count: frames).flatMap { $0 }))
        var trace = DetectorTrace(framesPerSecond: 100)
        trace.levelsDBFS = (0..<frames).map { -90 + Float($0 % 90) }
        trace.floorsDBFS = Array(repeating: -.infinity, count: frames)
        trace.scores = Array(repeating: 3, count: frames)
        trace.thresholds = Array(repeating: 7, count: frames)
        inspection.trace = trace
        inspection.spectrogram = Spectrogram(
            sampleRateHertz: 8_000, framesPerColumn: 80, edgesHertz: [0, 1_000, 4_000],
            levelsDBFS: Array(repeating: [-20, -90], count: frames).flatMap { $0 })
        return inspection
    }

    private func inspection(frames: Int = 1_000) -> Inspection {
        InspectionPictureTests.inspection(frames: frames)
    }

    private func draw(
        _ inspection: Inspection, cuts: [Range<Double>] = [7..<8],
        _ style: PictureStyle = PictureStyle(.png)
    ) throws -> Pixels {
        Pixels(
            try InspectionPicture.drawing(
                inspection, cuts: cuts, heading: ["a.wav"], style, with: try Cairo()))
    }

    private func style(from start: Double?, to end: Double?, width: Int = 1280) -> PictureStyle {
        var style = PictureStyle(.png)
        (style.startSeconds, style.endSeconds, style.width) = (start, end, width)
        return style
    }

    /// The pixel column of a time in a picture of ten seconds.
    private func column(_ seconds: Double) -> Int { 72 + Int(seconds / 10 * 1192) }

    @Test func sameInspectionGivesSameBytes() throws {
        func bytes() throws -> [UInt8] {
            try InspectionPicture.draw(
                inspection(), cuts: [7..<8], heading: ["a.wav"], PictureStyle(.png), with: Cairo())
        }
        let first = try bytes()
        #expect(first.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        #expect(try bytes() == first)
    }

    @Test func decisionsAreDrawnAtTheirTimes() throws {
        let pixels = try draw(inspection())
        #expect(pixels.width == 1_280 && pixels.height == 920)
        for (times, colours) in [
            ([0.1, 3, 5.9, 9.1, 9.9], [Palette.wave]), ([6.1, 6.9, 8.1, 8.9], [Palette.pause]),
        ] {
            for time in times { #expect(colours.contains(pixels[column(time), 852]), "\(time)") }
        }
        // A cut is hatched: neither sound nor silence, and of several colours.
        let cut = Set((column(7.1)..<column(7.9)).map { pixels[$0, 852] })
        #expect(cut.contains(Palette.cut) && cut.count > 2)
        #expect(cut.isDisjoint(with: [Palette.wave, Palette.pause]))
    }

    @Test func silencesAndCutsAreShadedInPanels() throws {
        let pixels = try draw(inspection())
        for row in [130, 600, 800] {
            #expect(pixels[column(3), row] == Palette.paper)
            #expect(pixels[column(6.1), row] == Palette.silence)
            #expect(pixels[column(7.5), row] == Palette.cut)
            #expect(pixels[column(8.9), row] == Palette.silence)
            #expect(pixels[column(9.1), row] == Palette.paper)
        }
    }

    @Test func cutShorterThanAPixelIsStillDrawn() throws {
        let pixels = try draw(inspection(), cuts: [3..<3.001, 9.9999..<10])
        let columns = (72..<1_264).filter {
            ![Palette.wave, Palette.pause].contains(pixels[$0, 846])
        }
        #expect(columns == [72 + 358, 1_263])
    }

    @Test func onlyAskedPartIsDrawn() throws {
        var loud = inspection()
        // A click from 6.0 to 6.1 seconds in what is otherwise quiet.
        loud.peaks.values = (0..<1_000).flatMap { index -> [Int16] in
            (600..<610).contains(index) ? [-30_000, 30_000] : [-300, 300]
        }
        let pixels = try draw(loud, style(from: 5, to: 7.5))
        func column(_ seconds: Double) -> Int { 72 + Int((seconds - 5) / 2.5 * 1192) }
        for time in [5.1, 5.9] { #expect(pixels[column(time), 852] == Palette.wave) }
        for time in [6.1, 6.9] { #expect(pixels[column(time), 852] == Palette.pause) }
        #expect(![Palette.wave, Palette.pause].contains(pixels[column(7.2), 852]))
        let clicks = (72..<1_264).filter { pixels[$0, 150] == Palette.wave }
        #expect(abs((clicks.first ?? 0) - column(6)) < 6)
        #expect(abs((clicks.last ?? 0) - column(6.1)) < 6)
        // An end beyond that of the recording is moved there.
        #expect(try draw(loud, style(from: 5, to: 99)) == draw(loud, style(from: 5, to: nil)))
        #expect(try draw(loud, style(from: 0, to: 10)) == draw(loud))
        #expect(try draw(loud, style(from: nil, to: nil, width: 300)).width == 300)
    }

    @Test func partBeyondEndIsRefused() throws {
        let refusal = PictureRefusal.startsBeyondEnd(startSeconds: 10, durationSeconds: 10)
        #expect(throws: refusal) { try draw(inspection(), style(from: 10, to: nil)) }
    }

    @Test func scoreAndThresholdAreDrawnAtTheirValues() throws {
        var flat = inspection()
        let panel = Panel(xs: 0..<1, ys: 672..<806, seconds: 0..<1, values: -5...15)
        // The values of rows 710 and 740.
        let (high, low) = (15 - 38.0 / 133 * 20, 15 - 68.0 / 133 * 20)
        flat.trace?.scores = Array(repeating: Float(low), count: 1_000)
        flat.trace?.thresholds = Array(repeating: Float(high), count: 1_000)
        #expect(panel.row(of: high) == 710 && panel.row(of: low) == 740)
        let pixels = try draw(flat)
        #expect((672..<806).filter { pixels[400, $0] == Palette.threshold } == [710])
        #expect((672..<806).filter { pixels[400, $0] == Palette.level } == [740])
    }

    @Test func toneIsBrightAtItsFrequency() throws {
        var tone = inspection()
        let rows = (0..<8).map { $0 == 5 ? -20 as Float : -90 }
        tone.spectrogram = Spectrogram(
            sampleRateHertz: 8_000, framesPerColumn: 80,
            edgesHertz: (0...8).map { 500 * Double($0) },
            levelsDBFS: Array(repeating: rows, count: 1_000).flatMap { $0 })
        let pixels = try draw(tone)
        // From 2500 to 3000 of 4000 Hz.
        let bright = (286..<478).filter { pixels[700, $0] == Palette.heat(1) }
        #expect(bright == Array(478 - 6 * 24..<478 - 5 * 24))
        #expect(pixels[700, 400] == Palette.heat(0))
        // The label of 1000 Hz has its mark at the edge between two rows.
        #expect(pixels[69, 477 - 2 * 24] == Palette.dim)
    }

    @Test func singleFrameAndEmptyTraceAreDrawn() throws {
        let frame = try draw(inspection(frames: 1), cuts: [])
        // One value is a line from edge to edge.
        #expect([100, 1_200].allSatisfy { frame[$0, 190] == Palette.wave })
        var bare = inspection(frames: 1)
        bare.trace = DetectorTrace(framesPerSecond: 100)
        bare.spectrogram = nil
        #expect(try draw(bare, cuts: []).height == 920)
    }

    @Test func headingIsDrawnAndShortened() throws {
        func ink(_ heading: String, width: Int) throws -> [Int] {
            let pixels = Pixels(
                try InspectionPicture.drawing(
                    inspection(), cuts: [], heading: [heading],
                    style(from: nil, to: nil, width: width),
                    with: try Cairo()))
            return (0..<width).filter { x in
                (8..<32).contains { pixels[x, $0] != Palette.paper }
            }
        }
        let short = try ink("voice", width: 600)
        #expect(short.count > 20 && short.allSatisfy { (12..<120).contains($0) })
        let long = try ink(String(repeating: "voice ", count: 99), width: 600)
        #expect(long.allSatisfy { (12..<589).contains($0) } && (long.last ?? 0) > 540)
    }
}
