import Recordings
import ReducerKit

/// One folder with recordings: what is settled in it, and what is still to come.
package struct Folder: Hashable, Codable, Sendable {
    /// What its recordings have in common.
    package var context: Boxed<Job.FolderContext>
    /// Settled recordings.
    package var entries: [SettledEntry] = []
    /// Earlier work on recordings that this run has not settled yet.
    package var previous: [RecordingID: PreviousWork] = [:]
    /// Earlier work on recordings that this run does not look at.
    package var unlisted: [PreviousWork] = []
    /// Recordings that are not settled.
    package var unsettled = 0
    /// Whether its manifest no longer says what is so.
    package var needsManifest = false
    /// What is to go.
    package var superfluous = ObsoleteOutputs()
    /// What goes with the manifest that was ordered last, as long as it may still fail.
    package var ordered = ObsoleteOutputs()
    /// Whether files are being removed, the names of which are nobody's until they are gone.
    package var isRemoving = false
    /// Recordings that were somewhere else before.
    package var origins: [RecordingID: Origin] = [:]
    /// Recordings of other folders that were here before and are not done yet.
    package var holds = 0
    /// Whether something has changed that is looked at when the present work is done.
    package var isOutdated = false
    /// When it came to be looked after.
    package var loadedSeconds = 0.0
    /// When its manifest was last ordered; `nil` where it was not.
    package var manifestSeconds: Double?

    /// Where a recording was before.
    package struct Origin: Hashable, Codable, Sendable {
        package var folder: FolderID
        /// The folder's path, relative to the root.
        package var path: Pathname
        /// What was made of it there.
        package var entry: Boxed<ManifestEntry>

        package init(folder: FolderID, path: Pathname, entry: Boxed<ManifestEntry>) {
            self.folder = folder
            self.path = path
            self.entry = entry
        }
    }

    package init(_ context: Boxed<Job.FolderContext>) {
        self.context = context
    }

    /// Relative to the root; empty for the root itself.
    package var path: Pathname { context.value.folder }

    /// What an earlier run left of a recording, and what is to go yet of one that had its name;
    /// `nil` where there is neither.
    package func leftovers(of before: PreviousWork?, under name: Pathname) -> Leftovers? {
        let own = before.map { Leftovers($0.entry.value) }
        return own?.joined(with: superfluous[name]) ?? superfluous[name]
    }

    /// What has become of a recording, held against what there was of it before.
    ///
    /// Changes nothing: until the outcome is safe, the earlier work is what there is.
    package func outcome(
        of entry: Boxed<ManifestEntry>, instead before: Leftovers
    ) -> (entry: Boxed<ManifestEntry>, obsolete: [Pathname]) {
        let named = Set(entry.value.outputs)
        let superfluous = before.names.filter { !named.contains($0) }
        guard entry.value.status == .failed else { return (entry, superfluous) }
        var entry = entry
        entry.value.leaveBehind(superfluous, toldOf: before.told)
        return (entry, [])
    }

    /// Takes in what became of a recording, for good.
    package mutating func settle(_ id: RecordingID, as entry: SettledEntry) {
        if !previous.isEmpty { previous[id] = nil }
        unsettled -= 1
        settle(entry)
    }

    /// Takes in a new entry.
    package mutating func settle(_ entry: SettledEntry) {
        keep(entry)
        needsManifest = true
    }

    /// Keeps what has become of a recording until the manifest is written.
    package mutating func keep(_ entry: SettledEntry) {
        entries.append(entry)
        if superfluous.concerns(entry.name) {
            superfluous.forget(entry.value.made, of: entry.name)
        }
    }

    /// The order that brings the manifest up to date.
    ///
    /// Earlier work that this run has not come to keeps its place, with the recipe it was made by,
    /// unless one of its outputs now bears the name of another's: the next run does it again.
    /// - Parameter removes: whether what is superfluous goes with it; otherwise it names that.
    package mutating func manifestOrder(
        recipe: Boxed<Recipe>, removes: Bool = true
    ) -> ManifestOrder {
        needsManifest = false
        var all = entries
        let earlier = previous.values + unlisted
        if !earlier.isEmpty {
            let settled = Set(entries.flatMap(\.value.made))
            all += earlier.filter { settled.isDisjoint(with: $0.entry.value.made) }
                .map { $0.entry(in: recipe) }
        }
        all = all.sortedByName()
        if !context.value.names.areNatural { all.dropMisnamedTwins(context.value) }
        if !removes, !superfluous.isEmpty {
            superfluous.nameAll()
            all.name(superfluous.named)
            all = all.sortedByName()
        }
        all.nameEachFileOnce()
        var order = ManifestOrder(folder: path, recipe: recipe, entries: all)
        guard removes, hasSuperfluous else { return order }
        let named = Set(all.flatMap(\.value.outputs))
        func names(_ leftovers: some Sequence<Leftovers>) -> Set<Pathname> {
            Set(leftovers.flatMap(\.names)).subtracting(named)
        }
        let leaving = names(superfluous.named.values)
        order.leaving = leaving.sorted()
        order.obsolete = names(superfluous.replaced.values).subtracting(leaving).sorted()
        ordered = superfluous
        superfluous = ObsoleteOutputs()
        isRemoving = true
        return order
    }

    /// Has files go that the manifest names, as nothing else may tell of them.
    package mutating func leave(_ leftovers: Leftovers) {
        superfluous.leave(leftovers)
        needsManifest = true
    }

    /// Has files go that an entry still names: a watch was ended before they could.
    ///
    /// What one has left behind that has failed stays.
    package mutating func takeUpLeftovers(of entry: inout SettledEntry) {
        guard entry.leavesBehind, entry.failure == nil else { return }
        leave(Leftovers(behind: entry.value))
        entry.value.leaveBehind(only: [])
    }

    /// Whether there are files that nothing needs any more.
    package var hasSuperfluous: Bool { !superfluous.isEmpty }

    /// Takes in that the manifest that was ordered last is written.
    package mutating func takeManifest() {
        ordered = ObsoleteOutputs()
        isRemoving = false
    }

    /// Has the manifest that was ordered last, and could not be written, ordered again some time.
    package mutating func takeBackManifest() {
        needsManifest = true
        superfluous.merge(ordered)
        takeManifest()
    }

    /// Lets go of all that only a manifest needs, once it holds everything.
    package mutating func rest() {
        entries = []
        previous = [:]
        unlisted = []
        manifestSeconds = nil
        takeManifest()
    }
}

extension [SettledEntry] {
    /// Has recordings name what of theirs is still to go, those too of which nothing else is known.
    fileprivate mutating func name(_ leftovers: [Pathname: Leftovers]) {
        var rest = leftovers
        for index in indices {
            guard let left = rest.removeValue(forKey: self[index].name) else { continue }
            let named = Set(self[index].value.outputs)
            self[index].value.leaveBehind(
                left.names.filter { !named.contains($0) }, toldOf: left.told)
        }
        self += rest.values.map { SettledEntry(ManifestEntry($0)) }
    }

    /// Drops those that name a file which has become another's since: it has another name to be
    /// made under, and the next that is made of it will bear it.
    fileprivate mutating func dropMisnamedTwins(_ context: Job.FolderContext) {
        var counts: [Pathname: Int] = [:]
        for name in flatMap(\.value.made) { counts[name, default: 0] += 1 }
        guard counts.values.contains(where: { $0 > 1 }) else { return }
        removeAll { entry in
            entry.value.made.contains { counts[$0, default: 0] > 1 }
                && (context.names.misnamesCopy(of: entry.value, context.recipe.trim)
                    || context.names.misnamesWaveforms(of: entry.value, context.recipe.waveform))
        }
    }

    /// Lets each file be named once.
    ///
    /// What one has left behind under a name that has become another's is the other's file by now.
    fileprivate mutating func nameEachFileOnce() {
        guard contains(where: \.leavesBehind) else { return }
        var named = Set(flatMap(\.value.made))
        for index in indices {
            guard self[index].leavesBehind, let left = self[index].value.leftBehind else {
                continue
            }
            let rest = left.filter { named.insert($0).inserted }
            if rest != left { self[index].value.leaveBehind(only: rest) }
        }
    }

    /// Ascending by name; most come so.
    func sortedByName() -> [SettledEntry] {
        let isSorted = zip(self, dropFirst()).allSatisfy { $0.name < $1.name }
        return isSorted ? self : sorted { $0.name < $1.name }
    }
}

extension PreviousWork {
    /// The entry as a manifest with the given recipe has to show it.
    func entry(in recipe: Boxed<Recipe>) -> SettledEntry {
        let own = self.recipe == recipe ? nil : self.recipe.value
        guard entry.recipe != own else { return entry }
        var entry = entry
        entry.value.recipe = own
        return entry
    }
}
