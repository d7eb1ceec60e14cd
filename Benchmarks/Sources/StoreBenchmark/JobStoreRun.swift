import Jobs
import Recordings
import ReducerKit

/// A whole run through the job store's reducer, from the first listing to the last manifest, in a
/// world that answers at once and in order.
struct JobStoreRun {
    static let recordingsInFolder = 1_000

    private var state: JobStore.State
    /// What is found in the folders, by their place among the subfolders of the root.
    private let listings: [FolderListing]
    private let root: FolderListing
    private let measured: Job.Action
    private let trimmed: Job.Action
    private(set) var actions = 0
    /// Answers to come, the next one at `next`.
    private var answers: [JobStore.Action] = []
    private var next = 0

    init(jobs: Int) {
        var configuration = JobStore.Configuration(jobLimit: 8)
        configuration.recipe = Boxed(Recipe())
        state = JobStore.State(configuration: configuration)
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

    private static func sighting(_ number: Int) -> Sighting {
        let stamp = FileStamp(bytes: 1_000_000, modifiedNanoseconds: Int64(number))
        return Sighting(name: Pathname("recording \(padded(number)).wav"), finding: .file(stamp))
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
            file, staged: StagedFile(temporary: ".tapedeck.1.copy.partial", name: file.path))
    }

    /// Runs to the end.
    mutating func run() {
        send(.started([.folder("")], journal: JournalContents()))
        while next < answers.count {
            let action = answers[next]
            next += 1
            // Answered ones go from time to time, so that the queue stays as short as it is.
            if next == 4_096 {
                answers.removeFirst(next)
                next = 0
            }
            send(action)
        }
        precondition(state.isFinished && state.summary.done == state.summary.recordings)
    }

    private mutating func send(_ action: JobStore.Action) {
        actions += 1
        var isOver = false
        JobStore.uncheckedReducer(&state, action) { command in
            switch command {
            case .scan(.list(let id, _)):
                let listing = id.index == 0 ? root : listings[Int(id.index) - 1]
                answers.append(.scan(.listed(id, listing)))
            case .job(let id, .listen): answers.append(.job(id, measured))
            case .job(let id, .trim): answers.append(.job(id, trimmed))
            case .commit(.sync(let group, _)): answers.append(.commit(.synced(group)))
            case .commit(.record(let group, _, _)): answers.append(.commit(.recorded(group)))
            case .commit(.publish(let group, _)): answers.append(.commit(.published(group, [])))
            case .writeManifest(let id, _): answers.append(.manifestWritten(id))
            case .closeJournal: answers.append(.journalClosed)
            case .finish: isOver = true
            case .commit(.discard), .cancelWork, .announce: break
            }
        }
        if isOver { precondition(next == answers.count, "the run ended before its last answer") }
    }
}

/// Seven digits, so that names sort as their numbers do.
private func padded(_ number: Int) -> String {
    String(String(10_000_000 + number).dropFirst())
}
