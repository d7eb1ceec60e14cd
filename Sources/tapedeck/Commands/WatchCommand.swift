import ArgumentParser
import Jobs
import Workers

/// `tapedeck watch`: all that is there, and then what lands.
struct WatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Does what run does, and goes on with what lands in the folders.",
        discussion: """
            A recording is taken once it is complete: nobody writes to it any more as far as can be \
            known, and it holds what its header promises. One that is overwritten is done again; what \
            was made of one that is renamed or moved moves with it. Ends when it is told to, with \
            Control-C, by termination or with its terminal, and then all that is done is in \
            manifests.

            Exit status: 129 hung up, 130 interrupted, 143 terminated, 1 could not run or go on, \
            64 wrong usage; with --once-idle also 0 all well, 3 some recordings failed.
            """
    )

    @OptionGroup
    var work: WorkOptions

    @Option(
        "How long size and time of a recording must stand still, where nothing says that it was"
            + " closed; 0.1 to 3600.", in: "seconds")
    var settleSeconds = WatchPolicy().settleSeconds

    @Option(
        "Look at each folder so often instead of being told of changes, as for network shares;"
            + " 0.1 to 86400.", in: "seconds")
    var poll: Double?

    @Option(
        "How long a recording that is cut off is waited for, from its last change on; 1 to"
            + " 604800.", in: "seconds")
    var giveUpSeconds = WatchPolicy().giveUpSeconds

    @Flag(help: "End as soon as nothing is left to do or to wait for.")
    var onceIdle = false

    /// Known only so that it can be answered: it would do the same again for ever.
    @Flag(help: .hidden)
    var force = false

    func validate() throws {
        guard !force else {
            throw ValidationError(
                "watch has no --force; run with --force does everything again")
        }
        try requireRange("--settle-seconds", settleSeconds, 0.1...3600, "seconds, such as 2")
        try requireRange(
            "--give-up-seconds", giveUpSeconds, 1...604_800, "seconds, such as 600")
        try requireRange("--poll", poll, 0.1...86_400, "seconds, such as 5")
    }

    func run() throws {
        try BatchRun(work, asked, watcher: poll == nil ? FolderWatcher() : nil).carryOut()
    }

    /// What the options ask of the job store.
    var asked: JobStore.Configuration {
        var configuration = work.configuration
        configuration.watch = WatchPolicy(
            settleSeconds: settleSeconds, giveUpSeconds: giveUpSeconds, pollSeconds: poll,
            endsWhenIdle: onceIdle)
        return configuration
    }
}
