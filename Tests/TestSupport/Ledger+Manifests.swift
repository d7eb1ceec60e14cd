import Jobs
import Recordings

extension Ledger {
    mutating func violation(of order: ManifestOrder) -> String? {
        if configuration.isDryRun { return "a dry run writes a manifest" }
        let isFirst = manifests.updateValue(order, forKey: order.folder) == nil
        let isOfMoves = order.changes.contains {
            $0.value.forgets && moved.contains(Place(folder: order.folder, name: $0.key))
        }
        if !isFirst, !isOfMoves {
            return "the manifest of \"\(order.folder)\" is written twice"
        }
        let listing = listings[order.folder] ?? FolderListing()
        if !isStopping, let early = listing.recordings.first(where: { !isSettled($0, order) }) {
            return "a manifest is written before \(early.name) has settled"
        }
        return nil
    }

    /// What is wrong with the record of a folder after its manifest was printed.
    func violation(of folder: Pathname, in record: SimulatedRecord) -> String? {
        var entries = record.folders[folder]?.entries ?? [:]
        for (place, settlement) in settled where place.folder == folder {
            guard let entry = entries.removeValue(forKey: place.name)?.entry else {
                return "\(place.name) is not in the record"
            }
            // A name that has become another's is no longer that of a file left behind.
            let left = entry.leftBehind ?? []
            var expected = settlement.entry
            expected.leftBehind.removeAll { !left.contains($0) }
            if SettledEntry(entry) != expected {
                return "\(place.name) is not in the record as it was settled:\n"
                    + difference(expected: expected, actual: SettledEntry(entry))
            }
            // What cannot be looked at retains what there was before.
            guard var whole = settlement.whole, whole.source != nil else { continue }
            whole.recipe = nil
            whole.leaveBehind(only: left)
            if entry != whole {
                return "\(place.name) is not in the record as it was settled:\n"
                    + difference(expected: whole, actual: entry)
            }
        }
        let listing = listings[folder] ?? FolderListing()
        let isPartial = partial.contains(folder)
        let written = given.filter { $0.folder == folder }.map(\.name)
        let passedBy = listing.recordings.filter {
            settled[Place(folder: folder, name: $0.name)] == nil
        }
        for work in passedBy.compactMap(\.previous) + listing.unseen {
            let name = work.entry.name
            let isGone = !isPartial && !listing.recordings.contains { $0.name == name }
            if work.isElsewhere || moved.contains(Place(folder: folder, name: name)) {
                // Where only some recordings were asked for, the next run forgets it.
                let isLeft = entries.removeValue(forKey: name) != nil
                if isLeft, !isPartial { return "\(name) is still in the record, and moved" }
                continue
            }
            if isGone, isPruning || !work.isLeft { continue }
            guard let entry = entries.removeValue(forKey: name) else {
                if Set(written).isDisjoint(with: work.entry.outputs) {
                    return "earlier work on \(name) is lost"
                }
                continue
            }
            if isGone, entry.entry.status != .sourceMissing {
                return "\(name) is gone, and the record does not say so"
            }
            let outputs = Set(entry.entry.outputs)
            // A file left behind is another's, once its name is.
            let isSame =
                outputs.isSubset(of: work.entry.outputs)
                && Set(work.entry.outputs).subtracting(outputs).isSubset(of: written)
            if !isSame || entry.recipe != work.recipe.value {
                return "earlier work on \(name) is not in the record as it was"
            }
        }
        return entries.keys.first.map { "nobody knows the \($0) in the record" }
    }

    /// Whether what was made of recordings that are gone is to go.
    var isPruning: Bool { configuration.prunesMissing && !configuration.isDryRun }

    /// Recordings that are gone, as far as something is left of them, by folder.
    var gone: [(folder: Pathname, work: PreviousWork)] {
        listings.flatMap { folder, listing in
            partial.contains(folder)
                ? []
                : listing.unseen.filter {
                    $0.isLeft && !$0.isElsewhere
                        && !moved.contains(Place(folder: folder, name: $0.entry.name))
                }.map { (folder, $0) }
        }
    }

    private func isSettled(_ scanned: ScannedFile, _ order: ManifestOrder) -> Bool {
        settled[Place(folder: order.folder, name: scanned.name)] != nil
    }
}

extension PreviousWork {
    /// Whether a file that was made of the recording is still there.
    var isLeft: Bool {
        entry.outputs.contains { name in
            !damage.contains { $0.kind == .missing && $0.name == name }
        }
    }
}
