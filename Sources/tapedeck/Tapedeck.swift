import ArgumentParser
import Glibc
import Recordings

/// The command and its entry point.
@main
struct Tapedeck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tapedeck",
        abstract: "Turn folders of recordings into waveforms, trimmed copies and manifests.",
        discussion: """
            Start with: tapedeck run ~/recordings
            Results go to ~/recordings/tapedeck; run it again at any time.
            """,
        version: Tapedeck.version,
        subcommands: [
            RunCommand.self, WatchCommand.self, StatusCommand.self, VerifyCommand.self,
            RepairCommand.self, CleanCommand.self, PlanCommand.self, MergeCommand.self,
            SlurmCommand.self,
            ReportCommand.self, ServeCommand.self, ExportCommand.self, SplitCommand.self,
            QueryCommand.self,
            SettingsCommand.self, PresetsCommand.self, ConfigCommand.self,
            InspectCommand.self,
            MapCommand.self,
            ReplayCommand.self, BenchCommand.self, DoctorCommand.self,
        ])

    static let version = "0.1.0"

    static func main() {
        StandardStream.secure()
        // Exceeding a file size limit should fail like a full disk, not end the process.
        signal(SIGXFSZ, SIG_IGN)
        let words = ArgumentText.ofThisProcess
        do {
            try requireNoDashedName(words)
            if let help = ShortHelp.text(for: words) {
                StandardStream.output.write(help)
                throw ExitStatus.allWell.exitCode
            }
            var command = try parseAsRoot(words)
            try command.run()
        } catch {
            let message = fullMessage(for: error)
            let isUsage = exitCode(for: error).rawValue == ExitStatus.usage.rawValue
            guard isUsage, !message.isEmpty else { exit(withError: error) }
            StandardStream.error.write(UsageMessage.text(message, for: words) + "\n")
            exit(withError: ExitStatus.usage.exitCode)
        }
    }

    /// Rejects file names that begin with a dash.
    ///
    /// Each letter after a single dash is parsed as an option, `h` among them: such a name could
    /// print help, and the command would exit successfully without doing its work.
    static func requireNoDashedName(_ words: [String]) throws {
        let dashed = words.prefix { $0 != "--" }.first { word in
            word.hasPrefix("-") && word.count > 2 && word.dropFirst().first?.isLetter == true
                && !areOptions(word.dropFirst())
        }
        guard let dashed else { return }
        let name = Pathname(argument: dashed).displayText
        throw ValidationError("'\(name)' is no option; before a name that begins so, write ./")
    }

    /// Whether letters are options in one word, such as `-nv` or `-j4`.
    private static func areOptions(_ letters: Substring) -> Bool {
        letters.allSatisfy { "hnqv".contains($0) }
            || letters.first == "j" && letters.dropFirst().allSatisfy(\.isNumber)
    }
}
