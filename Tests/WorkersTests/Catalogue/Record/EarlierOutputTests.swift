import Foundation
import Jobs
import Recordings
import ReducerKit
import TestSupport
import Testing

@testable import Workers

/// An output whose record has to be made of what an earlier version left, or of manifests.
@Suite struct EarlierOutputTests {
    private let world = TestWorld()
    private var output: Pathname { world.output }
    private let journal = RecoveredJournal.name

    init() {
        world.folder.write(
            Array("This folder is written by tapedeck.\nrecordings: ../source\n".utf8),
            to: "output/.tapedeck")
    }

    private func write(
        _ entries: ManifestEntry..., in folder: Pathname, at place: Pathname? = nil,
        recipe: Recipe = Recipe()
    ) {
        let manifest = Manifest(
            folder: folder, recipe: recipe, recipeFingerprint: "", recordings: entries)
        let place = place ?? Pathname("output").appending(folder)
        world.makeFolder(world.folder.path(place))
        world.folder.write(
            ManifestFile.bytes(of: manifest), to: place.appending(OutputNames.manifest))
    }

    private func journal(_ facts: JournalFact...) {
        let lines = [JournalText.header] + facts.map { JournalText.line(of: $0) }
        world.folder.write(Array(lines.joined()), to: Pathname("output").appending(journal))
    }

    /// What a run finds when it opens the output.
    private func opened<Result>(
        setAside: Pathname? = nil,
        _ look: (OutputRecord) throws -> Result
    ) throws -> Result {
        let folder = try OutputFolder(output, root: world.root)
        #expect(folder.setAside == setAside)
        let result = try look(folder.record)
        folder.release()
        return result
    }

    private func works(_ record: OutputRecord, _ folder: Pathname) throws -> [PreviousWork] {
        try record.contents(of: folder).works
    }

    private func work(_ entry: ManifestEntry, _ recipe: Recipe = Recipe()) -> PreviousWork {
        PreviousWork(entry: SettledEntry(entry), recipe: Boxed(recipe))
    }

    // MARK: What becomes of it

    @Test func resultsOfEarlierVersionBecomeRecord() throws {
        var other = Recipe()
        other.waveform.bits = 16
        var own = Example.doneEntry("b.wav")
        own.recipe = other
        write(Example.doneEntry("a.wav"), own, in: .empty)
        write(Example.doneEntry("c.wav"), in: "A/x", recipe: other)
        journal(RecordExample.fact("d.wav", in: "B"))
        world.makeFolder(output.appending("empty"))
        own.recipe = nil
        func check(_ record: OutputRecord) throws {
            #expect(try record.folders() == [.empty, "A/x", "B"])
            #expect(
                try works(record, .empty) == [work(Example.doneEntry("a.wav")), work(own, other)])
            #expect(try works(record, "A/x") == [work(Example.doneEntry("c.wav"), other)])
            #expect(try works(record, "B") == [work(Example.doneEntry("d.wav"))])
            #expect(try record.wayToRoot == "../source")
        }
        try opened { try check($0) }
        #expect(!TestWorld.tree(output).contains(journal))
        #expect(TestWorld.tree(output).contains("A/x/manifest.json"))
        try opened { try check($0) }
    }

    /// Otherwise the first run of a new version would print every manifest again.
    @Test func manifestsOfEarlierVersionCountAsPrinted() throws {
        var entry = Example.doneEntry("a.wav")
        write(entry, in: "C")
        _ = entry.addSegments()
        write(entry, in: "A")
        write(Example.doneEntry("b.wav"), in: "B")
        journal(RecordExample.fact("c.wav", in: "B"))
        let stamp = try TestWorld.stamp(of: output.appending("A/manifest.json"))
        try opened { (record) throws in
            #expect(try record.contents(of: "A").printed == stamp)
            #expect(try record.contents(of: "B").printed == nil)
            // It does not tell of the segments.
            #expect(try record.contents(of: "C").printed == nil)
            #expect(try record.entries(in: "C") == [entry])
        }
    }

    @Test func journalOverridesManifest() throws {
        write(Example.doneEntry("a.wav"), Example.doneEntry("b.wav"), in: "A")
        var fact = RecordExample.fact("a.wav")
        fact.entry.decoderMessage = "later"
        journal(fact)
        fact.entry.recipe = nil
        try opened { (record) throws in
            #expect(
                try works(record, "A") == [work(fact.entry), work(Example.doneEntry("b.wav"))])
            #expect(try record.contents(of: "A").staged.map(\.name) == ["a.wav.dat"])
            #expect(try record.obsoleteFiles(in: "A").map(\.name) == ["a.wav.json"])
        }
    }

    /// Earlier versions left files to be deleted behind an entry that was done.
    @Test func filesLeftBehindAreObsoleteUnlessRecordingFailed() throws {
        var done = Example.doneEntry("a.wav")
        done.leftBehind = ["a.wav.json"]
        var failed = ManifestEntry(name: "b.wav", status: .failed, source: Example.stamp)
        failed.failure = Example.failure()
        failed.leftBehind = ["b.wav.dat"]
        var gone = ManifestEntry(name: "c.wav", status: .sourceMissing, source: Example.stamp)
        gone.leftBehind = ["c.wav.dat"]
        write(done, failed, gone, in: "A")
        done.leftBehind = nil
        try opened { (record) throws in
            #expect(try works(record, "A") == [work(done), work(failed)])
            #expect(try record.obsoleteFiles(in: "A").map(\.name) == ["a.wav.json", "c.wav.dat"])
            let kept = try record.files(named: "b.wav.dat", in: "A").map(\.state)
            #expect(kept == [.kept])
        }
    }

    // MARK: What is not believed

    @Test func foreignOrDamagedManifestsAreSkipped() throws {
        write(Example.doneEntry("a.wav"), in: "A")
        write(Example.doneEntry("b.wav"), in: "elsewhere", at: "output/B")
        write(Example.doneEntry("c.wav"), in: ".hidden")
        for (folder, text) in [("C", "{"), ("D", "[]"), ("E", #"{"folder":"E","version":9}"#)] {
            world.makeFolder(output.appending(Pathname(folder)))
            world.folder.write(Array(text.utf8), to: Pathname("output/\(folder)/manifest.json"))
        }
        var foreign = Example.doneEntry("d.wav")
        foreign.trimmed = TrimmedFile(
            path: "../source/d.wav", durationSeconds: 1, bytes: 1, sha256: "", edits: [])
        write(foreign, in: "F")
        try opened { (record) throws in
            #expect(try record.folders() == ["A"])
            #expect(try works(record, "A").count == 1)
        }
    }

    @Test func nestedOutputIsSkipped() throws {
        write(Example.doneEntry("a.wav"), in: "A")
        world.folder.write([], to: "output/A/.tapedeck")
        #expect(try opened { try $0.folders() } == [])
    }

    /// Runs write to where a link leads, if it was made for that.
    @Test func symlinksAreFollowedOnlyToMatchingManifests() throws {
        let elsewhere = TestFolder()
        for name in ["moved", "renamed"] as [Pathname] {
            TestWorld.link(output.appending(name), to: elsewhere.path)
        }
        TestWorld.link(output.appending("dangling"), to: "nothing")
        TestWorld.link(output.appending("loop"), to: output)
        let manifest = Manifest(
            folder: "moved", recipe: Recipe(), recipeFingerprint: "",
            recordings: [Example.doneEntry("a.wav")])
        elsewhere.write(ManifestFile.bytes(of: manifest), to: OutputNames.manifest)
        #expect(try opened { try $0.folders() } == ["moved"])
    }

    // MARK: What is not touched

    @Test func outputWithLaterJournalIsRefused() throws {
        write(Example.doneEntry("a.wav"), in: "A")
        let later = JournalText.line(Array(#"{"journal":2}"#.utf8))
        world.folder.write(later, to: Pathname("output").appending(journal))
        let mark = TestFolder.bytes(of: output.appending(".tapedeck"))
        let before = TestWorld.tree(output)
        #expect(throws: RunRefusal.recordUnreadable(output, detail: nil)) {
            try OutputFolder(output, root: world.root).release()
        }
        #expect(TestWorld.tree(output).filter { $0 != OutputLock.name } == before)
        #expect(TestFolder.bytes(of: output.appending(".tapedeck")) == mark)
        #expect(TestFolder.bytes(of: output.appending(journal)) == later)
    }

    @Test func outputOfOtherRecordingsIsNotTakenOver() throws {
        world.folder.write(Array("recordings: ../other\n".utf8), to: "output/.tapedeck")
        let other = world.folder.path("other")
        world.makeFolder(other)
        #expect(
            throws: RunRefusal.outputOfOthers(
                output: output, root: try FileSystem.resolve(other))
        ) {
            try OutputFolder(output, root: world.root).release()
        }
    }

    // MARK: Damage

    /// - Parameter start: where the damage begins; the file still says that it is a database.
    private func damage(from start: Int) {
        var bytes = TestFolder.bytes(of: output.appending(".tapedeck"))
        var random = SeededGenerator(seed: 1)
        for place in start..<bytes.count {
            bytes[place] = UInt8.random(in: .min ... .max, using: &random)
        }
        world.folder.write(bytes, to: "output/.tapedeck")
    }

    @Test(arguments: [16, 100])
    func damagedRecordIsSetAsideAndRebuilt(start: Int) throws {
        write(Example.doneEntry("a.wav"), in: "A")
        try opened { _ in }
        for aside in [".tapedeck.damaged", ".tapedeck.damaged.2"] as [Pathname] {
            damage(from: start)
            let damaged = TestFolder.bytes(of: output.appending(".tapedeck"))
            try opened(setAside: aside) { (record) throws in
                #expect(try works(record, "A") == [work(Example.doneEntry("a.wav"))])
                #expect(try record.wayToRoot == "../source")
            }
            #expect(TestFolder.bytes(of: output.appending(aside)) == damaged)
        }
        #expect(try opened { try $0.folders() } == ["A"])
    }

    @Test func recordOfAnotherProgramIsSetAside() throws {
        write(Example.doneEntry("a.wav"), in: "A")
        try opened { (record) throws in
            try record.write { (database) throws(FileSystemError) in
                try database.execute("PRAGMA application_id = 7")
            }
        }
        let folders = try opened(setAside: ".tapedeck.damaged") { try $0.folders() }
        #expect(folders == ["A"])
    }

    // MARK: Further names

    /// As in a backup of hard links.
    @Test func recordWithFurtherNameIsNotWrittenThrough() throws {
        write(Example.doneEntry("a.wav"), in: "A")
        try opened { _ in }
        let backup = world.folder.path("backup")
        #expect(link(output.appending(".tapedeck").text, backup.text) == 0)
        let before = TestFolder.bytes(of: backup)
        try opened { (record) throws in
            #expect(try works(record, "A") == [work(Example.doneEntry("a.wav"))])
            try record.add([RecordExample.fact("b.wav")])
        }
        #expect(TestFolder.bytes(of: backup) == before)
        #expect(try opened { try works($0, "A").count } == 2)
    }
}
