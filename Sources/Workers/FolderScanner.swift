import Jobs
import Recordings

/// Lists one folder: its recordings with their stamps, and what an earlier run left of them.
struct FolderScanner: Sendable {
    let places: RunPlaces
    /// A dry run leaves even a crash's temporary files where they are.
    let mayClean: Bool

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
        if mayClean { cleanUp(outputFolder) }
        var earlier = EarlierWork(in: outputFolder)
        var listing = FolderListing()
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
    /// FAT counts time in steps of two seconds.
    private static let coarseStepNanoseconds: Int64 = 2_000_000_000

    private let folder: Pathname
    private let recipe: Recipe
    private let entries: [ManifestEntry]
    /// Where in `entries` a recording is, until it is taken.
    private var places: [Pathname: Int]

    /// A manifest that is missing, damaged or of another version counts as none, and so does an
    /// entry whose outputs are not all its own, in this folder: they will be removed when they
    /// are obsolete.
    init(in outputFolder: Pathname) {
        folder = outputFolder
        let manifest = try? ManifestFile.read(in: outputFolder)
        recipe = manifest?.recipe ?? Recipe()
        entries = manifest?.recordings ?? []
        places = [:]
        places.reserveCapacity(entries.count)
        for (place, entry) in entries.enumerated()
        where entry.outputs.allSatisfy({ $0.isSingleName && $0.begins(with: entry.name) }) {
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
        PreviousWork(entry: entry, recipe: entry.recipe ?? recipe, damaged: damage(to: entry))
    }

    /// Whether an output's time is its source's, as far as its file system can tell.
    private func isSame(_ time: Int64, _ sourceTime: Int64) -> Bool {
        if time == sourceTime { return true }
        let (distance, overflows) = time.subtractingReportingOverflow(sourceTime)
        return time.isMultiple(of: EarlierWork.coarseStepNanoseconds) && !overflows
            && distance.magnitude < EarlierWork.coarseStepNanoseconds.magnitude
    }

    private func damage(to entry: ManifestEntry) -> Stages {
        guard let source = entry.source else { return [] }
        func isIntact(_ path: Pathname, _ bytes: Int64) -> Bool {
            guard let stamp = (try? FileSystem.status(folder.appending(path)))?.stamp else {
                return false
            }
            return stamp.bytes == bytes
                && isSame(stamp.modifiedNanoseconds, source.modifiedNanoseconds)
        }
        var stages: Stages = []
        let waveforms = entry.waveforms ?? []
        if !waveforms.allSatisfy({ isIntact($0.path, $0.bytes) }) { stages.insert(.waveform) }
        if let trimmed = entry.trimmed, !isIntact(trimmed.path, trimmed.bytes) {
            stages.insert(.trim)
        }
        return stages
    }
}
