import Glibc
import Jobs
import Recordings

/// The results of a version without a record: manifests, and the journal of an interrupted run.
struct EarlierOutput {
    private let output: Pathname
    /// How many facts of a journal are held and recorded at once.
    private static let factsAtOnce = 1000

    init(_ output: Pathname) { self.output = output }

    /// A record in memory of all that there is.
    func imported() throws(FileSystemError) -> OutputRecord {
        let record = try OutputRecord()
        try add(to: record)
        return record
    }

    /// Adds all that there is to an empty record.
    func add(to record: OutputRecord) throws(FileSystemError) {
        let mark = try FileSystem.beginning(
            of: output.appending(OutputRecord.name), bytes: OutputMark.mostBytes)
        if let way = OutputMark.root(in: mark) { try record.setWayToRoot(way) }
        for folder in try folders() {
            let place = output.appending(folder)
            guard let manifest = try ManifestFile.readIfSound(in: place),
                manifest.folder == folder.orDot
            else { continue }
            let stamp = try? FileSystem.status(place.appending(OutputNames.manifest)).stamp
            try record.adopt(
                manifest.recordings.filter(\.ownsItsOutputs), in: folder, manifest.recipe,
                printed: stamp)
        }
        // The journal is later than any manifest.
        var facts: [JournalFact] = []
        try RecoveredJournal.forEachFact(in: output) { (fact) throws(FileSystemError) in
            var fact = fact
            _ = fact.entry.addSegments()
            if fact.entry.ownsItsOutputs { facts.append(fact) }
            guard facts.count == EarlierOutput.factsAtOnce else { return }
            try record.add(facts)
            facts = []
        }
        try record.add(facts)
    }
}

// MARK: - Where manifests are

extension EarlierOutput {
    /// The folders that may hold results, relative to the output, sorted.
    ///
    /// Symlinks are followed if they lead to a folder with a manifest for this place. Nested
    /// outputs of other runs are skipped.
    private func folders() throws(FileSystemError) -> [Pathname] {
        var found: Set<Pathname> = []
        var pending = [Step(place: .empty)]
        while let step = pending.popLast() {
            let place = step.place
            let isOwn = step.isLinked ? try ManifestFile.isThere(for: place, in: output) : true
            if isOwn { found.insert(place) }
            do throws(FileSystemError) {
                let below = try DirectoryReader(output.appending(place)).visibleFolders()
                for path in below.folders.map(place.appending)
                where !OutputFolder.isMarked(output.appending(path)) {
                    pending.append(Step(place: path, targets: step.targets))
                }
                guard isOwn else { continue }
                pending += below.links.compactMap { following(place.appending($0), from: step) }
            } catch {
                if isOwn, error.code != ENOENT { throw error }
            }
        }
        return found.sorted()
    }

    /// A folder to visit, and the targets of the symlinks followed to reach it.
    private struct Step {
        var place: Pathname
        var targets: [Pathname] = []

        var isLinked: Bool { !targets.isEmpty }
    }

    /// Follows a symlink in the output; `nil` if it leads to no folder, in a circle, or into this
    /// or another output.
    private func following(_ link: Pathname, from step: Step) -> Step? {
        guard let target = try? FileSystem.resolve(output.appending(link)),
            (try? FileSystem.status(target))?.kind == .folder,
            !target.contains(output), !step.targets.contains(where: target.contains),
            OutputFolder.markedFolder(atOrAbove: target) == nil
        else { return nil }
        return Step(place: link, targets: step.targets + [target])
    }
}
