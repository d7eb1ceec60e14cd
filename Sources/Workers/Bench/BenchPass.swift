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
        var path: Pathname
        var source: RecordingSource
        var places: RunPlaces
        var claims: OutputOwnership
        /// `nil` where nothing is cut.
        var trimming: TrimmingOrder?
        var measured: BenchRecording
    }

    private let folder: Pathname
    private let stop: BenchStop
    private var subjects: [Subject] = []

    /// Listens to all recordings once: so they are in the system's memory, what cannot be decoded
    /// is known, and so is what is to be cut.
    init(
        _ library: inout BenchLibrary, _ scratch: BenchScratch, _ stop: BenchStop
    ) throws(BenchRefusal) {
        folder = scratch.path.appending("stages")
        // Where that fails, so does the first recording, which says why.
        try? FileSystem.makeFolder(folder)
        self.stop = stop
        subjects = try library.map(stop) { (entry) throws(RecordingFailure) in
            var subject = subject(entry)
            let measured = try listen(to: subject, .decoding)
            if let format = measured.format, let silence = measured.silence {
                entry.format = format
                subject.measured.format = format
                subject.trimming = trimming(subject, silence, format)
            }
            return subject
        }
    }

    /// Takes each figure once more.
    mutating func round() throws(BenchRefusal) {
        for index in subjects.indices {
            let subject = subjects[index]
            // What went before it is no part of the first stage, against which all others are held.
            _ = try cost(of: .decode, subject)
            for stage in BenchStage.allCases where stage != .trim || subject.trimming != nil {
                let cost = try cost(of: stage, subject)
                subjects[index].measured.costs[stage, default: []].append(cost)
            }
        }
    }

    /// What the rounds come to, by format and stage in their own order.
    var lines: [BenchLine] { BenchLine.lines(of: subjects.map(\.measured)) }

    /// Carries out a stage, and tells how long it took.
    private func cost(
        of stage: BenchStage, _ subject: Subject
    ) throws(BenchRefusal) -> BenchCost {
        let start = BenchCost.now
        do throws(RecordingFailure) {
            try carryOut(stage, subject)
        } catch {
            try stop.check()
            throw .failed(RunPlaces.shown(subject.path), error)
        }
        let end = BenchCost.now
        removeOutputs()
        try stop.check()
        return BenchCost(
            wallSeconds: end.wallSeconds - start.wallSeconds,
            cpuSeconds: end.cpuSeconds - start.cpuSeconds)
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
            var reader = try AudioFileReader(opening: subject.path)
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
        let context = Job.FolderContext(folder: .empty, recipe: Recipe())
        let places = RunPlaces(root: entry.path.parent, output: folder, targets: [])
        return Subject(
            path: entry.path,
            source: RecordingSource(
                context: Boxed(context), name: entry.path.lastComponent, stamp: entry.stamp),
            places: places, claims: OutputOwnership(places, .empty),
            measured: BenchRecording(format: entry.format))
    }

    private func trimming(
        _ subject: Subject, _ silence: SilenceMap, _ format: AudioFormat
    ) -> TrimmingOrder? {
        let recipe = subject.source.context.value.recipe.trim
        let plan = CutPlanner.plan(silence: silence, format: format, recipe: recipe)
        guard case .cut(let edits) = plan else { return nil }
        return TrimmingOrder(
            source: subject.source, format: format, edits: edits,
            container: recipe.container(for: format))
    }

    private func removeOutputs() {
        for entry in (try? FileSystem.names(in: folder)) ?? [] {
            try? FileSystem.remove(folder.appending(entry.name))
        }
    }
}
