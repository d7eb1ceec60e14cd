// Performance: large folders hash and compare millions of names.

extension Pathname: Comparable {
    /// Hashes all bytes at once; the array's own hashing feeds them one by one.
    package func hash(into hasher: inout Hasher) {
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }

    package static func < (left: Pathname, right: Pathname) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }

    /// Whether `start` is a prefix of these bytes.
    package func begins(with start: Pathname) -> Bool { bytes.starts(with: start.bytes) }

    /// Whether this equals `start` followed by `suffix`.
    package func begins(with start: Pathname, andEndsWith suffix: String) -> Bool {
        bytes.count == start.bytes.count + suffix.utf8.count && begins(with: start)
            && bytes[start.bytes.count...].elementsEqual(suffix.utf8)
    }
}
