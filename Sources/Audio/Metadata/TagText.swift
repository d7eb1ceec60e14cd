/// Text in headers and tags, which anybody may have written.
enum TagText {
    /// More is no title, comment or note.
    private static let mostCharacters = 2000

    /// The name of a tag; `nil` if it is none.
    static func name(_ text: some StringProtocol) -> String? {
        plain(String(text)).map { String($0.prefix(64)) }
    }

    /// The text in a field that may end with zeros; `nil` if it is empty, or no text.
    ///
    /// UTF-8, or else Latin-1 without the control characters that it has from 0x80 on.
    static func text(_ bytes: some Collection<UInt8>) -> String? {
        let own = Array(bytes.prefix { $0 != 0 })
        if let text = String(validating: own, as: UTF8.self) { return plain(text) }
        guard !own.contains(where: { (0x80..<0xA0).contains($0) }) else { return nil }
        return plain(String(String.UnicodeScalarView(own.map { Unicode.Scalar($0) })))
    }

    /// The text without spaces around it, its lines joined by spaces; `nil` if nothing is left, or
    /// it has control characters, or what stands for bytes that are no text.
    static func plain(_ text: String) -> String? {
        let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
            "\t\n\r".unicodeScalars.contains(scalar) ? " " : scalar
        }
        let isText = scalars.allSatisfy {
            $0.properties.generalCategory != .control && $0 != "\u{FFFD}"
        }
        guard isText else { return nil }
        let words = String(String.UnicodeScalarView(scalars)).split(separator: " ")
        let joined = words.joined(separator: " ")
        return joined.isEmpty ? nil : String(joined.prefix(mostCharacters))
    }
}
