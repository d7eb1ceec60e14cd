import FoundationEssentials
import Recordings
import TestSupport
import Testing

@testable import Workers

/// The writer by hand is held against the general encoder.
@Suite struct ManifestWriterTests {
    private func encoded(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: 0..<100 as Range<UInt64>)
    func entryMatchesJSONEncoder(seed: UInt64) throws {
        for entry in RandomManifest.manifest(seed: seed).recordings {
            #expect(try text(ManifestFile.line(of: entry)) == encoded(entry))
        }
    }

    @Test(arguments: 0..<100 as Range<UInt64>)
    func journalRecordIsReadBackUnchanged(seed: UInt64) throws {
        let fact = RandomManifest.fact(seed: seed)
        let line = JournalText.json(of: fact)
        let read = try JSONCursor.read(line) { (json) throws(JSONCursor.Malformed) in
            try JournalFact(&json)
        }
        #expect(read == fact)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func manifestWithoutNewlinesMatchesJSONEncoder(seed: UInt64) throws {
        let manifest = RandomManifest.manifest(seed: seed)
        var lines = text(ManifestFile.bytes(of: manifest))
        // No string holds a line's end as it is.
        lines.removeAll { $0 == "\n" }
        #expect(try lines == encoded(manifest))
    }

    @Test func numbersMatchJSONEncoder() throws {
        var random = SeededGenerator(seed: 1)
        var numbers = (0..<10_000).map { _ in RandomManifest.decimal(&random) }
        for exponent in -20...20 {
            for digits in [1.0, 9.999999, 1.234567, 9.99999999999999] {
                numbers.append(digits * .init("1e\(exponent)")!)
            }
        }
        for number in numbers {
            var json = JSONWriter()
            json.number(number)
            #expect(try text(json.bytes) == encoded(number))
        }
    }

    @Test func integersOfAllSizesAreWrittenExactly() throws {
        for value in [0, 7, -1, 10, -10, 1_000_000, Int64.max, Int64.min] {
            var json = JSONWriter()
            json.integer(value)
            #expect(text(json.bytes) == "\(value)")
        }
    }

    @Test func everyCharacterMatchesJSONEncoder() throws {
        for start in stride(from: UInt32(0), to: 0x11_0000, by: 64) {
            let scalars = (start..<start + 64).compactMap { Unicode.Scalar($0) }
            var string = String.UnicodeScalarView()
            string.append(contentsOf: scalars)
            var json = JSONWriter()
            json.string(String(string))
            #expect(try text(json.bytes).utf8.elementsEqual(encoded(String(string)).utf8))
        }
    }
}
