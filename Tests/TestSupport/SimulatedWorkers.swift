import Jobs
import Recordings
import ReducerKit

// Commands, carried out on the simulated disk as `Workers` carries them out on a real one. Each
// change is a step of its own, before which it may all be over.

extension SimulatedWorld {
    static func temporary(_ tag: String) -> Pathname { Pathname(".tapedeck.\(tag).partial") }

    static func isTemporary(_ name: Pathname) -> Bool {
        name.begins(with: ".tapedeck.") && name.fileExtension == "partial"
    }

    /// Whether something goes wrong now that can go wrong.
    mutating func goesWrong() -> Bool {
        plan.faultPercent > 0 && random.chance(percent: plan.faultPercent)
    }

    mutating func carryOut(
        _ command: JobStore.Command
    ) throws(SimulatedCrash) -> JobStore.Action? {
        switch command {
        case .scan(.list(let id, let request)): .scan(try list(id, request))
        case .job(let id, .listen(let order)): .job(id, try listen(id, order))
        case .job(let id, .trim(let order)): .job(id, try trim(id, order))
        case .commit(let command): try carryOut(command).map { .commit($0) }
        case .job(let id, .identify(let source)): .job(id, identify(source))
        case .job(let id, .adopt(let order)): .job(id, try adopt(order, id))
        case .job(let id, .recall(let source)): .job(id, recall(source))
        case .job(let id, .find(let order)): .job(id, find(order))
        case .export: export()
        case .finish: try finish()
        case .scan(.forget), .writeManifest, .cancelWork, .announce: nil
        }
    }
}

// MARK: - Passes

extension SimulatedWorld {
    private mutating func listen(
        _ id: RecordingID, _ order: ListeningOrder
    ) throws(SimulatedCrash) -> Job.Action {
        if let end = earlyEnd(of: order.source, in: .decode) { return end }
        guard let source = sources[order.source.folder, order.source.name] else {
            preconditionFailure("a source was looked at that is not there")
        }
        if !source.isWhole, !order.stages.isDisjoint(with: .decoding) {
            happened(.truncated)
            return .failed(Example.failure(.truncated), measured: nil)
        }
        if SimulatedSound.isBroken(source.sound), !order.stages.isDisjoint(with: .decoding) {
            happened(.brokenRecording)
            return SimulatedSound.failure(of: source.sound)
        }
        if let end = interference(with: order.source, in: .decode) { return end }
        let measured = SimulatedSound.measurements(of: source.sound, for: order)
        var staged: [StagedFile] = []
        for file in measured.waveforms ?? [] {
            let names = StagedFile(
                temporary: temporary(id, Int(order.attempt), "\(staged.count)"),
                name: file.path)
            if let failure = writingFailure(in: .waveform) {
                try remove(staged, order.source)
                return .failed(failure, measured: measured)
            }
            try write(file.sha256, file.bytes, as: names.temporary, order.source)
            staged.append(names)
        }
        return .listened(measured, staged: staged)
    }

    private mutating func trim(
        _ id: RecordingID, _ order: TrimmingOrder
    ) throws(SimulatedCrash) -> Job.Action {
        if let end = earlyEnd(of: order.source, in: .trim) { return end }
        guard let source = sources[order.source.folder, order.source.name] else {
            preconditionFailure("a source was looked at that is not there")
        }
        let file = SimulatedSound.trimmed(order, of: source.sound)
        let made =
            [(file.path, file.sha256, file.bytes)]
            + (file.waveforms ?? []).map { ($0.path, $0.sha256, $0.bytes) }
        var staged: [StagedFile] = []
        for (name, digest, bytes) in made {
            let temporary = temporary(id, Int(order.attempt), "copy\(staged.count)")
            if let failure = writingFailure(in: .trim) {
                try remove(staged, order.source)
                return .failed(failure, measured: nil)
            }
            try write(digest, bytes, as: temporary, order.source)
            staged.append(StagedFile(temporary: temporary, name: name))
        }
        if let end = interference(with: order.source, in: .trim) {
            try remove(staged, order.source)
            return end
        }
        return .trimmed(file, staged: staged)
    }

    private mutating func remove(
        _ staged: [StagedFile], _ source: RecordingSource
    ) throws(SimulatedCrash) {
        for file in staged { try disk.remove(file.temporary, in: source.folder) }
    }

    private mutating func find(_ order: FindingOrder) -> Job.Action {
        if isCancelled, random.chance(percent: 60) {
            happened(.cancelled)
            return .cancelled
        }
        if goesWrong(), random.chance(percent: 10) {
            return .failed(Example.failure(.inputOutput, in: .manifest), measured: nil)
        }
        guard let source = sources[order.source.folder, order.source.name] else {
            return .found(nil)
        }
        let digest = SimulatedSound.digest(of: source.sound, isWhole: source.isWhole)
        let (sources, disk) = (sources, disk)
        var former = record.find(order, digest: digest) { place, isSameFile in
            guard let other = sources[place.folder, place.name] else { return true }
            return isSameFile && other.identity != order.identity
        }
        guard let found = former, isPublished(found.place) else { return .found(nil) }
        happened(.identified)
        former?.work.damage = EarlierResults.damage(to: found.work.entry) {
            disk.file($0, in: found.place.folder)?.stamp
        }
        return .found(former)
    }

    /// Whether all that was made of a recording is at its name.
    private func isPublished(_ place: RecordedPlace) -> Bool {
        let files = record.folders[place.folder]?.files ?? []
        return files.allSatisfy {
            $0.recording != place.name || $0.temporary == nil
                || ($0.state == .current && disk.digest(of: $0.name, in: place.folder) == $0.sha256)
        }
    }

    private mutating func recall(_ source: RecordingSource) -> Job.Action {
        let place = RecordedPlace(folder: source.folder, name: source.name)
        if goesWrong(), random.chance(percent: 10) {
            return .failed(Example.failure(.inputOutput, in: .manifest), measured: nil)
        }
        happened(.recalled)
        return .recalled(record.entry(place).map { Boxed($0) })
    }

    private mutating func identify(_ source: RecordingSource) -> Job.Action {
        if let end = earlyEnd(of: source, in: .scan) { return end }
        if let end = interference(with: source, in: .scan) { return end }
        guard let found = sources[source.folder, source.name] else {
            preconditionFailure("a source was looked at that is not there")
        }
        happened(.identified)
        return .identified(SimulatedSound.digest(of: found.sound, isWhole: found.isWhole))
    }

    private mutating func adopt(
        _ order: AdoptionOrder, _ id: RecordingID
    ) throws(SimulatedCrash) -> Job.Action {
        if let end = earlyEnd(of: order.source, in: .scan) { return end }
        let folder = order.source.folder
        var staged: [StagedFile] = []
        for file in order.files {
            let name = temporary(id, Int(order.attempt), "\(staged.count)")
            guard !random.chance(percent: 10),
                isOf(order, file, disk.file(file.old, in: order.folder))
            else {
                happened(.adoptionFailed)
                for file in staged { try disk.remove(file.temporary, in: folder) }
                return .failed(Example.failure(.vanished, in: .waveform), measured: nil)
            }
            try take(file.old, as: name, order)
            staged.append(StagedFile(temporary: name, name: file.new))
        }
        happened(.adopted)
        return .adopted(staged)
    }

    /// Gives an output a second name, or makes a copy where the recording has another time now.
    private mutating func take(
        _ old: Pathname, as new: Pathname, _ order: AdoptionOrder
    ) throws(SimulatedCrash) {
        let time = order.source.stamp.modifiedNanoseconds
        let folder = order.source.folder
        guard var copy = disk.file(old, in: order.folder),
            time != order.formerNanoseconds
                || copy.stamp.modifiedNanoseconds != order.formerNanoseconds
        else {
            return try disk.link(old, in: order.folder, to: new, in: folder)
        }
        copy.stamp.modifiedNanoseconds = time
        try disk.write(copy, as: new, in: folder)
    }

    /// Whether an output is of that recording, and not of another that has its old name by now.
    private func isOf(
        _ order: AdoptionOrder, _ renaming: AdoptionOrder.Renaming, _ file: SimulatedDisk.File?
    ) -> Bool {
        // A link goes by the time alone.
        if file?.stamp.modifiedNanoseconds == order.formerNanoseconds,
            order.source.stamp.modifiedNanoseconds == order.formerNanoseconds
        {
            return true
        }
        return file?.content == .output(renaming.sha256)
    }

    private func temporary(_ id: RecordingID, _ attempt: Int, _ part: String) -> Pathname {
        let number = mutant == .sharingTemporaryNames ? 0 : attempt
        return SimulatedWorld.temporary("\(id.index)-\(number).\(part)")
    }

    private mutating func write(
        _ digest: String, _ bytes: Int64, as name: Pathname, _ source: RecordingSource
    ) throws(SimulatedCrash) {
        let stamp = FileStamp(
            bytes: bytes, modifiedNanoseconds: source.stamp.modifiedNanoseconds)
        try disk.write(
            SimulatedDisk.File(content: .output(digest), stamp: stamp), as: name,
            in: source.folder)
    }

    /// The answer of a pass that ends before anything is decoded.
    private mutating func earlyEnd(of source: RecordingSource, in stage: Stage) -> Job.Action? {
        if isCancelled, random.chance(percent: 60) {
            happened(.cancelled)
            return .cancelled
        }
        if let end = check(source, in: stage) { return end }
        if plan.watching.knowsLeases, source.context.value.isPatient, stage == .decode,
            sources[source.folder, source.name]?.isOpen == true
        {
            happened(.beingWritten)
            return .failed(Example.failure(.beingWritten, in: stage), measured: nil)
        }
        guard goesWrong() else { return nil }
        happened(.transient)
        let reason = random.pick(
            [.tooManyOpenFiles, .inputOutput, .unavailable] as [RecordingFailure.Reason])
        return .failed(Example.failure(reason, in: stage), measured: nil)
    }

    private mutating func check(_ source: RecordingSource, in stage: Stage) -> Job.Action? {
        let found = sources[source.folder, source.name]?.stamp
        guard found != source.stamp else { return nil }
        happened(found == nil ? .vanished : .changed)
        // Where a recording that is not complete is waited for, it is no failure.
        guard !source.context.value.isPatient else { return .sourceChanged(found) }
        return .failed(
            Example.failure(found == nil ? .vanished : .changed, in: stage), measured: nil)
    }

    /// The owner may work on a recording while it is read.
    private mutating func interference(
        with source: RecordingSource, in stage: Stage
    ) -> Job.Action? {
        if source.context.value.isPatient {
            if changesLeft > 0, random.chance(percent: 5) {
                lastChangeSeconds = seconds
                overwrite(source.name, in: source.folder)
            }
        } else if sources.isUnruly, goesWrong() {
            sources.change(source.name, in: source.folder, using: &random)
        }
        return check(source, in: stage)
    }

    private mutating func writingFailure(in stage: Stage) -> RecordingFailure? {
        guard goesWrong() else { return nil }
        let isFull = random.chance(percent: 25)
        happened(isFull ? .noSpace : .writingFailed)
        let others: [RecordingFailure.Reason] = [.permissionDenied, .inputOutput, .other]
        return Example.failure(isFull ? .noSpace : random.pick(others), in: stage)
    }
}

// MARK: - Commits

extension SimulatedWorld {
    private mutating func carryOut(
        _ command: Commit.Command
    ) throws(SimulatedCrash) -> Commit.Action? {
        switch command {
        case .sync(let group, let outcomes):
            if goesWrong() {
                happened(.syncFailed)
                return .syncFailed(group, Example.failure(.inputOutput, in: .manifest))
            }
            if !published.isEmpty || outcomes.contains(where: { !$0.staged.isEmpty }) {
                try syncPublished()
            }
            return .synced(group)
        case .record(let group, let outcomes, let recipes):
            let facts = outcomes.map { JournalFact($0, recipes) }
            for fact in facts { violation = violation ?? violationBeforeRecording(fact) }
            let failure = try recordOutcomes(facts)
            return failure.map { .recordFailed(group, $0) } ?? .recorded(group)
        case .publish(let group, let outcomes):
            var misplaced: [Commit.Misplacement] = []
            for outcome in outcomes {
                if let misplacement = try publish(outcome) { misplaced.append(misplacement) }
            }
            return .published(group, misplaced)
        case .discard(let folder, let files):
            for file in files { try disk.remove(file.temporary, in: folder) }
            return nil
        }
    }

    /// Syncs the disk; what was renamed before then is there for certain.
    private mutating func syncPublished() throws(SimulatedCrash) {
        try disk.sync()
        synced += published
        published = []
    }

    /// - Returns: what went wrong; `nil` if the outcomes are recorded.
    private mutating func recordOutcomes(
        _ facts: [JournalFact]
    ) throws(SimulatedCrash) -> RecordingFailure? {
        let isFailing = goesWrong()
        for fact in facts { chronicle.beginRecording(fact) }
        try disk.step()
        if isFailing {
            happened(.recordFailed)
            // Of a commit that fails nobody knows whether it is on the disk.
            if random.chance(percent: 30) { record.add(facts) }
            let reasons: [RecordingFailure.Reason] = [.noSpace, .inputOutput]
            return Example.failure(random.pick(reasons), in: .manifest)
        }
        record.add(facts, landed: synced)
        synced = []
        disk.touched.formUnion(facts.map(\.folder))
        for fact in facts { chronicle.record(fact) }
        try disk.step()
        return nil
    }

    /// Records the last files that were renamed, unless that fails.
    private mutating func finish() throws(SimulatedCrash) -> JobStore.Action? {
        guard !plan.configuration.isDryRun, !goesWrong() else { return nil }
        if !published.isEmpty { try syncPublished() }
        record.place(synced)
        synced = []
        return nil
    }

    private mutating func publish(
        _ outcome: Commit.Outcome
    ) throws(SimulatedCrash) -> Commit.Misplacement? {
        var landed: [Pathname] = []
        for file in outcome.staged {
            let isThere = disk.file(file.temporary, in: outcome.path) != nil
            if isThere, !goesWrong() {
                try disk.rename(file.temporary, to: file.name, in: outcome.path)
                landed.append(file.name)
                published.append(.init(folder: outcome.path, file: file))
                if mutant == .placingBeforeSync { record.place(published) }
                continue
            }
            happened(.misplaced)
            let isCopy = outcome.entry.value.trimmed?.path == file.name
            let failure = Example.failure(
                isThere ? .permissionDenied : .vanished, in: isCopy ? .trim : .waveform)
            return Commit.Misplacement(id: outcome.id, failure: failure, landed: landed)
        }
        return nil
    }
}
