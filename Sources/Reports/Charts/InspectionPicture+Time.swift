extension InspectionPicture {
    private static let steps =
        [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30]
        + [1, 2, 5, 10, 15, 30, 60, 120, 240, 480, 960, 1_920].map { $0 * 60.0 }
    /// Pixels for each label, with the gap to the next.
    private static let tickWidth = 96.0

    /// Draws the time axis below the panels.
    func drawTimes(_ panel: Panel) {
        let bottom = panel.ys.upperBound
        for time in InspectionPicture.ticks(panel) {
            // The end of the recording has its tick in the last column.
            let x = min(Int(panel.x(of: time.seconds).rounded()), panel.xs.upperBound - 1)
            drawing.fill(x..<x + 1, bottom..<bottom + 6, Palette.dim)
            // Labels at the end stay within the picture.
            let room = Double(drawing.width) - 4
            let isAtEnd = Double(x) + InspectionPicture.tickWidth / 3 > room
            drawing.write(
                time.label, x: isAtEnd ? room : Double(x), y: Double(bottom + 22), Palette.ink,
                InspectionPicture.labels, isAtEnd ? .right : .middle)
        }
    }

    /// The times with a label.
    static func ticks(_ panel: Panel) -> [(seconds: Double, label: String)] {
        let (start, end) = (panel.seconds.lowerBound, panel.seconds.upperBound)
        let most = max(2, Double(panel.xs.count) / tickWidth)
        let step = steps.first { (end - start) / $0 <= most } ?? steps[steps.count - 1]
        let first = (start / step).rounded(.up)
        return stride(from: first, through: end / step, by: 1).map {
            ($0 * step, label($0 * step, step: step))
        }
    }

    /// "0:07", "1:02:07", and "0:07.5" or "0:07.25" where steps are shorter than a second.
    static func label(_ seconds: Double, step: Double) -> String {
        let digits = step < 0.01 ? 3 : step < 0.1 ? 2 : step < 1 ? 1 : 0
        guard digits > 0 else { return DurationText.clock(seconds) }
        let scale = [1, 10, 100, 1_000][digits]
        let (whole, rest) = Int((seconds * Double(scale)).rounded())
            .quotientAndRemainder(dividingBy: scale)
        return "\(DurationText.clock(Double(whole)))." + String(scale + rest).dropFirst()
    }
}
