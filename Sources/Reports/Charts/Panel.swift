/// One of several stacked diagrams that share a time axis.
struct Panel {
    /// Its area of the canvas.
    let xs: Range<Int>
    let ys: Range<Int>
    let durationSeconds: Double
    /// The values at the lower and the upper edge.
    let values: ClosedRange<Double>

    /// The time range of a pixel column.
    func seconds(atX x: Int) -> Range<Double> {
        let perPixel = durationSeconds / Double(xs.count)
        let place = Double(x - xs.lowerBound)
        return place * perPixel..<(place + 1) * perPixel
    }

    /// The pixel column of a time.
    func x(atSeconds seconds: Double) -> Int {
        guard durationSeconds > 0 else { return xs.lowerBound }
        let place = seconds / durationSeconds * Double(xs.count)
        return xs.lowerBound + max(0, min(xs.count, Int(place.rounded())))
    }

    /// The pixel columns of a time range, at least one.
    func xs(of stretch: Range<Double>) -> Range<Int> {
        let first = min(x(atSeconds: stretch.lowerBound), xs.upperBound - 1)
        return first..<max(first + 1, x(atSeconds: stretch.upperBound))
    }

    /// The pixel row of a value, clamped to the edges.
    func y(of value: Double) -> Int {
        let span = values.upperBound - values.lowerBound
        let share =
            (min(values.upperBound, max(values.lowerBound, value)) - values.lowerBound) / span
        return ys.upperBound - 1 - Int((share * Double(ys.count - 1)).rounded())
    }

    /// Tick marks at multiples of 10, or of 20, 50 or 100 if labels need more space.
    var ticks: [(value: Double, label: String)] {
        let span = values.upperBound - values.lowerBound
        let room = span * Double(Panel.tickHeight) / Double(ys.count)
        let step = [10, 20, 50].first { $0 >= room } ?? 100
        let lowest = (values.lowerBound / step).rounded(.up) * step
        return stride(from: lowest, through: values.upperBound, by: step).map {
            ($0, "\(Int($0))")
        }
    }

    /// Pixel rows per label, including the gap to the next.
    private static let tickHeight = 26

    /// The indices of the values in a pixel column, given the values per second; empty after the
    /// last value.
    func indices(atX x: Int, perSecond: Double, count: Int) -> Range<Int> {
        let time = seconds(atX: x)
        let first = Int(time.lowerBound * perSecond)
        guard first < count else { return 0..<0 }
        return first..<min(count, max(first + 1, Int(time.upperBound * perSecond)))
    }

    /// Draws a series as a line; values that share a pixel column are drawn as their range.
    func draw(
        _ series: [Float], perSecond: Double, _ colour: Colour, on canvas: inout Canvas
    ) {
        var before: (low: Double, high: Double)?
        for x in xs {
            let some = series[indices(atX: x, perSecond: perSecond, count: series.count)]
                .filter(\.isFinite)
            guard let low = some.min(), let high = some.max() else {
                before = nil
                continue
            }
            let now = (low: Double(low), high: Double(high))
            // Extend to the column on the left, so that the line has no gaps.
            let bottom = min(now.low, before?.high ?? now.low)
            let top = max(now.high, before?.low ?? now.high)
            canvas.stroke(x, from: y(of: bottom), to: y(of: top), colour)
            before = now
        }
    }
}
