/// Matching of patterns in which one part stands for any number of others.
enum Wildcards {
    /// Whether a pattern matches a text as a whole, by going back to the last wildcard with one
    /// more part for it, whenever nothing else matches.
    ///
    /// - Complexity: O(lengths), times the number of wildcards at worst.
    /// - Parameters:
    ///   - text: its number of parts.
    ///   - pattern: its number of parts.
    ///   - isAny: whether a part of the pattern stands for any number of parts.
    ///   - step: where to go on in text and pattern if they match here; `nil` if they do not.
    static func match(
        _ text: Int, _ pattern: Int, isAny: (Int) -> Bool,
        step: (_ place: Int, _ next: Int) -> (place: Int, next: Int)?
    ) -> Bool {
        var (place, next) = (0, 0)
        var retry: (place: Int, next: Int)?
        while place < text {
            if next < pattern, isAny(next) {
                next += 1
                retry = (place, next)
            } else if next < pattern, let step = step(place, next) {
                (place, next) = step
            } else if let last = retry {
                (place, next) = (last.place + 1, last.next)
                retry = (place, next)
            } else {
                return false
            }
        }
        return (next..<pattern).allSatisfy(isAny)
    }
}
