import Recordings
import ReducerKit

/// A fact of an earlier run's journal: after a crash there may be very many, so what most hold is
/// packed.
package struct EarlierFact: Sendable {
    /// What became of the recording, without the recipe.
    package let entry: SettledEntry
    /// By which it was made; `nil` where the fact does not say it.
    package let recipe: Boxed<Recipe>?
    /// Earlier outputs of the recording that the entry no longer names.
    package let leftovers: Leftovers?
    private let files: [UInt8]

    fileprivate init(_ fact: JournalFact, _ recipe: Boxed<Recipe>?) {
        var bare = fact.entry
        bare.recipe = nil
        entry = SettledEntry(bare)
        self.recipe = recipe
        leftovers =
            fact.obsolete.isEmpty
            ? nil : Leftovers(fact.obsolete, of: bare.name, toldOf: fact.earlier ?? [])
        var packer = Packer(room: 128)
        packer.put(fact.staged)
        files = packer.fitted
    }

    package var name: Pathname { entry.name }

    /// Outputs that were complete and on the disk, under names of their own.
    package var staged: [StagedFile] {
        var unpacker = Unpacker(files)
        return unpacker.next()
    }
}

/// Facts as they are read one by one; the recipe, which most have in common, is held once for them.
package struct EarlierFacts {
    /// In order of writing.
    package private(set) var all: [EarlierFact] = []
    private var latest: Boxed<Recipe>?

    package init() {}

    package mutating func add(_ fact: JournalFact) {
        if let recipe = fact.entry.recipe, recipe != latest?.value { latest = Boxed(recipe) }
        all.append(EarlierFact(fact, fact.entry.recipe == nil ? nil : latest))
    }
}

extension StagedFile: Packed {
    package func pack(into packer: inout Packer) { packer.put(temporary, name) }

    package init(from unpacker: inout Unpacker) {
        self.init(temporary: unpacker.next(), name: unpacker.next())
    }
}
