import Jobs
import Recordings

// What must be so of the simulated disk, whatever happens.

extension SimulatedWorld {
    /// Looks at the folders in which something has changed.
    mutating func audit() {
        guard violation == nil, !disk.touched.isEmpty else { return }
        var folders = disk.touched
        disk.touched = []
        // The journal speaks of any of them.
        if folders.contains("") { folders.formUnion(disk.folders) }
        for folder in folders.sorted() {
            violation = violation ?? violation(in: folder)
        }
    }

    /// Before a fact is written, all that it names must be on the disk for certain, or have been
    /// there before.
    func violationBeforeRecording(_ fact: JournalFact) -> String? {
        for file in fact.staged {
            let found = disk.durableFile(file.temporary, in: fact.folder)?.content
            guard let digest = fact.entry.digests[file.name], found == .output(digest) else {
                return "the journal is to name \(file.temporary), which is not safe: \(file.name)"
            }
        }
        let staged = Set(fact.staged.map(\.name))
        for (name, digest) in fact.entry.digests where !staged.contains(name) {
            guard isSound(name, digest, in: fact.folder) else {
                return "the journal is to name \(name), which is not what it says"
            }
        }
        return nil
    }

    /// Once a journal is said to have facts, no loss of power may take them: neither the lines nor
    /// the name under which they are found.
    func violationAfterRecording(_ facts: [JournalFact]) -> String? {
        guard case .journal(let lines)? = disk.durableFile(SimulatedWorld.journal, in: "")?.content
        else { return "the journal was written to, and is not safe" }
        let isThere = lines.suffix(facts.count).elementsEqual(facts)
        return isThere ? nil : "the journal does not hold for certain what was written to it"
    }

    /// If the program ended now, the next run would have to find all that manifest and journal
    /// tell.
    private func violation(in folder: Pathname) -> String? {
        let lines = disk.journal(SimulatedWorld.journal) ?? []
        let facts = lines.compactMap { $0 }.filter { $0.folder == folder }
        let manifest = disk.manifest(in: folder).map { EarlierManifest($0) }
        let entries = EarlierResults.merge(
            manifest: manifest, facts: EarlierFacts(facts).all
        ).map(\.entry.value)
        guard !entries.isEmpty else { return nil }
        var moved: [Pathname: String] = [:]
        var used: Set<Pathname> = []
        let moves = disk.unfinishedMoves(of: facts, in: folder)
        for file in moves where used.insert(file.temporary).inserted {
            moved[file.name] = disk.digest(of: file.temporary, in: folder)
        }
        var ownership: [Pathname: Set<String>] = [:]
        for entry in entries {
            for (name, digest) in entry.digests { ownership[name, default: []].insert(digest) }
        }
        for entry in entries {
            for (name, digest) in entry.digests {
                if let digest = moved[name], ownership[name]?.contains(digest) == true { continue }
                // One that another has taken over is told by its name.
                if ownership[name]?.contains(where: { isSound(name, $0, in: folder) }) == true {
                    continue
                }
                let found = disk.file(name, in: folder)
                // Only the journal still tells of it.
                let isPruned = chronicle.pruned.contains(
                    SimulatedDisk.Place(folder: folder, name: entry.name))
                if found == nil, isPruned { continue }
                // It shows: the time is another's.
                if sources.isUnruly,
                    found?.stamp.modifiedNanoseconds != entry.source?.modifiedNanoseconds
                {
                    continue
                }
                return "\(entry.name) in \"\(folder)\" names \(name), which is not \(digest):"
                    + " \(found.map { "\($0)" } ?? "nothing")"
            }
        }
        return nil
    }

    /// Where nothing is left to do in a watch, it counts as gone, and as failed, what its manifests
    /// do.
    func violationOfCounts() -> String? {
        let summary = state.summary
        guard summary.foldersFailed == 0, summary.manifestsFailed == 0 else { return nil }
        let entries = disk.folders.flatMap { disk.manifest(in: $0)?.recordings ?? [] }
        let gone = entries.filter {
            $0.status == .sourceMissing && ($0.failure != nil || !$0.made.isEmpty)
        }
        if gone.count != summary.missing {
            return "\(summary.missing) are counted as gone, and not \(gone.map(\.name))"
        }
        let failed = entries.filter { $0.status == .failed }
        if failed.count == summary.failed, summary.stillFailed == 0 { return nil }
        return "\(summary.failed) are counted as failed, \(summary.stillFailed) before, and not"
            + " \(failed.map(\.name))"
    }

    private func isSound(_ name: Pathname, _ digest: String, in folder: Pathname) -> Bool {
        disk.digest(of: name, in: folder) == digest
            || chronicle.disturbed.contains(SimulatedDisk.Place(folder: folder, name: name))
    }
}

extension ManifestEntry {
    /// What the entry says of its outputs.
    var digests: [Pathname: String] {
        var digests: [Pathname: String] = [:]
        for waveform in waveforms ?? [] { digests[waveform.path] = waveform.sha256 }
        if let trimmed { digests[trimmed.path] = trimmed.sha256 }
        return digests
    }
}

// MARK: - Between runs

extension SimulatedWorld {
    /// What others do while no run is under way.
    mutating func disturb() {
        if sources.isUnruly, random.chance(percent: 60) {
            happened(.disturbedSource)
            for _ in 0..<Int.random(in: 1...2, using: &random) { sources.disturb(using: &random) }
        }
        guard random.chance(percent: 15), let folder = disk.folders.randomElement(using: &random)
        else { return }
        let outputs = disk.names(in: folder).filter { name in
            if case .output? = disk.file(name, in: folder)?.content {
                !name.isHidden
            } else {
                false
            }
        }
        guard let name = outputs.randomElement(using: &random) else { return }
        happened(.disturbedOutput, "\(folder)/\(name)")
        chronicle.disturb(name, in: folder)
        let altered = SimulatedDisk.File(
            content: .output("altered"), stamp: FileStamp(bytes: 7, modifiedNanoseconds: 7))
        disk.disturb(name, in: folder, leaving: random.chance(percent: 50) ? altered : nil)
    }
}

// MARK: - The end

extension SimulatedWorld {
    /// What is wrong with the disk after a run that nobody disturbed.
    func violationAtEnd() -> String? {
        if disk.journal(SimulatedWorld.journal) != nil { return "the journal is still there" }
        for folder in disk.folders {
            if plan.configuration.prunesMissing,
                let entry = disk.manifest(in: folder)?.recordings
                    .first(where: { $0.status == .sourceMissing })
            {
                return "what was made of \(entry.name) in \"\(folder)\" was not pruned"
            }
            // Nobody looks into a folder that is gone and has no results.
            guard sources.holds(folder) || disk.manifest(in: folder) != nil else { continue }
            if let name = disk.names(in: folder).first(where: \.isHidden) {
                return "\(name) is still in \"\(folder)\""
            }
        }
        if !state.isFinished { return "the last run has not finished" }
        return nil
    }

    /// How the outputs differ from those on another disk, but for what rightly stays: files of
    /// recordings that cannot be done any more.
    func difference(from other: SimulatedDisk) -> String? {
        for folder in Set(disk.folders + other.folders).sorted() {
            if let sentence = difference(in: folder, from: other) { return sentence }
        }
        return nil
    }

    private func difference(in folder: Pathname, from other: SimulatedDisk) -> String? {
        var entries = disk.manifest(in: folder)?.recordings ?? []
        let left = Set(entries.flatMap { $0.leftBehind ?? [] })
        var expected = other.manifest(in: folder)?.recordings ?? []
        if sources.isUnruly {
            for index in entries.indices { entries[index].leaveBehind(only: []) }
            for index in expected.indices { expected[index].leaveBehind(only: []) }
        }
        for name in Set((entries + expected).map(\.name)).sorted() {
            let entry = entries.first { $0.name == name }
            let wanted = expected.first { $0.name == name }
            if entry != wanted {
                return "\(name) in \"\(folder)\" is not as an undisturbed run leaves it:\n"
                    + TestSupport.difference(expected: wanted, actual: entry)
            }
        }
        for name in Set(disk.names(in: folder) + other.names(in: folder)).sorted() {
            if name.isHidden { continue }
            let file = disk.file(name, in: folder)
            let wanted = other.file(name, in: folder)
            guard name != OutputNames.manifest, file != wanted, !left.contains(name) else {
                continue
            }
            if wanted != nil || !sources.isUnruly || !isOfNobody(name, in: folder) {
                return "\(name) in \"\(folder)\" is \(file.map { "\($0)" } ?? "missing") and not"
                    + " \(wanted.map { "\($0)" } ?? "missing")"
            }
        }
        return nil
    }

    /// Whether no manifest may name a file although it is there.
    private func isOfNobody(_ name: Pathname, in folder: Pathname) -> Bool {
        let place = SimulatedDisk.Place(folder: folder, name: name)
        return chronicle.forgotten.contains(place) || chronicle.doomed.contains(place)
    }
}
