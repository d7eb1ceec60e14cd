import Recordings

/// What has to be made of a recording, or made anew.
package struct Stages: OptionSet, Hashable, Codable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let waveform = Stages(rawValue: 1)
    package static let levels = Stages(rawValue: 2)
    package static let silence = Stages(rawValue: 4)
    package static let trim = Stages(rawValue: 8)

    package static let all: Stages = [.waveform, .levels, .silence, .trim]
    /// Those that need the sound decoded from beginning to end.
    package static let listening: Stages = [.waveform, .levels, .silence]
}

extension Stages {
    /// The stages' names, in the order in which they are done.
    package var names: [String] {
        [(.waveform, "waveform"), (.levels, "levels"), (.silence, "silence"), (.trim, "trim")]
            .filter { (stage: Stages, _) in contains(stage) }
            .map(\.1)
    }
}

/// What an earlier run left of a recording.
package struct PreviousWork: Hashable, Codable, Sendable {
    package var entry: ManifestEntry
    /// The recipe by which that entry was made.
    package var recipe: Recipe
    /// Stages whose output files are missing or were altered since.
    package var damaged: Stages

    package init(entry: ManifestEntry, recipe: Recipe, damaged: Stages) {
        self.entry = entry
        self.recipe = recipe
        self.damaged = damaged
    }
}

extension Stages {
    /// The stages to be done: all, if the source is new, changed or failed before; otherwise those
    /// whose own part of the recipe changed or whose outputs are not what was written.
    package static func stale(
        stamp: FileStamp, recipe: Recipe, previous: PreviousWork?
    ) -> Stages {
        guard let previous, previous.entry.status == .done,
            previous.entry.source == stamp
        else { return .all }
        var stages = previous.damaged
        if previous.recipe.waveform != recipe.waveform { stages.insert(.waveform) }
        if previous.recipe.silence != recipe.silence { stages.formUnion([.silence, .trim]) }
        if previous.recipe.trim != recipe.trim { stages.insert(.trim) }
        return stages
    }
}
