import ArgumentParser
import Jobs
import Recordings
import Workers

/// Where the settings of a run come from, besides its options.
struct SettingsOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Use the settings for a kind of work, instead of those that the output remembers. tapedeck presets prints them.",
            valueName: "name"), completion: .list(Preset.all.map(\.name)), transform: Preset.named)
    var preset: Preset?

    @Option(
        help: ArgumentHelp(
            "Read settings from this file. (default: tapedeck.toml in the folder that holds all paths, if there)",
            valueName: "file"))
    var config: Pathname?

    @Flag(help: "Read no settings file.")
    var noConfig = false

    @Flag(help: "Forget the settings of the output; use the defaults and the given options.")
    var defaults = false

    func validate() throws {
        try requirePath(config)
        guard !noConfig || config == nil else {
            throw ValidationError("--config and --no-config contradict each other; leave one out")
        }
    }

    /// Whether nothing that the output remembers counts.
    var forgets: Bool { defaults || preset != nil }

    /// The settings file, which need not exist unless it is named; `nil` if none is wanted.
    func path(in root: Pathname) -> Pathname? {
        noConfig ? nil : config ?? root.appending(FileSettings.name)
    }

    /// What the settings file says, and its path; `nil` if there is none.
    /// - Parameter root: the folder that holds all paths; as displayed, too.
    func file(
        in root: Pathname, shown: Pathname
    ) throws(SettingsFault) -> (path: Pathname, settings: FileSettings)? {
        guard let path = path(in: root), let name = self.path(in: shown) else { return nil }
        // Whoever can put a link among the recordings must not have another file quoted.
        if config == nil,
            (try? FileSystem.status(path, followingLink: false).kind) == .link
        {
            throw SettingsFault(
                file: name, line: nil, sentence: "it is a link; name the file with --config")
        }
        guard let read = try SettingsFile.read(path, shown: name) else {
            if config == nil { return nil }
            throw SettingsFault(file: name, line: nil, sentence: "there is no such file")
        }
        return (name, read)
    }
}

/// When to colour.
enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
    case auto, always, never
}
