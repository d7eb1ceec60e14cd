import Foundation
import Jobs
import Recordings
import ReducerKit
import TestSupport
import Testing

@testable import Workers

@Suite struct ResultTreeTests {
    private let world = TestWorld()
    private let root: Pathname
    private var output: Pathname { root.appending("tapedeck") }
    private var tree: ResultTree { ResultTree(output: output) }

    init() throws {
        root = try FileSystem.resolve(world.root)
        OutputFolder.makeMarked(root.appending("tapedeck"))
    }

    private func write(
        _ entries: [ManifestEntry], in folder: Pathname, of other: Pathname? = nil
    ) throws {
        let order = ManifestOrder(
            folder: folder, recipe: Boxed(Recipe()), entries: entries.map { SettledEntry($0) })
        try world.write(order, in: other ?? output)
    }

    private func append(_ facts: [JournalFact]) throws {
        var journal = JournalFile(in: output)
        try journal.append(facts)
    }

    // MARK: Finding results

    private func found(_ name: Pathname) throws(RunRefusal) -> ResultTree {
        try ResultTree.find(world.root.appending(name))
    }

    @Test func resultsAreFoundFromSourceOrOutputPath() throws {
        try FileSystem.makeFolder(output.appending("A/x"))
        TestWorld.link(root.appending("L"), to: "tapedeck/A")
        #expect(try found("tapedeck") == tree)
        #expect(try found(.empty) == tree)
        #expect(try found("tapedeck/A/../A/x") == ResultTree(output: output, folder: "A/x"))
        #expect(try found("L") == ResultTree(output: output, folder: "A"))
    }

    @Test func pathWithoutResultsIsRefused() {
        world.add("B/c.wav")
        world.add("tapedeck/d.wav.dat")
        for name in ["B", "B/c.wav", "tapedeck/d.wav.dat"] as [Pathname] {
            #expect(throws: RunRefusal.noResults(world.root.appending(name))) { try found(name) }
        }
        #expect(throws: RunRefusal.pathMissing(world.root.appending("no"))) { try found("no") }
        TestWorld.link(root.appending("loop"), to: "loop")
        let detail = String(cString: strerror(ELOOP))
        #expect(
            throws: RunRefusal.pathUnreadable(world.root.appending("loop"), detail: detail)
        ) { try found("loop") }
    }

    @Test func hiddenFoldersAndNestedOutputsAreSkipped() throws {
        for name in ["A/x", "B", ".hidden"] as [Pathname] {
            try FileSystem.makeFolder(output.appending(name))
        }
        OutputFolder.makeMarked(output.appending("other"))
        TestWorld.link(output.appending("L"), to: "A")
        try append([JournalExample.fact("a.wav", in: "C")])
        let journal = try RecoveredJournal.read(in: output)
        #expect(tree.folders(journal).folders == [.empty, "A", "A/x", "B", "C"])
        let part = ResultTree(output: output, folder: "A")
        #expect(part.folders(journal).folders == ["A", "A/x"])
    }

    /// Runs write to where a link leads, and so what is there is looked at too.
    @Test func symlinksAreFollowedOnlyToMatchingManifests() throws {
        let elsewhere = TestWorld()
        let disk = try FileSystem.resolve(elsewhere.root)
        for folder in ["L/A", "L/A/x", "B"] as [Pathname] {
            try write([Example.doneEntry("a.wav")], in: folder, of: disk)
        }
        try FileSystem.rename(disk.appending("B"), to: disk.appending("L/B"))
        TestWorld.link(disk.appending("L/A/loop"), to: "..")
        TestWorld.link(disk.appending("L/A/up"), to: output)
        TestWorld.link(disk.appending("L/A/high"), to: output.parent)
        TestWorld.link(output.appending("L"), to: disk.appending("L"))
        for alias in ["A", "K", "M", "Z"] as [Pathname] {
            TestWorld.link(output.appending(alias), to: disk.appending("L"))
        }
        TestWorld.link(output.appending("N"), to: disk.appending("L/A"))
        TestWorld.link(output.appending("file"), to: "L/A/manifest.json")
        TestWorld.link(output.appending("nowhere"), to: "nothing")
        let folders = tree.folders(nil)
        #expect(folders.folders == [.empty, "L/A", "L/A/x"])
        #expect(folders.troubles == [])
        #expect(tree.summarise().summary.done == 2)
        for (path, place, done) in [
            ("tapedeck/L", "L", 2), ("tapedeck/./L/A/x", "L/A/x", 1), ("tapedeck/N", "N", 0),
        ] as [(Pathname, Pathname, Int)] {
            let part = try found(path)
            #expect(part == ResultTree(output: output, folder: place))
            #expect(part.summarise().summary.done == done)
        }
    }

    // MARK: Counting

    @Test func summaryCombinesManifestsAndJournal() throws {
        try write([Example.doneEntry("a.wav"), Example.doneEntry("b.wav")], in: .empty)
        try write([Example.doneEntry("c.wav")], in: "A")
        var failed = JournalExample.fact("a.wav", in: .empty)
        failed.entry.status = .failed
        failed.entry.failure = Example.failure()
        let facts = [
            JournalExample.fact("a.wav", in: .empty), failed,
            JournalExample.fact("d.wav", in: "B"),
        ]
        try append(facts)
        let status = tree.summarise()
        #expect(status.summary.recordings == 4)
        #expect(status.summary.folders == 3)
        #expect(status.summary.failed == 1)
        #expect(status.summary.failureGroups.map(\.example) == ["a.wav"])
        #expect(status.journal.outcomes == 2)
        #expect(status.troubles.isEmpty)
        let part = ResultTree(output: output, folder: "B").summarise()
        #expect(part.summary.recordings == 1 && part.journal.outcomes == 1)
    }

    @Test func journalSettingsCountAsNewest() throws {
        try write([Example.doneEntry("a.wav"), Example.doneEntry("b.wav")], in: .empty)
        var fact = JournalExample.fact("a.wav", in: .empty)
        fact.entry.recipe?.waveform.bits = 16
        try append([fact])
        #expect(tree.summarise().summary.stale == 1)
    }

    @Test func settingsOfMissingRecordingsAreIgnored() throws {
        let names: [Pathname] = ["a.wav", "b.wav", "c.wav"]
        try write(names.map { Example.doneEntry($0) }, in: .empty)
        var done = JournalExample.fact("d.wav", in: .empty)
        done.entry.recipe?.waveform.bits = 16
        var gone = JournalExample.fact("a.wav", in: .empty)
        gone.entry.status = .sourceMissing
        try append([done, gone])
        let summary = tree.summarise().summary
        #expect(summary.done == 3 && summary.missing == 1)
        #expect(summary.stale == 2)
    }

    @Test func damagedManifestDoesNotStopCounting() throws {
        try write([Example.doneEntry("a.wav")], in: "A")
        try write([Example.doneEntry("b.wav")], in: "B")
        world.add("tapedeck/A/manifest.json", Array("{\"folder\":".utf8))
        var status = tree.summarise()
        #expect(status.summary.done == 1)
        #expect(status.troubles.map(\.trouble) == [.damaged(byte: 10)])
        #expect(status.troubles.map(\.path.lastComponent) == ["manifest.json"])
        world.add(
            Pathname("tapedeck").appending(JournalFile.name),
            JournalLine.line(Array("{\"journal\":2}".utf8)))
        status = tree.summarise()
        #expect(status.troubles.map(\.trouble) == [.ofLaterVersion, .damaged(byte: 10)])
    }

    @Test func totalsOfManyFoldersAddUp() throws {
        for number in 0..<150 {
            try write([Example.doneEntry("a.wav")], in: Pathname("\(number)"))
        }
        let summary = tree.summarise().summary
        #expect(summary.folders == 150 && summary.done == 150)
        #expect(summary.audioSeconds == 1500)
    }
}
