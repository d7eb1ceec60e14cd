import Jobs
import Recordings
import ReducerKit
import TestSupport
import Testing

@testable import Workers

@Suite struct OutputRecordTests {
    private let record: OutputRecord

    init() throws { record = try OutputRecord() }

    private let copy: Pathname = "b.wav.flac"

    /// A recording with a waveform and a copy, whose digests begin with `version`.
    private func entry(_ name: Pathname = "b.wav", version: String = "1") -> ManifestEntry {
        var entry = Example.doneEntry(name)
        entry.waveforms?[0].sha256 = version + "a"
        entry.trimmed = TrimmedFile(
            path: name.adding(suffix: ".flac"), durationSeconds: 1, bytes: 9,
            sha256: version + "b", edits: [])
        return entry
    }

    private func staged(_ name: Pathname, _ number: Int = 1) -> StagedFile {
        StagedFile(temporary: Pathname(".tapedeck.\(number).partial"), name: name)
    }

    private func fact(
        _ entry: ManifestEntry, _ staged: StagedFile..., abandoned: [StagedFile] = []
    ) -> JournalFact {
        var entry = entry
        entry.recipe = Recipe()
        var fact = JournalFact(folder: "A", entry: entry, staged: staged)
        fact.abandoned = abandoned
        return fact
    }

    private func update(_ entries: ManifestEntry..., removing removed: [Pathname] = []) throws {
        try record.update([
            ManifestOrder(folder: "A", recipe: Boxed(Recipe()), forgetting: removed)
        ])
        try record.put(entries, in: "A")
    }

    private func place(_ file: StagedFile) throws {
        try record.place([LandedFile(folder: "A", file: file)])
    }

    /// The states of what is recorded under a name, each with whether it is at that name.
    private func states(_ name: Pathname) throws -> [String] {
        try record.files(named: name, in: "A")
            .map { $0.state.rawValue + ($0.temporary == nil ? "" : "*") }
    }

    private func names() throws -> [Pathname] {
        try record.contents(of: "A").works.map(\.entry.name)
    }

    private func obsolete() throws -> [Pathname] {
        try record.obsoleteFiles(in: "A").map(\.name)
    }

    // MARK: Entries

    @Test(arguments: 0..<50 as Range<UInt64>)
    func entriesAreReadBackAsRecorded(seed: UInt64) throws {
        let manifest = RandomManifest.manifest(seed: seed)
        try record.put(manifest.recordings, in: manifest.folder, recipe: manifest.recipe)
        let works = manifest.recordings.map { entry in
            PreviousWork(
                entry: SettledEntry(entry), recipe: Boxed(entry.recipe ?? manifest.recipe))
        }
        let entries = manifest.recordings.map { entry in
            var bare = entry
            bare.recipe = nil
            return bare
        }
        let contents = try record.contents(of: manifest.folder)
        #expect(contents.works == works)
        #expect(contents.recipe?.value == manifest.recipe)
        var texts: [[UInt8]] = []
        let newest = try record.forEachEntry(in: manifest.folder) { row, _ in
            texts.append(row.bytes(1))
        }
        #expect(newest == manifest.recipe)
        #expect(texts == entries.map { JSONLine.bytes($0) })
        #expect(try record.entries(in: manifest.folder) == entries)
        let place = RecordedPlace(folder: manifest.folder, name: entries[0].name)
        #expect(try record.entry(place) == entries[0])
    }

    @Test func laterOutcomeReplacesEarlierOne() throws {
        var other = Recipe()
        other.waveform.bits = 16
        try update(entry())
        var again = entry(version: "2")
        again.recipe = other
        try record.add([JournalFact(folder: "A", entry: again)])
        let contents = try record.contents(of: "A")
        again.recipe = nil
        #expect(
            contents.works == [PreviousWork(entry: SettledEntry(again), recipe: Boxed(other))])
        #expect(contents.recipe?.value == other)
    }

    /// Nothing was made of it, and so its settings are not the newest.
    @Test func missingRecordingKeepsRecipeOfFolder() throws {
        try update(entry())
        var gone = entry()
        gone.status = .sourceMissing
        gone.recipe = Recipe()
        gone.recipe?.waveform.bits = 16
        try record.add([JournalFact(folder: "A", entry: gone)])
        #expect(try record.contents(of: "A").recipe?.value == Recipe())
    }

    @Test func unwantedResultsAreLeftOut() throws {
        try update(entry("a.wav"), entry("b.wav"))
        let contents = try record.contents(of: "A") { $0 == "b.wav" }
        #expect(contents.works.map(\.entry.name) == ["b.wav"])
    }

    @Test func failedTransactionChangesNothing() throws {
        try update(entry("a.wav"))
        let full = FileSystemError("x", code: 28)
        #expect(throws: full) {
            try record.write { (database) throws(FileSystemError) in
                try database.execute("DELETE FROM entries")
                throw full
            }
        }
        #expect(try names() == ["a.wav"])
        try update(entry("b.wav"))
        #expect(try names() == ["a.wav", "b.wav"])
    }

    // MARK: Files on their way

    @Test func stagedFileBecomesCurrentWhenPlaced() throws {
        try record.add([fact(entry(), staged(copy))])
        #expect(try states(copy) == ["current*"])
        #expect(try states("b.wav.dat") == ["current"])
        let contents = try record.contents(of: "A")
        #expect(contents.staged.map(\.temporary) == [".tapedeck.1.partial"])
        #expect(contents.staged.map(\.stamp?.bytes) == [9])
        #expect(contents.staged.map(\.sha256) == ["1b"])
        try place(staged(copy))
        #expect(try states(copy) == ["current"])
        #expect(try record.contents(of: "A").staged == [])
    }

    @Test func replacedFileIsObsoleteUntilNewOneIsPlaced() throws {
        try update(entry())
        try record.add([fact(entry(version: "2"), staged(copy))])
        #expect(try states(copy) == ["obsolete", "current*"])
        // It is not to be deleted: by then the new one may have its name.
        #expect(try obsolete() == [])
        try place(staged(copy))
        #expect(try states(copy) == ["current"])
        #expect(try record.files(named: copy, in: "A").map(\.sha256) == ["2b"])
    }

    /// Another attempt at the same recording has a temporary name of its own.
    @Test func fileOfEarlierAttemptIsNotTakenForPlaced() throws {
        try record.add([fact(entry(), staged(copy, 1))])
        try record.add([fact(entry(version: "2"), staged(copy, 2))])
        try place(staged(copy, 1))
        #expect(try states(copy) == ["obsolete", "current*"])
        try place(staged(copy, 2))
        #expect(try states(copy) == ["current"])
    }

    @Test func filesPlacedBeforeAreRecordedWithNextOutcomes() throws {
        try record.add([fact(entry(), staged(copy))])
        try record.add(
            [fact(entry("c.wav"))], landed: [LandedFile(folder: "A", file: staged(copy))])
        #expect(try states(copy) == ["current"])
    }

    @Test func abandonedFileBecomesObsolete() throws {
        let file = staged(copy)
        try record.add([fact(entry(), file)])
        var failed = ManifestEntry(name: "b.wav", status: .failed, source: Example.stamp)
        failed.failure = Example.failure()
        failed.leaveBehind([copy], toldOf: entry().generations)
        try record.add([fact(failed, abandoned: [file])])
        #expect(try states(copy) == ["obsolete*", "kept"])
    }

    @Test func endOfRecoveryForgetsTemporaryNames() throws {
        try update(entry())
        try record.add([fact(entry(version: "2"), staged(copy))])
        try record.endRecovery(of: "A")
        #expect(try states(copy) == ["current"])
        #expect(try record.files(named: copy, in: "A").map(\.sha256) == ["2b"])
    }

    // MARK: Whose a file is

    /// Its entry says what is not so any more; its other files are for whoever works on it.
    @Test func takenNameRemovesEntryOfOtherRecording() throws {
        try update(entry("b.wav"))
        var thief = entry("b")
        thief.trimmed?.path = copy
        try record.add([fact(thief, staged(copy))])
        #expect(try names() == ["b"])
        #expect(try states(copy) == ["obsolete", "current*"])
        #expect(try states("b.wav.dat") == ["current"])
        #expect(try record.contents(of: "A").hasOrphans)
        try record.endRecovery(of: "A")
        #expect(try states("b.wav.dat") == ["obsolete"])
        #expect(try obsolete() == ["b.wav.dat"])
        #expect(try !record.contents(of: "A").hasOrphans)
    }

    private func failed(after before: ManifestEntry) -> ManifestEntry {
        var failed = ManifestEntry(name: before.name, status: .failed, source: before.source)
        failed.failure = Example.failure()
        failed.leaveBehind(before.outputs, toldOf: before.generations)
        return failed
    }

    @Test func filesOfFailedRecordingAreKept() throws {
        try update(entry())
        try record.add([fact(failed(after: entry()))])
        #expect(try states(copy) == ["kept"] && states("b.wav.dat") == ["kept"])
        #expect(try obsolete() == [])
        // A later success has one of them anew, and needs the other no more.
        var done = entry(version: "2")
        done.trimmed = nil
        try record.add([fact(done, staged("b.wav.dat"))])
        #expect(try states(copy) == ["obsolete"])
        #expect(try states("b.wav.dat") == ["obsolete", "current*"])
        #expect(try obsolete() == [copy])
    }

    @Test func keptFileThatIsMadeAgainIsCurrent() throws {
        try update(entry())
        try record.add([fact(failed(after: entry()))])
        try record.add([fact(entry())])
        #expect(try states(copy) == ["current"])
    }

    /// A recording that kept a file has lost nothing else when another takes the name.
    @Test func takenNameIsDroppedFromKeptFilesOfOtherRecording() throws {
        try update(entry("b.wav"))
        try record.add([fact(failed(after: entry("b.wav")))])
        var thief = entry("b")
        thief.trimmed?.path = copy
        try record.add([fact(thief, staged(copy))])
        #expect(try names() == ["b", "b.wav"])
        let left = try record.entries(in: "A").last?.leftBehind
        #expect(left == ["b.wav.dat"])
        #expect(try states(copy) == ["obsolete", "current*"])
        #expect(try states("b.wav.dat") == ["kept"])
    }

    @Test func obsoleteFilesExcludeNamesThatOthersHave() throws {
        try update(entry("b.wav"))
        var heir = entry("b")
        heir.trimmed?.path = copy
        try update(heir, removing: ["b.wav"])
        #expect(try Set(states(copy)) == ["current", "obsolete"])
        #expect(try obsolete() == ["b.wav.dat"])
    }

    @Test func filesOfForgottenRecordingAreObsolete() throws {
        try update(entry("b.wav"), entry("c.wav"))
        try update(removing: ["b.wav"])
        #expect(try names() == ["c.wav"])
        #expect(try Set(obsolete()) == [copy, "b.wav.dat"])
        #expect(try record.contents(of: "A").hasObsolete)
    }

    /// Its fields may say what this version does not know; its files may be the last.
    @Test func entryOfLaterVersionIsLeftAlone() throws {
        try update(entry())
        try record.write { (database) throws(FileSystemError) in
            try database.execute(
                "UPDATE entries SET entry = json_set(entry, '$.levels', 'other')")
        }
        var gone = ManifestOrder(folder: "A", recipe: Boxed(Recipe()))
        gone.changes["b.wav"] = .updated(.sourceMissing)
        try record.update([gone])
        #expect(try names() == ["b.wav"])
        #expect(try states(copy) == ["current"])
        try update(removing: ["b.wav"])
        #expect(try states(copy) == ["obsolete"])
    }
}
