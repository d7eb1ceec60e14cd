import Recordings

@testable import Workers

/// Journals as earlier versions wrote them.
enum JournalText {
    /// The first line of a file.
    static let header = line(Array("{\"journal\":\(JournalLine.version)}".utf8))

    static func line(of fact: JournalFact) -> [UInt8] { line(json(of: fact)) }

    /// A JSON text with its checksum before it and a line's end behind it.
    static func line(_ json: [UInt8]) -> [UInt8] {
        Array(SHA256.hexadecimal(of: json).utf8.prefix(JournalLine.digits)) + " ".utf8 + json
            + "\n".utf8
    }

    static func json(of fact: JournalFact) -> [UInt8] { JSONLine.bytes(fact) }
}
