import Recordings

/// The stages of processing that a recording needs.
package struct Stages: OptionSet, Hashable, Codable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let waveform = Stages(rawValue: 1)
    package static let levels = Stages(rawValue: 2)
    package static let silence = Stages(rawValue: 4)
    package static let trim = Stages(rawValue: 8)

    /// The checksum of the source, computed only on request.
    package static let checksum = Stages(rawValue: 16)

    package static let all: Stages = [.waveform, .levels, .silence, .trim]
    /// Those that need the sound decoded from beginning to end.
    package static let decoding: Stages = [.waveform, .levels, .silence]
    /// Those that need the source read from beginning to end, in one pass.
    package static let listening: Stages = [.waveform, .levels, .silence, .checksum]
}

extension Stages {
    /// The stages whose waveforms differ between two recipes; a copy's are drawn when it is made.
    init(redrawing before: WaveformRecipe, as now: WaveformRecipe) {
        self = []
        if now.differs(from: before, in: .source) { insert(.waveform) }
        if now.differs(from: before, in: .trimmed) { insert(.trim) }
    }

    /// The stages' names, in the order in which they are done.
    package var names: [String] {
        [
            (.waveform, "waveform"), (.levels, "levels"), (.silence, "silence"), (.trim, "trim"),
            (.checksum, "checksum"),
        ]
        .filter { (stage: Stages, _) in contains(stage) }
        .map(\.1)
    }

    /// The stages to announce; trimming that makes no copy is announced only if it is the only
    /// stage, which deletes the existing copy.
    package func told(by recipe: Recipe) -> Stages {
        recipe.trim.mode == .off && self != .trim ? subtracting(.trim) : self
    }
}
