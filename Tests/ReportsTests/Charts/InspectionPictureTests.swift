import Recordings
import Testing

@testable import Reports

@Suite struct InspectionPictureTests {
    /// Ten seconds, silent from 6 to 9, with values that rise.
    private func inspection(frames: Int = 1_000) -> Inspection {
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

    private func draw(_ inspection: Inspection, cuts: [Range<Double>] = [7..<8]) -> Canvas {
        InspectionPicture.draw(inspection, cuts: cuts, heading: ["a.wav"])
    }

    /// The middle row of the panel of decisions, at a time.
    private func colour(_ canvas: Canvas, atSeconds seconds: Double) -> Colour {
        canvas[84 + Int(seconds / 10 * 1180), 834]
    }

    @Test func sameInspectionGivesSamePixels() {
        #expect(draw(inspection()).png == draw(inspection()).png)
    }

    @Test func decisionsAreDrawnAtTheirTimes() {
        let canvas = draw(inspection())
        #expect(canvas.width == 1_280 && canvas.height == 920)
        for seconds in [0.1, 3, 5.9, 9.1, 9.9] {
            #expect(colour(canvas, atSeconds: seconds) == Palette.wave, "\(seconds)")
        }
        for seconds in [6.1, 6.9, 8.1, 8.9] {
            #expect(colour(canvas, atSeconds: seconds) == Palette.pale, "\(seconds)")
        }
        for seconds in [7.1, 7.5, 7.9] {
            #expect(
                [Palette.cut, Palette.cutLine].contains(colour(canvas, atSeconds: seconds)),
                "\(seconds)")
        }
    }

    @Test func cutShorterThanAPixelIsStillDrawn() {
        let canvas = draw(inspection(), cuts: [3..<3.001, 9.9999..<10])
        let columns = (84..<1_264).filter {
            [Palette.cut, Palette.cutLine].contains(canvas[$0, 840])
        }
        #expect(columns == [84 + 354, 1_263])
    }

    @Test func scoreAndThresholdAreDrawnAtTheirValues() {
        let canvas = draw(inspection())
        let column = (664..<804).filter { canvas[400, $0] == Palette.threshold }
        let scores = (664..<804).filter { canvas[400, $0] == Palette.level }
        let panel = Panel(xs: 0..<1, ys: 664..<804, durationSeconds: 1, values: -5...15)
        #expect(column == [panel.y(of: 7)])
        #expect(scores == [panel.y(of: 3)])
    }

    @Test func singleFrameAndEmptyTraceAreDrawn() {
        #expect(draw(inspection(frames: 1), cuts: []).height == 920)
        var bare = inspection(frames: 1)
        bare.trace = DetectorTrace(framesPerSecond: 100)
        bare.spectrogram = nil
        #expect(draw(bare, cuts: []).height == 920)
    }
}

@Suite struct PanelTests {
    @Test(arguments: [
        (-10.0...10, ["-10", "0", "10"]), (-5...15, ["0", "10"]),
        (-60...0, ["-60", "-40", "-20", "0"]),
        (-100...0, ["-100", "-80", "-60", "-40", "-20", "0"]),
        (-150...0, ["-150", "-100", "-50", "0"]),
    ])
    func tickLabelsFitValueRange(values: ClosedRange<Double>, labels: [String]) {
        let panel = Panel(xs: 0..<1, ys: 0..<140, durationSeconds: 1, values: values)
        #expect(panel.ticks.map(\.label) == labels)
        #expect(panel.ticks.map(\.value) == labels.compactMap(Double.init))
    }

    private let panel = Panel(
        xs: 100..<200, ys: 10..<31, durationSeconds: 10, values: -100...0)

    @Test func timesAndValuesMapToPixels() {
        #expect([0, 5, 10, 99].map { panel.x(atSeconds: $0) } == [100, 150, 200, 200])
        #expect([0, -50, -100, -300, 7].map { panel.y(of: $0) } == [10, 20, 30, 30, 10])
        #expect(panel.xs(of: 1..<2) == 110..<120)
        #expect(panel.xs(of: 1..<1.001) == 110..<111)
        #expect(panel.xs(of: 9.99..<10) == 199..<200)
    }

    @Test func everyValueIsAssignedToAColumn() {
        // More values than columns: all of them; fewer: each in several columns.
        let many = (100..<200).flatMap { panel.indices(atX: $0, perSecond: 100, count: 995) }
        #expect(Set(many) == Set(0..<995))
        let few = (100..<200).map { panel.indices(atX: $0, perSecond: 1, count: 10) }
        #expect(few.allSatisfy { $0.count == 1 })
        #expect(panel.indices(atX: 199, perSecond: 100, count: 5).isEmpty)
    }

    @Test func lineIsDrawnWithoutGaps() {
        var canvas = Canvas(width: 200, height: 40, Palette.paper)
        let series = (0..<100).map { Float($0.isMultiple(of: 2) ? -90 : -10) }
        panel.draw(series, perSecond: 10, Palette.level, on: &canvas)
        for x in 101..<200 {
            let rows = (0..<40).filter { canvas[x, $0] == Palette.level }
            #expect(rows.first == panel.y(of: -10) && rows.last == panel.y(of: -90))
            #expect(rows.count == panel.y(of: -90) - panel.y(of: -10) + 1)
        }
    }

    @Test func infiniteValuesAreNotDrawn() {
        var canvas = Canvas(width: 200, height: 40, Palette.paper)
        let series: [Float] = Array(repeating: -.infinity, count: 100)
        panel.draw(series, perSecond: 10, Palette.level, on: &canvas)
        #expect(canvas == Canvas(width: 200, height: 40, Palette.paper))
    }
}

@Suite struct TimeLabelTests {
    @Test(arguments: [
        (0, 1, "0:00"), (7.5, 0.5, "0:07.5"), (75, 15, "1:15"), (3_727, 60, "1:02:07"),
        (36_000, 3_600, "10:00:00"),
    ])
    func timeLabelIsFormattedForStep(seconds: Double, step: Double, text: String) {
        #expect(InspectionPicture.label(seconds, step: step) == text)
    }
}
