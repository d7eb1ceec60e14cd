import ArgumentParser
import Glibc
import Workers

/// The front door.
@main
struct Tapedeck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tapedeck",
        abstract: "Turns folders of recordings into waveforms, trimmed copies and manifests.",
        version: Tapedeck.version,
        subcommands: [
            RunCommand.self, WatchCommand.self, StatusCommand.self, VerifyCommand.self,
            InspectCommand.self, MapCommand.self, ReplayCommand.self, BenchCommand.self,
        ])

    static let version = "0.1.0"

    static func main() {
        StandardStream.secure()
        // A limit on the size of files is to be a full disk, not the end of the process.
        signal(SIGXFSZ, SIG_IGN)
        FreedMemory.keepSome(cores: BatchRun.cores)
        do {
            var command = try parsed(ArgumentText.ofThisProcess)
            try command.run()
        } catch let code as ExitCode {
            // The parser would first make out what there is to say of it.
            end(with: code.rawValue)
        } catch {
            exit(withError: error)
        }
    }

    /// What `parseAsRoot` makes of these arguments, in less time, and a word about those that it
    /// misreads.
    ///
    /// From the root on, the parser makes the options of the command three times over, a tenth of
    /// what a short recording costs. So the command takes its own, where it can make something of
    /// them; what is to be explained, such as an error, is left to the root. As commands name it
    /// (`ofTapedeck`), they are not asked for completions, which would cost as much again.
    static func parsed(_ arguments: [String]) throws -> any ParsableCommand {
        let named = configuration.subcommands.first { name(of: $0) == arguments.first }
        let own = try? named?.parseAsRoot(Array(arguments.dropFirst()))
        // Where help is asked for, that is a command too, which explains another.
        if let own, type(of: own) == named { return own }
        let commands = configuration.subcommands.map(name(of:))
        try MisreadArguments(commands: commands, isThere: FileSystem.leadsSomewhere)
            .check(arguments)
        return try parseAsRoot(arguments)
    }

    private static func name(of command: any ParsableCommand.Type) -> String {
        command.configuration.commandName ?? ""
    }
}

extension CommandConfiguration {
    /// The same of a command below the root, which it names.
    var ofTapedeck: CommandConfiguration {
        var configuration = self
        configuration._superCommandName = "tapedeck"
        return configuration
    }
}

/// Ends the process; a command has methods by the name of the system's own.
private func end(with status: Int32) -> Never { exit(status) }
