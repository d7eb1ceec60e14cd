import Testing

@testable import Analysis

@Suite struct SpeechNetworkTests {
    /// Inputs that need nothing but whole numbers, as the training script makes them.
    private func fill(_ range: Range<Int>, _ inputs: UnsafeMutableBufferPointer<Int16>) {
        for (place, frame) in range.enumerated() {
            for input in 0..<SpeechInputs.count {
                let isThere = (0..<GoldenLogits.frames).contains(frame)
                let number = UInt64(max(0, frame) * SpeechInputs.count + input)
                let hashed = ((number * 2_654_435_761) % (1 << 32)) >> 16
                let strength = Float(max(0, frame) / 40 % 4)
                inputs[place * SpeechInputs.count + input] =
                    isThere
                    ? Int16(((Float(hashed) / 32_768 - 1) * strength / SpeechInputs.unit).rounded())
                    : 0
            }
        }
    }

    /// - Parameter later: So many frames of nothing come before the first.
    private func logits(
        chunkSteps: Int = 1024, _ phase: SpeechNetwork.Phase = .both, later: Int = 0
    ) -> [Float] {
        var logits: [Float] = []
        SpeechNetwork.shipped.run(
            frames: GoldenLogits.frames + later, phase: phase, chunkSteps: chunkSteps
        ) {
            fill($0.lowerBound - later..<$0.upperBound - later, $1)
        } body: { frame, logit in
            #expect(frame == logits.count)
            logits.append(logit)
        }
        return logits
    }

    /// But for what whole numbers make of it, 0.021 at the most of these inputs.
    @Test func logitsMatchTrainingScript() {
        let logits = logits(.even)
        #expect(logits.count == GoldenLogits.frames)
        for (place, golden) in GoldenLogits.values.enumerated() {
            #expect(abs(logits[place * 7] - golden) <= 0.03)
        }
    }

    @Test(arguments: [4, 37, 150], [SpeechNetwork.Phase.even, .odd, .both])
    func logitsAreIndependentOfChunkLength(steps: Int, phase: SpeechNetwork.Phase) {
        let isSame = logits(chunkSteps: steps, phase) == logits(phase)
        #expect(isSame)
    }

    /// Whatever is left when four steps at a time are done, and whatever memory held before.
    @Test(arguments: 8...15) func logitsAreComputedForAnyFrameCount(frames: Int) {
        func logits(of frames: Int, chunkSteps: Int) -> [Float] {
            var logits: [Float] = []
            SpeechNetwork.shipped.run(frames: frames, chunkSteps: chunkSteps) { range, inputs in
                fill(range.lowerBound + 80..<range.upperBound + 80, inputs)
                for (place, frame) in range.enumerated() where !(0..<frames).contains(frame) {
                    let first = place * SpeechInputs.count
                    for input in first..<first + SpeechInputs.count { inputs[input] = 0 }
                }
            } body: {
                logits.append($1)
            }
            return logits
        }
        let whole = logits(of: frames, chunkSteps: 2048)
        #expect(whole.count == frames && whole.allSatisfy(\.isFinite))
        #expect(Set(whole).count == frames)
        #expect(logits(of: frames, chunkSteps: 4) == whole)
        #expect(logits(of: frames, chunkSteps: 2048) == whole)
    }

    @Test func oddPhaseMatchesEvenPhaseShiftedByOneFrame() {
        let (odd, even) = (logits(.odd), logits(.even, later: 1).dropFirst())
        #expect(odd == Array(even))
    }

    @Test func combinedPhaseIsMeanOfEvenAndOdd() {
        let (both, even, odd) = (logits(), logits(.even), logits(.odd))
        #expect(zip(even, odd).contains { abs($0 - $1) > 0.01 })
        for frame in both.indices { #expect(both[frame] == 0.5 * (even[frame] + odd[frame])) }
    }
}
