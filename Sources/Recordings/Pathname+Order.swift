// Names are compared by the million where folders are large: eight bytes at a time.

extension Pathname {
    /// All bytes at once: the array's own hashing takes them one by one.
    package func hash(into hasher: inout Hasher) {
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }

    package static func == (left: Pathname, right: Pathname) -> Bool {
        left.bytes.count == right.bytes.count && left.shared(with: right) == left.bytes.count
    }

    /// Whether the bytes of `start` are the first of these.
    package func begins(with start: Pathname) -> Bool {
        start.bytes.count <= bytes.count && shared(with: start) == start.bytes.count
    }

    /// Whether this is `start` with `suffix` written behind it.
    package func begins(with start: Pathname, andEndsWith suffix: String) -> Bool {
        bytes.count == start.bytes.count + suffix.utf8.count && begins(with: start)
            && bytes[start.bytes.count...].elementsEqual(suffix.utf8)
    }

    /// How many bytes both begin with.
    private func shared(with other: Pathname) -> Int {
        let most = min(bytes.count, other.bytes.count)
        return bytes.withUnsafeBytes { one in
            other.bytes.withUnsafeBytes { other in
                var place = 0
                while place + 8 <= most {
                    let difference =
                        one.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                        ^ other.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                    guard difference == 0 else {
                        // The first byte in memory is the lowest.
                        return place + difference.littleEndian.trailingZeroBitCount / 8
                    }
                    place += 8
                }
                while place < most, one[place] == other[place] { place += 1 }
                return place
            }
        }
    }
}

extension Pathname: Comparable {
    package static func < (left: Pathname, right: Pathname) -> Bool {
        let place = left.shared(with: right)
        guard place < left.bytes.count else { return place < right.bytes.count }
        return place < right.bytes.count && left.bytes[place] < right.bytes[place]
    }
}
