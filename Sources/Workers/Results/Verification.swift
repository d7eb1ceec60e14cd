import Dispatch
import Jobs
import Recordings
import Synchronization

/// Holds outputs and recordings against manifests and journal; only ever reads.
package struct Verification: Sendable {
    /// Something that is told of, in this order: folder by folder, and in each file by file.
    package enum Event: Hashable, Sendable {
        case discrepancy(Discrepancy)
        case trouble(ResultTree.Trouble)
    }

    private let tree: ResultTree
    /// Where the recordings are.
    private let root: Pathname

    /// - Parameter recordings: the root, where it is not to be where the output says.
    package init(_ tree: ResultTree, recordings: Pathname?) throws(RunRefusal) {
        self.tree = tree
        guard let recordings else {
            guard let root = OutputFolder.root(of: tree.output) else {
                throw .recordingsUnknown(output: tree.shownOutput)
            }
            self.root = root
            return
        }
        root = try ResultTree.inPath(recordings) { () throws(FileSystemError) in
            let root = try FileSystem.resolve(recordings)
            // The system says of a file that it is no folder when something in it is asked for.
            _ = try FileSystem.status(root.appending("."))
            return root
        }
    }

    /// Checks everything, so many files at once, and returns when all is told.
    ///
    /// Memory is bounded by the largest folder's manifest, and by what is checked while something
    /// before it still is.
    /// - Parameter tell: called from any thread, for one event after another, in their order.
    package func carryOut(
        jobs: Int, tell: @escaping @Sendable (Event) -> Void
    ) -> VerificationSummary {
        let (journal, journalTrouble) = tree.journal()
        let (folders, folderTroubles) = tree.folders(journal)
        let troubles = [journalTrouble].compactMap { $0 } + folderTroubles
        let line = Mutex(CheckLine(folders: folders[...], waiting: troubles.map(Step.trouble)[...]))
        let group = DispatchGroup()
        let work = { @Sendable () -> Void in
            while let (number, step) = line.withLock({ next(&$0, journal) }) {
                let event = step.carryOut()
                line.withLock { $0.settle(number, step, event, tell) }
            }
        }
        for _ in 1..<max(1, jobs) {
            // One queue for each: see `WorkQueues`.
            DispatchQueue(label: "tapedeck.verification").async(group: group, execute: work)
        }
        // One works here: a queue's threads need open files of their own, and there may be few.
        work()
        group.wait()
        return line.withLock(\.summary)
    }

    /// The next step, from as many manifests as it takes.
    private func next(_ line: inout CheckLine, _ journal: RecoveredJournal?) -> (Int, Step)? {
        while line.waiting.isEmpty, let folder = line.folders.popFirst() {
            line.waiting = steps(in: folder, journal)[...]
        }
        return line.take()
    }
}

// MARK: - What to check

extension Verification {
    /// What there is to do in a folder, by its manifest and by what the journal tells since.
    private func steps(in folder: Pathname, _ journal: RecoveredJournal?) -> [Step] {
        var steps: [Step] = []
        // Of each recording the last fact counts.
        var facts: [Pathname: [FileCheck]] = [:]
        do throws(FileSystemError) {
            try journal?.forEachFact(in: folder) {
                facts[$0.entry.name] = self.checks(of: $0.entry, staged: $0.staged, in: folder)
            }
        } catch {
            facts = [:]
            steps.append(.trouble(tree.journalTrouble(error)))
        }
        var checks = facts.values.flatMap { $0 }
        do throws(ResultTrouble) {
            let manifest = try ManifestSkimmer.read(in: tree.output.appending(folder)) {
                (json) throws(JSONCursor.Malformed) -> [FileCheck] in
                let entry = try ManifestEntry(&json)
                return facts[entry.name] == nil ? self.checks(of: entry, in: folder) : []
            }
            checks += (manifest?.entries ?? []).flatMap { $0 }
        } catch {
            steps.append(.trouble(tree.trouble(withManifestIn: folder, error)))
        }
        // A trimmed copy may bear its recording's name; the recording comes first.
        checks.sort {
            $0.shown == $1.shown
                ? $0.subject == .recording && $1.subject == .output : $0.shown < $1.shown
        }
        return steps + checks.map(Step.check)
    }

    private func checks(
        of entry: ManifestEntry, staged: [StagedFile] = [], in folder: Pathname
    ) -> [FileCheck] {
        var promises = Verification.outputs(entry.waveforms, entry.trimmed)
        // Of one that has not failed what is left behind is to go, and nobody misses it.
        if entry.failure != nil {
            for earlier in entry.earlier ?? [] {
                promises += Verification.outputs(earlier.waveforms, earlier.trimmed)
            }
            let known = Set(promises.map(\.name))
            let rest = (entry.leftBehind ?? []).filter { !known.contains($0) }
            promises += rest.map { ($0, .existence) }
        }
        let place = tree.output.appending(folder)
        var checks = promises.map { name, promise in
            let temporary = staged.first { $0.name == name }?.temporary
            return FileCheck(
                shown: folder.appending(name), path: place.appending(name),
                temporary: temporary.map(place.appending), promise: promise)
        }
        // What is known to be gone is not missed, and what bears its name now is another.
        if entry.status != .sourceMissing, let stamp = entry.source {
            let shown = folder.appending(entry.name)
            checks.append(
                FileCheck(
                    shown: shown, path: root.appending(shown),
                    promise: .stamp(stamp, sha256: entry.sourceSHA256)))
        }
        return checks
    }

    /// What was made at one time.
    private static func outputs(
        _ waveforms: [WaveformFile]?, _ copy: TrimmedFile?
    ) -> [(name: Pathname, promise: FileCheck.Promise)] {
        (waveforms ?? []).map { ($0.path, .bytes($0.bytes, sha256: $0.sha256)) }
            + [copy].compactMap { $0 }.map { ($0.path, .bytes($0.bytes, sha256: $0.sha256)) }
    }
}

/// A file to look at, or what could not be read.
private enum Step {
    case check(FileCheck)
    case trouble(ResultTree.Trouble)

    /// What is to be told; `nil` where all is well.
    func carryOut() -> Verification.Event? {
        switch self {
        case .check(let check): check.carryOut()
        case .trouble(let trouble): .trouble(trouble)
        }
    }
}

/// Steps that wait, and outcomes that wait until those before them are told.
private struct CheckLine {
    var folders: ArraySlice<Pathname>
    var waiting: ArraySlice<Step>
    /// The number of the next step.
    private var number = 0
    /// The first number that is not told.
    private var told = 0
    /// Outcomes that wait; `nil` in it where there is nothing to tell.
    private var outcomes: [Int: Verification.Event?] = [:]
    private(set) var summary = VerificationSummary()
    private var troubles: Set<ResultTree.Trouble> = []

    init(folders: ArraySlice<Pathname>, waiting: ArraySlice<Step>) {
        self.folders = folders
        self.waiting = waiting
    }

    mutating func take() -> (Int, Step)? {
        guard let step = waiting.popFirst() else { return nil }
        defer { number += 1 }
        return (number, step)
    }

    /// Takes in an outcome, and tells as far as everything before is settled.
    mutating func settle(
        _ number: Int, _ step: Step, _ event: Verification.Event?,
        _ tell: (Verification.Event) -> Void
    ) {
        outcomes.updateValue(count(step, event) ? event : nil, forKey: number)
        while let outcome = outcomes.removeValue(forKey: told) {
            if let event = outcome { tell(event) }
            told += 1
        }
    }

    /// Counts an outcome; whether it is to be told, if there is anything to tell.
    private mutating func count(_ step: Step, _ event: Verification.Event?) -> Bool {
        if case .trouble(let trouble) = step, !troubles.insert(trouble).inserted {
            // The journal is one for all folders.
            return false
        }
        if case .trouble = event {
            summary.unreadable += 1
        } else if case .check(let check) = step {
            switch check.subject {
            case .output: summary.outputs += 1
            case .recording: summary.recordings += 1
            }
            if event != nil { summary.discrepancies += 1 }
        }
        return true
    }
}
