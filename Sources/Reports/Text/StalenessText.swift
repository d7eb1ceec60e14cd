import Jobs
import Recordings

/// Explains why recordings are reprocessed.
package enum StalenessText {
    /// The line for a recording, with all its reasons.
    package static func line(
        _ folder: Pathname, _ name: Pathname, _ reasons: [StaleReason]
    ) -> String {
        "\(folder.appending(name).displayText): \(list(reasons))"
    }

    /// The message that settings changed, and what happens to affected results.
    package static func line(ofSettings reasons: [StaleReason], isDryRun: Bool) -> String {
        let fate = isDryRun ? "would be" : "are"
        return list(reasons) + "; affected results \(fate) regenerated or deleted"
    }

    private static func list(_ reasons: [StaleReason]) -> String {
        reasons.map { words(for: $0) }.joined(separator: "; ")
    }

    package static func words(for reason: StaleReason) -> String {
        switch reason {
        case .new: "it is new"
        case .forced: "everything is redone"
        case .sourceChanged(let before, let now): change(before, now)
        case .sourceUnknown: "its earlier results are incomplete"
        case .failedBefore(let failure):
            "it failed before and is retried (\(FailureText.sentence(for: failure)))"
        case .waveformRecipe(let before, let now):
            "waveform settings changed: " + changes(before, now)
        case .silenceRecipe(let before, let now):
            "silence settings changed: " + changes(before, now)
        case .trimRecipe(let before, let now): "trim settings changed: " + changes(before, now)
        case .output(let damage):
            damage.name.displayText + " " + words(for: damage.kind)
        case .renamed(let name):
            "\(name.displayText) needs another name: another recording has this one"
        case .misread: "an earlier version of Tapedeck misread it"
        case .rawFormat(let before, let now): "read as \(now) instead of \(before)"
        case .checksumWanted: "its checksum was not recorded"
        case .warnedBefore(let warnings):
            "it has warnings, which are failures with --strict ("
                + warnings.map { WarningText.sentence(for: $0, message: nil) }
                .joined(separator: "; ") + ")"
        }
    }

    private static func change(_ before: FileStamp, _ now: FileStamp) -> String {
        before.bytes == now.bytes
            ? "the recording changed: its modification time differs"
            : "the recording changed: \(before.bytes) → \(now.bytes) bytes"
    }

    private static func changes(_ before: WaveformRecipe, _ now: WaveformRecipe) -> String {
        list([
            step(subjects(before), subjects(now)) { "drawn of \($0)" },
            change(zoom(before), zoom(now)),
            step(before.bits, now.bits) { "\($0) bits" },
            step(before.format.rawValue, now.format.rawValue) { "as \($0)" },
            before.splitChannels == now.splitChannels
                ? nil : now.splitChannels ? "channels apart" : "channels mixed",
        ])
    }

    private static func words(for damage: OutputDamage.Kind) -> String {
        switch damage {
        case .missing: "is missing"
        case .altered: "was modified"
        case .retimed: "has another time"
        }
    }

    private static func subjects(_ recipe: WaveformRecipe) -> String {
        recipe.subjects.map { $0 == .source ? "recordings" : "trimmed copies" }
            .joined(separator: " and ")
    }

    /// How many there are, and of what.
    private static func zoom(_ recipe: WaveformRecipe) -> (count: String, unit: String) {
        if let points = recipe.points { return ("\(points)", "pixels in all") }
        if let count = recipe.pixelsPerSecond { return ("\(count)", "pixels per second") }
        return (
            recipe.samplesPerPixel.map(String.init).joined(separator: ", "), "samples per pixel"
        )
    }

    /// "256 → 512 samples per pixel", "256 samples per pixel → 800 pixels in all"; `nil` if
    /// unchanged.
    private static func change(
        _ before: (count: String, unit: String), _ now: (count: String, unit: String)
    ) -> String? {
        guard before != now else { return nil }
        let unit = before.unit == now.unit ? "" : " " + before.unit
        return "\(before.count)\(unit) → \(now.count) \(now.unit)"
    }

    private static func changes(_ before: SilenceRecipe, _ now: SilenceRecipe) -> String {
        list([
            step(before.method, now.method) { "method \($0)" },
            step(before.detector.rawValue, now.detector.rawValue) { "\($0) detector" },
            step(before.minimumSeconds, now.minimumSeconds) { "\($0) s at least" },
            step(before.minimumSoundSeconds, now.minimumSoundSeconds) {
                "\($0) s of sound at least"
            },
            step(before.sensitivityDecibels, now.sensitivityDecibels) { "sensitivity \($0) dB" },
            step(level(before), level(now)) { "threshold \($0)" },
            step(before.activity.rawValue, now.activity.rawValue) { "activity \($0)" },
            step(channels(before), channels(now)) { "channels \($0)" },
        ])
    }

    private static func channels(_ recipe: SilenceRecipe) -> String {
        (recipe.channels ?? .together).rawValue
    }

    private static func level(_ recipe: SilenceRecipe) -> String {
        recipe.thresholdDBFS.map { "\(CountText.plain($0)) dBFS" } ?? "its own"
    }

    private static func changes(_ before: TrimRecipe, _ now: TrimRecipe) -> String {
        list([
            step(before.mode.rawValue, now.mode.rawValue) { "trim \($0)" },
            step(before.keepSilenceSeconds, now.keepSilenceSeconds) { "\($0) s of silence kept" },
            step(longestGap(before), longestGap(now)) { "gaps of \($0)" },
            step(keptShare(before), keptShare(now)) { "\($0) of each gap kept" },
            step(before.fadeMilliseconds, now.fadeMilliseconds) { "fades of \($0) ms" },
            step(before.format.rawValue, now.format.rawValue) { "copies as \($0)" },
            step(before.minimumConfidence ?? 0, now.minimumConfidence ?? 0) {
                "confidence \($0) at least"
            },
        ])
    }

    private static func longestGap(_ recipe: TrimRecipe) -> String {
        recipe.longestGapSeconds.map { CountText.plain($0) + " s" } ?? "any length"
    }

    private static func keptShare(_ recipe: TrimRecipe) -> String {
        recipe.keptGapShare.map(CountText.plain) ?? "all"
    }

    /// "256 → 512 samples per pixel"; `nil` if unchanged.
    private static func step<Value: Equatable>(
        _ before: Value, _ now: Value, _ phrase: (String) -> String
    ) -> String? {
        before == now ? nil : phrase("\(before) → \(now)")
    }

    private static func step(
        _ before: Double, _ now: Double, _ phrase: (String) -> String
    ) -> String? {
        step(CountText.plain(before), CountText.plain(now), phrase)
    }

    private static func list(_ parts: [String?]) -> String {
        parts.compactMap { $0 }.joined(separator: ", ")
    }
}
