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
        let line = Mutex(CheckLine(folders: folders, troubles: troubles))
        let group = DispatchGroup()
        let work = { @Sendable () -> Void in
            while let (number, check) = line.withLock({ next(&$0, journal) }) {
                let event = check.carryOut()
                line.withLock { $0.settle(number, check, event, tell) }
            }
        }
        for _ in 1..<max(1, jobs) {
            // One queue for each: see `WorkQueues`.
            DispatchQueue(label: "tapedeck.verification").async(group: group, execute: work)
        }
        // One works here: a queue's threads need open files of their own, and there may be few.
        work()
        group.wait()
        return line.withLock { line in
            line.tellAll(tell)
            return line.summary
        }
    }

    /// The next check, from as many manifests as it takes.
    private func next(
        _ line: inout CheckLine, _ journal: RecoveredJournal?
    ) -> (Int, FileCheck)? {
        while true {
            if let check = line.take() { return check }
            guard let folder = line.nextFolder() else { return nil }
            var told: [Promises] = []
            do throws(FileSystemError) {
                told = try facts(in: folder, journal)
            } catch {
                line.add(tree.journalTrouble(error))
            }
            do throws(ResultTrouble) {
                line.add(try checks(in: folder, told))
            } catch {
                line.add(tree.trouble(withManifestIn: folder, error))
                line.add(checks(of: told, in: folder))
            }
        }
    }
}

// MARK: - What to check

extension Verification {
    /// What is promised in a folder, by its manifest and by what the journal tells since.
    private func checks(
        in folder: Pathname, _ facts: [Promises]
    ) throws(ResultTrouble) -> [FileCheck] {
        let manifest = try ManifestSkimmer.read(
            in: tree.output.appending(folder), Promises.init)
        guard !facts.isEmpty else { return checks(of: manifest?.entries ?? [], in: folder) }
        let told = Set(facts.map(\.name))
        let rest = (manifest?.entries ?? []).filter { !told.contains($0.name) }
        return checks(of: rest + facts, in: folder)
    }

    /// The last fact about each recording.
    private func facts(
        in folder: Pathname, _ journal: RecoveredJournal?
    ) throws(FileSystemError) -> [Promises] {
        var latest: [Pathname: Promises] = [:]
        try journal?.forEachFact(in: folder) { latest[$0.entry.name] = Promises($0) }
        return Array(latest.values)
    }

    private func checks(of entries: [Promises], in folder: Pathname) -> [FileCheck] {
        var checks: [FileCheck] = []
        for entry in entries {
            for file in entry.outputs {
                let promise = FileCheck.Promise.bytes(file.bytes, sha256: file.sha256)
                let staged = entry.staged.first { $0.name == file.name }
                checks.append(output(file.name, in: folder, promise, staged?.temporary))
            }
            for name in entry.leftBehind { checks.append(output(name, in: folder, .existence)) }
            // What is known to be gone is not missed, and what bears its name now is another.
            if entry.status != .sourceMissing, let stamp = entry.source {
                let shown = folder.appending(entry.name)
                checks.append(
                    FileCheck(
                        shown: shown, path: root.appending(shown),
                        promise: .stamp(stamp, sha256: entry.sourceSHA256)))
            }
        }
        // A trimmed copy may bear its recording's name; the recording comes first.
        return checks.sorted {
            $0.shown == $1.shown
                ? $0.subject == .recording && $1.subject == .output : $0.shown < $1.shown
        }
    }

    private func output(
        _ name: Pathname, in folder: Pathname, _ promise: FileCheck.Promise,
        _ temporary: Pathname? = nil
    ) -> FileCheck {
        let place = tree.output.appending(folder)
        return FileCheck(
            shown: folder.appending(name), path: place.appending(name),
            temporary: temporary.map(place.appending), promise: promise)
    }
}

/// Checks that wait, and outcomes that wait until those before them are told.
private struct CheckLine {
    private var folders: ArraySlice<Pathname>
    private var waiting: ArraySlice<FileCheck> = []
    /// The number of the next event, check or trouble.
    private var number = 0
    /// The first number that is not told.
    private var told = 0
    /// Outcomes that wait; `nil` in it where there is nothing to tell.
    private var outcomes: [Int: Verification.Event?] = [:]
    private(set) var summary = VerificationSummary()
    private var troubles: Set<ResultTree.Trouble> = []

    init(folders: [Pathname], troubles: [ResultTree.Trouble]) {
        self.folders = folders[...]
        for trouble in troubles { add(trouble) }
    }

    mutating func nextFolder() -> Pathname? { folders.popFirst() }

    mutating func add(_ checks: [FileCheck]) { waiting = checks[...] }

    mutating func add(_ trouble: ResultTree.Trouble) {
        // The journal is one for all folders.
        guard troubles.insert(trouble).inserted else { return }
        summary.unreadable += 1
        outcomes[number] = .trouble(trouble)
        number += 1
    }

    mutating func take() -> (Int, FileCheck)? {
        guard let check = waiting.popFirst() else { return nil }
        defer { number += 1 }
        return (number, check)
    }

    mutating func settle(
        _ number: Int, _ check: FileCheck, _ event: Verification.Event?,
        _ tell: (Verification.Event) -> Void
    ) {
        if case .trouble = event {
            summary.unreadable += 1
        } else {
            switch check.subject {
            case .output: summary.outputs += 1
            case .recording: summary.recordings += 1
            }
            if event != nil { summary.discrepancies += 1 }
        }
        outcomes.updateValue(event, forKey: number)
        tellAll(tell)
    }

    /// Tells as far as everything before is settled.
    mutating func tellAll(_ tell: (Verification.Event) -> Void) {
        while let outcome = outcomes.removeValue(forKey: told) {
            if let event = outcome { tell(event) }
            told += 1
        }
    }
}
