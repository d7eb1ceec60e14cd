import Jobs
import Recordings
import TestSupport
import Testing

/// Names of outputs from one run to the next, where a neighbour comes that wants the same name.
///
/// "b.mp3" is lossy, so that its copy is FLAC; "b.mp3.flac" is not, so that its copy has its name.
@Suite struct SharedNamesTests {
    private func run(_ listing: FolderListing, only: Pathname? = nil) throws -> PrintedManifest {
        let run = ScriptedRun()
        run.listings[""] = listing
        run.formats["b.mp3"] = Example.format(container: .mp3, encoding: .mp3)
        run.run([only.map { .recording(folder: "", name: $0) } ?? .folder("")])
        return try #require(run.manifests.last)
    }

    private func entry(_ name: Pathname, in order: PrintedManifest) throws -> ManifestEntry {
        try #require(order.entries.first { $0.name == name })
    }

    private func done(_ name: Pathname, waveform: Pathname) -> PreviousWork {
        var entry = Example.doneEntry(name)
        entry.waveforms = [Example.waveform(waveform)]
        return Example.previousWork(entry)
    }

    /// The work of a run that saw "b.mp3" alone.
    private func alone() throws -> PreviousWork {
        let first = try run(FolderListing(recordings: [Example.scanned("b.mp3")]))
        let entry = try entry("b.mp3", in: first)
        #expect(entry.trimmed?.path == "b.mp3.flac")
        return Example.previousWork(entry)
    }

    @Test func oldCopyIsRenamedWhenNeighbourNeedsItsName() throws {
        let second = try run(
            FolderListing(recordings: [
                Example.scanned("b.mp3", previous: alone()), Example.scanned("b.mp3.flac"),
            ]))
        #expect(try entry("b.mp3", in: second).trimmed?.path == "b.mp3.2.flac")
        #expect(try entry("b.mp3.flac", in: second).trimmed?.path == "b.mp3.flac")
        // The file bears that name still, and is another's now: it must not be cleaned up.
        #expect(second.superfluous == [])
    }

    @Test func entryIsDroppedWhenItsOutputIsReassigned() throws {
        let single = try run(
            FolderListing(
                recordings: [Example.scanned("b.mp3.flac")], neighbours: ["b.mp3"],
                unseen: [alone()]),
            only: "b.mp3.flac")
        #expect(single.entries.map(\.name) == ["b.mp3.flac"])
        #expect(single.superfluous == [])
    }

    @Test(arguments: [nil, "b.mp3.flac"] as [Pathname?])
    func orphanedCopyKeepsItsName(only: Pathname?) throws {
        let order = try run(
            FolderListing(recordings: [Example.scanned("b.mp3.flac")], unseen: [alone()]),
            only: only)
        #expect(order.entries.map(\.name) == ["b.mp3", "b.mp3.flac"])
        #expect(try entry("b.mp3.flac", in: order).trimmed?.path == "b.mp3.flac.2.flac")
        #expect(order.superfluous == [])
    }

    @Test func singleFileRunAvoidsNeighbourOutputNames() throws {
        let single = try run(
            FolderListing(
                recordings: [Example.scanned("a.2")],
                unseen: [
                    done("a", waveform: "a.2.dat"), done("a.dat", waveform: "a.dat.dat"),
                ]),
            only: "a.2")
        #expect(try entry("a.2", in: single).waveforms?.map(\.path) == ["a.2.2.dat"])
        #expect(single.entries.map(\.name) == ["a", "a.2", "a.dat"])
    }

    @Test func unreferencedOutputIsDeleted() throws {
        var before = try alone()
        before.full.waveforms?.append(Example.waveform("b.mp3.64.dat", samplesPerPixel: 64))
        before.recipe.value.waveform.samplesPerPixel.append(64)
        let second = try run(
            FolderListing(recordings: [Example.scanned("b.mp3", previous: before)]))
        #expect(second.superfluous == ["b.mp3.64.dat"])
    }

    @Test func prunedRecordingFreesItsNameAtOnce() throws {
        var configuration = JobStore.Configuration()
        configuration.prunesMissing = true
        let run = ScriptedRun(configuration)
        run.listings[""] = FolderListing(
            recordings: [Example.scanned("b.mp3")],
            unseen: [Example.previousWork(Example.doneEntry("b.mp3.flac"))])
        run.formats["b.mp3"] = Example.format(container: .mp3, encoding: .mp3)
        run.run()
        #expect(run.trimmed.map(\.name) == ["b.mp3.flac"])
    }

    @Test func outputAvoidsNameOfMissingFolderWithResults() throws {
        var listing = FolderListing(recordings: [Example.scanned("b.mp3")])
        listing.lostFolders = ["b.mp3.flac"]
        #expect(try entry("b.mp3", in: run(listing)).trimmed?.path == "b.mp3.2.flac")
    }

    /// A neighbour goes that had taken a name, while a job waits that would not make the file anew.
    @Test func waitingJobRenamesCopyWhenNeighbourGoes() {
        let before = WatchedRun()
        before.run.formats["b.mp3"] = Example.format(container: .mp3, encoding: .mp3)
        before.fails["b.mp3.flac"] = Example.failure(.corrupt, in: .decode)
        before.write("b.mp3", in: "B")
        before.write("b.mp3.flac", in: "B")
        before.pass(seconds: 60)
        before.start()
        before.pass(seconds: 5)
        #expect(before.run.trimmed.map(\.name) == ["b.mp3.2.flac"])
        let run = WatchedRun(after: before) {
            $0.wantsChecksums = true
            $0.jobLimit = 1
        }
        run.run.formats = before.run.formats
        run.write("a.wav", in: "A")
        run.pass(seconds: 60)
        run.held = ["a.wav"]
        run.start()
        run.files["B"]?["b.mp3.flac"] = nil
        run.notice(.changed, "b.mp3.flac", in: "B")
        run.pass(seconds: 1)
        run.held = []
        run.pass(seconds: 5)
        #expect(run.run.trimmed.last { $0.source.name == "b.mp3" }?.name == "b.mp3.flac")
    }
}
