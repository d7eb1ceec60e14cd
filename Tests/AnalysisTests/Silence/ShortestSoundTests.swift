import Recordings
import Testing

@testable import Analysis

@Suite struct ShortestSoundTests {
    /// What lasts for a second of stretches of half a second, with less than half between some.
    private func lasting(pauseSeconds: Double, margins: Int = 0) -> [Range<Int>] {
        var recipe = SilenceRecipe()
        recipe.minimumSeconds = pauseSeconds
        recipe.minimumSoundSeconds = 1
        return ShortestSound(recipe, margins: margins)
            .filter([0..<50, 90..<140, 200..<300, 350..<449])
    }

    @Test func soundsAcrossShortPauseCountAsOne() {
        let (long, pair) = (200..<300, [0..<50, 90..<140])
        #expect(lasting(pauseSeconds: 0.4) == [long])
        #expect(lasting(pauseSeconds: 0.401) == pair + [long])
        #expect(lasting(pauseSeconds: 0.4, margins: 1) == pair + [long])
        #expect(lasting(pauseSeconds: 0.51) == pair + [long, 350..<449])
        #expect(lasting(pauseSeconds: 0) == [long])
    }

    @Test func cutOffSoundMayBeShorter() {
        var recipe = SilenceRecipe()
        recipe.minimumSoundSeconds = 3
        let sounds = ShortestSound(recipe)
        #expect(sounds.filter([0..<20, 200..<220]) { $0.lowerBound == 0 } == [0..<20])
        #expect(sounds.filter([]) { _ in true } == [])
    }
}
