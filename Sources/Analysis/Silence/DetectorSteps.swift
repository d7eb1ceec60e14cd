/// The steps of the classical detector that can be left out, to see what each is worth.
package struct DetectorSteps: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The level of the bands of voices together has a say in the score.
    package static let voiceLevel = DetectorSteps(rawValue: 1 << 0)
    /// What repeats at the pitch of a voice scores higher.
    package static let periodicity = DetectorSteps(rawValue: 1 << 1)
    /// What hardly wavers scores low.
    package static let modulation = DetectorSteps(rawValue: 1 << 2)
    /// What lies below the floor counts as floor.
    package static let scoreLimit = DetectorSteps(rawValue: 1 << 3)
    /// The threshold lies between two modes; without, it is fixed.
    package static let mixture = DetectorSteps(rawValue: 1 << 4)
    /// The threshold follows the ten seconds around.
    package static let localThreshold = DetectorSteps(rawValue: 1 << 5)
    /// A run goes on below the threshold.
    package static let hysteresis = DetectorSteps(rawValue: 1 << 6)
    /// A run must for some frames be far over the threshold.
    package static let sureFrames = DetectorSteps(rawValue: 1 << 7)
    /// Sound far below the loud passages is not looked for.
    package static let levelGate = DetectorSteps(rawValue: 1 << 8)
    /// Weak hiss beside a run belongs to it.
    package static let fricatives = DetectorSteps(rawValue: 1 << 9)
    /// Short gaps between runs are filled.
    package static let gapFilling = DetectorSteps(rawValue: 1 << 10)
    /// What is too short to be sound is dropped.
    package static let shortest = DetectorSteps(rawValue: 1 << 11)
    /// Runs have a margin on both sides.
    package static let margins = DetectorSteps(rawValue: 1 << 12)

    package static let all = DetectorSteps(rawValue: (1 << 13) - 1)

    /// Each step with its name, in the order in which they are taken.
    package static let named: [(name: String, step: DetectorSteps)] = [
        ("voice level", .voiceLevel), ("periodicity", .periodicity), ("modulation", .modulation),
        ("limit below the floor", .scoreLimit), ("two modes", .mixture),
        ("threshold by stretch", .localThreshold), ("hysteresis", .hysteresis),
        ("sure frames", .sureFrames), ("level gate", .levelGate), ("fricatives", .fricatives),
        ("gap filling", .gapFilling), ("shortest sound", .shortest), ("margins", .margins),
    ]
}
