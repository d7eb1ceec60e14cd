import Recordings
import ReducerKit

/// One folder with recordings: what is settled in it, and what is still to come.
package struct Folder: Hashable, Codable, Sendable {
    /// What its recordings have in common.
    package var setting: Boxed<Job.Setting>
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
    /// Earlier outputs of recordings that were done anew and did not need them again.
    package var obsolete: [Pathname] = []
    /// Work on recordings that are gone, or have it under another name, by the recording's name:
    /// its files go, and until they do the manifest names them.
    package var leaving: [Pathname: [PreviousWork]] = [:]
    /// Those obsolete by the manifest that was ordered last, as long as it may still fail.
    package var ordered: [Pathname] = []
    /// Those that leave with it.
    package var orderedLeaving: [Pathname: [PreviousWork]] = [:]
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

    package init(_ setting: Boxed<Job.Setting>) {
        self.setting = setting
    }

    /// Relative to the root; empty for the root itself.
    package var path: Pathname { setting.value.folder }

    /// What an earlier run left of a recording, and what is to go yet of one that was gone and had
    /// its name.
    package func entries(of before: PreviousWork?, under name: Pathname) -> [SettledEntry] {
        guard before != nil || !leaving.isEmpty else { return [] }
        return ([before].compactMap { $0 } + leaving[name, default: []]).map(\.entry)
    }

    /// What has become of a recording, held against what there was of it before.
    ///
    /// Changes nothing: until the outcome is safe, the earlier work is what there is.
    package func outcome(
        of entry: Boxed<ManifestEntry>, instead before: [SettledEntry]
    ) -> (entry: Boxed<ManifestEntry>, obsolete: [Pathname]) {
        guard !before.isEmpty else { return (entry, []) }
        var named = Set(entry.value.outputs)
        let superfluous = before.flatMap(\.value.outputs).filter { named.insert($0).inserted }
        guard entry.value.status == .failed else { return (entry, superfluous) }
        var entry = entry
        entry.value.leaveBehind(superfluous, toldOf: before.flatMap(\.value.generations))
        return (entry, [])
    }

    /// Takes in what became of a recording, for good.
    package mutating func settle(
        _ id: RecordingID, as entry: SettledEntry, obsolete: [Pathname]
    ) {
        if !previous.isEmpty { previous[id] = nil }
        unsettled -= 1
        settle(entry, obsolete: obsolete)
    }

    /// Takes in a new entry.
    package mutating func settle(_ entry: SettledEntry, obsolete: [Pathname]) {
        if !obsolete.isEmpty { self.obsolete += obsolete }
        keep(entry)
        needsManifest = true
    }

    /// Keeps what has become of a recording until the manifest is written.
    package mutating func keep(_ entry: SettledEntry) { entries.append(entry) }

    /// The order that brings the manifest up to date.
    ///
    /// Earlier work that this run has not come to keeps its place, with the recipe it was made by,
    /// unless one of its outputs now bears the name of another's: the next run does it again.
    /// - Parameter removes: whether what is superfluous goes with it; otherwise it is kept in mind.
    package mutating func manifestOrder(
        recipe: Boxed<Recipe>, removes: Bool = true
    ) -> ManifestOrder {
        needsManifest = false
        var all = entries
        let earlier = previous.values + unlisted + (removes ? [] : allLeaving)
        if !earlier.isEmpty {
            let settled = Set(entries.flatMap(\.value.made))
            all += earlier.filter { settled.isDisjoint(with: $0.entry.value.outputs) }
                .map { $0.entry(in: recipe) }
        }
        all = all.sortedByName()
        if !removes, !leaving.isEmpty { all.joinNamesakes() }
        if !setting.value.names.areNatural { all.dropMisnamedTwins(setting.value) }
        all.nameEachFileOnce()
        var order = ManifestOrder(folder: path, recipe: recipe, entries: all, obsolete: [])
        guard removes, hasSuperfluous else { return order }
        let named = Set(all.flatMap(\.value.outputs))
        order.obsolete = Set(obsolete).subtracting(named).sorted()
        let left = allLeaving.flatMap(\.entry.value.outputs)
        order.pruned = Set(left).subtracting(named).sorted()
        ordered = obsolete
        orderedLeaving = leaving
        obsolete = []
        leaving = [:]
        isRemoving = true
        return order
    }

    private var allLeaving: [PreviousWork] { leaving.values.flatMap { $0 } }

    /// Has what was made of a recording go.
    package mutating func leave(_ work: PreviousWork) {
        leaving[work.entry.name, default: []].append(work)
        needsManifest = true
    }

    /// Whether there are files that nothing names any more.
    package var hasSuperfluous: Bool { !obsolete.isEmpty || !leaving.isEmpty }

    /// Takes in that the manifest that was ordered last is written.
    package mutating func takeManifest() {
        ordered = []
        orderedLeaving = [:]
        isRemoving = false
    }

    /// Has the manifest that was ordered last, and could not be written, ordered again some time.
    package mutating func takeBackManifest() {
        needsManifest = true
        obsolete += ordered
        leaving.merge(orderedLeaving) { $0 + $1 }
        takeManifest()
    }

    /// Lets go of all that only a manifest needs, once it holds everything.
    package mutating func rest() {
        entries = []
        previous = [:]
        unlisted = []
        takeManifest()
    }
}

extension [SettledEntry] {
    /// Has one that is there again name what is still to go of another that had its name.
    ///
    /// They are ascending by name; of two the one that is gone is dropped.
    fileprivate mutating func joinNamesakes() {
        var joined: Self = []
        for entry in self {
            guard let last = joined.last, last.name == entry.name else {
                joined.append(entry)
                continue
            }
            let isGone = entry.status == .sourceMissing
            var kept = isGone ? last : entry
            let gone = isGone ? entry : last
            let left = gone.value.outputs.filter { !kept.value.outputs.contains($0) }
            if !left.isEmpty { kept.value.leaveBehind(left, toldOf: gone.value.generations) }
            joined[joined.count - 1] = kept
        }
        self = joined
    }

    /// Drops those that name a file which has become another's since: it has another name to be
    /// made under, and the next that is made of it will bear it.
    fileprivate mutating func dropMisnamedTwins(_ setting: Job.Setting) {
        var counts: [Pathname: Int] = [:]
        for name in flatMap(\.value.made) { counts[name, default: 0] += 1 }
        guard counts.values.contains(where: { $0 > 1 }) else { return }
        removeAll { entry in
            entry.value.made.contains { counts[$0, default: 0] > 1 }
                && (setting.names.misnamesCopy(of: entry.value, setting.recipe.trim)
                    || setting.names.misnamesWaveforms(of: entry.value, setting.recipe.waveform))
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

extension ManifestEntry {
    /// Names of the files made of this recording.
    package var outputs: [Pathname] { made + (leftBehind ?? []) }

    /// Those that it names as they are, without what is left of earlier ones.
    package var made: [Pathname] {
        (waveforms ?? []).map(\.path) + (trimmed.map { [$0.path] } ?? [])
    }
}
