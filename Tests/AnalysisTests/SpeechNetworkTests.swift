import Testing

@testable import Analysis

@Suite struct SpeechNetworkTests {
    /// Inputs that need nothing but whole numbers, as the training script makes them.
    private func fill(_ range: Range<Int>, _ inputs: UnsafeMutableBufferPointer<Float>) {
        for (place, frame) in range.enumerated() {
            for input in 0..<SpeechInputs.count {
                let isThere = (0..<GoldenLogits.frames).contains(frame)
                let number = UInt64(max(0, frame) * SpeechInputs.count + input)
                let hashed = ((number * 2_654_435_761) % (1 << 32)) >> 16
                let strength = Float(max(0, frame) / 40 % 4)
                inputs[place * SpeechInputs.count + input] =
                    isThere ? (Float(hashed) / 32_768 - 1) * strength : 0
            }
        }
    }

    private func logits(chunkSteps: Int) -> [Float] {
        var logits: [Float] = []
        SpeechNetwork.shipped.run(
            frames: GoldenLogits.frames, chunkSteps: chunkSteps, fill: fill
        ) { frame, logit in
            #expect(frame == logits.count)
            logits.append(logit)
        }
        return logits
    }

    @Test func answersAsTheScriptThatTrainedIt() {
        let logits = logits(chunkSteps: 1024)
        #expect(logits.count == GoldenLogits.frames)
        for (place, golden) in GoldenLogits.values.enumerated() {
            #expect(abs(logits[place * 7] - golden) <= 1e-4 * max(1, abs(golden)))
        }
    }

    @Test(arguments: [4, 37, 150]) func doesNotDependOnTheLengthOfChunks(steps: Int) {
        let isSame = logits(chunkSteps: steps) == logits(chunkSteps: 1024)
        #expect(isSame)
    }
}
