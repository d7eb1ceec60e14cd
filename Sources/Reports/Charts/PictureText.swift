/// Text in pictures.
enum PictureText {
    /// Text without control characters and noncharacters, which Cairo takes for wrong UTF-8, and
    /// most of which cannot occur in XML; each becomes U+FFFD.
    static func legible(_ text: String) -> String {
        var legible = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let properties = scalar.properties
            let isSkipped =
                properties.isNoncharacterCodePoint || properties.generalCategory == .control
            legible.append(isSkipped ? "\u{FFFD}" : scalar)
        }
        return String(legible)
    }

    /// An SVG with its heading as title and description: Cairo draws letters as shapes, which
    /// neither a search nor a screen reader finds.
    static func titled(_ file: [UInt8], _ heading: [String]) -> [UInt8] {
        guard let tag = file.firstRange(of: Array("<svg".utf8)),
            let end = file[tag.upperBound...].firstIndex(of: UInt8(ascii: ">"))
        else { return file }
        let lines = heading.map { MarkupText.escaped(legible($0)) }
        let rest = lines.dropFirst().joined(separator: "\n")
        let text = "\n<title>\(lines.first ?? "")</title>\n<desc>\(rest)</desc>"
        return file[...end] + Array(text.utf8) + file[(end + 1)...]
    }
}
