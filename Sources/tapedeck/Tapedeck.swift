import ArgumentParser

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
}
