import Dispatch
import Glibc
import Jobs
import Recordings
import ReducerKit
import Synchronization

/// Carries out the steps that commit a group of outcomes to disk.
///
/// `Commit` decides their order; all steps run on one serial queue.
final class CommitWriter: Sendable {
    private let output: Pathname
    private let ownership: OutputOwnership
    private let record: OutputRecord
    private let published = Mutex(Published())

    /// What was renamed since the last transaction.
    private struct Published {
        /// For each device with such files, one folder on it: a folder of the output may be a
        /// symlink to another disk.
        var disks: [UInt64: Pathname] = [:]
        /// Files whose new names may not be on the disk yet.
        var files: [LandedFile] = []
        /// Files whose new names are on the disk, and not recorded yet.
        var synced: [LandedFile] = []
    }

    init(output: Pathname, _ ownership: OutputOwnership, _ record: OutputRecord) {
        self.output = output
        self.ownership = ownership
        self.record = record
    }

    /// Carries out one command and returns its answer, if it has one.
    func carryOut(_ command: Commit.Command) -> Commit.Action? {
        switch command {
        case .sync(let group, let outcomes):
            return attempt(.synced(group), or: { .syncFailed(group, $0) }) {
                () throws(FileSystemError) in
                let folders = outcomes.filter { !$0.staged.isEmpty }.map(\.path)
                try sync(Set(folders.map(output.appending)))
            }
        case .record(let group, let outcomes, let recipes):
            let facts = outcomes.map { JournalFact($0, recipes) }
            return attempt(.recorded(group), or: { .recordFailed(group, $0) }) {
                () throws(FileSystemError) in
                _ = try ownership.holdTop()
                try record.add(facts, landed: published.withLock(\.synced))
                published.withLock { $0.synced = [] }
            }
        case .publish(let group, let outcomes):
            return .published(group, publish(outcomes))
        case .discard(let folder, let files):
            try? ownership.hold(folder).removeAll(files.map(\.temporary))
            return nil
        }
    }

    /// Syncs the disks of these folders, and of all files that were renamed before.
    private func sync(_ folders: Set<Pathname>) throws(FileSystemError) {
        let noted = published.withLock { ($0.disks, $0.files.count) }
        try FileSystem.syncAll(at: folders.union(try places(of: noted.0)))
        published.withLock { published in
            published.synced += published.files.prefix(noted.1)
            published.files.removeFirst(noted.1)
            for (device, place) in noted.0 where published.disks[device] == place {
                published.disks[device] = nil
            }
        }
    }

    /// Records the last files that were renamed; if that fails, the next run does it.
    func finish() {
        do throws(FileSystemError) {
            try sync([])
            _ = try ownership.holdTop()
            try record.place(published.withLock(\.synced))
        } catch {
            // They are in their places, and the next run finds them there.
        }
    }

    /// Notes the disk of a folder in which files are about to be renamed.
    private func note(_ folder: Pathname) {
        let place = output.appending(folder)
        guard let status = try? FileSystem.status(place) else { return }
        published.withLock { $0.disks[status.device] = place }
    }

    /// The noted folders; a deleted one is replaced by its nearest existing ancestor.
    private func places(
        of noted: [UInt64: Pathname]
    ) throws(FileSystemError) -> Set<Pathname> {
        var places: Set<Pathname> = []
        for var place in noted.values {
            while place != output,
                try ifThere({ () throws(FileSystemError) in try FileSystem.status(place) }) == nil
            {
                place = place.parent
            }
            places.insert(place)
        }
        return places
    }

    private func attempt(
        _ success: Commit.Action, or failed: (RecordingFailure) -> Commit.Action,
        _ body: () throws(FileSystemError) -> Void
    ) -> Commit.Action {
        do throws(FileSystemError) {
            try body()
            return success
        } catch {
            return failed(RecordingFailure(error, in: .manifest))
        }
    }

    /// Renames the recordings' files into place, and returns those that failed.
    private func publish(_ outcomes: [Commit.Outcome]) -> [Commit.Misplacement] {
        var rest = outcomes.filter { !$0.staged.isEmpty }[...]
        var misplaced: [Commit.Misplacement] = []
        while let path = rest.first?.path {
            let own = rest.prefix { $0.path == path }
            rest = rest.dropFirst(publish(own, in: path, &misplaced))
        }
        return misplaced
    }

    /// Renames files of one folder's recordings into place, until the folder is moved or replaced.
    ///
    /// - Returns: how many outcomes were handled, failures included; at least one.
    private func publish(
        _ outcomes: ArraySlice<Commit.Outcome>, in path: Pathname,
        _ misplaced: inout [Commit.Misplacement]
    ) -> Int {
        note(path)
        do throws(RecordingFailure) {
            let folder = try ownership.hold(path)
            for (number, outcome) in outcomes.enumerated() {
                if number > 0, !folder.isInPlace() { return number }
                if let misplacement = publish(outcome, in: folder) {
                    misplaced.append(misplacement)
                }
            }
        } catch {
            misplaced += outcomes.map {
                var failure = error
                failure.stage = stage(of: $0.staged[0], $0)
                return Commit.Misplacement(id: $0.id, failure: failure, landed: [])
            }
        }
        return outcomes.count
    }

    /// Renames the files of one recording into place.
    private func publish(
        _ outcome: Commit.Outcome, in folder: DirectoryHandle
    ) -> Commit.Misplacement? {
        var landed: [Pathname] = []
        for file in outcome.staged {
            do throws(FileSystemError) {
                try put(file, in: folder, of: outcome)
            } catch {
                let failure = RecordingFailure(error, in: stage(of: file, outcome))
                return Commit.Misplacement(id: outcome.id, failure: failure, landed: landed)
            }
            landed.append(file.name)
            let file = LandedFile(folder: outcome.path, file: file)
            published.withLock { $0.files.append(file) }
        }
        return nil
    }

    private func stage(of file: StagedFile, _ outcome: Commit.Outcome) -> Stage {
        switch outcome.entry.value.file(file.name)?.kind {
        case .copy, .copyWaveform: .trim
        case .waveform, nil: .waveform
        }
    }

    /// Renames one file into place; never replaces a file that is not an output.
    private func put(
        _ file: StagedFile, in folder: DirectoryHandle, of outcome: Commit.Outcome
    ) throws(FileSystemError) {
        do throws(FileSystemError) {
            return try folder.rename(file.temporary, toUnused: file.name)
        } catch {
            guard error.code == EEXIST else { throw error }
            guard try mayReplace(file.name, in: folder, of: outcome) else {
                throw .nameTaken(error.path)
            }
        }
        do throws(FileSystemError) {
            try folder.rename(file.temporary, to: file.name)
        } catch {
            // The name is a folder's, which is never an output.
            throw error.code == EISDIR ? .nameTaken(error.path) : error
        }
    }

    private func mayReplace(
        _ name: Pathname, in folder: DirectoryHandle, of outcome: Commit.Outcome
    ) throws(FileSystemError) -> Bool {
        let entry = outcome.entry.value
        if try ownership.mayReplace(name, in: folder, of: outcome.path, source: entry.source) {
            return true
        }
        // It may be byte-identical to the new output, made from a source with another timestamp.
        guard let written = entry.file(name), let found = try folder.status(of: name),
            found.kind == .regular, found.stamp.bytes == written.bytes
        else { return false }
        let receipt = try? folder.receipt(of: name)
        return receipt?.sha256 == written.sha256
    }
}
