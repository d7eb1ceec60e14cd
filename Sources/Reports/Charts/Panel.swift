/// One of several stacked diagrams that share a time axis.
struct Panel {
    /// Its area of the picture.
    let xs: Range<Int>
    let ys: Range<Int>
    /// The part of the recording that it shows.
    let seconds: Range<Double>
    /// The values at the lower and the upper edge.
    let values: ClosedRange<Double>

    private var duration: Double { seconds.upperBound - seconds.lowerBound }

    /// The place of a time, perhaps outside of the panel.
    func x(of time: Double) -> Double {
        guard duration > 0 else { return Double(xs.lowerBound) }
        return Double(xs.lowerBound) + (time - seconds.lowerBound) / duration * Double(xs.count)
    }

    /// The time range of a pixel column.
    func seconds(atX x: Int) -> Range<Double> {
        let perPixel = duration / Double(xs.count)
        let place = Double(x - xs.lowerBound)
        return seconds.lowerBound + place * perPixel..<seconds.lowerBound + (place + 1) * perPixel
    }

    /// The pixel columns of a time range, at least one; `nil` if none of it is shown.
    func xs(of stretch: Range<Double>) -> Range<Int>? {
        let shown = stretch.clamped(to: seconds)
        guard !shown.isEmpty else { return nil }
        let first = min(Int(x(of: shown.lowerBound).rounded()), xs.upperBound - 1)
        return first..<max(first + 1, Int(x(of: shown.upperBound).rounded()))
    }

    /// The place of a value, clamped to the edges: the middle of the lowest row to that of the
    /// highest.
    func y(of value: Double) -> Double {
        let clamped = min(values.upperBound, max(values.lowerBound, value))
        let share = (clamped - values.lowerBound) / (values.upperBound - values.lowerBound)
        return Double(ys.upperBound) - 0.5 - share * Double(ys.count - 1)
    }

    /// The pixel row of a value.
    func row(of value: Double) -> Int { Int(y(of: value)) }

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
}

// MARK: - Series

extension Panel {
    /// The indices of the values in a pixel column, given the values per second; empty after the
    /// last value.
    /// - Parameter start: the time of the first value, in seconds.
    func indices(
        atX x: Int, perSecond: Double, count: Int, start: Double = 0
    ) -> Range<Int> {
        let time = seconds(atX: x)
        let first = max(0, Int((time.lowerBound - start) * perSecond))
        guard first < count else { return 0..<0 }
        return first..<min(count, max(first + 1, Int((time.upperBound - start) * perSecond)))
    }

    /// The values to be drawn as one, so that each pixel column has about one; a little more than
    /// is shown, so that lines reach the edges.
    func groups(perSecond: Double, count: Int) -> [Range<Int>] {
        let size = max(1, Int(duration / Double(xs.count) * perSecond))
        let first = max(0, Int(seconds.lowerBound * perSecond) / size - 1)
        let end = min((count + size - 1) / size, Int(seconds.upperBound * perSecond) / size + 2)
        return stride(from: first, to: end, by: 1).map {
            $0 * size..<min(count, ($0 + 1) * size)
        }
    }

    /// Draws a series as a line; values that share a place are drawn as their range.
    func draw(_ series: [Float], perSecond: Double, _ colour: Colour, on drawing: Drawing) {
        var line: [Drawing.Point] = []
        var end = 0.0
        func finish() {
            guard let last = line.last else { return }
            drawing.stroke(line + [.init(x: x(of: end), y: last.y)], colour, width: 1.5)
            line = []
        }
        drawing.clipped(xs, ys) {
            for group in groups(perSecond: perSecond, count: series.count) {
                let some = series[group].filter(\.isFinite)
                guard let low = some.min(), let high = some.max() else {
                    finish()
                    continue
                }
                var heights = [y(of: Double(low)), y(of: Double(high))]
                // Go on with the nearer of both.
                if let last = line.last, abs(heights[1] - last.y) < abs(heights[0] - last.y) {
                    heights.swapAt(0, 1)
                }
                let (start, stop) = span(of: group, perSecond: perSecond)
                if line.isEmpty { line.append(.init(x: x(of: start), y: heights[0])) }
                let middle = x(of: (start + stop) / 2)
                line.append(.init(x: middle, y: heights[0]))
                if low < high { line.append(.init(x: middle, y: heights[1])) }
                end = stop
            }
            finish()
        }
    }

    /// Draws a band between the lowest and the highest of the values of each group.
    func drawBand(
        perSecond: Double, count: Int, _ colour: Colour, on drawing: Drawing,
        _ extent: (Range<Int>) -> (low: Double, high: Double)
    ) {
        let groups = groups(perSecond: perSecond, count: count)
        var (tops, bottoms): ([Drawing.Point], [Drawing.Point]) = ([], [])
        for (index, group) in groups.enumerated() {
            let (start, stop) = span(of: group, perSecond: perSecond)
            let (low, high) = extent(group)
            var times = [(start + stop) / 2]
            if index == 0 { times.insert(start, at: 0) }
            if index == groups.count - 1 { times.append(stop) }
            for time in times {
                tops.append(.init(x: x(of: time), y: y(of: high)))
                bottoms.append(.init(x: x(of: time), y: y(of: low)))
            }
        }
        let outline = tops + bottoms.reversed()
        drawing.clipped(xs, ys) {
            drawing.fill(outline, colour)
            // Where the band has no height, its outline is seen.
            drawing.stroke(outline, colour, width: 1)
        }
    }

    /// The time range of some values.
    private func span(of group: Range<Int>, perSecond: Double) -> (Double, Double) {
        (Double(group.lowerBound) / perSecond, Double(group.upperBound) / perSecond)
    }
}
