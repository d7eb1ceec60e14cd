import Recordings

/// `.tapedeck` as earlier versions wrote it: text that says where the recordings are.
enum OutputMark {
    /// More than the text of any mark takes.
    static let mostBytes = 1 << 16

    private static let key = "recordings: "
    private static let hexadecimalKey = "recordings-hex: "

    /// Where a mark says that the recordings are, as seen from its folder; `nil` where it does not
    /// say.
    static func root(in text: [UInt8]) -> Pathname? {
        // A line without its end may be half of one.
        let lines = text.split(
            separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
        ).dropLast()
        for line in lines {
            if line.starts(with: key.utf8) {
                return Pathname(bytes: Array(line.dropFirst(key.utf8.count)))
            }
            if line.starts(with: hexadecimalKey.utf8) {
                let digits = line.dropFirst(hexadecimalKey.utf8.count)
                return Pathname(hexadecimal: String(decoding: digits, as: UTF8.self))
            }
        }
        return nil
    }

    /// The way from one absolute path to another, both without links.
    static func way(from folder: Pathname, to other: Pathname) -> Pathname {
        let start = folder.components
        let end = other.components
        let shared = zip(start, end).prefix { $0 == $1 }.count
        let steps = Array(repeating: Pathname(".."), count: start.count - shared) + end[shared...]
        return steps.isEmpty ? "." : steps.reduce(.empty) { $0.appending($1) }
    }
}
