import Recordings

extension InspectionPicture {
    /// The dynamic range shown: anything further below the maximum is drawn as silence.
    private static let rangeDecibels: Float = 80

    func drawSpectrogram(_ panel: Panel) {
        begin(panel, [("spectrogram, Hz", Palette.ink)], ticks: [])
        guard let spectrogram = inspection.spectrogram, spectrogram.columns > 0 else { return }
        let range = InspectionPicture.range(of: spectrogram)
        let span = Double(max(1, range.upperBound - range.lowerBound))
        let perSecond =
            Double(spectrogram.sampleRateHertz) / Double(spectrogram.framesPerColumn)
        let rows = spectrogram.rows
        let columns = panel.xs.map {
            panel.indices(
                atX: $0, perSecond: perSecond, count: spectrogram.columns,
                start: spectrogram.startSeconds)
        }
        drawing.image(panel.xs, panel.ys, columns: columns.count, rows: rows) { column, row in
            guard !columns[column].isEmpty else { return Palette.paper }
            let level = columns[column].reduce(-.infinity as Float) {
                max($0, spectrogram.levelsDBFS[$1 * rows + rows - 1 - row])
            }
            return Palette.heat(Double(level - range.lowerBound) / span)
        }
        for hertz in [100.0, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000] {
            guard let row = InspectionPicture.row(ofHertz: hertz, spectrogram, panel) else { break }
            write(label: "\(Int(hertz))", at: row, of: panel)
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
    private static func row(
        ofHertz hertz: Double, _ spectrogram: Spectrogram, _ panel: Panel
    ) -> Int? {
        guard let row = spectrogram.edgesHertz.firstIndex(where: { $0 > hertz }) else { return nil }
        return panel.ys.upperBound - 1 - row * panel.ys.count / spectrogram.rows
    }
}
