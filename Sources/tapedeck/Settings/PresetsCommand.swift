import ArgumentParser

/// `tapedeck presets`: prints the settings files that come with the command.
struct PresetsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "presets",
        abstract: "List the presets, or print one as a settings file.",
        discussion: """
            A preset is a settings file that comes with the command: run and watch use it by \
            --preset, and settings files by a line such as preset = "calls".

            Exit status: 0 printed, 64 wrong usage.

            Example: tapedeck presets podcast > ~/recordings/tapedeck.toml
            """
    )

    @Argument(
        help: ArgumentHelp("The preset to print.", valueName: "name"),
        completion: .list(Preset.all.map(\.name)), transform: Preset.named)
    var preset: Preset?

    func run() throws {
        let text =
            preset?.text
            ?? Preset.all.map { "\($0.name)\n    \($0.summary)\n" }.joined()
        StandardStream.output.write(text)
        throw ExitStatus.allWell.exitCode
    }
}
