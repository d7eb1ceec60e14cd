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
            them. Reads only, also beside a run.

            Exit status: 0 printed, 1 the record could not be read, 64 wrong usage.

            Example: tapedeck settings ~/interviews
            """
    )

    @Argument(
        help: ArgumentHelp(
            "An output, a folder in it, or a folder of recordings.", valueName: "path"))
    var path: Pathname = "."

    @Flag(help: "Print one JSON object.")
    var json = false

    func validate() throws {
        try requirePath(path)
    }

    func run() throws {
        try ExitStatus.end(saying: FailureText.sentence(for:)) { () throws(RunRefusal) in
            let tree = try ResultTree.find(path)
            let options = SettingsText.options(try tree.settings())
            let text =
                json
                ? JSONLine.text(JSONObject(options, of: tree))
                : SettingsText.table(options).joined(separator: "\n")
            StandardStream.output.write(text + "\n")
            return .allWell
        }
    }
}

extension JSONObject {
    fileprivate init(_ options: [SettingsText.Option], of tree: ResultTree) {
        let options = options.map { option -> JSONObject in
            ["option": option.name, "value": option.value, "isDefault": option.isDefault]
        }
        self = ["event": "settings", "output": tree.output, "options": options]
    }
}
