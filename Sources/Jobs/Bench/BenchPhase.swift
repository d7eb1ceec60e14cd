/// What a measuring of speed is at.
package enum BenchPhase: Hashable, Sendable {
    /// Making recordings to measure on.
    case making
    case warmingUp(recordings: Int)
    /// Counted from 1.
    case round(Int, of: Int)
}
