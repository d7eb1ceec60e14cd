import Jobs
import Recordings

// What must be so of the simulated disk, whatever happens.

extension SimulatedWorld {
    /// Looks at the folders in which something has changed.
    mutating func audit() {
        guard violation == nil, !disk.touched.isEmpty else { return }
        let folders = disk.touched
        disk.touched = []
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
                return "the record is to name \(file.temporary), which is not safe: \(file.name)"
            }
        }
        let staged = Set(fact.staged.map(\.name))
        for (name, digest) in fact.entry.digests where !staged.contains(name) {
            guard isSound(name, digest, in: fact.folder) else {
                return "the record is to name \(name), which is not what it says"
            }
        }
        return nil
    }

    /// If the program ended now, the next run would have to find all that the record tells.
    private func violation(in folder: Pathname) -> String? {
        guard let recorded = record.folders[folder] else { return nil }
        let entries = recorded.entries.values.map(\.entry).sorted { $0.name < $1.name }
        var moved: [Pathname: String] = [:]
        for file in recorded.files where file.state != .obsolete && disk.holds(file, in: folder) {
            moved[file.name] = file.temporary.flatMap { disk.digest(of: $0, in: folder) }
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
            + " \(failed.map(\.name)) in \(disk.folders.filter { disk.manifest(in: $0) != nil })"
    }

    private func isSound(_ name: Pathname, _ digest: String, in folder: Pathname) -> Bool {
        disk.digest(of: name, in: folder) == digest
            || chronicle.disturbed.contains(SimulatedDisk.Place(folder: folder, name: name))
    }
}

extension ManifestEntry {
    fileprivate var bare: ManifestEntry {
        var bare = self
        bare.recipe = nil
        return bare
    }

    /// What the entry says of its outputs.
    var digests: [Pathname: String] {
        var digests: [Pathname: String] = [:]
        for file in files { digests[file.path] = file.sha256 }
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
        if let folder = record.places.first(where: { !isPrinted($0) }) {
            let recorded = record.folders[folder]
            return "the manifest of \"\(folder)\" is not as the record has it, or files wait:"
                + " \(recorded?.files.filter { $0.temporary != nil || $0.state == .obsolete } ?? [])"
        }
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

    /// What is wrong with the record of folders whose manifests were printed by a run that has
    /// ended.
    func violationOfRecord() -> String? {
        if case .finished(let reason?) = state.phase, reason.isTrouble { return nil }
        for folder in Set(ledger.manifests.keys).subtracting(ledger.unwritten).sorted() {
            if let sentence = ledger.violation(of: folder, in: record) { return sentence }
        }
        return nil
    }

    /// Whether a folder's manifest says what the record does, and nothing waits to be moved or to
    /// go.
    private func isPrinted(_ folder: Pathname) -> Bool {
        guard let recorded = record.folders[folder], recorded.entries.isEmpty == false else {
            return true
        }
        guard sources.holds(folder) || disk.manifest(in: folder) != nil else { return true }
        let printed = disk.manifest(in: folder)?.recordings.map(\.bare)
        // The last transaction may fail, and then the next run finds the files at their names.
        let isClean = recorded.files.allSatisfy {
            ($0.temporary == nil || plan.faultPercent > 0) && $0.state != .obsolete
        }
        return isClean && printed == recorded.sorted
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
        // A watch that has missed where a file went forgets its former name at the next listing.
        let late = entries.filter {
            isWatched && $0.status == .sourceMissing && record.isElsewhere($0.name, of: folder)
        }
        let left = Set(entries.flatMap { $0.leftBehind ?? [] } + late.flatMap(\.outputs))
        var expected = other.manifest(in: folder)?.recordings ?? []
        if sources.isUnruly {
            for index in entries.indices { entries[index].leaveBehind(only: []) }
            for index in expected.indices { expected[index].leaveBehind(only: []) }
        }
        for name in Set((entries + expected).map(\.name)).sorted() {
            let entry = entries.first { $0.name == name }
            let wanted = expected.first { $0.name == name }
            if entry != wanted, wanted != nil || !late.contains(where: { $0.name == name }) {
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
