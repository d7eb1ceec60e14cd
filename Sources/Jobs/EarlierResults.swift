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
    /// A file is moved only if it is, to the byte, the one that was recorded: a later run may have
    /// used its temporary name again.
    /// - Parameter digest: SHA-256 of the file of a name in the folder; `nil` where there is none.
    package static func unfinishedMoves(
        in facts: [JournalFact], digest: (Pathname) -> String?
    ) -> [StagedFile] {
        facts.flatMap { fact in
            fact.staged.filter { file in
                guard fact.owns(file), let recorded = fact.entry.sha256(of: file.name) else {
                    return false
                }
                return digest(file.temporary) == recorded
            }
        }
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
        guard let source = entry.source else { return [] }
        var damage: [OutputDamage] = []
        func check(_ name: Pathname, _ bytes: Int64, _ stage: Stages) {
            guard let found = stamp(name) else {
                damage.append(OutputDamage(name: name, kind: .missing, stage: stage))
                return
            }
            if found.bytes != bytes
                || !isSame(found.modifiedNanoseconds, source.modifiedNanoseconds)
            {
                damage.append(OutputDamage(name: name, kind: .altered, stage: stage))
            }
        }
        for waveform in entry.waveforms ?? [] { check(waveform.path, waveform.bytes, .waveform) }
        if let trimmed = entry.trimmed { check(trimmed.path, trimmed.bytes, .trim) }
        return damage
    }

    /// FAT counts time in steps of two seconds.
    private static let coarseStepNanoseconds: Int64 = 2_000_000_000

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
        (waveforms ?? []).allSatisfy { isOwn($0.path) } && trimmed.map { isOwn($0.path) } != false
            && (leftBehind ?? []).allSatisfy { isOwn($0) }
    }

    private func isOwn(_ output: Pathname) -> Bool {
        output.isSingleName && output.begins(with: name)
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
