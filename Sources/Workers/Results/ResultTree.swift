import Glibc
import Jobs
import Recordings

/// The results of earlier runs, or those of some folder and what lies below it; only ever read.
package struct ResultTree: Hashable, Sendable {
    /// The top of the output; absolute, without links.
    package var output: Pathname
    /// Which part of it was asked for, relative to the output and so to the root as well.
    package var folder: Pathname

    /// The output as a user in the working folder would write it.
    package var shownOutput: Pathname { RunPlaces.shown(output) }

    init(output: Pathname, folder: Pathname = .empty) {
        self.output = output
        self.folder = folder
    }

    /// The results that a user means by a path: an output folder, a folder in one, or a folder of
    /// recordings whose results are in the default place.
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

    /// The results in a folder that a link in an output leads to, which itself knows nothing of the
    /// output; so the path has to go by the link.
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

    /// Looks at something the user named, turning an error into the answer to that.
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
        /// As a user in the working folder would write it.
        package var path: Pathname
        package var trouble: ResultTrouble
    }

    /// What the journal says, and what is wrong with it; nothing where there is none.
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

    /// The folders that may hold results, relative to the output, ascending.
    ///
    /// Links are followed if they lead to a folder with a manifest of this place. Outputs of other
    /// runs inside are left out.
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
                // A folder that the journal alone knows; or one of somebody else.
                if error.code == ENOENT || !isOwn { continue }
                troubles.append(trouble(place, .unreadable(detail: error.detail)))
            }
        }
        found.formUnion(journal?.folders.filter(folder.contains) ?? [])
        return (found.sorted(), troubles)
    }

    /// A folder on the way down, and where the links led that were followed to get there.
    private struct Step {
        var place: Pathname
        var targets: [Pathname] = []

        var isLinked: Bool { !targets.isEmpty }
    }

    /// To the folder that was asked for, which may lie behind a link.
    private var firstStep: Step {
        guard let target = try? FileSystem.resolve(output.appending(folder)),
            !output.contains(target)
        else { return Step(place: folder) }
        return Step(place: folder, targets: [target])
    }

    /// The step through a link in the output; `nil` where it leads to no folder, round in a circle,
    /// or into this output, where all is found without it, or another.
    private func following(_ link: Pathname, from step: Step) -> Step? {
        guard let target = try? FileSystem.resolve(output.appending(link)),
            (try? FileSystem.status(target))?.kind == .folder,
            !target.contains(output), !step.targets.contains(where: target.contains),
            OutputFolder.markedFolder(atOrAbove: target) == nil
        else { return nil }
        return Step(place: link, targets: step.targets + [target])
    }
}
