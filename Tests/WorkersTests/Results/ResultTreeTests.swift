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

    private func settle(_ entries: [ManifestEntry], in folder: Pathname) throws {
        try OutputFolder.settle(entries, in: folder, of: output)
    }

    private func add(_ facts: [JournalFact]) throws {
        try OutputFolder.change(output) { try $0.add(facts) }
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
        world.makeFolder(root.appending("A/x"))
        #expect(try found("A/x") == ResultTree(output: output, folder: "A/x"))
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

    /// Runs write to where a link leads.
    @Test func resultsBehindLinkAreFoundByTheirPlaceInOutput() throws {
        let disk = TestWorld()
        for folder in ["L", "L/A"] as [Pathname] {
            try settle([Example.doneEntry("a.wav")], in: folder)
        }
        world.makeFolder(disk.root.appending("A/x"))
        TestWorld.link(output.appending("L"), to: disk.root)
        for (path, place, done) in [
            ("tapedeck/L", "L", 2), ("tapedeck/./L/A", "L/A", 1), ("tapedeck/L/A/x", "L/A/x", 0),
        ] as [(Pathname, Pathname, Int)] {
            let part = try found(path)
            #expect(part == ResultTree(output: output, folder: place))
            #expect(try part.summarise().done == done)
        }
    }

    // MARK: Counting

    @Test func summaryCountsLastOutcomeOfEachRecording() throws {
        try settle([Example.doneEntry("a.wav"), Example.doneEntry("b.wav")], in: .empty)
        try settle([Example.doneEntry("c.wav")], in: "A")
        var failed = RecordExample.fact("a.wav", in: .empty)
        failed.entry.status = .failed
        failed.entry.failure = Example.failure()
        try add([
            RecordExample.fact("a.wav", in: .empty), failed,
            RecordExample.fact("d.wav", in: "B"),
        ])
        let summary = try tree.summarise()
        #expect(summary.recordings == 4)
        #expect(summary.folders == 3)
        #expect(summary.failed == 1)
        #expect(summary.failureGroups.map(\.example) == ["a.wav"])
        #expect(try ResultTree(output: output, folder: "B").summarise().recordings == 1)
    }

    /// With those that the output remembers, whatever was used in a folder last.
    @Test func resultsOfOtherSettingsAreCounted() throws {
        let names: [Pathname] = ["a.wav", "b.wav", "c.wav"]
        try settle(names.map { Example.doneEntry($0) }, in: .empty)
        try settle([Example.doneEntry("e.wav")], in: "B")
        var done = RecordExample.fact("d.wav", in: .empty)
        done.entry.recipe?.waveform.bits = 16
        var gone = RecordExample.fact("a.wav", in: .empty)
        gone.entry.status = .sourceMissing
        try add([done, gone])
        var recipe = Recipe()
        recipe.waveform.bits = 16
        let settings = Settings(recipe)
        try OutputFolder.change(output) { record in try record.set(OutputSettings(settings)) }
        let summary = try tree.summarise()
        #expect(summary.done == 4 && summary.missing == 1)
        #expect(summary.stale == 3)
    }

    @Test func entryThatCannotBeReadDoesNotStopCounting() throws {
        try settle([Example.doneEntry("a.wav"), Example.doneEntry("b.wav")], in: "A")
        try OutputFolder.change(output) { record in
            try record.write { (database) throws(FileSystemError) in
                try database.execute("UPDATE entries SET entry = '{}' WHERE name = x'612e776176'")
            }
        }
        #expect(try tree.summarise().done == 1)
    }

    /// What earlier versions left is read as it is, and changed by the next run only.
    @Test func resultsOfEarlierVersionAreCounted() throws {
        try FileSystem.remove(output.appending(".tapedeck"))
        world.add("tapedeck/.tapedeck", Array("recordings: ..\n".utf8))
        let manifest = Manifest(
            folder: "A", recipe: Recipe(), recipeFingerprint: "",
            recordings: [Example.doneEntry("a.wav")])
        world.add("tapedeck/A/manifest.json", ManifestFile.bytes(of: manifest))
        let fact = RecordExample.fact("b.wav", in: "B")
        world.add(
            "tapedeck/.tapedeck.journal", JournalText.header + JournalText.line(of: fact))
        let before = TestWorld.tree(output)
        #expect(try tree.summarise().done == 2)
        #expect(TestWorld.tree(output) == before)
        world.add(
            "tapedeck/.tapedeck.journal", JournalText.line(Array("{\"journal\":2}".utf8)))
        #expect(throws: RunRefusal.recordUnreadable(tree.shownOutput, detail: nil)) {
            try tree.summarise()
        }
    }

    @Test func recordOfLaterVersionIsRefused() throws {
        try OutputFolder.change(output) { record in
            try record.write { (database) throws(FileSystemError) in
                try database.execute("PRAGMA user_version = \(RecordSchema.version + 1)")
            }
        }
        #expect(throws: RunRefusal.recordUnreadable(tree.shownOutput, detail: nil)) {
            try tree.summarise()
        }
        #expect(throws: RunRefusal.recordUnreadable(output, detail: nil)) {
            try OutputFolder(output, root: root).release()
        }
    }

    @Test func totalsOfManyFoldersAddUp() throws {
        try OutputFolder.change(output) { record in
            for number in 0..<150 {
                try record.put([Example.doneEntry("a.wav")], in: Pathname("\(number)"))
            }
        }
        let summary = try tree.summarise()
        #expect(summary.folders == 150 && summary.done == 150)
        #expect(summary.audioSeconds == 1500)
    }
}
