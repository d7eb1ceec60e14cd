/// The likeliest division of a recording into speech and pauses, none of them too short.
///
/// Frames come in as logits; what is sought is the sequence with the greatest sum of logits in
/// speech and of their opposites in pauses, in which pauses and stretches of speech have a shortest
/// length: Viterbi's algorithm over segments (Ferguson's explicit durations, 1980). Only where the
/// sign of the logits changes may one segment end and another begin, so that memory and time grow
/// with the changes, of which there are a few a second. A pause at either end may be shorter, and
/// so may speech that an end cuts off, since nobody knows how it went on.
struct SegmentViterbi {
    private let shortest: [Int]
    /// How short speech at the beginning and at the end may be.
    private let shortestFirst: Int
    private let shortestLast: Int
    /// Frames at which the sign changes, beginning with 0, and the sum of all logits before each.
    private var edges = [0]
    private var sums = [0.0]
    /// By edge, for how many frames behind it a word still dies away, beside `shortestTail`.
    private var tails: [Float] = [0]
    private var frames = 0
    private var sum = 0.0
    private var isPositive = false

    /// The best way to end a segment at an edge: its worth, and the edge at which the segment
    /// began.
    private struct Ending {
        var worth = -Double.infinity
        var start = 0
    }

    /// Speech that either end cuts off is no shorter: the network hears the end itself a little.
    private static let shortestAtEnds = 5
    /// Where a word has ended that dies away into noise, the odds hover below even for a while; it
    /// is given what they do not clearly deny, as Schmitt's trigger does.
    ///
    /// Each of so many frames counts by how little it is denied, so that a trifle in the odds
    /// hardly ever moves an end by more than a frame.
    private static let lowestTailLogit: Float = -1
    private static let longestTail = 3
    /// The network hears words end a little early in any case.
    static let shortestTail = 2

    /// Pauses and stretches of speech at least so many frames long, but for the first and the last.
    /// - Parameters:
    ///   - beginIsCut: Whether speech may have begun before the first frame.
    ///   - endIsCut: Whether it may have gone on behind the last one.
    init(
        shortestPause: Int, shortestSpeech: Int, beginIsCut: Bool = true, endIsCut: Bool = true
    ) {
        shortest = [shortestPause, shortestSpeech]
        let cut = SegmentViterbi.shortestAtEnds
        shortestFirst = beginIsCut ? cut : max(cut, shortestSpeech)
        shortestLast = endIsCut ? cut : max(cut, shortestSpeech)
    }

    /// Takes in the next frame.
    mutating func add(_ logit: Float) {
        if frames > 0, (logit > 0) != isPositive {
            edges.append(frames)
            sums.append(sum)
            tails.append(0)
        }
        // Whatever sign the odds have that hover about even, or it would make another tail of them.
        for edge in edges.indices.reversed() {
            guard frames - edges[edge] < SegmentViterbi.longestTail else { break }
            tails[edge] += max(0, min(1, logit - SegmentViterbi.lowestTailLogit))
        }
        isPositive = logit > 0
        sum += Double(logit)
        frames += 1
    }

    /// The stretches of speech among all frames, in order, each with the tail behind it.
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

    /// By kind (pause or speech) and edge.
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
                if isLongEnough, ending.worth < 0 { ending = Ending(worth: 0, start: 0) }
                ending.worth += sign * sums[edge]
                endings[kind].append(ending)
            }
        }
        return endings
    }

    /// What the last segment of full length is, and where it ends; behind that lies one of the
    /// other kind, as short as may be, or nothing.
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
                let worth = endings[isSpeech ? 1 : 0][edge].worth + (isSpeech ? -rest : rest)
                if worth > best.worth { best = (worth, isSpeech, edge) }
            }
        }
        return (best.isSpeech, best.edge)
    }
}
