import Recordings
import ReducerKit

/// What earlier runs left in a folder, made of its manifest, the journal, and a look at the files.
package enum EarlierResults {
    /// The entries of a manifest with what a journal tells since put on top: of several facts about
    /// a recording the last one counts.
    ///
    /// Ascending by name, each with the recipe by which it was made.
    package static func merge(
        manifest: Manifest?, facts: [JournalFact]
    ) -> [ManifestEntry] {
        var entries = manifest?.recordings ?? []
        if !facts.isEmpty {
            var latest: [Pathname: ManifestEntry] = [:]
            for fact in facts { latest[fact.entry.name] = fact.entry }
            entries.removeAll { latest[$0.name] != nil }
            entries = (entries + latest.values).sorted { $0.name < $1.name }
        }
        let recipe = manifest?.recipe ?? Recipe()
        for index in entries.indices where entries[index].recipe == nil {
            entries[index].recipe = recipe
        }
        return entries
    }

    /// Files that a crash kept from moving to their places, to be moved now.
    ///
    /// A file is moved only if it is the one that was recorded, to the byte and the time: a later
    /// run may have used its temporary name again, and the waveforms of silent recordings are alike.
    /// What an earlier fact says of a recording or of a temporary name, a later one has overtaken.
    /// - Parameters:
    ///   - stamp: of the file of a name in the folder; `nil` where there is none.
    ///   - digest: its SHA-256; asked only where the stamp is right.
    package static func unfinishedMoves(
        in facts: [JournalFact], stamp: (Pathname) -> FileStamp?, digest: (Pathname) -> String?
    ) -> [StagedFile] {
        var moves: [[StagedFile]] = []
        var seen: Set<Pathname> = []
        var taken: Set<Pathname> = []
        for fact in facts.reversed() where seen.insert(fact.entry.name).inserted {
            moves.append(
                fact.staged.filter { file in
                    guard fact.owns(file), taken.insert(file.temporary).inserted,
                        let recorded = fact.entry.recordedStamp(of: file.name),
                        let found = stamp(file.temporary), isSame(found, recorded)
                    else { return false }
                    return digest(file.temporary) == fact.entry.sha256(of: file.name)
                })
        }
        return moves.reversed().flatMap { $0 }
    }

    /// Outputs that are superfluous by what the facts say, and may still be there.
    package static func superfluous(in facts: [JournalFact]) -> [Pathname] {
        facts.flatMap { fact in fact.obsolete.filter { fact.owns($0) } }
    }

    /// Outputs of an entry that are not as they were written.
    ///
    /// Outputs bear their source's time, so that this shows without reading them.
    /// - Parameter stamp: of the file of a name in the folder; `nil` where there is none.
    package static func damage(
        to entry: ManifestEntry, stamp: (Pathname) -> FileStamp?
    ) -> [OutputDamage] {
        var damage: [OutputDamage] = []
        func check(_ name: Pathname, _ stage: Stages) {
            guard let recorded = entry.recordedStamp(of: name) else { return }
            guard let found = stamp(name) else {
                damage.append(OutputDamage(name: name, kind: .missing, stage: stage))
                return
            }
            if !isSame(found, recorded) {
                damage.append(OutputDamage(name: name, kind: .altered, stage: stage))
            }
        }
        for waveform in entry.waveforms ?? [] { check(waveform.path, .waveform) }
        if let trimmed = entry.trimmed { check(trimmed.path, .trim) }
        return damage
    }

    /// FAT counts time in steps of two seconds.
    private static let coarseStepNanoseconds: Int64 = 2_000_000_000

    private static func isSame(_ found: FileStamp, _ recorded: FileStamp) -> Bool {
        found.bytes == recorded.bytes
            && isSame(found.modifiedNanoseconds, recorded.modifiedNanoseconds)
    }

    /// Whether an output's time is its source's, as far as its file system can tell.
    private static func isSame(_ time: Int64, _ sourceTime: Int64) -> Bool {
        if time == sourceTime { return true }
        let (distance, overflows) = time.subtractingReportingOverflow(sourceTime)
        return time.isMultiple(of: coarseStepNanoseconds) && !overflows
            && distance.magnitude < coarseStepNanoseconds.magnitude
    }
}

extension ManifestEntry {
    /// Whether all its outputs are its own, in its folder.
    ///
    /// Otherwise it is not to be believed: they will be removed when they are obsolete.
    package var ownsItsOutputs: Bool {
        outputs.allSatisfy { $0.isSingleName && $0.begins(with: name) }
    }

    /// The stamp that one of its files has to have; `nil` where the entry does not name it.
    package func recordedStamp(of file: Pathname) -> FileStamp? {
        let bytes =
            trimmed?.path == file ? trimmed?.bytes : waveforms?.first { $0.path == file }?.bytes
        guard let bytes, let source else { return nil }
        return FileStamp(bytes: bytes, modifiedNanoseconds: source.modifiedNanoseconds)
    }

    /// What the entry says of one of its files.
    fileprivate func sha256(of file: Pathname) -> String? {
        if let trimmed, trimmed.path == file { return trimmed.sha256 }
        return waveforms?.first { $0.path == file }?.sha256
    }
}

extension JournalFact {
    /// Whether a file stays in the folder and bears a name that the recording may use.
    fileprivate func owns(_ file: Pathname) -> Bool {
        file.isSingleName && file.begins(with: entry.name)
    }

    fileprivate func owns(_ file: StagedFile) -> Bool {
        owns(file.name) && file.temporary.isSingleName && file.temporary.isHidden
    }
}
