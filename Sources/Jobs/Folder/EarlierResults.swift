import Recordings
import ReducerKit

/// What earlier runs left in a folder, made of its manifest, the journal, and a look at the files.
package enum EarlierResults {
    /// The entries of a manifest with what a journal tells since put on top: of several facts about
    /// a recording the last one counts, and of several entries that name a file the one whose it
    /// became last.
    ///
    /// Ascending by name, each with the recipe by which it was made; of outputs nothing is said. A
    /// name is there once: of several entries of a manifest that somebody edited, the last counts.
    /// - Complexity: O(entries + facts), in their outputs too, and sorting what is not sorted.
    package static func merge(
        manifest: EarlierManifest?, facts: [EarlierFact]
    ) -> [PreviousWork] {
        let recipe = Boxed(manifest?.recipe ?? Recipe())
        let entries = (manifest?.entries ?? []).map { PreviousWork($0, by: recipe) }
            .latestByName()
        return facts.isEmpty ? entries : Succession(of: entries, facts, recipe).merged()
    }

    /// Files that a crash kept from moving to their places, to be moved now.
    ///
    /// A file is moved only if it is, to the byte and with its time, what the last fact about its
    /// recording says of that place: a later run may have used its temporary name again, for
    /// another recording or for work that it did not come to record. Where two are alike, it is the
    /// later one's.
    /// - Parameters:
    ///   - stamp: of the file of a name in the folder; `nil` where there is none.
    ///   - digest: its SHA-256; asked for only where the stamp is right.
    /// - Throws: what these throw: a file that cannot be read now is not one to do without.
    package static func unfinishedMoves<Failure: Error>(
        in facts: [EarlierFact], stamp: (Pathname) throws(Failure) -> FileStamp?,
        digest: (Pathname) throws(Failure) -> String?
    ) throws(Failure) -> [StagedFile] {
        var latest: [Pathname: SettledEntry] = [:]
        for fact in facts { latest[fact.name] = fact.entry }
        var taken: Set<Pathname> = []
        var settled: Set<Pathname> = []
        var moves: [StagedFile] = []
        for fact in facts.reversed() {
            for file in fact.staged where fact.owns(file) {
                // A name may have become another recording's since.
                guard settled.insert(file.name).inserted, !taken.contains(file.temporary),
                    let entry = latest[fact.name]?.value,
                    let recorded = entry.file(file.name),
                    let source = entry.source, let found = try stamp(file.temporary),
                    isAsWritten(found, recorded.bytes, source),
                    try digest(file.temporary) == recorded.sha256
                else { continue }
                taken.insert(file.temporary)
                moves.append(file)
            }
        }
        return moves.reversed()
    }

    /// Outputs that are superfluous by what the facts say, and may still be there.
    package static func superfluous(in facts: [EarlierFact]) -> [Leftovers] {
        facts.compactMap { fact in
            let left = fact.leftovers
            let own = left?.names.filter { fact.owns($0) } ?? []
            guard let left, !own.isEmpty else { return nil }
            return Leftovers(own, of: fact.name, toldOf: left.told)
        }
    }

    /// Outputs of an entry that are not as they were written.
    ///
    /// Outputs bear their source's time, so that this shows without reading them.
    /// - Parameter stamp: of the file of a name in the folder; `nil` where there is none.
    package static func damage(
        to entry: ManifestEntry, stamp: (Pathname) -> FileStamp?
    ) -> [OutputDamage] {
        guard let source = entry.source else { return [] }
        return entry.files.compactMap { file in
            let found = stamp(file.path)
            if let found, isAsWritten(found, file.bytes, source) { return nil }
            return OutputDamage(
                name: file.path, kind: found == nil ? .missing : .altered, stage: file.kind.stage)
        }
    }

    private static func isAsWritten(
        _ found: FileStamp, _ bytes: Int64, _ source: FileStamp
    ) -> Bool {
        found.bytes == bytes
            && FileStamp.isTime(found.modifiedNanoseconds, source.modifiedNanoseconds)
    }
}

extension ManifestEntry {
    /// Whether all its outputs are its own, in its folder.
    ///
    /// Otherwise it is not to be believed: they will be removed when they are obsolete.
    package var ownsItsOutputs: Bool {
        outputs.allSatisfy(isOwn) && (earlier ?? []).allSatisfy { $0.names.allSatisfy(isOwn) }
    }

    private func isOwn(_ output: Pathname) -> Bool {
        name.isSingleName && output.isSingleName && output.begins(with: name)
    }
}

extension EarlierFact {
    /// Whether a file stays in the folder and bears a name that the recording may use.
    fileprivate func owns(_ file: Pathname) -> Bool {
        name.isSingleName && file.isSingleName && file.begins(with: name)
    }

    fileprivate func owns(_ file: StagedFile) -> Bool {
        owns(file.name) && file.temporary.isSingleName && file.temporary.isHidden
    }
}
