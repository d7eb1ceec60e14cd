import Recordings

/// A pattern of paths as in `.gitignore`: `*`, `?`, `[a-z]`, `[!a-z]`, `**`, and `\` before a
/// character that is meant literally; upper and lower case differ.
///
/// A pattern without a slash matches a name at any depth; one with a slash at its start or in
/// between, a path from the base folder. A slash at its end stands for folders only.
package struct Glob: Hashable, Sendable {
    /// As the user wrote it.
    package let pattern: Pathname
    /// The parts between slashes.
    private let parts: [[UInt8]]
    private let isAnchored: Bool
    private let isForFolders: Bool

    /// `nil` if the pattern cannot match anything: it has no name, or has `..`.
    package init?(_ pattern: Pathname) {
        var bytes = pattern.bytes[...]
        while bytes.last == Glob.slash { bytes.removeLast() }
        var parts = bytes.split(separator: Glob.slash).map(Array.init).filter { $0 != Glob.here }
        guard !parts.isEmpty, !parts.contains(Glob.above) else { return nil }
        // At the end, it stands for what lies in a folder, and not for the folder itself.
        if parts.count > 1, parts.last == Glob.anyDepth { parts.append(Glob.anyName) }
        self.pattern = pattern
        self.parts = parts
        isAnchored = bytes.contains(Glob.slash)
        isForFolders = pattern.bytes.last == Glob.slash
    }

    /// Whether a path below the base folder matches, not only a folder above it.
    package func matches(_ path: ArraySlice<Pathname>, isFolder: Bool) -> Bool {
        guard isFolder || !isForFolders, let name = path.last else { return false }
        guard isAnchored else { return Glob.matches(parts[0], name.bytes) }
        return Wildcards.match(
            path.count, parts.count, isAny: { parts[$0] == Glob.anyDepth },
            step: { place, next in
                let name = path[path.startIndex + place].bytes
                return Glob.matches(parts[next], name) ? (place + 1, next + 1) : nil
            })
    }

    private static let slash = UInt8(ascii: "/")
    private static let here = Array(".".utf8)
    private static let above = Array("..".utf8)
    private static let anyName = Array("*".utf8)
    private static let anyDepth = Array("**".utf8)
}

// MARK: - One name

extension Glob {
    private static let star = UInt8(ascii: "*")

    /// Whether a name matches a part of a pattern.
    private static func matches(_ part: [UInt8], _ name: [UInt8]) -> Bool {
        Wildcards.match(
            name.count, part.count, isAny: { part[$0] == star },
            step: { place, next in step(part, next, name, place) })
    }

    /// Where to go on in the name and in the pattern behind one character; `nil` if it does not
    /// match.
    private static func step(
        _ part: [UInt8], _ next: Int, _ name: [UInt8], _ place: Int
    ) -> (place: Int, next: Int)? {
        switch part[next] {
        case UInt8(ascii: "?"):
            return (endOfCharacter(name, place), next + 1)
        case UInt8(ascii: "["):
            guard let set = set(part, next, name[place]) else { break }
            return set.holds ? (endOfCharacter(name, place), set.end) : nil
        case UInt8(ascii: "\\") where next + 1 < part.count:
            return part[next + 1] == name[place] ? (place + 1, next + 2) : nil
        default: break
        }
        return part[next] == name[place] ? (place + 1, next + 1) : nil
    }

    /// The end of a UTF-8 character, or of a byte that does not begin one.
    private static func endOfCharacter(_ name: [UInt8], _ place: Int) -> Int {
        var end = place + 1
        guard name[place] >= 0xC0 else { return end }
        while end < name.count, name[end] & 0xC0 == 0x80 { end += 1 }
        return end
    }

    /// Whether a set such as `[a-z]` or `[!a-z]` holds a byte, and the set's end; `nil` if the
    /// bracket is never closed, and so is meant literally.
    private static func set(
        _ part: [UInt8], _ start: Int, _ byte: UInt8
    ) -> (holds: Bool, end: Int)? {
        var next = start + 1
        let isInverse = next < part.count && "!^".utf8.contains(part[next])
        if isInverse { next += 1 }
        let first = next
        var holds = false
        while next < part.count {
            if part[next] == UInt8(ascii: "]"), next > first {
                return (holds != isInverse, next + 1)
            }
            let isRange =
                next + 2 < part.count && part[next + 1] == UInt8(ascii: "-")
                && part[next + 2] != UInt8(ascii: "]")
            let last = isRange ? part[next + 2] : part[next]
            if part[next] <= byte, byte <= last { holds = true }
            next += isRange ? 3 : 1
        }
        return nil
    }
}

extension Glob: Codable {
    package init(from decoder: any Decoder) throws {
        let pattern = try Pathname(from: decoder)
        guard let glob = Glob(pattern) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "not a pattern"))
        }
        self = glob
    }

    package func encode(to encoder: any Encoder) throws { try pattern.encode(to: encoder) }
}
