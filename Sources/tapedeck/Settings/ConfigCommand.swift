import ArgumentParser
import Glibc
import Jobs
import Recordings
import Reports
import Workers

/// `tapedeck config`: begins a settings file, or checks one.
struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Check a settings file, or begin one.",
        discussion: """
            A file named tapedeck.toml in a folder of recordings has settings for run and watch: \
            options by their names, such as trim = "gaps". Without --init, prints what the file \
            of a folder sets.

            Exit status: 0 all well, 1 could not be written, 64 wrong usage or a mistake in the \
            file.

            Example: tapedeck config --init ~/recordings
            """
    )

    @Argument(
        help: ArgumentHelp(
            "A folder of recordings, or a settings file. (default: .)", valueName: "path"))
    var path: Pathname = "."

    @Flag(name: .customLong("init"), help: "Write tapedeck.toml with all settings as comments.")
    var begins = false

    @Option(
        help: ArgumentHelp("Begin with this preset, with --init.", valueName: "name"),
        completion: .list(Preset.all.map(\.name)), transform: Preset.named)
    var preset: Preset?

    func validate() throws {
        try requirePath(path)
        guard begins || preset == nil else {
            throw ValidationError("--preset is about a new file; add --init, or leave it out")
        }
    }

    func run() throws {
        throw (begins ? begin() : check()).exitCode
    }

    /// The file, if the path is a folder's.
    private var file: Pathname {
        ResultTree.isFolder(path) ? path.appending(FileSettings.name) : path
    }

    private func check() -> ExitStatus {
        do throws(SettingsFault) {
            guard let settings = try SettingsFile.read(file, shown: file) else {
                throw SettingsFault(
                    file: file, line: nil,
                    sentence: "there is no such file; tapedeck config --init writes one")
            }
            for line in SettingsText.lines(settings) {
                StandardStream.output.write(line + "\n")
            }
            return .allWell
        } catch {
            StandardStream.complain(error.text)
            return .usage
        }
    }

    /// Writes a file that exists in no way yet.
    private func begin() -> ExitStatus {
        guard ResultTree.isFolder(path) || path.displayText.hasSuffix(".toml") else {
            StandardStream.complain(
                "there is no folder \(path.displayText); name one, or a file that ends in .toml")
            return .couldNotRun
        }
        do throws(FileSystemError) {
            try SettingsDocument.write(SettingsTemplate.text(preset), to: file)
        } catch {
            StandardStream.complain(
                error.code == EEXIST
                    ? "\(file.displayText) exists; move it away, or edit it"
                    : "\(file.displayText) cannot be written: \(error.detail)")
            return .couldNotRun
        }
        StandardStream.output.write("wrote \(file.displayText)\n")
        return .allWell
    }
}
