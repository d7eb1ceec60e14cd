import Recordings
import ReducerKit

/// Who had which file of a folder in turn, by its manifest and then by each fact of a journal.
///
/// Holds but little of entries that no fact concerns: there may be very many of them.
struct Succession {
    /// Ascending by name.
    private let entries: [PreviousWork]
    /// What has become of those that facts concern; `nil` where nothing is left of one.
    private var fates: [Pathname: PreviousWork?] = [:]
    /// Whose the files are that facts name, as far as the facts were told.
    private var owners: [Pathname: Pathname] = [:]
    private let recipe: Boxed<Recipe>

    /// - Parameters:
    ///   - entries: of the manifest, ascending by name.
    ///   - facts: in order of writing.
    ///   - recipe: by which facts were made that do not say it.
    init(of entries: [PreviousWork], _ facts: [EarlierFact], _ recipe: Boxed<Recipe>) {
        self.entries = entries
        self.recipe = recipe
        if !entries.isEmpty { noteOwners(of: Set(facts.flatMap(\.staged).map(\.name))) }
        for fact in facts { take(fact) }
    }

    private mutating func noteOwners(of files: Set<Pathname>) {
        for work in entries {
            let named = work.entry.value.made.filter(files.contains)
            guard !named.isEmpty else { continue }
            fates[work.entry.name] = .some(work)
            for file in named { owners[file] = work.entry.name }
        }
    }

    private mutating func take(_ fact: EarlierFact) {
        let name = fact.name
        for file in fact.staged {
            // In its place is another file now, which may bear the same time.
            guard let owner = owners[file.name], owner != name, let work = fates[owner] ?? nil,
                work.entry.value.made.contains(file.name)
            else { continue }
            fates[owner] = .some(nil)
        }
        for file in fact.entry.value.made { owners[file] = name }
        fates[name] = .some(PreviousWork(entry: fact.entry, recipe: fact.recipe ?? recipe))
    }

    /// What is left in the end, ascending by name.
    func merged() -> [PreviousWork] {
        let untouched = entries.filter { fates[$0.entry.name] == nil }
        return (untouched + fates.values.compactMap { $0 }).latestByName()
    }
}

extension [PreviousWork] {
    /// Ascending by name, as most are; of those with the same name the last.
    func latestByName() -> [PreviousWork] {
        if zip(self, dropFirst()).allSatisfy({ $0.entry.name < $1.entry.name }) { return self }
        var latest: [PreviousWork] = []
        // Keeps the order of those with the same name.
        for work in sorted(by: { $0.entry.name < $1.entry.name }) {
            if latest.last?.entry.name == work.entry.name { latest.removeLast() }
            latest.append(work)
        }
        return latest
    }
}

extension PreviousWork {
    /// Of an entry as a manifest has it: one that says no recipe was made by the manifest's.
    init(_ entry: SettledEntry, by recipe: Boxed<Recipe>) {
        self.init(entry: entry, recipe: entry.recipe.map { Boxed($0) } ?? recipe)
    }
}
