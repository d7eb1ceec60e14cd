import Jobs
import Recordings
import ReducerKit

/// Lists one folder: its recordings with their stamps, and what an earlier run left of them.
struct FolderScanner: Sendable {
    let places: RunPlaces
    let journal: RecoveredJournal
    /// A dry run leaves even a crash's temporary files where they are.
    let isDryRun: Bool

    /// Answers an order to list a folder.
    func list(_ id: FolderID, _ request: FolderScan.Request) -> FolderScan.Action {
        do throws(FileSystemError) {
            return .listed(id, try list(request))
        } catch {
            return .failed(id, RecordingFailure(error, in: .scan))
        }
    }

    private func list(_ request: FolderScan.Request) throws(FileSystemError) -> FolderListing {
        let folder = places.root.appending(request.path)
        let outputFolder = places.output.appending(request.path)
        let facts = journal.facts(in: request.path)
        let moved = finishMoves(of: facts, in: outputFolder)
        if !isDryRun { cleanUp(outputFolder) }
        var earlier = EarlierWork(in: outputFolder, facts: facts, moved: moved)
        var listing = FolderListing(
            isRecovered: !facts.isEmpty, obsolete: EarlierResults.superfluous(in: facts))
        let only = request.only.map(Set.init)
        let named = Set(request.also).union(only ?? [])
        for entry in try names(in: folder, with: named) {
            let path = folder.appending(entry.name)
            let isNamed = named.contains(entry.name)
            let isRecording =
                isNamed || entry.name.isRecordingName || earlier.knows(entry.name)
            switch FileSystem.kind(of: entry, at: path) {
            case .folder:
                guard !isOutput(path) else { continue }
                if only == nil {
                    listing.subfolders.append(entry.name)
                } else {
                    listing.neighbours.append(entry.name)
                }
            case .link where isFolder(path):
                continue
            case _ where isRecording && (isNamed || only == nil):
                listing.recordings.append(sighting(of: entry.name, at: path, &earlier))
            case _ where isRecording:
                listing.neighbours.append(entry.name)
            default:
                continue
            }
        }
        listing.unseen = earlier.rest
        return listing
    }

    /// The names in a folder that are not hidden, and those that the user named, there or not;
    /// ascending.
    private func names(
        in folder: Pathname, with named: Set<Pathname>
    ) throws(FileSystemError) -> [FileSystem.Name] {
        var names = try FileSystem.names(in: folder).filter { !$0.name.isHidden }
        if !named.isEmpty {
            let missing = named.subtracting(names.map(\.name))
            names += missing.map { FileSystem.Name(name: $0, kind: .regular) }
        }
        return names.sorted { $0.name < $1.name }
    }

    private func isFolder(_ path: Pathname) -> Bool {
        (try? FileSystem.status(path))?.kind == .folder
    }

    private func isOutput(_ path: Pathname) -> Bool {
        path == places.output || OutputFolder.isMarked(path)
    }

    private func sighting(
        of name: Pathname, at path: Pathname, _ earlier: inout EarlierWork
    ) -> Sighting {
        let previous = earlier.take(name)
        do throws(FileSystemError) {
            let status = try FileSystem.status(path)
            guard status.kind == .regular else {
                let failure = RecordingFailure(stage: .scan, reason: .notARegularFile)
                return Sighting(name: name, finding: .failure(failure), previous: previous)
            }
            return Sighting(name: name, finding: .file(status.stamp), previous: previous)
        } catch {
            let failure = RecordingFailure(error, in: .scan)
            return Sighting(name: name, finding: .failure(failure), previous: previous)
        }
    }

    /// Moves files to their places that a crash kept from it.
    /// - Returns: names of those that are in place now, or would be but for a dry run.
    private func finishMoves(
        of facts: [JournalFact], in folder: Pathname
    ) -> Set<Pathname> {
        let moves = EarlierResults.unfinishedMoves(
            in: facts,
            stamp: { (try? FileSystem.status(folder.appending($0), followingLink: false))?.stamp },
            digest: { (try? StagedOutput.receipt(of: folder.appending($0)))?.sha256 })
        var moved: Set<Pathname> = []
        for file in moves {
            let name = folder.appending(file.name)
            let isMoved =
                isDryRun
                || (try? FileSystem.rename(folder.appending(file.temporary), to: name)) != nil
            if isMoved { moved.insert(file.name) }
        }
        return moved
    }

    /// Removes temporary files that a run left which was killed.
    ///
    /// No other run can be writing here: this one holds the output's lock.
    private func cleanUp(_ outputFolder: Pathname) {
        guard let names = try? FileSystem.names(in: outputFolder) else { return }
        for entry in names where StagedOutput.isTemporary(entry.name) {
            try? FileSystem.remove(outputFolder.appending(entry.name))
        }
    }
}

/// What a folder's manifest tells of earlier runs, held against the files that are there now.
private struct EarlierWork {
    private let folder: Pathname
    private let recipe: Boxed<Recipe>
    private let entries: [ManifestEntry]
    /// Outputs that the journal has just put in their places, or would but for a dry run.
    private let moved: Set<Pathname>
    /// Where in `entries` a recording is, until it is taken.
    private var places: [Pathname: Int]

    /// A manifest that is missing, damaged or of another version counts as none.
    init(in outputFolder: Pathname, facts: [JournalFact], moved: Set<Pathname>) {
        folder = outputFolder
        self.moved = moved
        let manifest = try? ManifestFile.read(in: outputFolder)
        recipe = Boxed(manifest?.recipe ?? Recipe())
        entries =
            facts.isEmpty
            ? manifest?.recordings ?? [] : EarlierResults.merge(manifest: manifest, facts: facts)
        places = [:]
        places.reserveCapacity(entries.count)
        for (place, entry) in entries.enumerated() where entry.ownsItsOutputs {
            places[entry.name] = place
        }
    }

    /// Whether it was a recording before, which it then still is, whatever its name.
    func knows(_ name: Pathname) -> Bool { places[name] != nil }

    /// The earlier work on a recording; what is not taken is in `rest`.
    mutating func take(_ name: Pathname) -> PreviousWork? {
        places.removeValue(forKey: name).map { work(entries[$0]) }
    }

    var rest: [PreviousWork] {
        places.values.sorted().map { work(entries[$0]) }
    }

    private func work(_ entry: ManifestEntry) -> PreviousWork {
        PreviousWork(
            entry: Boxed(entry), recipe: entry.recipe.map { Boxed($0) } ?? recipe,
            damage: damage(to: entry))
    }

    private func damage(to entry: ManifestEntry) -> [OutputDamage] {
        EarlierResults.damage(to: entry) { name in
            // In a dry run it is still under its temporary name.
            moved.contains(name) && entry.source != nil
                ? entry.recordedStamp(of: name)
                : (try? FileSystem.status(folder.appending(name)))?.stamp
        }
    }
}
