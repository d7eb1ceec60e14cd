import Recordings
import Reports

/// What a request asks for: a path below the recordings or the output.
package struct ServedTarget: Hashable, Sendable {
    package enum Place: String, Sendable {
        case output, recordings
    }

    package var place: Place
    /// Relative to the place, and below it.
    package var path: Pathname
    /// Whether it ends with a slash.
    package var isFolder: Bool
    /// By name; a name without a value has an empty one.
    package var query: [String: String]

    /// - Parameter target: of the request (RFC 9112, 3.2.1): an absolute path and a query.
    /// - Returns: `nil` if it is anything else, or leads out of its place in any spelling.
    package init?(_ target: String) {
        guard let names = ServedTarget.names(target.utf8.prefix { $0 != UInt8(ascii: "?") }),
            let first = names.first,
            let place = Place(rawValue: first.text)
        else { return nil }
        self.place = place
        let below = names.dropFirst()
        isFolder = below.last?.isEmpty == true
        path = below.reduce(.empty) { $0.appending($1) }
        query = ServedTarget.query(of: target)
    }

    /// Whether a recording may have to be decoded before anything is sent.
    package var isSlow: Bool {
        place == .output && path.text.hasSuffix(ReportPage.detailsSuffix)
    }

    /// What follows the question mark of a target, by name.
    package static func query(of target: String) -> [String: String] {
        guard let mark = target.firstIndex(of: "?") else { return [:] }
        var query: [String: String] = [:]
        for part in target[target.index(after: mark)...].utf8.split(separator: UInt8(ascii: "&")) {
            let sides = part.split(separator: UInt8(ascii: "="), maxSplits: 1)
            let words = sides.map { String(decoding: decoded($0) ?? [], as: UTF8.self) }
            if let name = words.first { query[name] = words.count > 1 ? words[1] : "" }
        }
        return query
    }

    /// The names of an absolute path, the last one empty if it ends with a slash.
    private static func names(_ path: some Collection<UInt8>) -> [Pathname]? {
        let parts = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count > 1, parts[0].isEmpty else { return nil }
        var names: [Pathname] = []
        for part in parts.dropFirst() {
            guard let bytes = decoded(part) else { return nil }
            names.append(Pathname(bytes: bytes))
        }
        let isSound = names.enumerated().allSatisfy { index, name in
            name.isSingleName || (name.isEmpty && index > 0 && index == names.count - 1)
        }
        return isSound ? names : nil
    }

    /// - Parameter text: with percent-encoded bytes (RFC 3986, 2.1), decoded once.
    private static func decoded(_ text: some Collection<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = text[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            guard let path = Pathname(hexadecimal: digits), path.bytes.count == 1 else {
                return nil
            }
            bytes += path.bytes
            rest = rest.dropFirst(2)
        }
        return bytes
    }
}
