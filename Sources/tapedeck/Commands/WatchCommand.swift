import ArgumentParser
import Jobs
import PageServer
import Workers

/// `tapedeck watch`: processes existing recordings, then new ones as they arrive.
struct WatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Process folders, and then recordings as they land.",
        discussion: """
            A recording is processed once it is complete: nobody has it open for writing, and it \
            contains what its header promises. Overwritten recordings are processed again; the \
            results of renamed or moved ones are renamed with them. Stop it with Control-C or SIGTERM; \
            it writes all manifests first.

            Exit status: 129 hung up, 130 interrupted, 143 terminated, 1 could not start or continue, \
            64 wrong usage; with --once-idle also 0 all done, 3 some recordings failed.

            Example: tapedeck watch /srv/recordings --output /srv/results --json
            """
    )

    @OptionGroup
    var work: WorkOptions

    @Option(
        "Wait until size and time have not changed for this long; 0.1 to 3600.", in: "seconds")
    var settleSeconds = WatchPolicy().settleSeconds

    @Option(
        "Poll folders at this interval instead of using inotify; 0.1 to 86400.", in: "seconds")
    var poll: Double?

    @Option(
        "Wait this long for an incomplete recording, then process what there is; 1 to 604800.",
        in: "seconds")
    var giveUpSeconds = WatchPolicy().giveUpSeconds

    @Flag(help: "Exit when nothing is left to do.")
    var onceIdle = false

    @Option(
        help: ArgumentHelp(
            "Serve pages of the results to a browser meanwhile, such as on 127.0.0.1:8017.",
            valueName: "address"), transform: ServerAddress.parse)
    var serve: ServerAddress?

    @OptionGroup(title: "Telling others")
    var tell: TellOptions

    @OptionGroup(title: "Server")
    var server: ServerOptions

    /// Accepted only to reject it with an explanation: it would reprocess everything forever.
    @Flag(help: .hidden)
    var force = false

    func validate() throws {
        guard !force else {
            throw ValidationError(
                "watch has no --force; run tapedeck run --force, then watch")
        }
        guard serve != nil || server.tokenFile == nil else {
            throw ValidationError("--token-file is about the server; add --serve, or leave it out")
        }
        try requireRange("--settle-seconds", settleSeconds, 0.1...3600, "seconds, such as 2")
        try requireRange(
            "--give-up-seconds", giveUpSeconds, 1...604_800, "seconds, such as 600")
        try requireRange("--poll", poll, 0.1...86_400, "seconds, such as 5")
    }

    func run() throws {
        var run = BatchRun(
            options: work, asked: asked, watcher: poll == nil ? FolderWatcher() : nil)
        run.tell = tell
        run.server = serve.map { ServerOrder(address: $0, options: server) }
        try run.carryOut()
    }

    /// The job store's configuration by these options and settings.
    func asked(_ settings: OutputSettings) -> JobStore.Configuration {
        var configuration = work.configuration(settings)
        configuration.watch = WatchPolicy(
            settleSeconds: settleSeconds, giveUpSeconds: giveUpSeconds, pollSeconds: poll,
            endsWhenIdle: onceIdle)
        return configuration
    }
}
