import Glibc
import Recordings

/// How a journal spells one fact: a checksum, a space, a JSON object, the line's end.
///
/// The checksum is the first 16 hexadecimal digits of the SHA-256 of the JSON's bytes: enough to
/// tell any damage from a fact, as nobody forges journals.
enum JournalLine {
    /// Grows when a reader of the file would have to change.
    static let version = 1
    /// More than the first line of any version takes.
    static let longestHeaderBytes = 64
    static let newline = UInt8(ascii: "\n")

    /// What stands before the JSON.
    static let sumBytes = digits + 1
    private static let digits = 16
    private static let space = UInt8(ascii: " ")

    /// The first line of a file.
    static let header = line(Array("{\"journal\":\(version)}".utf8))

    static func spelling(of fact: JournalFact) -> [UInt8] {
        line(ManifestFile.line(of: fact))
    }

    /// A JSON text with its checksum before it and a line's end behind it.
    static func line(_ json: some Collection<UInt8>) -> [UInt8] {
        var line: [UInt8] = []
        line.reserveCapacity(digits + json.count + 2)
        line += [UInt8](repeating: 0, count: digits)
        line.append(space)
        line += json
        let sum = line.withUnsafeBytes { checksum(of: $0.dropFirst(digits + 1)) }
        for place in 0..<digits {
            line[place] = JournalLine.digit(Int(sum >> (4 * UInt64(digits - 1 - place)) & 15))
        }
        line.append(newline)
        return line
    }

    /// Where the JSON of a line is, given the line without its end; `nil` where the line does not
    /// hold.
    static func json(
        in line: Slice<UnsafeRawBufferPointer>
    ) -> Range<Int>? {
        let start = line.startIndex + digits
        guard line.count > digits + 2, line.base[start] == space else { return nil }
        let json = (start + 1)..<line.endIndex
        guard let sum = number(line.base[line.startIndex..<start]) else { return nil }
        return sum == checksum(of: line.base[json]) ? json : nil
    }

    /// What the digits of a checksum stand for, which are lower-case.
    private static func number(_ digits: Slice<UnsafeRawBufferPointer>) -> UInt64? {
        var number: UInt64 = 0
        for byte in digits {
            let value: UInt8
            switch byte {
            case 48...57: value = byte - 48
            case 97...102: value = byte - 87
            default: return nil
            }
            number = number << 4 | UInt64(value)
        }
        return number
    }

    private static func digit(_ value: Int) -> UInt8 {
        UInt8(value < 10 ? 48 + value : 87 + value)
    }

    /// Where the JSON of a fact is whose line lost the end of the line before it; `nil` where there
    /// is none.
    ///
    /// So a damaged line's end costs the fact before it and not the one behind.
    static func jsonAtEnd(
        of line: Slice<UnsafeRawBufferPointer>
    ) -> Range<Int>? {
        // Each attempt hashes the line; damage that looks like many beginnings is not worth it.
        var attemptsLeft = 64
        var place = line.startIndex + 1
        while place + digits + 1 < line.endIndex, attemptsLeft > 0 {
            let mark = place + digits
            if line.base[mark] == space, line.base[mark + 1] == UInt8(ascii: "{") {
                if let json = json(in: line[place...]) { return json }
                attemptsLeft -= 1
            }
            place += 1
        }
        return nil
    }

    /// The version that a line names; `nil` where it is no header.
    static func version(inJSON json: [UInt8]) -> Int64? {
        guard json.starts(with: "{\"journal\":".utf8) else { return nil }
        var version: Int64?
        try? JSONCursor.read(json) { (json) throws(JSONCursor.Malformed) in
            try json.object { (json, key) throws(JSONCursor.Malformed) in
                if case "journal" = key { version = try json.integer() } else { try json.skip() }
            }
        }
        return version
    }

    private static func checksum(of json: Slice<UnsafeRawBufferPointer>) -> UInt64 {
        var hash = SHA256()
        hash.update(UnsafeRawBufferPointer(rebasing: json))
        return hash.digest.prefix(digits / 2).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
