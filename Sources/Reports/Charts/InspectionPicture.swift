import Jobs
import Recordings

/// A picture of one recording's analysis: the signal, the detector's decisions, and planned cuts.
///
/// Panels from top to bottom: waveform, spectrogram, level and noise floor, score and threshold,
/// decision; all share one time axis.
package struct InspectionPicture {
    let inspection: Inspection
    /// The planned cuts, in seconds.
    let cuts: [Range<Double>]
    /// The part of the recording that is drawn.
    let seconds: Range<Double>
    let drawing: Drawing

    static let height = 920
    static let left = 72
    static let right = 16
    static let labels = Drawing.Font(size: 13)
    private static let captions = Drawing.Font(size: 14)

    /// Draws an inspection that has a trace and a spectrogram; returns the bytes of a file.
    /// - Parameter heading: up to four lines at the top.
    package static func draw(
        _ inspection: Inspection, cuts: [Range<Double>], heading: [String], _ style: PictureStyle,
        with cairo: Cairo
    ) throws(PictureRefusal) -> [UInt8] {
        let bytes = try drawing(inspection, cuts: cuts, heading: heading, style, with: cairo)
            .finish()
        return style.format == .svg ? PictureText.titled(bytes, heading) : bytes
    }

    static func drawing(
        _ inspection: Inspection, cuts: [Range<Double>], heading: [String], _ style: PictureStyle,
        with cairo: Cairo
    ) throws(PictureRefusal) -> Drawing {
        let seconds = try style.seconds(ofDuration: inspection.format.durationSeconds)
        let picture = InspectionPicture(
            inspection: inspection, cuts: cuts, seconds: seconds,
            drawing: Drawing(cairo, style.format, width: style.width, height: height))
        picture.write(heading)
        picture.drawWaveform(picture.panel(126..<256, -1...1))
        picture.drawSpectrogram(picture.panel(286..<478, 0...1))
        if let trace = inspection.trace { picture.draw(trace) }
        picture.drawDecision(picture.panel(836..<868, 0...1))
        picture.drawTimes(picture.panel(126..<868, 0...1))
        return picture.drawing
    }

    private func panel(_ ys: Range<Int>, _ values: ClosedRange<Double>) -> Panel {
        Panel(
            xs: InspectionPicture.left..<drawing.width - InspectionPicture.right, ys: ys,
            seconds: seconds, values: values)
    }
}

// MARK: - Panels

extension InspectionPicture {
    private func write(_ heading: [String]) {
        for (index, line) in heading.prefix(4).enumerated() {
            let font =
                index == 0 ? Drawing.Font(size: 17, isBold: true) : InspectionPicture.captions
            drawing.write(
                line, x: 12, y: Double(26 + 21 * index), Palette.ink, font,
                room: Double(drawing.width - 24))
        }
    }

    private func drawWaveform(_ panel: Panel) {
        begin(panel, [("waveform", Palette.wave)], ticks: [-1, 0, 1].map { ($0, "\(Int($0))") })
        let peaks = inspection.peaks
        let perSecond = Double(inspection.format.sampleRateHertz) / Double(peaks.samplesPerPixel)
        panel.drawBand(
            perSecond: perSecond, count: peaks.length, Palette.wave, on: drawing
        ) {
            let (low, high) = peaks.extent(of: $0)
            return (Double(low) / 32_768, Double(high) / 32_768)
        }
    }

    private func draw(_ trace: DetectorTrace) {
        let lowest = Double(trace.floorsDBFS.filter(\.isFinite).min() ?? -60)
        let bottom = max(-100, min(-40, ((lowest - 10) / 20).rounded(.down) * 20))
        draw(
            trace, on: panel(508..<642, bottom...0),
            [
                ("level", trace.levelsDBFS, Palette.level),
                ("noise floor as tracked, dBFS", trace.floorsDBFS, Palette.floor),
            ])
        let (unit, values) = InspectionPicture.scale(of: trace)
        draw(
            trace, on: panel(672..<806, values),
            [
                ("score", trace.scores, Palette.level),
                ("threshold, \(unit)", trace.thresholds, Palette.threshold),
            ])
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

    private func draw(
        _ trace: DetectorTrace, on panel: Panel,
        _ series: [(caption: String, values: [Float], colour: Colour)]
    ) {
        begin(panel, series.map { ($0.caption, $0.colour) }, ticks: panel.ticks)
        let rate = Double(trace.framesPerSecond)
        for one in series { panel.draw(one.values, perSecond: rate, one.colour, on: drawing) }
    }

    private func drawDecision(_ panel: Panel) {
        begin(
            panel,
            [("sound", Palette.wave), ("silence", Palette.dim), ("cut", Palette.cutLine)],
            ticks: [])
        drawing.fill(panel.xs, panel.ys, Palette.wave)
        for silence in inspection.silence.intervalsSeconds {
            guard let xs = panel.xs(of: silence[0]..<silence[1]) else { continue }
            drawing.fill(xs, panel.ys, Palette.pause)
        }
        for xs in cuts.compactMap(panel.xs(of:)) {
            drawing.fill(xs, panel.ys, Palette.cut)
            drawing.hatch(xs, panel.ys, Palette.cutLine)
        }
    }

    /// Draws background, caption, axis and ticks of a panel.
    func begin(
        _ panel: Panel, _ captions: [(String, Colour)], ticks: [(value: Double, label: String)]
    ) {
        for silence in inspection.silence.intervalsSeconds {
            guard let xs = panel.xs(of: silence[0]..<silence[1]) else { continue }
            drawing.fill(xs, panel.ys, Palette.silence)
        }
        for xs in cuts.compactMap(panel.xs(of:)) { drawing.fill(xs, panel.ys, Palette.cut) }
        var x = Double(panel.xs.lowerBound)
        for (caption, colour) in captions {
            x +=
                18
                + drawing.write(
                    caption, x: x, y: Double(panel.ys.lowerBound - 8), colour,
                    InspectionPicture.captions, room: Double(panel.xs.upperBound) - x)
        }
        for tick in ticks {
            let row = panel.row(of: tick.value)
            drawing.fill(panel.xs, row..<row + 1, Palette.line)
            write(label: tick.label, at: row, of: panel)
        }
        drawing.fill(panel.xs.lowerBound - 1..<panel.xs.lowerBound, panel.ys, Palette.dim)
    }

    /// Draws a label left of a panel, at a pixel row.
    func write(label: String, at row: Int, of panel: Panel) {
        drawing.write(
            label, x: Double(panel.xs.lowerBound - 9), y: Double(row) + 5, Palette.ink,
            InspectionPicture.labels, .right)
        drawing.fill(panel.xs.lowerBound - 5..<panel.xs.lowerBound, row..<row + 1, Palette.dim)
    }
}
