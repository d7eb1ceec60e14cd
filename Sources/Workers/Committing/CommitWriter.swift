import Dispatch
import Glibc
import Jobs
import Recordings
import ReducerKit
import Synchronization

/// Carries out what brings a group of outcomes onto the disk, one step after the other.
///
/// Which step comes when is decided in `Commit`; all of it runs on one serial queue.
final class CommitWriter: Sendable {
    private let output: Pathname
    private let ownership: OutputOwnership
    private let journal: Mutex<JournalFile>
    /// Of each file system that something was put in its place on since the journal was last put
    /// away, a folder: one in the output may be a link to another disk.
    private let disks = Mutex<[UInt64: Pathname]>([:])

    init(output: Pathname, _ ownership: OutputOwnership) {
        self.output = output
        self.ownership = ownership
        journal = Mutex(
            JournalFile { () throws(FileSystemError) in try ownership.holdTop() })
    }

    /// Carries out one command and answers it, if it has an answer.
    func carryOut(_ command: Commit.Command) -> Commit.Action? {
        switch command {
        case .sync(let group, let outcomes):
            return attempt(.synced(group), or: { .syncFailed(group, $0) }) {
                () throws(FileSystemError) in
                // A folder in the output may be a link to another disk.
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

    /// Takes in that something is being put in its place in a folder.
    func note(_ folder: Pathname) {
        let place = output.appending(folder)
        guard let status = try? FileSystem.status(place) else { return }
        disks.withLock { $0[status.device] = place }
    }

    /// Puts the journal away, but for what it says of some folders.
    func closeJournal(keeping folders: [Pathname]) throws(FileSystemError) {
        // The manifests that make it superfluous are in their places; now for good.
        let noted = disks.withLock { $0 }
        try FileSystem.syncAll(at: try places(of: noted).union([output]))
        // What was noted meanwhile stays.
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

    /// The noted folders, or in place of one that is gone since the one that it was in.
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

    /// Moves the files of recordings to their places, and says which could not be moved.
    private func publish(_ outcomes: [Commit.Outcome]) -> [Commit.Misplacement] {
        var rest = outcomes.filter { !$0.staged.isEmpty }[...]
        var misplaced: [Commit.Misplacement] = []
        while let path = rest.first?.path {
            let own = rest.prefix { $0.path == path }
            rest = rest.dropFirst(publish(own, in: path, &misplaced))
        }
        return misplaced
    }

    /// Moves the files of recordings of one folder, as long as it is where it was when it was
    /// looked at.
    /// - Returns: of how many, at least one, the files were moved or could not be.
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

    /// Moves the files of one recording.
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

    /// Moves one file to its place, unless something is there that is no output: that is nobody's
    /// to replace.
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
            // A folder, which no output is.
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
        // It may be to the byte what is to be there, from a source of another time.
        guard let written = entry.file(name), let found = try folder.status(of: name),
            found.kind == .regular, found.stamp.bytes == written.bytes
        else { return false }
        let receipt = try? folder.receipt(of: name)
        return receipt?.sha256 == written.sha256
    }
}
