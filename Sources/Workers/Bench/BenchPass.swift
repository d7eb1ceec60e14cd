import Audio
import Jobs
import Recordings
import ReducerKit

/// Times what a run does with each recording, stage by stage, in this process and by one worker.
///
/// The passes are those of a run. Their outputs go into the scratch folder and are removed at once.
struct BenchPass {
    /// One recording, and what is done with it.
    private struct Subject {
        var entry: BenchLibrary.Entry
        var source: RecordingSource
        var places: RunPlaces
        var claims: OutputClaims
        /// `nil` where nothing is cut.
        var trimming: TrimmingOrder?
    }

    /// Which line a time belongs to.
    private struct Key: Hashable {
        var container: AudioContainer
        var encoding: SampleEncoding
        var stage: BenchStage
    }

    /// What one round of a line took, over all its recordings.
    private struct Round {
        var recordings = 0
        var soundSeconds = 0.0
        var seconds = 0.0
        var cpuSeconds = 0.0
        /// CPU time of decoding the same recordings.
        var floorSeconds = 0.0

        mutating func add(_ sound: Double, _ wall: Double, _ cpu: Double, _ floor: Double) {
            recordings += 1
            soundSeconds += sound
            seconds += wall
            cpuSeconds += cpu
            floorSeconds += floor
        }
    }

    private let folder: Pathname
    private let stop: BenchStop
    private var subjects: [Subject] = []
    private var rounds: [Key: [Round]] = [:]

    init(_ scratch: BenchScratch, _ stop: BenchStop) {
        folder = scratch.path.appending("stages")
        // Where that fails, so does the first recording, which says why.
        try? FileSystem.makeFolder(folder)
        self.stop = stop
    }

    /// Listens to all recordings once: so they are in the system's memory, what cannot be decoded
    /// is known, and so is what is to be cut.
    mutating func warmUp(_ library: inout BenchLibrary) throws(BenchRefusal) {
        for entry in library.entries {
            try stop.check()
            var subject = subject(entry)
            do throws(RecordingFailure) {
                let measured = try listen(to: subject, .decoding)
                guard let format = measured.format, let silence = measured.silence else { continue }
                library.correct(entry.path, format)
                subject.entry.format = format
                subject.trimming = trimming(subject, silence, format)
                subjects.append(subject)
            } catch {
                try stop.check()
                try library.drop(entry.path, error)
            }
        }
    }

    /// Takes each figure once more.
    mutating func round() throws(BenchRefusal) {
        var sums: [Key: Round] = [:]
        for subject in subjects {
            var floor = 0.0
            // What went before it is no part of the first stage, against which all others are held.
            try timed(.decode, subject)
            for stage in BenchStage.allCases where stage != .trim || subject.trimming != nil {
                let (wall, cpu) = try timed(stage, subject)
                if stage == .decode { floor = cpu }
                let format = subject.entry.format
                let key = Key(
                    container: format.container, encoding: format.encoding, stage: stage)
                sums[key, default: Round()].add(
                    format.durationSeconds, wall, cpu, floor)
            }
        }
        for (key, sum) in sums { rounds[key, default: []].append(sum) }
    }

    /// Carries out a stage, and tells how long it took.
    @discardableResult
    private func timed(
        _ stage: BenchStage, _ subject: Subject
    ) throws(BenchRefusal) -> (wallSeconds: Double, cpuSeconds: Double) {
        let start = Stopwatch.now
        do throws(RecordingFailure) {
            try carryOut(stage, subject)
        } catch {
            try stop.check()
            throw .failed(RunPlaces.shown(subject.entry.path), error)
        }
        let end = Stopwatch.now
        removeOutputs()
        try stop.check()
        return (end.wallSeconds - start.wallSeconds, end.cpuSeconds - start.cpuSeconds)
    }

    /// What the rounds come to, by format and stage in their own order.
    var lines: [BenchLine] {
        let keys = AudioContainer.allCases.flatMap { container in
            SampleEncoding.allCases.flatMap { encoding in
                BenchStage.allCases.map {
                    Key(container: container, encoding: encoding, stage: $0)
                }
            }
        }
        return keys.compactMap { key in rounds[key].flatMap { line(key, $0) } }
    }

    private func line(_ key: Key, _ rounds: [Round]) -> BenchLine? {
        guard let first = rounds.first,
            let speed = Spread(of: rounds.map { $0.soundSeconds / 60 / $0.seconds }),
            let cpu = Spread(of: rounds.map(\.cpuSeconds)),
            let ratio = Spread(of: rounds.map { $0.cpuSeconds / $0.floorSeconds })
        else { return nil }
        return BenchLine(
            container: key.container, encoding: key.encoding, stage: key.stage,
            recordings: first.recordings, soundSeconds: first.soundSeconds,
            hoursPerMinute: speed, cpuSeconds: cpu, ratioToDecoding: ratio)
    }
}

// MARK: - The work itself

extension BenchPass {
    private func carryOut(
        _ stage: BenchStage, _ subject: Subject
    ) throws(RecordingFailure) {
        switch stage {
        case .decode:
            try LibraryOutput.quietly { () throws(RecordingFailure) in try decode(subject) }
        case .waveform: _ = try listen(to: subject, .waveform)
        case .levels: _ = try listen(to: subject, .levels)
        case .silence: _ = try listen(to: subject, .silence)
        case .listen: _ = try listen(to: subject, .decoding)
        case .trim: try trim(subject)
        }
    }

    private func decode(_ subject: Subject) throws(RecordingFailure) {
        try inStage(.decode) { () throws(AudioFileError) in
            var reader = try AudioFileReader(opening: subject.entry.path)
            guard try reader.forEachBlock(while: { !stop.cancellation.isCancelled }, { _ in })
            else { return }
            try reader.verifyEnd()
        }
    }

    /// Throws also where it is stopped, which whoever calls this asks for.
    private func listen(
        to subject: Subject, _ stages: Stages
    ) throws(RecordingFailure) -> Measurements {
        let pass = ListeningPass(
            order: ListeningOrder(source: subject.source, stages: stages),
            places: subject.places, claims: subject.claims, cancellation: stop.cancellation)
        let answer = pass.run()
        guard case .listened(let measured, _) = answer else { throw failure(answer) }
        return measured
    }

    private func trim(_ subject: Subject) throws(RecordingFailure) {
        guard let order = subject.trimming else { return }
        let pass = TrimmingPass(
            order: order, places: subject.places, claims: subject.claims,
            cancellation: stop.cancellation)
        let answer = pass.run()
        guard case .trimmed = answer else { throw failure(answer) }
    }

    private func failure(_ answer: Job.Action) -> RecordingFailure {
        if case .failed(let failure, _) = answer { return failure }
        return RecordingFailure(stage: .decode, reason: .changed)
    }

    private func subject(_ entry: BenchLibrary.Entry) -> Subject {
        let setting = Job.Setting(folder: .empty, recipe: Recipe())
        let places = RunPlaces(root: entry.path.parent, output: folder, targets: [])
        return Subject(
            entry: entry,
            source: RecordingSource(
                setting: Boxed(setting), name: entry.path.lastComponent, stamp: entry.stamp),
            places: places, claims: OutputClaims(places, .empty))
    }

    private func trimming(
        _ subject: Subject, _ silence: SilenceMap, _ format: AudioFormat
    ) -> TrimmingOrder? {
        let recipe = subject.source.setting.value.recipe.trim
        let plan = CutPlanner.plan(silence: silence, format: format, recipe: recipe)
        guard case .cut(let edits) = plan else { return nil }
        return TrimmingOrder(
            source: subject.source, format: format, edits: edits,
            container: recipe.container(for: format))
    }

    private func removeOutputs() {
        for entry in (try? OpenFolder(folder).names()) ?? [] {
            try? FileSystem.remove(folder.appending(entry.name))
        }
    }
}
