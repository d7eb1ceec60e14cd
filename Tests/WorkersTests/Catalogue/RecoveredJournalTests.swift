import Foundation
import Recordings
import TestSupport
import Testing

@testable import Workers

/// What a journal still tells after a crash or a bad disk.
@Suite struct RecoveredJournalTests {
    private let facts = ["a.wav", "b.wav", "c.wav"].map { RecordExample.fact($0) }
    private var lines: [[UInt8]] {
        [JournalLine.header] + facts.map { JournalLine.spelling(of: $0) }
    }

    /// Nobody who means well writes of a folder outside of the output.
    @Test(arguments: ["/x", "..", "../x", "a/../../x", "a/./b", "./a"])
    func recordOfFolderOutsideOutputIsDamaged(folder: String) throws {
        let facts = [
            RecordExample.fact("a.wav"), RecordExample.fact("b.wav", in: Pathname(folder)),
        ]
        let journal = try recover([JournalLine.header] + facts.map(JournalLine.spelling))
        #expect(journal.damaged == [3] || journal.hasTornTail)
        #expect(journal.folders == ["A"])
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
            let lines = [JournalLine.header, JournalLine.spelling(of: fact)]
            #expect(try recover(lines).facts(in: "A") == [], "\(place)")
        }
    }

    private func recover(_ lines: [[UInt8]]) throws -> RecoveredJournal {
        try .of(text: Array(lines.joined()))
    }

    @Test func missingJournalReadsAsEmpty() throws {
        let folder = TestFolder()
        let journal = try RecoveredJournal.read(in: folder.path("nowhere"))
        #expect(try journal.folders.isEmpty && journal.facts(in: "A").isEmpty)
        #expect(journal.damaged.isEmpty && !journal.hasTornTail)
    }

    @Test func recordsAreReadInTheirOrder() throws {
        let facts = RecordExample.awkwardNames.map { RecordExample.fact($0, in: $0) }
        let more = ["a.wav", "b.wav", "a.wav"].map { RecordExample.fact($0) }
        let journal = try recover(
            [JournalLine.header] + (facts + more).map { JournalLine.spelling(of: $0) })
        #expect(journal.folders == (RecordExample.awkwardNames + ["A"]).sorted())
        for fact in facts { #expect(try journal.facts(in: fact.folder) == [fact]) }
        #expect(try journal.facts(in: "A") == more)
        #expect(journal.damaged.isEmpty && !journal.hasTornTail)
    }

    @Test func headerNamesVersion() {
        // printf '{"journal":1}' | sha256sum
        #expect(
            String(decoding: JournalLine.header, as: UTF8.self)
                == "3ea7b8299a8f4e1d {\"journal\":1}\n")
    }

    @Test func laterJournalVersionIsRefused() throws {
        let folder = TestFolder()
        let later = JournalLine.line(Array(#"{"journal":2,"new":[true]}"#.utf8))
        let path = folder.write(later, to: RecoveredJournal.name)
        #expect(throws: FileSystemError.laterRecord(path)) {
            try RecoveredJournal.read(in: folder.path)
        }
    }

    @Test func symlinkOrFolderAsJournalIsRefused() throws {
        let folder = TestFolder()
        let path = folder.path(RecoveredJournal.name)
        TestWorld.link(path, to: folder.write([], to: "other"))
        #expect(throws: FileSystemError.notRegular(path)) {
            try RecoveredJournal.read(in: folder.path)
        }
        try FileSystem.remove(path)
        try FileSystem.makeFolder(path)
        #expect(throws: FileSystemError.notRegular(path)) {
            try RecoveredJournal.read(in: folder.path)
        }
    }

    @Test func tornLastLineIsDropped() throws {
        let whole = lines
        for count in 0..<whole[3].count {
            let journal = try recover(whole[..<3] + [Array(whole[3][..<count])])
            #expect(try journal.facts(in: "A") == [facts[0], facts[1]])
            #expect(journal.damaged.isEmpty)
            #expect(journal.hasTornTail == (count > 0))
        }
    }

    @Test func lastLineWithZeroedBytesIsDropped() throws {
        var whole = lines
        for place in 100..<200 { whole[3][place] = 0 }
        let journal = try recover(whole)
        #expect(try journal.facts(in: "A") == [facts[0], facts[1]])
        #expect(journal.damaged.isEmpty && journal.hasTornTail)
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
            let journal = try recover(damaged)
            #expect(try journal.facts(in: "A") == [facts[0], facts[2]], "byte \(place)")
            // A byte that became a line's end makes two lines of one.
            let isSplit = damaged[2].dropLast().contains(JournalLine.newline)
            #expect(journal.damaged == (isSplit ? [3, 4] : [3]), "byte \(place)")
            #expect(!journal.hasTornTail)
        }
    }

    @Test(
        arguments: [
            [], [0], [0xFF, 0xFE, 0x0D], Array(repeating: 0, count: 5000),
            Array("{\"folder\":\"A\"}".utf8),
            Array(String(repeating: "0123456789abcdef {", count: 500).utf8),
            Array(JournalLine.line(Array("[]".utf8)).dropLast()),
            Array(JournalLine.line(Array("{\"folder\":7}".utf8)).dropLast()),
            Array(JournalLine.line(Array("{\"entry\":{}}".utf8)).dropLast()),
        ] as [[UInt8]])
    func garbageLineIsSkippedAndReportedDamaged(bytes: [UInt8]) throws {
        let whole = lines
        let journal = try recover(whole[..<2] + [bytes + [JournalLine.newline]] + whole[2...])
        #expect(try journal.facts(in: "A") == facts)
        #expect(journal.damaged == [3])
    }

    @Test func damagedOrMissingHeaderLosesNoRecords() throws {
        var whole = lines
        whole[0][3] ^= 1
        #expect(try recover(whole).facts(in: "A") == facts)
        #expect(try recover(Array(whole.dropFirst())).facts(in: "A") == facts)
        #expect(try recover(whole).damaged == [1])
    }

    @Test func recordWithUnknownStatusIsIgnored() throws {
        let strange = #"{"entry":{"name":"x","status":"sung"},"folder":"A","staged":[]}"#
        let journal = try recover(lines + [JournalLine.line(Array(strange.utf8))])
        #expect(try journal.facts(in: "A") == facts)
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
            let found = try RecoveredJournal.of(text: damaged).allFacts
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

    @Test func changedOrTruncatedJournalThrowsEIO() throws {
        let folder = TestFolder()
        let facts = ["b.wav", "c.wav"].map { RecordExample.fact($0) }
        let text = ([JournalLine.header] + facts.map(JournalLine.spelling(of:))).flatMap { $0 }
        let path = folder.write(text, to: RecoveredJournal.name)
        let journal = try RecoveredJournal.read(in: folder.path)
        #expect(try journal.facts(in: "A") == facts)
        // The same file, as a run that could not write a fact leaves it.
        for changed in [Array(text.dropLast(9)), text.map { $0 == 0x62 ? 0x64 : $0 }] {
            folder.write(changed, to: RecoveredJournal.name)
            #expect(throws: FileSystemError(path, code: EIO)) { try journal.facts(in: "A") }
        }
    }
}
