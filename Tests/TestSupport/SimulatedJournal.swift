import Jobs
import Recordings

// The journal on the simulated disk, as `JournalFile` and `RecoveredJournal` have it.

extension SimulatedWorld {
    /// Reads what an earlier run has left, as a run does that begins.
    mutating func readJournal() throws(SimulatedCrash) -> JournalContents {
        isJournalOpen = false
        let lines = disk.journal(SimulatedWorld.journal) ?? []
        recovered = lines.compactMap { $0 }
        // The first line is the header; a last one that does not hold was never finished.
        var damaged = lines.indices.filter { lines[$0] == nil }.map { $0 + 2 }
        if let last = lines.last, last == nil { damaged.removeLast() }
        if lines.contains(nil) { happened(.tornJournal) }
        return JournalContents(
            folders: Set(recovered.map(\.folder)).sorted(), damagedLines: damaged,
            isThere: disk.journal(SimulatedWorld.journal) != nil)
    }

    /// - Returns: what went wrong; `nil` where the facts are on the disk.
    mutating func append(_ facts: [JournalFact]) throws(SimulatedCrash) -> RecordingFailure? {
        let name = SimulatedWorld.journal
        let before = disk.journal(name)
        var count = before?.count ?? 0
        if let last = before?.last, last == nil, !isJournalOpen, random.chance(percent: 70) {
            // A line without an end goes; one with an end and nothing else that holds stays.
            count -= 1
            try disk.truncate(name, to: count)
        }
        let isFailing = goesWrong()
        for fact in facts { chronicle.beginRecording(fact) }
        let written = isFailing ? Int.random(in: 0...facts.count, using: &random) : facts.count
        try disk.append(Array(facts.prefix(written)), to: name)
        guard !isFailing else {
            happened(.recordFailed)
            isJournalOpen = false
            // On a disk that fails, taking it back may fail too.
            if random.chance(percent: 60) {
                if before == nil {
                    try disk.remove(name, in: "")
                } else {
                    try disk.truncate(name, to: count)
                }
            }
            let reasons: [RecordingFailure.Reason] = [.noSpace, .inputOutput]
            return Example.failure(random.pick(reasons), in: .manifest)
        }
        try disk.sync(name, in: "")
        if !isJournalOpen { try disk.syncNames(in: "") }
        isJournalOpen = true
        for fact in facts { chronicle.record(fact) }
        violation = violation ?? violationAfterRecording(facts)
        return nil
    }

    mutating func closeJournal(
        keeping folders: [Pathname]
    ) throws(SimulatedCrash) -> JobStore.Action {
        if goesWrong() { return closingFailed() }
        try disk.sync()
        guard let lines = disk.journal(SimulatedWorld.journal) else { return .journalClosed }
        if goesWrong() { return closingFailed() }
        // The next fact makes it anew, or opens it again.
        if mutant != .syncingTheJournalsNameOnce { isJournalOpen = false }
        let kept = lines.filter { line in line.map { folders.contains($0.folder) } ?? false }
        if kept.isEmpty {
            try disk.remove(SimulatedWorld.journal, in: "")
            if goesWrong() { return closingFailed() }
            try disk.syncNames(in: "")
            return .journalClosed
        }
        happened(.journalKept)
        let temporary = SimulatedWorld.temporary("journal")
        try disk.remove(temporary, in: "")
        try disk.append(kept, to: temporary)
        try disk.sync(temporary, in: "")
        if goesWrong() {
            try disk.remove(temporary, in: "")
            return closingFailed()
        }
        try disk.rename(temporary, to: SimulatedWorld.journal, in: "")
        try disk.syncNames(in: "")
        return .journalClosed
    }

    private mutating func closingFailed() -> JobStore.Action {
        happened(.journalCloseFailed)
        return .journalFailed(Example.failure(.inputOutput, in: .manifest))
    }
}
