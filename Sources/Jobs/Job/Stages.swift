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

    /// The digest of the source's bytes, which is made only where it is asked for.
    package static let checksum = Stages(rawValue: 16)

    package static let all: Stages = [.waveform, .levels, .silence, .trim]
    /// Those that need the sound decoded from beginning to end.
    package static let decoding: Stages = [.waveform, .levels, .silence]
    /// Those that need the source read from beginning to end, in one pass.
    package static let listening: Stages = [.waveform, .levels, .silence, .checksum]
}

extension Stages {
    /// The stages' names, in the order in which they are done.
    package var names: [String] {
        [
            (.waveform, "waveform"), (.levels, "levels"), (.silence, "silence"), (.trim, "trim"),
            (.checksum, "checksum"),
        ]
        .filter { (stage: Stages, _) in contains(stage) }
        .map(\.1)
    }

    /// What a user is told: trimming that makes no copy is told of only where nothing else is to be
    /// done, as the copy goes that there is.
    package func told(by recipe: Recipe) -> Stages {
        recipe.trim.mode == .off && self != .trim ? subtracting(.trim) : self
    }
}

extension OutputFile.Kind {
    /// The stage that makes such files.
    package var stage: Stages {
        switch self {
        case .waveform: .waveform
        case .trimmedCopy: .trim
        }
    }
}
