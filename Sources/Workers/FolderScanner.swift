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
        let path = places.root.appending(request.path)
        let folder = try OpenFolder(path)
        let facts = journal.facts(in: request.path)
        var earlier = EarlierWork(
            in: places.output.appending(request.path), facts: facts, isDryRun: isDryRun)
        var listing = FolderListing(
            isRecovered: !facts.isEmpty, obsolete: EarlierResults.superfluous(in: facts))
        let only = request.only.map(Set.init)
        let named = Set(request.also).union(only ?? [])
        let names = try names(in: folder, with: named)
        listing.recordings.reserveCapacity(names.count)
        for entry in names {
            let isNamed = named.contains(entry.name)
            let isRecording =
                isNamed || entry.name.isRecordingName || earlier.knows(entry.name)
            switch folder.kind(of: entry) {
            case .folder:
                guard !isOutput(path.appending(entry.name)) else { continue }
                if only == nil {
                    listing.subfolders.append(entry.name)
                } else {
                    listing.neighbours.append(entry.name)
                }
            case .link where isFolder(entry.name, in: folder):
                continue
            case _ where isRecording && (isNamed || only == nil):
                listing.recordings.append(sighting(of: entry.name, in: folder, &earlier))
            case _ where isRecording:
                listing.neighbours.append(entry.name)
            default:
                continue
            }
        }
        listing.unseen = earlier.rest()
        return listing
    }

    /// The names in a folder that are not hidden, and those that the user named, there or not;
    /// ascending.
    private func names(
        in folder: borrowing OpenFolder, with named: Set<Pathname>
    ) throws(FileSystemError) -> [FileSystem.Name] {
        var names = try folder.visibleNames()
        guard !named.isEmpty else { return names }
        let missing = named.subtracting(names.map(\.name))
        names += missing.map { FileSystem.Name(name: $0, kind: .regular) }
        return names.sorted { $0.name < $1.name }
    }

    private func isFolder(_ name: Pathname, in folder: borrowing OpenFolder) -> Bool {
        (try? folder.status(of: name))?.kind == .folder
    }

    private func isOutput(_ path: Pathname) -> Bool {
        path == places.output || OutputFolder.isMarked(path)
    }

    private func sighting(
        of name: Pathname, in folder: borrowing OpenFolder, _ earlier: inout EarlierWork
    ) -> Sighting {
        let previous = earlier.take(name)
        do throws(FileSystemError) {
            let status = try folder.status(of: name)
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
}
