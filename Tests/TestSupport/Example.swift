import Jobs
import Recordings
import ReducerKit

/// Values that tests of decisions begin with: the plainest of their kind.
package enum Example {
    package static let stamp = FileStamp(bytes: 1_000, modifiedNanoseconds: 1)

    package static func format(
        seconds: Double = 10, rateHertz: Int = 1_000, container: AudioContainer = .wav,
        encoding: SampleEncoding = .pcm16, channels: Int = 1
    ) -> AudioFormat {
        AudioFormat(
            container: container, encoding: encoding, sampleRateHertz: rateHertz,
            channels: channels, frames: Int64(seconds * Double(rateHertz)))
    }

    /// By default a recording with a second of silence at its beginning.
    package static func silence(
        _ intervalsSeconds: [[Double]] = [[0, 1]], separable: Bool = true, silent: Bool = false
    ) -> SilenceMap {
        SilenceMap(
            noiseFloorDBFS: -60, signalToNoiseDecibels: 40, confidence: 1, separable: separable,
            silent: silent, intervalsSeconds: intervalsSeconds)
    }

    package static func levels(peakDBFS: Double = -3) -> Levels {
        Levels(
            peakDBFS: [peakDBFS], rmsDBFS: [-20], dcOffset: [0], clippedSamples: [0],
            samplesBeyondFullScale: [0])
    }

    package static func failure(
        _ reason: RecordingFailure.Reason = .corrupt, in stage: Stage = .decode
    ) -> RecordingFailure {
        RecordingFailure(stage: stage, reason: reason)
    }

    /// What a listening pass would find out, as far as it was asked.
    package static func measurements(
        for order: ListeningOrder, format: AudioFormat = format(),
        silence: SilenceMap = silence()
    ) -> Measurements {
        var measured = Measurements(format: format)
        if order.stages.contains(.levels) { measured.levels = levels() }
        if order.stages.contains(.silence) { measured.silence = silence }
        if order.stages.contains(.waveform) {
            measured.waveforms = zip(order.waveformNames, order.waveform.samplesPerPixel)
                .map { waveform($0, samplesPerPixel: $1) }
        }
        return measured
    }

    package static func waveform(
        _ name: Pathname, samplesPerPixel: Int = 256
    ) -> WaveformFile {
        WaveformFile(
            path: name, samplesPerPixel: samplesPerPixel, bits: 8, channels: 1, length: 40,
            bytes: 100, sha256: "aa")
    }

    /// Where a listening pass would leave its files.
    package static func staged(for order: ListeningOrder) -> [StagedFile] {
        guard order.stages.contains(.waveform) else { return [] }
        return order.waveformNames.map {
            StagedFile(temporary: $0.adding(suffix: ".partial"), name: $0)
        }
    }

    /// Where a trimming pass would leave its files.
    package static func staged(for order: TrimmingOrder) -> [StagedFile] {
        ([order.name] + order.waveformNames).map {
            StagedFile(temporary: $0.adding(suffix: ".partial"), name: $0)
        }
    }

    /// Where an adoption would leave its files.
    package static func staged(for order: AdoptionOrder) -> [StagedFile] {
        order.files.map {
            StagedFile(temporary: $0.new.adding(suffix: ".partial"), name: $0.new)
        }
    }

    /// What a trimming pass would write.
    package static func trimmedFile(for order: TrimmingOrder) -> TrimmedFile {
        let frames = Double(order.edits.trimmedFrameCount)
        var file = TrimmedFile(
            path: order.name, durationSeconds: frames.seconds(atRate: order.format.sampleRateHertz),
            bytes: 2_000, sha256: "bb", edits: order.edits.edits)
        let names = order.waveformNames
        if !names.isEmpty { file.waveforms = names.map { waveform($0) } }
        return file
    }

    /// A recording that was done with nothing to cut, its outputs under their natural names.
    package static func doneEntry(
        _ name: Pathname, stamp: FileStamp = stamp, recipe: Recipe = Recipe(),
        silence: SilenceMap = silence([])
    ) -> ManifestEntry {
        var entry = ManifestEntry(name: name, status: .done, source: stamp)
        entry.format = format()
        entry.levels = levels()
        entry.silence = silence
        entry.waveforms = zip(
            OutputNames().waveforms(of: name, recipe.waveform), recipe.waveform.samplesPerPixel
        ).map { waveform($0, samplesPerPixel: $1) }
        entry.notTrimmed = .nothingToCut
        return entry
    }

    package static func previousWork(
        _ entry: ManifestEntry, recipe: Recipe = Recipe(), damaged: Stages = []
    ) -> PreviousWork {
        var damage: [OutputDamage] = []
        if damaged.contains(.waveform), let file = entry.waveforms?.first {
            damage.append(OutputDamage(name: file.path, kind: .altered, stage: .waveform))
        }
        if damaged.contains(.trim) {
            let name = entry.trimmed?.path ?? entry.name
            damage.append(OutputDamage(name: name, kind: .missing, stage: .trim))
        }
        return PreviousWork(entry, recipe: recipe, damage: damage)
    }

    package static func missingWork(_ name: Pathname) -> PreviousWork {
        var entry = doneEntry(name)
        entry.status = .sourceMissing
        return previousWork(entry)
    }

    package static func scanned(
        _ name: Pathname, stamp: FileStamp = stamp, previous: PreviousWork? = nil
    ) -> ScannedFile {
        ScannedFile(name: name, finding: .file(stamp), previous: previous)
    }
}

extension PreviousWork {
    /// Earlier work of which the whole entry is known already, so that no job asks for it.
    package init(
        _ entry: ManifestEntry, recipe: Recipe = Recipe(), damage: [OutputDamage] = []
    ) {
        self.init(entry: SettledEntry(entry), recipe: Boxed(recipe), damage: damage)
        whole = Boxed(entry)
    }

    /// The whole entry of earlier work in a test.
    package var full: ManifestEntry {
        get { whole?.value ?? ManifestEntry(name: entry.name, status: entry.status, source: nil) }
        set {
            whole = Boxed(newValue)
            entry = SettledEntry(newValue)
        }
    }
}

extension Announcement {
    /// As of a recording that was done, or that nothing was done for.
    package static func settled(
        folder: Pathname, _ entry: ManifestEntry, upToDate: Bool
    ) -> Announcement {
        .settled(
            folder: folder, SettledEntry(entry), upToDate ? nil : Boxed(entry), upToDate: upToDate)
    }
}

extension ManifestOrder {
    package init(folder: Pathname, recipe: Boxed<Recipe>, forgetting names: [Pathname]) {
        let changes = names.map { ($0, RecordChange.forgotten) }
        self.init(
            folder: folder, recipe: recipe, changes: Dictionary(uniqueKeysWithValues: changes))
    }
}

extension RecordingSource {
    /// A recording in a folder that no neighbour disturbs.
    package init(
        folder: Pathname, name: Pathname, stamp: FileStamp,
        recipe change: (inout Recipe) -> Void = { _ in }
    ) {
        var recipe = Recipe()
        change(&recipe)
        self.init(
            context: Boxed(Job.FolderContext(folder: folder, recipe: recipe)), name: name,
            stamp: stamp)
    }
}

extension Job.State {
    /// A job in a folder at the root.
    package init(folder: FolderID, name: Pathname, stamp: FileStamp, phase: Job.Phase) {
        self.init(
            folder: folder, name: name, stamp: stamp, phase: phase,
            context: Boxed(Job.FolderContext(folder: "", recipe: Recipe())))
    }
}

extension Folder {
    /// A folder in which nothing is settled, and names do not get into each other's way.
    package init(path: Pathname) {
        self.init(Boxed(Job.FolderContext(folder: path, recipe: Recipe())))
    }
}
