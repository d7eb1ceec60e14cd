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
            ReportCommand.self, ServeCommand.self, ExportCommand.self, SplitCommand.self,
            QueryCommand.self,
            SettingsCommand.self,
            InspectCommand.self,
            MapCommand.self,
            ReplayCommand.self, BenchCommand.self,
        ])

    static let version = "0.1.0"

    static func main() {
        StandardStream.secure()
        // Exceeding a file size limit should fail like a full disk, not end the process.
        signal(SIGXFSZ, SIG_IGN)
        let words = ArgumentText.ofThisProcess
        do {
            try requireNoDashedName(words)
        } catch {
            exit(withError: error)
        }
        main(words)
    }

    /// Rejects file names that begin with a dash.
    ///
    /// Each letter after a single dash is parsed as an option, `h` among them: such a name could
    /// print help, and the command would exit successfully without doing its work.
    static func requireNoDashedName(_ words: [String]) throws {
        let dashed = words.prefix { $0 != "--" }.first { word in
            word.hasPrefix("-") && word.count > 2 && word.dropFirst().first?.isLetter == true
        }
        guard let dashed else { return }
        let name = Pathname(argument: dashed).displayText
        throw ValidationError("'\(name)' is no option; before a name that begins so, write ./")
    }
}
