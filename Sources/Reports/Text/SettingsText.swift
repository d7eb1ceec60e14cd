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
        /// Whether the value is yes or no.
        package var isFlag: Bool
        /// The option and its value as typed.
        var typed: String
    }

    /// All options, in the order of the help.
    package static func options(_ settings: Settings) -> [Option] {
        Settings.members.map { member in
            let value = value(of: member.option, settings)
            let isFlag = [yes, no].contains(value)
            let typed = isFlag ? flag(member.option, value == yes) : "\(member.option) \(value)"
            return Option(
                name: member.option, value: value,
                isDefault: value == Self.value(of: member.option, member.without(settings)),
                isFlag: isFlag, typed: typed)
        }
    }

    /// The options that a run takes over from its output, as typed: those that are neither given,
    /// in a settings file, nor defaults.
    package static func remembered(_ change: SettingsChange) -> [String] {
        let others = change.given.givenOptions.union(change.after.ofFile.givenOptions)
        return options(change.after.usual)
            .filter { !$0.isDefault && !others.contains($0.name) }.map(\.typed)
    }

    /// What differs, such as "--trim edges → gaps", in folders with settings of their own after
    /// the folder's name.
    package static func changes(_ change: SettingsChange) -> [String] {
        let usual = differences(change.before.usual, change.after.usual)
        let folders = Set(change.before.folders.keys).union(change.after.folders.keys).sorted()
        return usual
            + folders.flatMap { folder in
                differences(
                    change.before[folder],
                    change.after[folder]
                )
                .filter { !usual.contains($0) }
                .map { "\(folder.displayText): \($0)" }
            }
    }

    private static func differences(_ before: Settings, _ after: Settings) -> [String] {
        zip(options(before), options(after))
            .filter { $0.value != $1.value }
            .map { "\($0.name) \($0.value) → \($1.value)" }
    }

    /// One line per option: its name, its value, and whether that is the default or a settings
    /// file's; then one per folder with settings of its own.
    package static func table(_ settings: OutputSettings) -> [String] {
        let options = options(settings.usual)
        let ofFile = settings.ofFile.givenOptions
        let widths = (options.map(\.name.count).max() ?? 0, options.map(\.value.count).max() ?? 0)
        let lines = options.map { option in
            let origin = ofFile.contains(option.name) ? "(file)" : "(default)"
            let line = padded(option.name, to: widths.0 + 2)
            return option.isDefault || ofFile.contains(option.name)
                ? line + padded(option.value, to: widths.1 + 2) + origin : line + option.value
        }
        return lines
            + settings.folders.keys.sorted().map { folder in
                "\(folder.displayText): \(own(of: folder, in: settings).joined(separator: " "))"
            }
    }

    /// What a settings file says, as typed on a command line.
    package static func lines(_ file: FileSettings) -> [String] {
        let usual = file.usual.givenOptions
        return options(file.usual).filter { usual.contains($0.name) }.map(\.typed)
            + file.folders.sorted { $0.key < $1.key }.map { folder, settings in
                let given = settings.givenOptions
                let typed = options(settings).filter { given.contains($0.name) }.map(\.typed)
                return "\(folder.displayText): \(typed.joined(separator: " "))"
            }
    }

    /// The options of a folder that differ from the usual ones, as typed.
    package static func own(of folder: Pathname, in settings: OutputSettings) -> [String] {
        zip(options(settings[folder]), options(settings.usual))
            .filter { $0.value != $1.value }.map(\.0.typed)
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

    private static func value(of option: String, _ settings: Settings) -> String {
        values[option]?(settings) ?? none
    }

    private static let values: [String: @Sendable (Settings) -> String] = [
        "--video": { word($0.rules.includesVideo) },
        "--raw": { list("--raw", $0.rules.raw.map(rule)) },
        "--include": {
            list("--include", $0.rules.filter.include.map(\.pattern.displayText))
        },
        "--exclude": {
            list("--exclude", $0.rules.filter.exclude.map(\.pattern.displayText))
        },
        "--trim": { $0.recipe.trim.mode.rawValue },
        "--min-silence": { number($0.recipe.silence.minimumSeconds) },
        "--min-sound": { number($0.recipe.silence.minimumSoundSeconds) },
        "--activity": { $0.recipe.silence.activity.rawValue },
        "--detector": { $0.recipe.silence.detector.rawValue },
        "--sensitivity": {
            number($0.recipe.silence.sensitivityDecibels)
        },
        "--threshold": {
            number($0.recipe.silence.thresholdDBFS, unit: "dBFS")
        },
        "--channels": { ($0.recipe.silence.channels ?? .together).rawValue },
        "--keep-silence": { number($0.recipe.trim.keepSilenceSeconds) },
        "--longest-gap": { number($0.recipe.trim.longestGapSeconds) },
        "--shrink-gaps": { number($0.recipe.trim.keptGapShare) },
        "--fade-milliseconds": {
            number($0.recipe.trim.fadeMilliseconds)
        },
        "--min-confidence": {
            number($0.recipe.trim.minimumConfidence ?? 0)
        },
        "--trim-format": { $0.recipe.trim.format.rawValue },
        "--waveform-of": {
            $0.recipe.waveform.subjects.map(\.rawValue).joined(separator: ",")
        },
        "--samples-per-pixel": { zooms($0.recipe.waveform) },
        "--pixels-per-second": { count($0.pixelsPerSecond) },
        "--points": { count($0.points) },
        "--waveform-bits": { String($0.recipe.waveform.bits) },
        "--waveform-format": { $0.recipe.waveform.format.rawValue },
        "--split-channels": { word($0.recipe.waveform.splitChannels) },
        "--max-hours": { number($0.maxHours ?? Settings.usualMaxHours) },
        "--strict": { word($0.strict ?? false) },
        "--checksums": { word($0.checksums ?? false) },
        "--isolate": { word($0.isolate ?? false) },
        "--export": {
            let formats = ($0.export ?? []).sorted()
            return formats.isEmpty ? none : formats.joined(separator: ",")
        },
        "--split": { word($0.exportChoice.splits) },
        "--report": { word($0.report ?? false) },
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
