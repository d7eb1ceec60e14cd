import Jobs
import Recordings
import ReducerKit

/// A whole run through the job store's reducer, from the first listing to the last manifest.
///
/// Two recordings are worked on at a time, each is trimmed, and the world answers at once and in
/// order. It is played once to learn the actions; what is timed is nothing but these again.
package struct JobStoreRun {
    static let recordingsInFolder = 1_000

    private(set) var state: JobStore.State
    /// What is found in the folders, by their place among the subfolders of the root.
    private let listings: [FolderListing]
    private let root: FolderListing
    private let measured: Job.Action
    private let trimmed: Job.Action
    /// All that happened, in order; answers to come are at the end.
    private(set) var actions: [JobStore.Action] = []

    private static let configuration = JobStore.Configuration(jobLimit: 2)

    private init(jobs: Int) {
        state = JobStore.State(configuration: JobStoreRun.configuration)
        let folders = (jobs + JobStoreRun.recordingsInFolder - 1) / JobStoreRun.recordingsInFolder
        var left = jobs
        listings = (0..<folders).map { folder in
            let count = min(left, JobStoreRun.recordingsInFolder)
            left -= count
            return FolderListing(recordings: (0..<count).map { JobStoreRun.sighting($0) })
        }
        root = FolderListing(subfolders: (0..<folders).map { Pathname(padded($0)) })
        measured = JobStoreRun.measured
        trimmed = JobStoreRun.trimmed
    }

    private static func sighting(_ number: Int) -> ScannedFile {
        let stamp = FileStamp(bytes: 1_000_000, modifiedNanoseconds: Int64(number))
        return ScannedFile(name: Pathname("recording \(padded(number)).wav"), finding: .file(stamp))
    }

    private static var measured: Job.Action {
        let format = AudioFormat(
            container: .wav, encoding: .pcm16, sampleRateHertz: 48_000, channels: 1,
            frames: 480_000)
        let levels = Levels(
            peakDBFS: [-3], rmsDBFS: [-20], dcOffset: [0], clippedSamples: [0],
            samplesBeyondFullScale: [0])
        let silence = SilenceMap(
            noiseFloorDBFS: -60, signalToNoiseDecibels: 40, confidence: 1, separable: true,
            silent: false, intervalsSeconds: [[0, 1.5], [4, 5], [9, 10]])
        let waveform = WaveformFile(
            path: "recording.wav.dat", samplesPerPixel: 256, bits: 8, channels: 1, length: 1_875,
            bytes: 3_770, sha256: String(repeating: "a", count: 64))
        let measured = Measurements(
            format: format, levels: levels, silence: silence, waveforms: [waveform])
        let file = StagedFile(temporary: ".tapedeck.1.0.partial", name: "recording.wav.dat")
        return .listened(measured, staged: [file])
    }

    private static var trimmed: Job.Action {
        let edits = EditList(keeping: [62_400..<441_600], of: 480_000)
        let file = TrimmedFile(
            path: "recording.wav", durationSeconds: 7.9, bytes: 758_444,
            sha256: String(repeating: "b", count: 64), edits: edits.edits)
        return .trimmed(
            file, staged: [StagedFile(temporary: ".tapedeck.1.copy.partial", name: file.path)])
    }

    /// Plays the run to its end, and gives the actions of which it consists.
    package static func actions(jobs: Int) -> [JobStore.Action] {
        var run = JobStoreRun(jobs: jobs)
        run.actions = [.started([.folder("")])]
        var next = 0
        while next < run.actions.count {
            run.take(run.actions[next])
            next += 1
        }
        precondition(run.state.isFinished && run.state.summary.done == jobs)
        return run.actions
    }

    /// Plays the actions again, to the end of the run.
    /// - Returns: how many commands they led to.
    package static func replay(_ actions: [JobStore.Action]) -> Int {
        var state = JobStore.State(configuration: configuration)
        var commands = 0
        for action in actions {
            JobStore.uncheckedReducer(&state, action) { _ in commands += 1 }
        }
        precondition(state.isFinished && state.ignoredAnswers == 0)
        return commands
    }

    /// What a waiting job costs in bytes, beyond the path that its listing brought.
    ///
    /// - Parameter resident: tells how many bytes of memory this process has.
    package static func bytesPerWaitingJob(jobs: Int, resident: () -> Int) -> Int {
        var run = JobStoreRun(jobs: jobs)
        let before = resident()
        run.take(.started([.folder("")]))
        run.take(.scan(.listed(FolderID(0), run.root)))
        for (index, listing) in run.listings.enumerated() {
            run.take(.scan(.listed(FolderID(index + 1), listing)))
        }
        precondition(run.state.summary.recordings == jobs && run.state.summary.settled == 0)
        return (resident() - before) / jobs
    }

    private mutating func take(_ action: JobStore.Action) {
        JobStore.uncheckedReducer(&state, action) { command in
            switch command {
            case .scan(.list(let id, _)):
                let listing = id.index == 0 ? root : listings[Int(id.index) - 1]
                actions.append(.scan(.listed(id, listing)))
            case .job(let id, .listen): actions.append(.job(id, measured))
            case .job(let id, .trim): actions.append(.job(id, trimmed))
            case .commit(.sync(let group, _)): actions.append(.commit(.synced(group)))
            case .commit(.record(let group, _, _)): actions.append(.commit(.recorded(group)))
            case .commit(.publish(let group, _)): actions.append(.commit(.published(group, [])))
            case .writeManifest(let id, _): actions.append(.manifestWritten(id))
            case .job(_, .identify), .job(_, .adopt), .job(_, .recall), .job(_, .find),
                .scan(.forget), .export:
                preconditionFailure("nothing is known, exported or watched here")
            case .commit(.discard), .cancelWork, .announce, .finish: break
            }
        }
    }
}

/// Seven digits, so that names sort as their numbers do.
private func padded(_ number: Int) -> String {
    String(String(10_000_000 + number).dropFirst())
}
