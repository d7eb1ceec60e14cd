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

    @Test func findsWhatIsSaidOfEachOutputAndNothingOfOthers() {
        let digest = String(repeating: "0123456789abcdef", count: 4)
        let names: [Pathname] = ["b", "a", "ab", "a.wav", "é", "e\u{301}", "", "a\u{0}"]
        let records = OutputRecords(
            nil,
            names.enumerated().map { number, name in
                entry(name, bytes: Int64(number), sha256: number % 2 == 0 ? digest : "none")
            })
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

    @Test func knowsAllThatIsSaidOfOne() {
        var manifest = OutputRecords()
        manifest.add(entry("b", bytes: 1, sha256: ""))
        manifest.add(entry("a", bytes: 2, sha256: ""))
        let records = OutputRecords(manifest, [entry("b", bytes: 3, sha256: "")])
        #expect(Set(records["b"].map(\.stamp.bytes)) == [1, 3])
        #expect(OutputRecords(nil, [])["b"].isEmpty)
    }
}
