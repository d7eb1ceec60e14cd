import Glibc
import Jobs
import Recordings
import TestSupport
import Testing

@testable import Workers

/// Results that a recording has under another name, looked for on a real folder.
@Suite struct FindingPassTests {
    private let world = TestWorld()

    /// A recording that was done, with its waveform in the output.
    @discardableResult
    private func addDone(
        _ name: Pathname, in folder: Pathname = "A", digest: String? = nil, isPlaced: Bool = true
    ) throws -> Pathname {
        let path = world.add(folder.appending(name))
        let stamp = try TestWorld.stamp(of: path)
        var entry = Example.doneEntry(name)
        entry.source = stamp
        entry.sourceSHA256 = digest
        let waveform = Pathname("output").appending(folder).appending(name).adding(suffix: ".dat")
        world.makeFolder(world.output.appending(folder))
        let output = world.folder.write([7], to: waveform)
        try FileSystem.setModified(output, nanoseconds: stamp.modifiedNanoseconds)
        entry.waveforms?[0].bytes = 1
        entry.waveforms?[0].sha256 = SHA256.hexadecimal(of: [7])
        var fact = JournalFact(folder: folder, entry: entry)
        fact.identity = try identity(of: path)
        if !isPlaced {
            fact.staged = [
                StagedFile(temporary: ".tapedeck.x.partial", name: name.adding(suffix: ".dat"))
            ]
        }
        try world.record.add([fact])
        return path
    }

    private func identity(of path: Pathname) throws -> UInt64 {
        try FileSystem.status(path).withBirth(of: path, followingLink: true).identity
    }

    private func find(
        _ name: Pathname, in folder: Pathname = "B", goesByContent: Bool = false,
        isSameFile: Bool = true
    ) throws -> Job.Action {
        let path = world.root.appending(folder).appending(name)
        var source = RecordingSource(
            folder: folder, name: name, stamp: try TestWorld.stamp(of: path))
        source.context.value.isPatient = true
        return FindingPass(
            order: FindingOrder(
                source: source, identity: isSameFile ? try identity(of: path) : nil,
                goesByContent: goesByContent),
            places: world.places, record: world.record, cancellation: Cancellation()
        ).run()
    }

    private func move(_ path: Pathname, to name: Pathname) throws {
        world.makeFolder(world.root.appending("B"))
        try FileSystem.rename(path, to: world.root.appending("B").appending(name))
    }

    private func place(_ action: Job.Action) -> RecordedPlace? {
        if case .found(let former) = action { former?.place } else { nil }
    }

    @Test func renamedFileIsFoundWithItsEntry() throws {
        try move(try addDone("a.wav"), to: "b.wav")
        guard case .found(let former?) = try find("b.wav") else {
            Issue.record("nothing was found")
            return
        }
        #expect(former.place == RecordedPlace(folder: "A", name: "a.wav"))
        #expect(former.work.whole?.value.name == "a.wav" && former.work.damage == [])
        #expect(try world.record.entry(former.place) == former.work.whole?.value)
    }

    @Test func missingOutputIsReported() throws {
        try move(try addDone("a.wav"), to: "b.wav")
        try FileSystem.remove(world.output.appending("A/a.wav.dat"))
        guard case .found(let former?) = try find("b.wav") else {
            Issue.record("nothing was found")
            return
        }
        #expect(former.work.damage.map(\.kind) == [.missing])
    }

    @Test func oldNameOfAnotherFileIsFree() throws {
        try move(try addDone("a.wav"), to: "b.wav")
        world.add("A/a.wav", [4, 5])
        #expect(place(try find("b.wav")) != nil)
    }

    @Test func hardLinkIsAnotherRecording() throws {
        let path = try addDone("a.wav")
        world.makeFolder(world.root.appending("B"))
        let other = world.root.appending("B/b.wav")
        #expect(path.withCString { old in other.withCString { link(old, $0) } } == 0)
        #expect(try find("b.wav") == .found(nil))
    }

    @Test func changedFileIsAnotherRecording() throws {
        let path = try addDone("a.wav")
        try move(path, to: "b.wav")
        try FileSystem.setModified(world.root.appending("B/b.wav"), nanoseconds: 5)
        #expect(try find("b.wav") == .found(nil))
    }

    @Test func contentIsFoundIfAskedForAndTheOtherIsGone() throws {
        let digest = SHA256.hexadecimal(of: [1, 2, 3])
        let path = try addDone("a.wav", digest: digest)
        world.add("B/b.wav")
        func isFound(_ goesByContent: Bool) throws -> Bool {
            place(try find("b.wav", goesByContent: goesByContent, isSameFile: false)) != nil
        }
        #expect(try !isFound(true), "the other is still there")
        try FileSystem.remove(path)
        #expect(try isFound(true))
        #expect(try !isFound(false))
        world.add("B/b.wav", [1, 2, 4])
        #expect(try !isFound(true))
    }

    @Test func unreadableContentIsLeftToTheDecoder() throws {
        try FileSystem.remove(try addDone("a.wav", digest: "d"))
        let path = world.add("B/b.wav")
        let stamp = try TestWorld.stamp(of: path)
        try FileSystem.remove(path)
        world.makeFolder(path)
        let source = RecordingSource(folder: "B", name: "b.wav", stamp: stamp)
        let pass = FindingPass(
            order: FindingOrder(source: source, identity: nil, goesByContent: true),
            places: world.places, record: world.record, cancellation: Cancellation())
        #expect(pass.run() == .found(nil))
    }

    /// Between the transaction and the renames, the names may hold what was made before.
    @Test func resultsThatMayNotHaveTheirNamesYetAreNotTaken() throws {
        let path = try addDone("a.wav", isPlaced: false)
        try move(path, to: "b.wav")
        #expect(place(try find("b.wav")) != nil, "they have")
        world.folder.write([8], to: "output/A/a.wav.dat")
        #expect(try find("b.wav") == .found(nil))
    }

    @Test func recordKnowsWhatHasAnotherName() throws {
        let path = try addDone("a.wav")
        let identity = try identity(of: path)
        func isElsewhere() throws -> Bool {
            var works = try world.record.contents(of: "A").works
            try world.record.addIdentities(to: &works, in: "A")
            #expect(works.map(\.identity) == [identity])
            return works[0].isElsewhere
        }
        #expect(try !isElsewhere())
        var entry = try #require(try world.record.entries(in: "A").first)
        entry.name = "b.wav"
        func record(_ entry: ManifestEntry) throws {
            var fact = JournalFact(folder: "B", entry: entry)
            fact.identity = identity
            try world.record.add([fact])
        }
        try record(entry)
        #expect(try isElsewhere())
        // The same file after a change is no other name of what it was.
        entry.source?.bytes += 1
        try record(entry)
        #expect(try !isElsewhere())
    }
}
