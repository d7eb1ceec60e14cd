import Foundation
import Recordings
import TestSupport
import Testing

@testable import Workers

/// What a journal still tells after a crash or a bad disk.
@Suite struct RecoveredJournalTests {
    private let facts = ["a.wav", "b.wav", "c.wav"].map { RecordExample.fact($0) }
    private var lines: [[UInt8]] {
        [JournalText.header] + facts.map { JournalText.line(of: $0) }
    }

    /// Nobody who means well writes of a folder outside of the output.
    @Test(arguments: ["/x", "..", "../x", "a/../../x", "a/./b", "./a"])
    func recordOfFolderOutsideOutputIsDamaged(folder: String) throws {
        let facts = [
            RecordExample.fact("a.wav"), RecordExample.fact("b.wav", in: Pathname(folder)),
        ]
        let found = try recover([JournalText.header] + facts.map(JournalText.line(of:)))
        #expect(found == [facts[0]])
    }

    /// They are names in the folder that the line is about.
    @Test(arguments: ["../a.wav", "/a.wav", "..", "x/a.wav"])
    func recordNamingFileOutsideFolderIsIgnored(name: String) throws {
        for place in 0..<4 {
            var fact = RecordExample.fact("a.wav")
            switch place {
            case 0: fact.entry.name = Pathname(name)
            case 1: fact.staged[0].name = Pathname(name)
            case 2: fact.staged[0].temporary = Pathname(name)
            default: fact.obsolete = [Pathname(name)]
            }
            let lines = [JournalText.header, JournalText.line(of: fact)]
            #expect(try recover(lines) == [], "\(place)")
        }
    }

    private func recover(_ lines: [[UInt8]]) throws -> [JournalFact] {
        try RecoveredJournal.facts(of: Array(lines.joined()))
    }

    @Test func missingJournalReadsAsEmpty() throws {
        let folder = TestFolder()
        #expect(try RecoveredJournal.facts(in: folder.path("nowhere")).isEmpty)
        #expect(try RecoveredJournal.facts(in: folder.path).isEmpty)
    }

    @Test func recordsAreReadInTheirOrder() throws {
        let facts = RecordExample.awkwardNames.map { RecordExample.fact($0, in: $0) }
        let more = ["a.wav", "b.wav", "a.wav"].map { RecordExample.fact($0) }
        let found = try recover(
            [JournalText.header] + (facts + more).map { JournalText.line(of: $0) })
        #expect(found == facts + more)
    }

    @Test func headerNamesVersion() {
        // printf '{"journal":1}' | sha256sum
        #expect(
            String(decoding: JournalText.header, as: UTF8.self)
                == "3ea7b8299a8f4e1d {\"journal\":1}\n")
    }

    @Test func laterJournalVersionIsRefused() throws {
        let folder = TestFolder()
        let later = JournalText.line(Array(#"{"journal":2,"new":[true]}"#.utf8))
        let path = folder.write(later, to: RecoveredJournal.name)
        #expect(throws: FileSystemError.laterRecord(path)) {
            try RecoveredJournal.facts(in: folder.path)
        }
    }

    @Test func symlinkOrFolderAsJournalIsRefused() throws {
        let folder = TestFolder()
        let path = folder.path(RecoveredJournal.name)
        TestWorld.link(path, to: folder.write([], to: "other"))
        #expect(throws: FileSystemError.notRegular(path)) {
            try RecoveredJournal.facts(in: folder.path)
        }
        try FileSystem.remove(path)
        try FileSystem.makeFolder(path)
        #expect(throws: FileSystemError.notRegular(path)) {
            try RecoveredJournal.facts(in: folder.path)
        }
    }

    @Test func tornLastLineIsDropped() throws {
        let whole = lines
        for count in 0..<whole[3].count {
            let found = try recover(whole[..<3] + [Array(whole[3][..<count])])
            #expect(found == [facts[0], facts[1]])
        }
    }

    @Test func lastLineWithZeroedBytesIsDropped() throws {
        var whole = lines
        for place in 100..<200 { whole[3][place] = 0 }
        #expect(try recover(whole) == [facts[0], facts[1]])
    }

    @Test(arguments: [0x01, 0x80, 0xFF] as [UInt8])
    func flippedByteLosesOnlyItsOwnRecord(bits: UInt8) throws {
        let whole = lines
        let end = whole[2].count
        let places = [Array(0..<20), Array(stride(from: 20, to: end, by: 7)), [end - 2, end - 1]]
            .joined()
        for place in places {
            var damaged = whole
            damaged[2][place] ^= bits
            #expect(try recover(damaged) == [facts[0], facts[2]], "byte \(place)")
        }
    }

    @Test(
        arguments: [
            [], [0], [0xFF, 0xFE, 0x0D], Array(repeating: 0, count: 5000),
            Array("{\"folder\":\"A\"}".utf8),
            Array(String(repeating: "0123456789abcdef {", count: 500).utf8),
            Array(JournalText.line(Array("[]".utf8)).dropLast()),
            Array(JournalText.line(Array("{\"folder\":7}".utf8)).dropLast()),
            Array(JournalText.line(Array("{\"entry\":{}}".utf8)).dropLast()),
        ] as [[UInt8]])
    func garbageLineIsSkipped(bytes: [UInt8]) throws {
        let whole = lines
        #expect(try recover(whole[..<2] + [bytes + "\n".utf8] + whole[2...]) == facts)
    }

    @Test func damagedOrMissingHeaderLosesNoRecords() throws {
        var whole = lines
        whole[0][3] ^= 1
        #expect(try recover(whole) == facts)
        #expect(try recover(Array(whole.dropFirst())) == facts)
    }

    @Test func recordWithUnknownStatusIsIgnored() throws {
        let strange = #"{"entry":{"name":"x","status":"sung"},"folder":"A","staged":[]}"#
        #expect(try recover(lines + [JournalText.line(Array(strange.utf8))]) == facts)
    }

    @Test func randomDamageInventsNoRecords() throws {
        let whole = Array(lines.joined())
        var random = SeededGenerator(seed: 1)
        var lost = 0
        for _ in 0..<500 {
            var damaged = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: damaged.indices, using: &random)
                damaged[place] = random.pick(Array("\"\\{}[],:0-9u.eE \n\u{0}".utf8))
            }
            let found = try RecoveredJournal.facts(of: damaged)
            #expect(found.allSatisfy(facts.contains))
            lost += facts.count - found.count
        }
        #expect(lost > 500)
    }

    // MARK: A file that changes while it is read

    @Test func lineReaderStopsAtEndOfGrowingFile() throws {
        let folder = TestFolder()
        let path = folder.write(Array("one\ntw".utf8), to: "lines")
        let reader = LineReader(try ReadableFile(path))
        #expect(try reader.next()?.bytes == Array("one".utf8))
        #expect(try reader.next()?.isTerminated == false)
        folder.write(Array("one\ntwo\nthree\n".utf8), to: "lines")
        #expect(try reader.next() == nil)
    }
}
