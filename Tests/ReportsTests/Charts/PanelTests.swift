import Testing

@testable import Reports

@Suite struct PanelTests {
    @Test(arguments: [
        (-10.0...10, ["-10", "0", "10"]), (-5...15, ["0", "10"]),
        (-60...0, ["-60", "-40", "-20", "0"]),
        (-100...0, ["-100", "-80", "-60", "-40", "-20", "0"]),
        (-150...0, ["-150", "-100", "-50", "0"]),
    ])
    func tickLabelsFitValueRange(values: ClosedRange<Double>, labels: [String]) {
        let panel = Panel(xs: 0..<1, ys: 0..<140, seconds: 0..<1, values: values)
        #expect(panel.ticks.map(\.label) == labels)
        #expect(panel.ticks.map(\.value) == labels.compactMap(Double.init))
    }

    private let panel = Panel(
        xs: 100..<200, ys: 10..<31, seconds: 0..<10, values: -100...0)

    @Test func timesAndValuesMapToPixels() {
        #expect([0, 5, 10].map { panel.x(of: $0) } == [100, 150, 200])
        #expect([0, -50, -100, -300, 7].map { panel.row(of: $0) } == [10, 20, 30, 30, 10])
        #expect(panel.xs(of: 1..<2) == 110..<120)
        #expect(panel.xs(of: 1..<1.001) == 110..<111)
        #expect(panel.xs(of: 9.99..<10) == 199..<200)
        #expect(panel.xs(of: 8..<99) == 180..<200)
        #expect(panel.xs(of: 10..<99) == nil)
    }

    @Test func partMapsToPixels() {
        let part = Panel(xs: 100..<200, ys: 10..<31, seconds: 4..<6, values: 0...1)
        #expect([4, 5, 6].map { part.x(of: $0) } == [100, 150, 200])
        #expect(part.xs(of: 0..<5) == 100..<150)
        #expect(part.xs(of: 0..<4) == nil)
        #expect(part.seconds(atX: 150) == 5..<5.02)
    }

    @Test func everyValueIsAssignedToAColumn() {
        // More values than columns: all of them; fewer: each in several columns.
        let many = (100..<200).flatMap { panel.indices(atX: $0, perSecond: 100, count: 995) }
        #expect(Set(many) == Set(0..<995))
        let few = (100..<200).map { panel.indices(atX: $0, perSecond: 1, count: 10) }
        #expect(few.allSatisfy { $0.count == 1 })
        #expect(panel.indices(atX: 199, perSecond: 100, count: 5).isEmpty)
        #expect(panel.indices(atX: 150, perSecond: 100, count: 500, start: 4) == 100..<110)
    }

    @Test func groupsCoverAllValuesOnce() {
        for (perSecond, count) in [(100.0, 995), (1, 10), (35, 350)] {
            let groups = panel.groups(perSecond: perSecond, count: count)
            #expect(groups.flatMap { $0 } == Array(0..<count))
        }
        #expect(panel.groups(perSecond: 100, count: 1_000).count == 100)
        #expect(panel.groups(perSecond: 100, count: 0).isEmpty)
        // Of a part, those that it shows, with one more at each side.
        let part = Panel(xs: 100..<200, ys: 10..<31, seconds: 4..<6, values: 0...1)
        #expect(part.groups(perSecond: 10, count: 100).flatMap { $0 } == Array(39..<62))
    }

    private func pixels(of series: [Float], _ perSecond: Double = 10) throws -> Pixels {
        let drawing = Drawing(try Cairo(), .png, width: 300, height: 40)
        panel.draw(series, perSecond: perSecond, Palette.level, on: drawing)
        return Pixels(drawing)
    }

    @Test func lineIsDrawnWithoutGaps() throws {
        let drawn = try pixels(of: (0..<100).map { $0.isMultiple(of: 2) ? -90 : -10 })
        for x in 100..<200 {
            #expect((0..<40).contains { drawn[x, $0] != Palette.paper }, "\(x)")
        }
        // It stays in its panel.
        for (x, y) in [(99, 20), (200, 20), (150, 9), (150, 31)] {
            #expect(drawn[x, y] == Palette.paper)
        }
    }

    @Test func valuesOfOnePlaceAreDrawnAsTheirRange() throws {
        // A hundred values for each pixel column.
        let drawn = try pixels(of: (0..<10_000).map { $0.isMultiple(of: 2) ? -90 : -10 }, 1_000)
        for x in 101..<199 {
            #expect((12..<28).allSatisfy { drawn[x, $0] == Palette.level }, "\(x)")
        }
    }

    @Test func infiniteValuesAreNotDrawn() throws {
        let none = try pixels(of: Array(repeating: -.infinity, count: 100))
        #expect(none.colours == [Palette.paper])
        // Where they interrupt a line, it has a gap.
        let gap = try pixels(of: (0..<100).map { (40..<60).contains($0) ? -.infinity : -50 })
        let columns = (100..<200).filter { gap[$0, 20] != Palette.paper }
        #expect(columns == Array(100..<140) + Array(160..<200))
    }
}

@Suite struct TimeLabelTests {
    @Test(arguments: [
        (0, 1, "0:00"), (7.5, 0.5, "0:07.5"),
        (7.25, 0.05, "0:07.25"), (0.005, 0.001, "0:00.005"), (75, 15, "1:15"),
        (3_727, 60, "1:02:07"),
        (36_000, 3_600, "10:00:00"),
    ])
    func timeLabelIsFormattedForStep(seconds: Double, step: Double, text: String) {
        #expect(InspectionPicture.label(seconds, step: step) == text)
    }

    @Test func ticksAreMultiplesWithinDrawnPart() {
        let panel = Panel(xs: 72..<1_264, ys: 0..<1, seconds: 1.4..<3.25, values: 0...1)
        let ticks = InspectionPicture.ticks(panel)
        #expect(ticks.map(\.label).prefix(2) == ["0:01.4", "0:01.6"])
        #expect(ticks.last?.label == "0:03.2")
        #expect(ticks.count == 10)
    }
}
