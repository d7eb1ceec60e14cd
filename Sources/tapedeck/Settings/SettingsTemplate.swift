import ArgumentParser
import Jobs
import Reports
import Workers

/// A settings file that lists all settings as comments.
enum SettingsTemplate {
    /// - Parameter preset: what is set already; `nil` for nothing.
    static func text(_ preset: Preset?) -> String {
        let helps = helps()
        let options = SettingsText.options(Settings())
        let lines = options.flatMap { option -> [String] in
            let key = String(option.name.dropFirst(2))
            return ["", "# " + (helps[key] ?? ""), "# \(key) = \(value(of: option))"]
        }
        return """
            # Settings for tapedeck run and watch in this folder: options by their names. A command
            # line comes before this file, this file before what an output remembers.
            \(preset.map { "\n\($0.text)" } ?? "")
            # All settings, with their defaults or an example:
            \(lines.joined(separator: "\n"))

            # What differs in a folder, and in those below it:
            # [folder."calls/2026"]
            # channels = "each"

            """
    }

    /// An example of an option's value: its default, if it has one.
    private static func value(of option: SettingsText.Option) -> String {
        if option.isFlag { return option.value == "yes" ? "true" : "false" }
        if let example = examples[option.name] { return example }
        return Double(option.value) == nil ? "\"\(option.value)\"" : option.value
    }

    /// Of options whose default is none.
    private static let examples = [
        "--raw": #"["*.pcm=s16le,8000,1"]"#, "--include": #"["*.wav"]"#,
        "--exclude": #"["drafts/", "*-raw.wav"]"#, "--threshold": "-45",
        "--shrink-gaps": "0.5", "--pixels-per-second": "100", "--points": "1000",
        "--export": #"["csv", "rttm"]"#,
    ]

    /// The help of each option, by its name without dashes.
    private static func helps() -> [String: String] {
        guard let dump = JSONLine.read(Dump.self, from: Array(ResultOptions._dumpHelp().utf8))
        else { return [:] }
        var helps: [String: String] = [:]
        for argument in dump.command.arguments ?? [] {
            for name in argument.names ?? [] { helps[name.name] = argument.abstract }
        }
        return helps
    }

    /// What the parser says of options.
    private struct Dump: Decodable {
        struct Command: Decodable { var arguments: [Argument]? }
        struct Argument: Decodable {
            struct Name: Decodable { var name: String }
            var names: [Name]?
            var abstract: String?
        }
        var command: Command
    }
}
