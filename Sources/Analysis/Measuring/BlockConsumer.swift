import Recordings

/// Consumes the decoded blocks of a recording.
///
/// Blocks come in order, without gaps, and in any sizes; the result must not depend on the sizes.
package protocol BlockConsumer {
    mutating func consume(_ block: borrowing AudioBlock)
}
