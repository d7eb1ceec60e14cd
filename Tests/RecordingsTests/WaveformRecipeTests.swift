import Foundation
import Recordings
import Testing

@Suite struct WaveformRecipeTests {
    private func json(_ recipe: WaveformRecipe) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(recipe), as: UTF8.self)
    }

    private func recipe(_ change: (inout WaveformRecipe) -> Void) -> WaveformRecipe {
        var recipe = WaveformRecipe()
        change(&recipe)
        return recipe
    }

    /// Manifests and records of earlier versions keep their bytes.
    @Test func newSettingsAreEncodedOnlyIfChosen() throws {
        let usual = #"{"bits":8,"format":"dat","samplesPerPixel":[256],"splitChannels":false}"#
        #expect(try json(WaveformRecipe()) == usual)
        #expect(
            try json(recipe { ($0.subjects, $0.points) = ([.source, .trimmed], 800) })
                == #"{"bits":8,"format":"dat","of":["source","trimmed"],"points":800,"#
                + #""splitChannels":false}"#)
        #expect(
            try JSONDecoder().decode(WaveformRecipe.self, from: Data(usual.utf8))
                == WaveformRecipe())
    }

    @Test func recipeRoundTripsAsJSON() throws {
        let recipes = [
            recipe { $0.samplesPerPixel = [64, 512] }, recipe { $0.pixelsPerSecond = 100 },
            recipe { ($0.points, $0.format) = (800, .floatJSON) },
            recipe { $0.subjects = [.trimmed] },
        ]
        for recipe in recipes {
            let bytes = try JSONEncoder().encode(recipe)
            #expect(try JSONDecoder().decode(WaveformRecipe.self, from: bytes) == recipe)
        }
        let bare = Data(#"{"bits":8,"format":"dat","splitChannels":false}"#.utf8)
        #expect(throws: (any Error).self) {
            try JSONDecoder().decode(WaveformRecipe.self, from: bare)
        }
    }

    @Test func zoomGoesByTheSampleRate() {
        let table: [(WaveformRecipe, rate: Int, [WaveformRecipe.Zoom])] = [
            (WaveformRecipe(), 48_000, [.samplesPerPixel(256)]),
            (
                recipe { $0.samplesPerPixel = [9, 2] }, 1,
                [.samplesPerPixel(9), .samplesPerPixel(2)]
            ),
            (recipe { $0.pixelsPerSecond = 100 }, 44_100, [.samplesPerPixel(441)]),
            // As audiowaveform divides.
            (recipe { $0.pixelsPerSecond = 7 }, 44_100, [.samplesPerPixel(6300)]),
            (recipe { $0.pixelsPerSecond = 31 }, 44_100, [.samplesPerPixel(1422)]),
            // Readers accept no fewer.
            (recipe { $0.pixelsPerSecond = 8_000 }, 8_000, [.samplesPerPixel(2)]),
            (recipe { $0.pixelsPerSecond = 9_000 }, 8_000, [.samplesPerPixel(2)]),
            (recipe { $0.points = 800 }, 8_000, [.points(800)]),
            // What somebody wrote into a record.
            (recipe { $0.points = 0 }, 8_000, [.points(1)]),
            (recipe { $0.pixelsPerSecond = 0 }, 8_000, [.samplesPerPixel(8_000)]),
        ]
        for (recipe, rate, zooms) in table { #expect(recipe.zooms(atRate: rate) == zooms) }
    }
}
