import ArgumentParser
import Jobs
import Recordings
import Reports
import Workers

/// `tapedeck settings`: prints the settings that an output remembers.
struct SettingsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings",
        abstract: "Show the settings that an output remembers.",
        discussion: """
            Each run and watch uses these settings again. Options change them; --defaults forgets \
            them. Those of a settings file count as long as the file has them. Reads only, also \
            beside a run.

            Exit status: 0 printed, 1 the record could not be read, 64 wrong usage.

            Example: tapedeck settings ~/interviews
            """
    )

    @Argument(help: .results)
    var path: Pathname = "."

    @Flag(help: "Print one JSON object.")
    var json = false

    func validate() throws {
        try requirePath(path)
    }

    func run() throws {
        try ExitStatus.end(saying: FailureText.sentence(for:)) { () throws(RunRefusal) in
            let tree = try ResultTree.find(path)
            let settings = try tree.settings()
            let text =
                json
                ? JSONLine.text(JSONObject(settings, of: tree))
                : SettingsText.table(settings).joined(separator: "\n")
            StandardStream.output.write(text + "\n")
            return .allWell
        }
    }
}

extension JSONObject {
    fileprivate init(_ settings: OutputSettings, of tree: ResultTree) {
        let ofFile = settings.ofFile.givenOptions
        let options = SettingsText.options(settings.usual).map { option -> JSONObject in
            [
                "option": option.name, "value": option.value, "isDefault": option.isDefault,
                "isOfFile": ofFile.contains(option.name) ? true : nil,
            ]
        }
        let folders = settings.folders.keys.sorted().map { folder -> JSONObject in
            ["folder": folder, "options": SettingsText.own(of: folder, in: settings)]
        }
        self = [
            "event": "settings", "output": tree.output, "options": options,
            "folders": folders.isEmpty ? nil : folders,
        ]
    }
}
