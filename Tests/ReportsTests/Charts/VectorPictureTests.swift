import Foundation
import FoundationXML
import Recordings
import Testing

@testable import Reports

/// Pictures as SVG.
@Suite struct VectorPictureTests {
    /// How often elements occur in an SVG, and their text.
    private final class Reading: NSObject, XMLParserDelegate {
        var texts: [String: String] = [:]
        var counts: [String: Int] = [:]
        private var element = ""

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
            qualifiedName: String?, attributes: [String: String]
        ) {
            element = name
            counts[name, default: 0] += 1
        }

        func parser(_ parser: XMLParser, foundCharacters text: String) {
            texts[element, default: ""] += text
        }

        func parser(
            _ parser: XMLParser, didEndElement name: String, namespaceURI: String?,
            qualifiedName: String?
        ) {
            element = ""
        }
    }

    /// Throws if the picture is not well-formed XML.
    private func read(
        _ heading: [String], _ style: PictureStyle = PictureStyle(.svg)
    ) throws -> Reading {
        let bytes = try InspectionPicture.draw(
            InspectionPictureTests.inspection(), cuts: [7..<8], heading: heading, style,
            with: Cairo())
        let (parser, reading) = (XMLParser(data: Data(bytes)), Reading())
        parser.delegate = reading
        try #require(parser.parse(), "\(String(describing: parser.parserError))")
        return reading
    }

    @Test func letterShapesAndSpectrogramAreDrawn() throws {
        let reading = try read(["a.wav", "0:10, mono"])
        #expect(reading.counts["svg"] == 1)
        #expect(reading.counts["image", default: 0] == 1)
        #expect(reading.counts["use", default: 0] > 100)
        let more = try read(["a longer name.wav", "0:10, mono"])
        #expect(more.counts["use", default: 0] == reading.counts["use", default: 0] + 12)
    }

    @Test(arguments: [
        "a & b <i>c</i> ]]> \"d\" 'e'.wav", "--><!-- <![CDATA[ <?xml &amp; &#0; %s\\n.wav",
        "Z̈ürich, 東京, مقابلة, 🎙️‍👩.wav", "</title><script>x</script>.wav",
        String(repeating: "long ", count: 60) + ".wav",
    ])
    func headingIsHeldAsText(name: String) throws {
        let reading = try read([Pathname(name).displayText, "10 s", name])
        #expect(reading.texts["title"] == Pathname(name).displayText)
        #expect(reading.texts["desc"] == "10 s\n" + name)
        #expect(reading.counts["script"] == nil && reading.counts["title"] == 1)
    }

    /// Cairo would refuse the first and the last as wrong UTF-8, and end at the third.
    @Test func charactersThatXMLLacksAreReplaced() throws {
        let reading = try read(["a\u{FFFF}b\u{1}c\u{0}d\u{FFFE}.wav"])
        #expect(
            reading.texts["title"] == "a\u{FFFD}b\u{FFFD}c\u{FFFD}d\u{FFFD}.wav")
    }

    @Test func pixelsAreTheUnit() throws {
        var style = PictureStyle(.svg)
        style.width = 700
        let bytes = try InspectionPicture.draw(
            InspectionPictureTests.inspection(), cuts: [], heading: [], style, with: Cairo())
        let start = String(decoding: bytes.prefix(300), as: UTF8.self)
        #expect(
            start.contains("width=\"700px\" height=\"920px\"") || start.contains("width=\"700\""))
    }
}
