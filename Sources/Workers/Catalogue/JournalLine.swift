import Recordings

/// A line of a journal: a checksum, a space, a JSON object.
///
/// The checksum is the first 16 hexadecimal digits of the SHA-256 of the JSON's bytes.
enum JournalLine {
    /// The latest version that this one reads.
    static let version = 1

    /// Length of the checksum.
    static let digits = 16
    private static let space = UInt8(ascii: " ")

    /// The JSON of a line, given the line without its end; `nil` if it is damaged.
    ///
    /// A line that lost the end of the line before it is found behind what is left of that.
    static func json(in line: ArraySlice<UInt8>) -> [UInt8]? {
        if let json = wholeJSON(in: line) { return json }
        // Each attempt hashes the line; damage that looks like many beginnings is not worth it.
        var attemptsLeft = 64
        for place in line.indices.dropFirst().dropLast(digits + 1) where attemptsLeft > 0 {
            let mark = place + digits
            guard line[mark] == space, line[mark + 1] == UInt8(ascii: "{") else { continue }
            if let json = wholeJSON(in: line[place...]) { return json }
            attemptsLeft -= 1
        }
        return nil
    }

    private static func wholeJSON(in line: ArraySlice<UInt8>) -> [UInt8]? {
        let json = Array(line.dropFirst(digits + 1))
        guard json.count > 1, line[line.startIndex + digits] == space,
            SHA256.hexadecimal(of: json).utf8.prefix(digits).elementsEqual(line.prefix(digits))
        else { return nil }
        return json
    }

    /// The version that a line names; `nil` where it is no header.
    static func version(inJSON json: [UInt8]) -> Int? {
        JSONLine.read(Header.self, from: json)?.journal
    }

    private struct Header: Decodable {
        let journal: Int
    }
}
