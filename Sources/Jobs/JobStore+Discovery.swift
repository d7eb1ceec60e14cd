import Recordings
import ReducerKit

extension JobStore.State {
    /// Turns a listing into jobs; what is up to date or cannot even be opened settles at once.
    mutating func take(_ listing: FolderListing, of id: FolderID) -> [JobStore.Command] {
        guard case .running = phase, folders[id] == nil else { return [] }
        guard !listing.recordings.isEmpty || !listing.unseen.isEmpty else { return [] }
        let request = scan.folders[Int(id.index)]
        var folder = Folder(path: request.path)
        if request.only == nil {
            // The whole folder was looked at: these sources are gone.
            folder.needsManifest = !listing.unseen.isEmpty
        } else {
            folder.unlisted = listing.unseen
        }
        // Recordings that are not looked at keep their names all the same.
        let sources = listing.recordings.map(\.name) + folder.unlisted.map(\.entry.name)
        folder.names = OutputNames(
            sources: sources.sorted(), others: listing.subfolders + listing.neighbours,
            recipe: configuration.recipe.waveform)
        folders[id] = folder
        summary.recordings += listing.recordings.count
        let commands = listing.recordings.flatMap { take($0, in: id) }
        return commands + writeManifestIfSettled(id)
    }

    private mutating func take(
        _ sighting: Sighting, in folder: FolderID
    ) -> [JobStore.Command] {
        let stamp: FileStamp
        switch sighting.finding {
        case .file(let found): stamp = found
        case .failure(let failure):
            var entry = ManifestEntry(name: sighting.name, status: .failed, source: nil)
            entry.failure = failure
            let before = sighting.previous?.entry
            let recipe = configuration.recipe.waveform
            let settled = folders.update(folder) {
                $0.settle(entry, instead: before, recipe: recipe)
            }
            return tell(of: settled ?? entry, in: folder, upToDate: false)
        }
        let stages = stale(sighting, stamp, in: folder)
        if stages.isEmpty, let previous = sighting.previous {
            let entry = previous.entry(in: configuration.recipe)
            folders.update(folder) { $0.entries.append(entry) }
            return tell(of: entry, in: folder, upToDate: true)
        }
        if configuration.isDryRun {
            summary.planned += 1
            let path = scan.folders[Int(folder.index)].path
            return [.announce(.planned(folder: path, name: sighting.name, stages))]
        }
        let id = jobs.append(
            Job.State(
                folder: folder, name: sighting.name, stamp: stamp,
                phase: .waiting(stages)))
        folders.update(folder) {
            $0.unsettled += 1
            $0.previous[id] = sighting.previous
        }
        return []
    }

    private func stale(
        _ sighting: Sighting, _ stamp: FileStamp, in folder: FolderID
    ) -> Stages {
        guard !configuration.redoesAll else { return .all }
        let recipe = configuration.recipe
        var stages = Stages.stale(stamp: stamp, recipe: recipe, previous: sighting.previous)
        if let entry = sighting.previous?.entry, let names = folders[folder]?.names {
            stages.formUnion(names.misnamed(entry, recipe))
        }
        return stages
    }

    private mutating func tell(
        of entry: ManifestEntry, in folder: FolderID, upToDate: Bool
    ) -> [JobStore.Command] {
        summary.count(entry, upToDate: upToDate)
        return [announcement(entry, in: folder, upToDate: upToDate)]
    }

    /// A folder that cannot be read is told of; the rest goes on.
    mutating func fail(
        _ id: FolderID, _ failure: RecordingFailure
    ) -> [JobStore.Command] {
        guard case .running = phase, failedFolders.insert(id).inserted else { return [] }
        summary.foldersFailed += 1
        return [.announce(.folderFailed(scan.folders[Int(id.index)].path, failure))]
    }
}
