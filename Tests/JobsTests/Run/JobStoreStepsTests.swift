import Jobs
import Recordings
import ReducerKit
import TestSupport
import Testing

/// One recording's whole way, with everything that changes at each step.
@Suite struct JobStoreStepsTests {
    @Test func runOfOneRecordingTakesExpectedSteps() {
        let run = ScriptedRun()
        let store = run.store
        let root = FolderID(0)
        let id = RecordingID(0)
        var folder = Folder(path: "")
        var table = FolderTable()
        let listen = ListeningOrder(
            source: RecordingSource(folder: "", name: "a.wav", stamp: Example.stamp),
            stages: [.waveform, .levels, .silence])
        store.send(
            .started([.folder("")]),
            expecting: {
                $0.scan.hasBegun = true
                $0.scan.topmost = [""]
                _ = $0.scan.folders.add(FolderIndex.Place(path: "", top: ""))
                $0.scan.inFlight = root
            },
            commands: [.scan(.list(root, FolderScan.Request(path: "", top: "")))])
        folder.unsettled = 1
        table.insert(folder, as: root)
        store.send(
            .scan(.listed(root, FolderListing(recordings: [Example.scanned("a.wav")]))),
            expecting: {
                $0.scan.inFlight = nil
                $0.scan.isThrough = true
                $0.scan.folders[root].isKnown = true
                $0.folders = table
                _ = $0.jobs.append(
                    Job.State(
                        folder: root, name: "a.wav", stamp: Example.stamp,
                        phase: .listening(.all, previous: nil)))
                $0.scheduler.cursor = 1
                $0.scheduler.running = 1
                $0.commit.awaitsMore = true
                $0.summary.recordings = 1
            },
            commands: [.job(id, .listen(listen))])
        let measured = Example.measurements(for: listen, silence: Example.silence([]))
        let entry = Boxed(Example.doneEntry("a.wav"))
        let outcome = Commit.Outcome(
            id: id, folder: root, path: "", entry: entry, staged: Example.staged(for: listen))
        store.send(
            .job(id, .listened(measured, staged: outcome.staged)),
            expecting: {
                $0.jobs[id].phase = .committing
                $0.scheduler.running = 0
                $0.commit.awaitsMore = false
                $0.commit.groups = 1
                $0.commit.underway = Commit.Group(number: 1, step: .syncing, outcomes: [outcome])
            },
            commands: [.commit(.sync(1, [outcome]))])
        store.send(
            .commit(.synced(1)),
            expecting: {
                $0.commit.underway?.step = .recording
            },
            commands: [.commit(.record(1, [outcome], Recipes()))])
        store.send(
            .commit(.recorded(1)), expecting: { $0.commit.underway?.step = .publishing },
            commands: [.commit(.publish(1, [outcome]))])
        // A folder whose manifest is ordered keeps nothing that only a manifest needs.
        table[root] = Folder(path: "")
        let manifest = ManifestOrder(folder: "", recipe: Boxed(Recipe()))
        store.send(
            .commit(.published(1, [])),
            expecting: {
                $0.jobs[id].phase = .settled
                $0.jobs.passSettled()
                $0.commit.underway = nil
                $0.folders = table
                $0.manifestsInFlight = [root]
                $0.summary.done = 1
                $0.summary.audioSeconds = 10
                $0.summary.decodedSeconds = 10
            },
            commands: [
                .announce(.settled(folder: "", entry.value, upToDate: false)),
                .writeManifest(root, manifest),
            ])
        store.send(
            .manifestWritten(root),
            expecting: {
                $0.manifestsInFlight = []
                $0.phase = .finished(nil)
            },
            commands: [.finish])
        store.finish()
    }
}
