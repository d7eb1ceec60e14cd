import Recordings
import TestSupport
import Testing

@testable import Workers

@Suite struct OutputRecordsTests {
    private func entry(_ name: Pathname, bytes: Int64, sha256: String) -> ManifestEntry {
        var entry = Example.doneEntry(name)
        entry.trimmed = TrimmedFile(
            path: name, durationSeconds: 1, bytes: bytes, sha256: sha256, edits: [])
        return entry
    }

    @Test func lookupReturnsOnlyRecordsOfThatName() {
        let digest = String(repeating: "0123456789abcdef", count: 4)
        let names: [Pathname] = ["b", "a", "ab", "a.wav", "é", "e\u{301}", "", "a\u{0}"]
        var records = OutputRecords()
        for (number, name) in names.enumerated() {
            records.add(
                entry(name, bytes: Int64(number), sha256: number % 2 == 0 ? digest : "none"))
        }
        records.sort()
        for (number, name) in names.enumerated() {
            let said = records[name]
            #expect(said.map(\.stamp.bytes) == [Int64(number)])
            #expect(said.map(\.stamp.modifiedNanoseconds) == [Example.stamp.modifiedNanoseconds])
            #expect(said.map { $0.digest?.hexadecimal } == [number % 2 == 0 ? digest : nil])
            #expect(records[name.adding(suffix: ".dat")].count == 1)
        }
        for other in ["c", "aa", "a.wa", "a.wav.d", "f"] as [Pathname] {
            #expect(records[other].isEmpty)
        }
    }

    @Test func lookupReturnsAllRecordsOfOneName() {
        var records = OutputRecords()
        #expect(records["b"].isEmpty)
        for (name, bytes) in [("b", 1), ("a", 2), ("b", 3)] as [(Pathname, Int64)] {
            records.add(entry(name, bytes: bytes, sha256: ""))
        }
        records.sort()
        #expect(Set(records["b"].map(\.stamp.bytes)) == [1, 3])
    }
}
