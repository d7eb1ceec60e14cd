import Testing

@testable import Analysis

struct LonelySpeechTests {
    /// Stretches, those with clear speech, those that are likelier, and what stays.
    @Test(
        arguments: [
            // Without any clear speech, all must be likelier.
            ([100..<200, 900..<950], [], [120..<150], [120..<150]),
            ([100..<200, 900..<950], [], [], []),
            // Speech within 30 seconds of clear speech counts, before and after it.
            ([0..<50, 3_050..<3_100, 6_100..<6_200], [3_050..<3_100], [], nil),
            ([0..<49, 3_050..<3_100, 6_101..<6_200], [3_050..<3_100], [], [3_050..<3_100]),
            // Of lonely speech each likelier part stays, and nothing beyond it.
            (
                [0..<400, 5_000..<5_100], [5_000..<5_100], [10..<60, 200..<420],
                [10..<60, 200..<400, 5_000..<5_100]
            ),
            (
                [0..<100, 5_000..<5_100, 9_000..<9_100], [5_000..<5_100], [60..<9_050],
                [60..<100, 5_000..<5_100, 9_000..<9_050]
            ),
            ([], [], [], nil),
        ] as [([Range<Int>], [Range<Int>], [Range<Int>], [Range<Int>]?)])
    func speechFarFromClearSpeechMustBeLikelier(
        stretches: [Range<Int>], clear: [Range<Int>], likelier: [Range<Int>],
        expected: [Range<Int>]?
    ) {
        let lonely = LonelySpeech(stretches, isClear: clear.contains)
        #expect(lonely.replaced(by: likelier) == expected ?? stretches)
        #expect(lonely.isEmpty == (expected == nil))
    }
}
