import Jobs
import Recordings

extension Ledger {
    mutating func violation(of order: ManifestOrder) -> String? {
        if configuration.isDryRun { return "a dry run writes a manifest" }
        if manifests.updateValue(order, forKey: order.folder) != nil {
            return "the manifest of \"\(order.folder)\" is written twice"
        }
        let names = order.entries.map(\.value.name)
        for (name, next) in zip(names, names.dropFirst()) where name >= next {
            return "\(name) and \(next) are out of order in a manifest"
        }
        if let sentence = violation(ofEntriesIn: order) { return sentence }
        let outputs = order.entries.flatMap(\.value.outputs)
        if Set(outputs).count < outputs.count { return "two entries name one file" }
        if !Set(outputs).isDisjoint(with: order.superfluous) { return "a named file is to go" }
        return nil
    }

    private func violation(ofEntriesIn order: ManifestOrder) -> String? {
        var entries: [Pathname: ManifestEntry] = [:]
        for entry in order.entries { entries[entry.value.name] = entry.value }
        let made = Set(order.entries.flatMap(\.value.made))
        for (place, settlement) in settled where place.folder == order.folder {
            var expected = settlement.entry
            // A name that has become another's is no longer that of a file left behind.
            let left = (expected.leftBehind ?? []).filter { !made.contains($0) }
            expected.leaveBehind(only: left)
            guard entries.removeValue(forKey: place.name) == expected else {
                return "\(place.name) is not in the manifest as it was settled"
            }
        }
        let listing = listings[order.folder] ?? FolderListing()
        if !isStopping, let early = listing.recordings.first(where: { !isSettled($0, order) }) {
            return "a manifest is written before \(early.name) has settled"
        }
        if let sentence = violation(ofEarlierWorkIn: order, listing, &entries) { return sentence }
        return entries.keys.first.map { "nobody knows the \($0) in a manifest" }
    }

    /// Takes the earlier work out of the entries; what this run did not come to must be there.
    private func violation(
        ofEarlierWorkIn order: ManifestOrder, _ listing: FolderListing,
        _ entries: inout [Pathname: ManifestEntry]
    ) -> String? {
        let written = settled.filter { $0.key.folder == order.folder }
            .flatMap { $0.value.entry.made }
        let passedBy = listing.recordings.filter { !isSettled($0, order) }.compactMap(\.previous)
        let isPartial = partial.contains(order.folder)
        for work in passedBy + listing.unseen {
            let name = work.entry.value.name
            let isGone = !isPartial && !listing.recordings.contains { $0.name == name }
            if isGone, isPruning || !work.isLeft { continue }
            if isGone, let status = entries[name]?.status, status != .sourceMissing {
                return "\(name) is gone, and the manifest does not say so"
            }
            guard let entry = entries.removeValue(forKey: name) else {
                if Set(written).isDisjoint(with: work.entry.value.outputs) {
                    return "earlier work on \(name) is lost"
                }
                continue
            }
            if entry.outputs != work.entry.value.outputs
                || (entry.recipe ?? order.recipe.value) != work.recipe.value
            {
                return "earlier work on \(name) is not in the manifest as it was"
            }
        }
        return nil
    }

    /// Whether what was made of recordings that are gone is to go.
    var isPruning: Bool { configuration.prunesMissing && !configuration.isDryRun }

    /// Recordings that are gone, as far as something is left of them, by folder.
    var gone: [(folder: Pathname, work: PreviousWork)] {
        listings.flatMap { folder, listing in
            partial.contains(folder) ? [] : listing.unseen.filter(\.isLeft).map { (folder, $0) }
        }
    }

    private func isSettled(_ scanned: ScannedFile, _ order: ManifestOrder) -> Bool {
        settled[Place(folder: order.folder, name: scanned.name)] != nil
    }
}

extension PreviousWork {
    /// Whether a file that was made of the recording is still there.
    var isLeft: Bool {
        entry.value.outputs.contains { name in
            !damage.contains { $0.kind == .missing && $0.name == name }
        }
    }
}
