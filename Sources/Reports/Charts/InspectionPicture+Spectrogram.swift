import Recordings

extension InspectionPicture {
    /// The dynamic range shown: anything further below the maximum is drawn as silence.
    private static let rangeDecibels: Float = 80

    mutating func drawSpectrogram(_ panel: Panel) {
        begin(panel, [("spectrogram, Hz", Palette.ink)], ticks: [])
        guard let spectrogram = inspection.spectrogram, spectrogram.columns > 0 else { return }
        let range = InspectionPicture.range(of: spectrogram)
        let span = Double(max(1, range.upperBound - range.lowerBound))
        let perSecond =
            Double(spectrogram.sampleRateHertz) / Double(spectrogram.framesPerColumn)
        for x in panel.xs {
            let some = panel.indices(atX: x, perSecond: perSecond, count: spectrogram.columns)
            guard !some.isEmpty else { continue }
            for y in panel.ys {
                let row = (panel.ys.upperBound - 1 - y) * spectrogram.rows / panel.ys.count
                let level = some.reduce(-.infinity as Float) {
                    max($0, spectrogram.levelsDBFS[$1 * spectrogram.rows + row])
                }
                canvas[x, y] = Palette.heat(Double(level - range.lowerBound) / span)
            }
        }
        for hertz in [100.0, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000] {
            guard let y = InspectionPicture.y(ofHertz: hertz, spectrogram, panel) else { break }
            write(label: "\(Int(hertz))", at: y, of: panel)
        }
    }

    /// The power range of the colour scale: from the maximum down to the fifth percentile, so that
    /// noise leaves colours for what stands out from it.
    private static func range(of spectrogram: Spectrogram) -> ClosedRange<Float> {
        let levels = spectrogram.levelsDBFS
        let loudest = levels.max() ?? 0
        // A sample suffices; the step is coprime with the number of rows, so it covers all rows.
        let some = stride(from: 0, to: levels.count, by: 29).map { levels[$0] }.sorted()
        let quiet = some.isEmpty ? loudest : some[some.count / 20]
        return min(loudest, max(quiet, loudest - rangeDecibels))...loudest
    }

    /// The pixel row of a frequency; `nil` above the highest.
    private static func y(
        ofHertz hertz: Double, _ spectrogram: Spectrogram, _ panel: Panel
    ) -> Int? {
        guard let row = spectrogram.edgesHertz.firstIndex(where: { $0 > hertz }) else { return nil }
        return panel.ys.upperBound - 1 - row * panel.ys.count / spectrogram.rows
    }
}

// MARK: - Time

extension InspectionPicture {
    private static let steps =
        [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30]
        + [1, 2, 5, 10, 15, 30, 60, 120, 240, 480, 960, 1_920].map { $0 * 60.0 }
    private static let mostTicks = 12.0

    /// Draws the time axis below the panels.
    mutating func drawTimes(_ panel: Panel) {
        let duration = panel.durationSeconds
        let steps = InspectionPicture.steps
        let step =
            steps.first { duration / $0 <= InspectionPicture.mostTicks } ?? steps[steps.count - 1]
        var count = 0
        while Double(count) * step <= duration {
            let seconds = Double(count) * step
            let x = panel.x(atSeconds: seconds)
            canvas.fill(x..<x + 1, panel.ys.upperBound..<panel.ys.upperBound + 6, Palette.ink)
            let label = InspectionPicture.label(seconds, step: step)
            let width = label.count * 2 * DotFont.advance
            let place = min(x - width / 2, InspectionPicture.width - 4 - width)
            canvas.write(label, x: place, y: panel.ys.upperBound + 12, Palette.ink)
            count += 1
        }
    }

    /// "0:07", "1:02:07", and "0:07.5" where steps are shorter than a second.
    static func label(_ seconds: Double, step: Double) -> String {
        guard step < 1 else { return DurationText.clock(seconds) }
        let tenths = Int((seconds * 10).rounded())
        return "\(DurationText.clock(Double(tenths / 10))).\(tenths % 10)"
    }
}
