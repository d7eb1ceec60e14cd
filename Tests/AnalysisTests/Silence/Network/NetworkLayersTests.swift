import Testing

@testable import Analysis

/// Weights are refused that whole numbers cannot hold, or whose sums they could not.
@Suite struct NetworkLayersTests {
    /// As many weights as two blocks take, all of them the same.
    private static func weights(_ weight: Float) -> [Float] {
        let channels = SpeechNetwork.channels
        let front = (SpeechNetwork.frontFrames * SpeechInputs.count + 1) * channels
        let block = (SpeechNetwork.taps + 1 + channels + 1) * channels
        return Array(repeating: weight, count: front + 2 * block + 2 * (channels + 1))
    }

    @Test func weightsWithoutOverflowAreAccepted() {
        // 112 inputs of up to 6 in steps of 1/4096 each, and the offset.
        let layers = NetworkLayers(blocks: 2, Self.weights(0.19))
        #expect(layers.blocks == 2 && layers.back.count == 2)
    }

    @Test func overflowingWeightSumsAreRefused() async {
        await #expect(processExitsWith: .failure) {
            _ = NetworkLayers(blocks: 2, Self.weights(0.2))
        }
    }

    @Test func oversizedWeightIsRefused() async {
        await #expect(processExitsWith: .failure) {
            var weights = Self.weights(0)
            weights[0] = 8
            _ = NetworkLayers(blocks: 2, weights)
        }
    }

    @Test(arguments: [1, 24]) func missingWeightsAreRefused(lacking: Int) async {
        await #expect(processExitsWith: .failure) { [lacking] in
            _ = NetworkLayers(blocks: 2, Self.weights(0).dropLast(lacking))
        }
    }

    @Test func surplusWeightsAreRefused() async {
        await #expect(processExitsWith: .failure) {
            _ = NetworkLayers(blocks: 2, Self.weights(0) + [0])
        }
    }
}
