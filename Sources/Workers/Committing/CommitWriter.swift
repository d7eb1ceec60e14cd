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
    private let journal: Mutex<JournalFile>
    /// For each device with files published since the journal was last closed, one folder on it: a
    /// folder of the output may be a symlink to another disk.
    private let disks = Mutex<[UInt64: Pathname]>([:])

    init(output: Pathname, _ ownership: OutputOwnership) {
        self.output = output
        self.ownership = ownership
        journal = Mutex(
            JournalFile { () throws(FileSystemError) in try ownership.holdTop() })
    }

    /// Carries out one command and returns its answer, if it has one.
    func carryOut(_ command: Commit.Command) -> Commit.Action? {
        switch command {
        case .sync(let group, let outcomes):
            return attempt(.synced(group), or: { .syncFailed(group, $0) }) {
                () throws(FileSystemError) in
                // A folder of the output may be a symlink to another disk.
                let folders = outcomes.filter { !$0.staged.isEmpty }.map(\.path)
                try FileSystem.syncAll(at: Set(folders.map(output.appending)))
            }
        case .record(let group, let outcomes, let recipe):
            let facts = outcomes.map { JournalFact($0, recipe: recipe.value) }
            return attempt(.recorded(group), or: { .recordFailed(group, $0) }) {
                () throws(FileSystemError) in
                try append(facts)
            }
        case .publish(let group, let outcomes):
            return .published(group, publish(outcomes))
        case .discard(let folder, let files):
            try? ownership.hold(folder).removeAll(files.map(\.temporary))
            return nil
        }
    }

    /// Records that files are being published in a folder.
    func note(_ folder: Pathname) {
        let place = output.appending(folder)
        guard let status = try? FileSystem.status(place) else { return }
        disks.withLock { $0[status.device] = place }
    }

    /// Deletes the journal's records except those of some folders.
    func closeJournal(keeping folders: [Pathname]) throws(FileSystemError) {
        // The manifests that supersede the journal are in place; make them durable.
        let noted = disks.withLock { $0 }
        try FileSystem.syncAll(at: try places(of: noted).union([output]))
        // Retain folders noted since.
        disks.withLock { disks in
            for (device, place) in noted where disks[device] == place { disks[device] = nil }
        }
        let result = journal.withLock { journal -> Result<Void, FileSystemError> in
            Result { () throws(FileSystemError) in
                if folders.isEmpty {
                    try journal.remove()
                } else {
                    try journal.keep(only: Set(folders))
                }
            }
        }
        try result.get()
        ownership.forgetLanded(but: folders)
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

    private func append(_ facts: [JournalFact]) throws(FileSystemError) {
        let result = journal.withLock { journal -> Result<Void, FileSystemError> in
            Result { () throws(FileSystemError) in try journal.append(facts) }
        }
        try result.get()
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
        defer { ownership.noteLanded(landed, of: outcome.entry.value, in: outcome.path) }
        for file in outcome.staged {
            do throws(FileSystemError) {
                try put(file, in: folder, of: outcome)
            } catch {
                let failure = RecordingFailure(error, in: stage(of: file, outcome))
                return Commit.Misplacement(id: outcome.id, failure: failure, landed: landed)
            }
            landed.append(file.name)
        }
        return nil
    }

    private func stage(of file: StagedFile, _ outcome: Commit.Outcome) -> Stage {
        outcome.entry.value.file(file.name)?.kind == .trimmedCopy ? .trim : .waveform
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
