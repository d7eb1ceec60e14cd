import Glibc
import Jobs
import Recordings

/// The results of earlier runs, whole or below one folder; read-only.
package struct ResultTree: Hashable, Sendable {
    /// The output folder; absolute, without symlinks.
    package var output: Pathname
    /// The requested folder, relative to the output and so to the root as well.
    package var folder: Pathname

    /// The output relative to the working folder, for display.
    package var shownOutput: Pathname { RunPlaces.shown(output) }

    init(output: Pathname, folder: Pathname = .empty) {
        self.output = output
        self.folder = folder
    }

    /// Finds the results for a user's path: an output, a folder in one, or a folder of recordings
    /// with results in the default place.
    package static func find(_ path: Pathname) throws(RunRefusal) -> ResultTree {
        guard let tree = try inPath(path, { () throws(FileSystemError) in try results(in: path) })
        else { throw .noResults(path) }
        return tree
    }

    private static func results(in path: Pathname) throws(FileSystemError) -> ResultTree? {
        let place = try FileSystem.resolve(path)
        guard try FileSystem.status(place).kind == .folder else { return nil }
        if let output = OutputFolder.markedFolder(atOrAbove: place) {
            return ResultTree(output: output, folder: output.relative(place) ?? .empty)
        }
        if let tree = try results(behindLinkIn: path) { return tree }
        let output = place.appending(RunPlaces.defaultOutput)
        guard OutputFolder.isMarked(output) else { return nil }
        return ResultTree(output: try FileSystem.resolve(output))
    }

    /// Finds results in a symlinked folder of an output; the path must go through the symlink, as
    /// the target does not refer to the output.
    private static func results(
        behindLinkIn path: Pathname
    ) throws(FileSystemError) -> ResultTree? {
        let path = path.isAbsolute ? path : FileSystem.workingFolder.appending(path)
        guard let output = OutputFolder.markedFolder(atOrAbove: path),
            let names = output.relative(path)?.components, !names.contains("..")
        else { return nil }
        return ResultTree(
            output: try FileSystem.resolve(output),
            folder: names.filter { $0 != "." }.reduce(.empty) { $0.appending($1) })
    }

    /// Accesses a path from the user and converts errors to refusals.
    static func inPath<Value>(
        _ path: Pathname, _ look: () throws(FileSystemError) -> Value
    ) throws(RunRefusal) -> Value {
        do throws(FileSystemError) {
            return try look()
        } catch {
            throw [ENOENT, ENOTDIR].contains(error.code)
                ? .pathMissing(path) : .pathUnreadable(path, detail: error.detail)
        }
    }
}

// MARK: - What there is to read

extension ResultTree {
    /// Something that could not be read.
    package struct Trouble: Hashable, Sendable {
        /// Relative to the working folder, for display.
        package var path: Pathname
        package var trouble: ResultTrouble
    }

    /// The journal and its error, if any; an empty journal if there is none.
    func journal() -> (facts: RecoveredJournal?, trouble: Trouble?) {
        do throws(FileSystemError) {
            return (try RecoveredJournal.read(in: output), nil)
        } catch {
            return (nil, journalTrouble(error))
        }
    }

    func journalTrouble(_ error: FileSystemError) -> Trouble {
        trouble(
            JournalFile.name,
            error.isLaterJournal ? .ofLaterVersion : .unreadable(detail: error.detail))
    }

    func trouble(_ path: Pathname, _ trouble: ResultTrouble) -> Trouble {
        Trouble(path: shownOutput.appending(path), trouble: trouble)
    }

    func trouble(withManifestIn folder: Pathname, _ trouble: ResultTrouble) -> Trouble {
        self.trouble(folder.appending(OutputNames.manifest), trouble)
    }

    /// The folders that may hold results, relative to the output, sorted.
    ///
    /// Symlinks are followed if they lead to a folder with a manifest for this place. Nested
    /// outputs of other runs are skipped.
    func folders(_ journal: RecoveredJournal?) -> (folders: [Pathname], troubles: [Trouble]) {
        var troubles: [Trouble] = []
        var found: Set<Pathname> = []
        var pending = [firstStep]
        while let step = pending.popLast() {
            let place = step.place
            let isOwn = !step.isLinked || ManifestFile.isThere(for: place, in: output)
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
                // The folder is known only from the journal, or belongs to somebody else.
                if error.code == ENOENT || !isOwn { continue }
                troubles.append(trouble(place, .unreadable(detail: error.detail)))
            }
        }
        found.formUnion(journal?.folders.filter(folder.contains) ?? [])
        return (found.sorted(), troubles)
    }

    /// A folder to visit, and the targets of the symlinks followed to reach it.
    private struct Step {
        var place: Pathname
        var targets: [Pathname] = []

        var isLinked: Bool { !targets.isEmpty }
    }

    /// The requested folder, which may be behind a symlink.
    private var firstStep: Step {
        guard let target = try? FileSystem.resolve(output.appending(folder)),
            !output.contains(target)
        else { return Step(place: folder) }
        return Step(place: folder, targets: [target])
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
