/// Finds the most likely segmentation into speech and pauses with minimum lengths.
///
/// Input is a logit per frame. The result maximises the sum of logits in speech and of negated
/// logits in pauses, while speech and pauses have minimum lengths: the Viterbi algorithm over
/// segments (explicit durations, Ferguson 1980). Segments change only where the logits change sign,
/// so memory and time grow with the sign changes, a few per second. A pause at either end may be
/// shorter, and so may speech that an end cuts off, since its real length is unknown.
struct SegmentViterbi {
    private let shortest: [Int]
    /// The minimum length of speech at the beginning and at the end.
    private let shortestFirst: Int
    private let shortestLast: Int
    /// Frames where the sign changes, starting with 0, and the sum of all logits before each.
    private var edges = [0]
    private var sums = [0.0]
    /// For each edge, the length in frames of the word's decay, in addition to `shortestTail`.
    private var tails: [Float] = [0]
    private var frames = 0
    private var sum = 0.0
    private var isPositive = false

    /// The best segmentation that ends at an edge: its score, and the edge where its last segment
    /// started.
    private struct Ending {
        var worth = -Double.infinity
        var start = 0
    }

    /// The minimum length of speech that an end cuts off: the network slightly reacts to ends.
    private static let shortestAtEnds = 5
    /// The sum of logits that such a short stretch must exceed: the network is sure of most words
    /// that an end cuts off, and seldom of what it takes for one.
    private static let leastAtEnds = 5.0
    /// Word ends that decay into noise have odds just below even; the frames that the odds do not
    /// clearly reject are added to the word, as by a Schmitt trigger.
    ///
    /// Each of those frames counts in proportion to its odds, so that tiny changes in the odds
    /// hardly ever move an end by more than a frame.
    private static let lowestTailLogit: Float = -1
    private static let longestTail = 3
    /// Compensates for the network, which always ends words slightly early.
    static let shortestTail = 2

    /// Sets the minimum lengths in frames, except for the first and the last segment.
    /// - Parameters:
    ///   - beginIsCut: Whether speech may have begun before the first frame.
    ///   - endIsCut: Whether speech may have continued after the last frame.
    init(
        shortestPause: Int, shortestSpeech: Int, beginIsCut: Bool = true, endIsCut: Bool = true
    ) {
        shortest = [shortestPause, shortestSpeech]
        let cut = SegmentViterbi.shortestAtEnds
        shortestFirst = beginIsCut ? cut : max(cut, shortestSpeech)
        shortestLast = endIsCut ? cut : max(cut, shortestSpeech)
    }

    /// Adds the next frame.
    mutating func add(_ logit: Float) {
        if frames > 0, (logit > 0) != isPositive {
            edges.append(frames)
            sums.append(sum)
            tails.append(0)
        }
        // Applies to either sign, or odds that alternate around even would start another tail.
        for edge in edges.indices.reversed() {
            guard frames - edges[edge] < SegmentViterbi.longestTail else { break }
            tails[edge] += max(0, min(1, logit - SegmentViterbi.lowestTailLogit))
        }
        isPositive = logit > 0
        sum += Double(logit)
        frames += 1
    }

    /// The stretches of speech among all frames, in order, each including its tail.
    func find() -> [Range<Int>] {
        guard frames > 0 else { return [] }
        let edges = edges + [frames]
        let sums = sums + [sum]
        let tails = tails + [0]
        let endings = endings(edges, sums)
        var (isSpeech, edge) = bestEnd(edges, sums, endings)
        var result: [Range<Int>] = []
        if !isSpeech, edge < edges.count - 1 { result.append(edges[edge]..<frames) }
        while edge > 0 {
            let start = endings[isSpeech ? 1 : 0][edge].start
            if isSpeech {
                let tail = SegmentViterbi.shortestTail + Int((tails[edge] + 0.5).rounded(.down))
                result.append(edges[start]..<min(frames, edges[edge] + tail))
            }
            (isSpeech, edge) = (!isSpeech, start)
        }
        return result.reversed()
    }

    /// The best segmentations by kind (0 pause, 1 speech) and edge.
    private func endings(_ edges: [Int], _ sums: [Double]) -> [[Ending]] {
        var endings = [[Ending(worth: 0)], [Ending(worth: 0)]]
        var open = [Ending(), Ending()]
        var next = [0, 0]
        for edge in 1..<edges.count {
            for kind in 0...1 {
                let sign = kind == 1 ? 0.5 : -0.5
                while next[kind] < edge, edges[edge] - edges[next[kind]] >= shortest[kind] {
                    let start = next[kind]
                    let worth = endings[1 - kind][start].worth - sign * sums[start]
                    if worth > open[kind].worth { open[kind] = Ending(worth: worth, start: start) }
                    next[kind] += 1
                }
                var ending = open[kind]
                let isLongEnough = kind == 0 || edges[edge] >= shortestFirst
                let first = kind == 0 ? 0 : -leastWorth(ofFrames: edges[edge])
                if isLongEnough, ending.worth < first { ending = Ending(worth: first, start: 0) }
                ending.worth += sign * sums[edge]
                endings[kind].append(ending)
            }
        }
        return endings
    }

    /// What speech of this length at an end costs; nothing if it is as long as any.
    private func leastWorth(ofFrames frames: Int) -> Double {
        (1..<shortest[1]).contains(frames) ? SegmentViterbi.leastAtEnds : 0
    }

    /// The kind and end of the last full-length segment; after it comes a segment of the other
    /// kind, of any length, or nothing.
    private func bestEnd(
        _ edges: [Int], _ sums: [Double], _ endings: [[Ending]]
    ) -> (isSpeech: Bool, edge: Int) {
        let last = edges.count - 1
        var best = (worth: -Double.infinity, isSpeech: false, edge: last)
        for edge in stride(from: last, to: 0, by: -1) {
            guard edge == last || edges[last] - edges[edge] < shortest.max() ?? 0 else { break }
            let rest = (sums[last] - sums[edge]) / 2
            let restFrames = edges[last] - edges[edge]
            let isTooShort = (1..<shortestLast).contains(restFrames)
            for isSpeech in isTooShort ? [true] : [false, true] {
                let last = isSpeech ? -rest : rest - leastWorth(ofFrames: restFrames)
                let worth = endings[isSpeech ? 1 : 0][edge].worth + last
                if worth > best.worth { best = (worth, isSpeech, edge) }
            }
        }
        return (best.isSpeech, best.edge)
    }
}
