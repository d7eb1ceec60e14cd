/// Stretches that have no clear speech near them, and must be likelier than others to count.
///
/// What resembles speech by chance seldom resembles it closely, and nobody speaks near it. All
/// limits were chosen on recordings that the network did not hear in training: with them, an eighth
/// less of other sounds is taken for speech, and as much speech is found.
struct LonelySpeech {
    /// All stretches, sorted and disjoint.
    private let stretches: [Range<Int>]
    /// For each, whether it is lonely.
    private let isLonely: [Bool]

    /// The least logit of a frame that is clearly speech.
    static let clearLogit: Float = 4.7
    /// By how much the log odds of speech must be higher that has none of it in reach.
    static let furtherOdds: Float = 1.7
    /// A recording under five seconds may be a single word, however softly spoken.
    static let fewestFrames = 500
    private static let reachFrames = 3_000

    init(_ stretches: [Range<Int>], isClear: (Range<Int>) -> Bool) {
        self.stretches = stretches
        var clear = stretches.filter(isClear)[...]
        isLonely = stretches.map { stretch in
            clear = clear.drop { $0.upperBound + LonelySpeech.reachFrames < stretch.lowerBound }
            guard let next = clear.first else { return true }
            return next.lowerBound > stretch.upperBound + LonelySpeech.reachFrames
        }
    }

    var isEmpty: Bool { !isLonely.contains(true) }

    /// All stretches, with the parts of lonely ones that are in `likelier` (sorted, disjoint)
    /// instead of these.
    func replaced(by likelier: [Range<Int>]) -> [Range<Int>] {
        var rest = likelier[...]
        return zip(stretches, isLonely).flatMap { stretch, isLonely in
            guard isLonely else { return [stretch] }
            rest = rest.drop { $0.upperBound <= stretch.lowerBound }
            return rest.prefix { $0.lowerBound < stretch.upperBound }
                .map { $0.clamped(to: stretch) }
        }
    }
}
