import Recordings

/// Whoever wants to listen while a recording is decoded once.
///
/// Blocks come in order, without gaps, in any sizes; the result must not depend on the sizes.
package protocol BlockConsumer {
    mutating func consume(_ block: borrowing AudioBlock)
}
