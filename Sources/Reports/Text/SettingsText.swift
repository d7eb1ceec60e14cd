import Jobs
import Recordings

/// Settings as command-line options, and what a change of them does.
package enum SettingsText {
    /// An option that outputs remember.
    package struct Option: Hashable, Sendable {
        /// As typed, with dashes.
        package var name: String
        /// The value as typed; for an unset option without a value, a word such as "none".
        package var value: String
        package var isDefault: Bool
        /// The option and its value as typed.
        var typed: String
    }

    /// All options, in the order of the help.
    package static func options(_ settings: Settings) -> [Option] {
        entries.map { entry in
            let value = entry.value(settings)
            let isFlag = [yes, no].contains(value)
            let typed = isFlag ? flag(entry.name, value == yes) : "\(entry.name) \(value)"
            return Option(
                name: entry.name, value: value,
                isDefault: value == entry.value(entry.without(settings)), typed: typed)
        }
    }

    /// The options that a run takes over from its output, as typed: those that are neither given
    /// nor defaults.
    package static func remembered(_ change: SettingsChange) -> [String] {
        zip(entries, options(change.after))
            .filter { entry, option in
                !option.isDefault && entry.without(change.given) == change.given
            }
            .map(\.1.typed)
    }

    /// What differs, such as "--trim edges → gaps".
    package static func changes(_ change: SettingsChange) -> [String] {
        zip(options(change.before), options(change.after))
            .filter { $0.value != $1.value }
            .map { "\($0.name) \($0.value) → \($1.value)" }
    }

    /// One line per option: its name, its value, and whether that is the default.
    package static func table(_ options: [Option]) -> [String] {
        let widths = (options.map(\.name.count).max() ?? 0, options.map(\.value.count).max() ?? 0)
        return options.map { option in
            let line = padded(option.name, to: widths.0 + 2)
            return option.isDefault
                ? line + padded(option.value, to: widths.1 + 2) + "(default)" : line + option.value
        }
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    package static func line(ofRemembered options: [String]) -> String {
        "using the settings of this output: \(options.joined(separator: " "))"
            + " (--defaults returns to the usual ones)"
    }

    package static func line(ofChanges changes: [String], _ results: ChangedResults) -> String {
        let fates = fates(of: results)
        return "settings changed: \(changes.joined(separator: ", ")); "
            + (fates.isEmpty ? "no results are affected" : fates.joined(separator: ", "))
    }

    /// What happens to results, in numbers.
    private static func fates(of results: ChangedResults) -> [String] {
        let parts: [(count: Int, noun: String, text: String)] = [
            (results.redetected, "recording", "silence will be detected again in #"),
            (results.copiesOfRedetected, copy, "# will be made again or removed"),
            (results.copiesRemade, copy, "# will be made again"),
            (results.copiesAdded, copy, "# will be added"),
            (results.copiesRemoved, copy, "# will be removed"),
            (results.waveformsRemade, "recording", "waveforms of # will be made again"),
            (results.waveformsRemoved, "recording", "waveforms of # will be removed"),
            (results.checksumsAdded, "recording", "# will get a checksum"),
            (results.failing, "recording", "# with warnings will fail"),
            (results.retried, "failure", "# will be retried"),
            (results.new, "new recording", "# will be processed"),
            (results.pruned, "recording", "results of # will be removed"),
            (results.copiesKept, copy, results.copiesKept == 1 ? "# stays" : "# stay"),
            (results.waveformsKept, "recording", "waveforms of # stay"),
        ]
        return parts.filter { $0.count > 0 }.map { count, noun, text in
            text.replacing("#", with: words(count, noun))
        }
    }

    private static let copy = "trimmed copy"

    private static func words(_ count: Int, _ noun: String) -> String {
        noun == copy && count != 1
            ? "\(CountText.grouped(count)) trimmed copies" : CountText.words(count, noun)
    }
}

// MARK: - The options

extension SettingsText {
    private static let yes = "yes"
    private static let no = "no"
    private static let none = "none"

    private static func flag(_ name: String, _ isOn: Bool) -> String {
        isOn ? name : "--no-\(name.dropFirst(2))"
    }

    private struct Entry: Sendable {
        var name: String
        var value: @Sendable (Settings) -> String
        var forget: @Sendable (inout Settings) -> Void

        init<Value>(
            _ name: String, _ path: any WritableKeyPath<Settings, Value?> & Sendable,
            _ value: @escaping @Sendable (Settings) -> String
        ) {
            self.name = name
            self.value = value
            forget = { $0[keyPath: path] = nil }
        }

        func without(_ settings: Settings) -> Settings {
            var rest = settings
            forget(&rest)
            return rest
        }
    }

    private static let entries: [Entry] = [
        Entry("--video", \.video) { word($0.rules.includesVideo) },
        Entry("--raw", \.raw) { list("--raw", $0.rules.raw.map(rule)) },
        Entry("--include", \.include) {
            list("--include", $0.rules.filter.include.map(\.pattern.displayText))
        },
        Entry("--exclude", \.exclude) {
            list("--exclude", $0.rules.filter.exclude.map(\.pattern.displayText))
        },
        Entry("--trim", \.trim) { $0.recipe.trim.mode.rawValue },
        Entry("--min-silence", \.minSilenceSeconds) { number($0.recipe.silence.minimumSeconds) },
        Entry("--min-sound", \.minSoundSeconds) { number($0.recipe.silence.minimumSoundSeconds) },
        Entry("--activity", \.activity) { $0.recipe.silence.activity.rawValue },
        Entry("--detector", \.detector) { $0.recipe.silence.detector.rawValue },
        Entry("--sensitivity", \.sensitivityDecibels) {
            number($0.recipe.silence.sensitivityDecibels)
        },
        Entry("--threshold", \.thresholdDBFS) {
            number($0.recipe.silence.thresholdDBFS, unit: "dBFS")
        },
        Entry("--channels", \.channels) { ($0.recipe.silence.channels ?? .together).rawValue },
        Entry("--keep-silence", \.keepSilenceSeconds) { number($0.recipe.trim.keepSilenceSeconds) },
        Entry("--longest-gap", \.longestGapSeconds) { number($0.recipe.trim.longestGapSeconds) },
        Entry("--shrink-gaps", \.shrinkGaps) { number($0.recipe.trim.keptGapShare) },
        Entry("--fade-milliseconds", \.fadeMilliseconds) {
            number($0.recipe.trim.fadeMilliseconds)
        },
        Entry("--min-confidence", \.minConfidence) {
            number($0.recipe.trim.minimumConfidence ?? 0)
        },
        Entry("--trim-format", \.trimFormat) { $0.recipe.trim.format.rawValue },
        Entry("--waveform-of", \.waveformOf) {
            $0.recipe.waveform.subjects.map(\.rawValue).joined(separator: ",")
        },
        Entry("--samples-per-pixel", \.samplesPerPixel) { zooms($0.recipe.waveform) },
        Entry("--pixels-per-second", \.pixelsPerSecond) { count($0.pixelsPerSecond) },
        Entry("--points", \.points) { count($0.points) },
        Entry("--waveform-bits", \.waveformBits) { String($0.recipe.waveform.bits) },
        Entry("--waveform-format", \.waveformFormat) { $0.recipe.waveform.format.rawValue },
        Entry("--split-channels", \.splitChannels) { word($0.recipe.waveform.splitChannels) },
        Entry("--max-hours", \.maxHours) { number($0.maxHours ?? Settings.usualMaxHours) },
        Entry("--strict", \.strict) { word($0.strict ?? false) },
        Entry("--checksums", \.checksums) { word($0.checksums ?? false) },
        Entry("--export", \.export) {
            let formats = ($0.export ?? []).sorted()
            return formats.isEmpty ? none : formats.joined(separator: ",")
        },
        Entry("--split", \.split) { word($0.exportChoice.splits) },
        Entry("--report", \.report) { word($0.report ?? false) },
    ]

    private static func number(_ number: Double?, unit: String = "") -> String {
        number.map { CountText.plain($0) + unit } ?? none
    }

    private static func count(_ count: Int?) -> String { count.map(String.init) ?? none }

    private static func zooms(_ recipe: WaveformRecipe) -> String {
        recipe.hasFixedZooms
            ? recipe.samplesPerPixel.map(String.init).joined(separator: ",") : none
    }

    private static func word(_ isOn: Bool) -> String { isOn ? yes : no }

    private static func rule(_ raw: InputRules.Raw) -> String {
        "\(raw.pattern.displayText)=\(raw.format.text)"
    }

    /// Several values as typed: each has its own option, and is quoted against the shell.
    private static func list(_ option: String, _ values: [String]) -> String {
        values.isEmpty ? none : values.map { "'\($0)'" }.joined(separator: " \(option) ")
    }
}

extension FailureText {
    /// Why an option for inner silences is rejected if these are not cut.
    package static func sentence(forOptionWithoutGaps option: String) -> String {
        "\(option) is about inner silences, which only --trim gaps cuts; add that"
    }
}
