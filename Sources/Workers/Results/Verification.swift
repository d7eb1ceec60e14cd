import Dispatch
import Jobs
import Recordings
import Synchronization

/// Verifies outputs and recordings against the record; read-only.
package struct Verification: Sendable {
    /// A finding, reported in order of folder and file.
    package enum Event: Hashable, Sendable {
        case discrepancy(Discrepancy)
        case trouble(ResultTree.Trouble)
    }

    let tree: ResultTree
    let record: OutputRecord
    /// Where the recordings are.
    private let root: Pathname
    /// Whether recordings are checked, or only outputs.
    package var checksRecordings = true
    /// The only outputs to check; `nil` for all.
    package var only: Set<Pathname>?

    /// - Parameter recordings: the root, if it differs from the one recorded in the output.
    package init(_ tree: ResultTree, recordings: Pathname?) throws(RunRefusal) {
        self.tree = tree
        guard let recordings else {
            (record, root) = try tree.recordAndRoot()
            return
        }
        record = try tree.record()
        root = try ResultTree.inPath(recordings) { () throws(FileSystemError) in
            let root = try FileSystem.resolve(recordings)
            // Looking up "." fails for a file, with ENOTDIR.
            _ = try FileSystem.status(root.appending("."))
            return root
        }
    }

    /// Checks everything, `jobs` files at once, and returns when all is reported.
    ///
    /// Memory is bounded by the largest folder's manifest, and by the findings that wait for an
    /// earlier check.
    /// - Parameter tell: called serially, in order, from any thread.
    package func carryOut(
        jobs: Int, tell: @escaping @Sendable (Event) -> Void
    ) -> VerificationSummary {
        let (folders, troubles) = folders()
        let exports = exportChecks().filter { only?.contains($0.shown) ?? true }
        let first = troubles.map(VerificationStep.trouble) + exports.map(VerificationStep.check)
        let line = Mutex(CheckLine(folders: folders[...], waiting: first[...]))
        let group = DispatchGroup()
        let work = { @Sendable () -> Void in
            while let (number, step) = line.withLock({ next(&$0) }) {
                let event = step.carryOut()
                line.withLock { $0.settle(number, step, event, tell) }
            }
        }
        for _ in 1..<max(1, jobs) {
            // One queue per worker: see `WorkQueues`.
            DispatchQueue(label: "tapedeck.verification").async(group: group, execute: work)
        }
        // This thread works too: a queue's threads need descriptors, which may be scarce.
        work()
        group.wait()
        record.close()
        return line.withLock(\.summary)
    }

    /// The folders to check, and what is wrong with the record as a whole.
    private func folders() -> ([Pathname], [ResultTree.Trouble]) {
        do throws(FileSystemError) {
            let errors = try record.integrityErrors()
            let troubles = errors.isEmpty ? [] : [trouble(.unreadable(detail: errors[0]))]
            return (try record.folders(below: tree.folder), troubles)
        } catch {
            return ([], [trouble(.unreadable(detail: error.detail))])
        }
    }

    private func trouble(_ trouble: ResultTrouble) -> ResultTree.Trouble {
        tree.trouble(OutputRecord.name, trouble)
    }

    /// The next step, reading further folders as needed.
    private func next(_ line: inout CheckLine) -> (Int, VerificationStep)? {
        while line.waiting.isEmpty, let folder = line.folders.popFirst() {
            line.waiting = steps(in: folder)[...]
        }
        return line.take()
    }
}

// MARK: - What to check

extension Verification {
    /// The checks for a folder's entries.
    private func steps(in folder: Pathname) -> [VerificationStep] {
        var checks: [FileCheck] = []
        var steps: [VerificationStep] = []
        do throws(FileSystemError) {
            let entries = try record.entries(in: folder)
            // Second: a run may record more meanwhile, whose files are not at their names yet.
            let contents = try record.contents(of: folder) { _ in false }
            let staged = Dictionary(grouping: contents.staged, by: \.recording)
            for entry in entries {
                checks += self.checks(of: entry, staged: staged[entry.name] ?? [], in: folder)
            }
            checks += try splitChecks(in: folder)
            if let finding = try manifestFinding(in: folder, contents),
                only?.contains(finding.path) ?? true
            {
                steps.append(.finding(finding))
            }
        } catch {
            steps.append(.trouble(trouble(.unreadable(detail: error.detail))))
        }
        if let only { checks.removeAll { !only.contains($0.shown) } }
        // A trimmed copy may have its recording's name; the recording comes first.
        checks.sort {
            $0.shown == $1.shown
                ? $0.subject == .recording && $1.subject == .output : $0.shown < $1.shown
        }
        return steps + checks.map(VerificationStep.check)
    }

    /// How a folder's manifest differs from the record; `nil` if it does not, or is yet to be
    /// printed.
    private func manifestFinding(
        in folder: Pathname, _ contents: OutputRecord.FolderContents
    ) throws(FileSystemError) -> Discrepancy? {
        guard let printed = contents.printed, let recipe = contents.recipe else { return nil }
        let name = folder.appending(OutputNames.manifest)
        let path = tree.output.appending(name)
        let found = try ifThere { () throws(FileSystemError) in try FileSystem.status(path) }
        guard let found else {
            return Discrepancy(path: name, subject: .output, finding: .missing)
        }
        // A copy of the output has other times.
        let finding = found.stamp == printed ? Discrepancy.Finding.corrupt : .altered
        var text: [UInt8] = []
        try ManifestText.write(folder, recipe.value, of: record) {
            (piece) throws(FileSystemError) in
            text += piece
        }
        let isSame = (try? FileSystem.contents(of: path)) == text
        return isSame ? nil : Discrepancy(path: name, subject: .output, finding: finding)
    }

    private func checks(
        of entry: ManifestEntry, staged: [RecordedFile], in folder: Pathname
    ) -> [FileCheck] {
        // Outputs have their recording's time.
        var promises = Verification.promises(of: entry.files, entry.source)
        // Unless it failed, outputs of earlier versions are obsolete and may be missing.
        if entry.failure != nil {
            for earlier in entry.earlier ?? [] {
                promises += Verification.promises(of: earlier.files, nil)
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
                temporary: temporary.map(place.appending), promise: promise,
                role: entry.trimmed?.path == name ? .copy : .waveform)
        }
        // A recording known to be missing is not reported; a file of its name is another one.
        if checksRecordings, entry.status != .sourceMissing, let stamp = entry.source {
            let shown = folder.appending(entry.name)
            checks.append(
                FileCheck(
                    shown: shown, path: root.appending(shown),
                    promise: .stamp(stamp, sha256: entry.sourceSHA256)))
        }
        return checks
    }

    private static func promises(
        of files: [OutputFile], _ source: FileStamp?
    ) -> [(name: Pathname, promise: FileCheck.Promise)] {
        files.map { file in
            (
                file.path,
                .bytes(
                    file.bytes, sha256: file.sha256,
                    modifiedNanoseconds: source?.modifiedNanoseconds)
            )
        }
    }
}
