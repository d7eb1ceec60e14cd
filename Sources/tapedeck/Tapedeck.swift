import ArgumentParser
import Workers

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

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
        FreedMemory.keepSome()
        main(ArgumentText.ofThisProcess)
    }
}
