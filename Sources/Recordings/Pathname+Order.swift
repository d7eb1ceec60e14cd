// Names are hashed and compared by the million where folders are large.

extension Pathname: Comparable {
    /// All bytes at once: the array's own hashing takes them one by one.
    package func hash(into hasher: inout Hasher) {
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }

    package static func < (left: Pathname, right: Pathname) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }

    /// Whether the bytes of `start` are the first of these.
    package func begins(with start: Pathname) -> Bool { bytes.starts(with: start.bytes) }

    /// Whether this is `start` with `suffix` written behind it.
    package func begins(with start: Pathname, andEndsWith suffix: String) -> Bool {
        bytes.count == start.bytes.count + suffix.utf8.count && begins(with: start)
            && bytes[start.bytes.count...].elementsEqual(suffix.utf8)
    }
}
