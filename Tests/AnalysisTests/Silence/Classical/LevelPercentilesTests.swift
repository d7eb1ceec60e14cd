import TestSupport
import Testing

@testable import Analysis

@Suite struct LevelPercentilesTests {
    /// The mean of the values from `before` ahead of each to `after` behind it.
    private func means(_ values: [Double], before: Int, after: Int) -> [Double] {
        values.indices.map {
            let around = values[max(0, $0 - before)...min(values.count - 1, $0 + after)]
            return around.reduce(0, +) / Double(around.count)
        }
    }

    @Test(arguments: [0, 1, 4, 300, 301, 700, 4095, 4096, 4097, 9000])
    func floorIsTwentiethPercentileOfSurroundingSeconds(count: Int) {
        var random = SeededGenerator(seed: UInt64(count))
        var level = -50.0
        let levels = (0..<count).map { _ in
            level = max(-90, min(-10, level + Double.random(in: -2...2, using: &random)))
            return level
        }
        let floors = LevelPercentiles(levels.map { Float($0) })
        let smooth = means(levels, before: 5, after: 4)
        let fifths = smooth.indices.map { place in
            smooth[max(0, place - 300)...min(count - 1, place + 300)].percentile(0.2)
        }
        for (frame, floor) in means(fifths, before: 45, after: 45).enumerated() {
            // Levels are counted in steps of a quarter of a decibel.
            #expect(abs(Double(floors[frame]) - floor) < 0.3, "frame \(frame)")
        }
    }

    @Test func windowIsSymmetricAroundFrame() {
        let floors = LevelPercentiles((0..<3000).map { $0 < 1500 ? -60 : -20 })
        // Levels are the means of ten, and the upper four fifths of a window of 601 count.
        let way = (1400..<1900).map { floors[$0] }
        #expect(abs(way[0] + 60) < 0.3 && abs(way[499] + 20) < 0.3)
        // Half of the 91 floors around this frame are those of the louder half.
        let middle = way.firstIndex { $0 > -40 }.map { $0 + 1400 }
        #expect(middle.map { (1679...1681).contains($0) } == true, "\(middle as Int?)")
    }
}

extension LevelPercentiles {
    /// Of levels that are all that is heard.
    fileprivate init(_ levels: [Float]) {
        self.init(of: levels.indices) { levels[$0] }
    }
}
