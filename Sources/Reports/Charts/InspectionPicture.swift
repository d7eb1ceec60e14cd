import Recordings

/// A picture of one recording's analysis: the signal, the detector's decisions, and planned cuts.
///
/// Panels from top to bottom: waveform, spectrogram, level and noise floor, score and threshold,
/// decision; all share one time axis. The same inspection gives the same pixels.
package struct InspectionPicture {
    let inspection: Inspection
    /// The planned cuts, in seconds.
    let cuts: [Range<Double>]
    var canvas: Canvas

    static let width = 1280
    private static let height = 920
    private static let left = 84
    private static let right = 16

    /// Draws an inspection that has a trace and a spectrogram.
    /// - Parameter heading: up to four lines at the top.
    package static func draw(
        _ inspection: Inspection, cuts: [Range<Double>], heading: [String]
    ) -> Canvas {
        var picture = InspectionPicture(
            inspection: inspection, cuts: cuts,
            canvas: Canvas(width: width, height: height, Palette.paper))
        picture.write(heading)
        picture.drawWaveform(picture.panel(110..<240, -1...1))
        picture.drawSpectrogram(picture.panel(268..<468, 0...1))
        if let trace = inspection.trace {
            let lowest = Double(trace.floorsDBFS.filter(\.isFinite).min() ?? -60)
            let bottom = max(-100, min(-40, ((lowest - 10) / 20).rounded(.down) * 20))
            picture.draw(
                trace, on: picture.panel(496..<636, bottom...0),
                [
                    ("level", trace.levelsDBFS, Palette.level),
                    ("noise floor as followed, dBFS", trace.floorsDBFS, Palette.floor),
                ])
            let (unit, values) = scale(of: trace)
            picture.draw(
                trace, on: picture.panel(664..<804, values),
                [
                    ("score", trace.scores, Palette.level),
                    ("threshold, \(unit)", trace.thresholds, Palette.threshold),
                ])
        }
        picture.drawDecision(picture.panel(832..<864, 0...1))
        picture.drawTimes(picture.panel(110..<868, 0...1))
        return picture.canvas
    }

    /// The unit of scores, and the value range of their panel.
    private static func scale(of trace: DetectorTrace) -> (String, ClosedRange<Double>) {
        switch trace.scale {
        case .logOdds: return ("log odds of speech", -10...10)
        case .dBFS: return ("dBFS", -100...0)
        case .decibelsAboveFloor:
            let highest = Double(trace.scores.filter(\.isFinite).max() ?? 0)
            let top = min(40, max(15, (highest / 5).rounded(.up) * 5))
            return ("dB above the floor", -5...top)
        }
    }

    private func panel(_ ys: Range<Int>, _ values: ClosedRange<Double>) -> Panel {
        Panel(
            xs: InspectionPicture.left..<InspectionPicture.width - InspectionPicture.right,
            ys: ys, durationSeconds: inspection.format.durationSeconds, values: values)
    }
}

/// The colours of a picture.
enum Palette {
    static let paper = Colour(255, 255, 255)
    static let ink = Colour(40, 40, 40)
    static let pale = Colour(200, 200, 200)
    static let grey = Colour(130, 130, 130)
    static let silence = Colour(232, 236, 242)
    static let cut = Colour(250, 214, 208)
    static let cutLine = Colour(206, 74, 56)
    static let wave = Colour(38, 92, 150)
    static let level = Colour(38, 92, 150)
    static let floor = Colour(226, 130, 20)
    static let threshold = Colour(206, 34, 60)

    /// From quiet to loud.
    private static let heat = [
        Colour(8, 8, 30), Colour(60, 20, 110), Colour(160, 40, 110), Colour(240, 110, 50),
        Colour(252, 250, 190),
    ]

    /// The colour of a share from 0, quiet, to 1, loud.
    static func heat(_ share: Double) -> Colour {
        let place = max(0, min(1, share)) * Double(heat.count - 1)
        let index = min(heat.count - 2, Int(place))
        return heat[index].mixed(with: heat[index + 1], share: place - Double(index))
    }
}

// MARK: - Panels

extension InspectionPicture {
    private mutating func write(_ heading: [String]) {
        let room = (InspectionPicture.width - 24) / (2 * DotFont.advance)
        for (index, line) in heading.prefix(4).enumerated() {
            canvas.write(String(line.prefix(room)), x: 12, y: 8 + 18 * index, Palette.ink)
        }
    }

    private mutating func drawWaveform(_ panel: Panel) {
        begin(panel, [("waveform", Palette.wave)], ticks: [-1, 0, 1].map { ($0, "\(Int($0))") })
        let peaks = inspection.peaks
        let perSecond = Double(inspection.format.sampleRateHertz) / Double(peaks.samplesPerPixel)
        for x in panel.xs {
            let some = panel.indices(atX: x, perSecond: perSecond, count: peaks.length)
            guard !some.isEmpty else { continue }
            let (low, high) = peaks.extent(of: some)
            canvas.stroke(
                x, from: panel.y(of: Double(low) / 32_768), to: panel.y(of: Double(high) / 32_768),
                Palette.wave)
        }
    }

    private mutating func draw(
        _ trace: DetectorTrace, on panel: Panel,
        _ series: [(caption: String, values: [Float], colour: Colour)]
    ) {
        begin(panel, series.map { ($0.caption, $0.colour) }, ticks: panel.ticks)
        let rate = Double(trace.framesPerSecond)
        for one in series { panel.draw(one.values, perSecond: rate, one.colour, on: &canvas) }
    }

    private mutating func drawDecision(_ panel: Panel) {
        begin(
            panel,
            [("sound", Palette.wave), ("silence", Palette.grey), ("cut", Palette.cutLine)],
            ticks: [])
        canvas.fill(panel.xs, panel.ys, Palette.wave)
        for silence in inspection.silence.intervalsSeconds {
            canvas.fill(panel.xs(of: silence[0]..<silence[1]), panel.ys, Palette.pale)
        }
        for cut in cuts {
            canvas.fill(panel.xs(of: cut), panel.ys, Palette.cut)
            canvas.hatch(panel.xs(of: cut), panel.ys, Palette.cutLine)
        }
    }

    /// Draws background, caption, axis and ticks of a panel.
    mutating func begin(
        _ panel: Panel, _ captions: [(String, Colour)], ticks: [(value: Double, label: String)]
    ) {
        for silence in inspection.silence.intervalsSeconds {
            canvas.fill(panel.xs(of: silence[0]..<silence[1]), panel.ys, Palette.silence)
        }
        for cut in cuts { canvas.fill(panel.xs(of: cut), panel.ys, Palette.cut) }
        var x = panel.xs.lowerBound
        for (caption, colour) in captions {
            canvas.write(caption, x: x, y: panel.ys.lowerBound - 20, colour)
            x += (caption.count + 2) * 2 * DotFont.advance
        }
        for tick in ticks {
            let y = panel.y(of: tick.value)
            canvas.fill(panel.xs, y..<y + 1, Palette.pale)
            write(label: tick.label, at: y, of: panel)
        }
        canvas.stroke(
            panel.xs.lowerBound - 1, from: panel.ys.lowerBound, to: panel.ys.upperBound - 1,
            Palette.ink)
    }

    /// Draws a label left of a panel, at a pixel row.
    mutating func write(label: String, at y: Int, of panel: Panel) {
        let x = panel.xs.lowerBound - 8 - label.count * 2 * DotFont.advance
        canvas.write(label, x: x, y: y - 6, Palette.ink)
        canvas.fill(panel.xs.lowerBound - 5..<panel.xs.lowerBound, y..<y + 1, Palette.ink)
    }
}
