/// One diagram of several above each other that share the axis of time.
struct Panel {
    /// Where it is on the canvas.
    let xs: Range<Int>
    let ys: Range<Int>
    let durationSeconds: Double
    /// The values at the lower and the upper edge.
    let values: ClosedRange<Double>

    /// The time that a column of pixels stands for.
    func seconds(atX x: Int) -> Range<Double> {
        let perPixel = durationSeconds / Double(xs.count)
        let place = Double(x - xs.lowerBound)
        return place * perPixel..<(place + 1) * perPixel
    }

    /// The column of pixels at a time.
    func x(atSeconds seconds: Double) -> Int {
        guard durationSeconds > 0 else { return xs.lowerBound }
        let place = seconds / durationSeconds * Double(xs.count)
        return xs.lowerBound + max(0, min(xs.count, Int(place.rounded())))
    }

    /// The columns of pixels of a stretch of time, at least one.
    func xs(of stretch: Range<Double>) -> Range<Int> {
        let first = min(x(atSeconds: stretch.lowerBound), xs.upperBound - 1)
        return first..<max(first + 1, x(atSeconds: stretch.upperBound))
    }

    /// The row of pixels of a value; values beyond an edge are at the edge.
    func y(of value: Double) -> Int {
        let span = values.upperBound - values.lowerBound
        let share =
            (min(values.upperBound, max(values.lowerBound, value)) - values.lowerBound) / span
        return ys.upperBound - 1 - Int((share * Double(ys.count - 1)).rounded())
    }

    /// Multiples of ten, or of as many tens as leave room for a label each.
    var ticks: [(value: Double, label: String)] {
        let span = values.upperBound - values.lowerBound
        let room = span * Double(Panel.tickHeight) / Double(ys.count)
        let step = [10, 20, 50].first { $0 >= room } ?? 100
        let lowest = (values.lowerBound / step).rounded(.up) * step
        return stride(from: lowest, through: values.upperBound, by: step).map {
            ($0, "\(Int($0))")
        }
    }

    /// Rows of pixels for a label and the space to the next.
    private static let tickHeight = 26

    /// For each column of pixels the values of which it has a part, given how many there are in a
    /// second; empty behind the last.
    func indices(atX x: Int, perSecond: Double, count: Int) -> Range<Int> {
        let time = seconds(atX: x)
        let first = Int(time.lowerBound * perSecond)
        guard first < count else { return 0..<0 }
        return first..<min(count, max(first + 1, Int(time.upperBound * perSecond)))
    }

    /// Draws values as a line, of those that share a column of pixels the whole range.
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
            // Up to what is to the left, so that nothing is torn.
            let bottom = min(now.low, before?.high ?? now.low)
            let top = max(now.high, before?.low ?? now.high)
            canvas.stroke(x, from: y(of: bottom), to: y(of: top), colour)
            before = now
        }
    }
}
