import Testing

@testable import Analysis

@Suite struct SpeechConfidenceTests {
    /// A frame is speech where its logit is over zero.
    private func confidence(_ logits: [Float?]) -> Double {
        var confidence = SpeechConfidence()
        for logit in logits { confidence.add(logit, isSpeech: (logit ?? -1) > 0) }
        return confidence.value
    }

    @Test func confidenceIsOneForCertainLogits() {
        #expect(confidence([nil, -40, 40, 1000, -1000]) == 1)
        #expect(confidence([]) == 1)
    }

    @Test func expectedErrorLowersConfidenceAsMeasured() {
        // As likely speech as not, since a miss is three times as dear: half of it is wrong.
        let even: Float = 1.0986123
        #expect(confidence([even]) == 0.13)
        #expect(confidence([even, nil, nil, nil, nil]) == 0.87)
        // At the threshold silence is three times as likely as speech.
        #expect((0.62...0.63).contains(confidence([-0.0001])))
        #expect(confidence([0.0001]) == 0)
    }

    @Test func confidenceFallsAsLogitsApproachThreshold() {
        let values = [Float(-5), -3, -2, -1, 0].map { confidence([$0]) }
        #expect(values == values.sorted(by: >) && Set(values).count == values.count)
    }
}
