import ArgumentParser
import Glibc
import Jobs
import PageServer
import Recordings
import Reports
import Workers

/// `tapedeck serve`: pages of an output for a browser, up to date while others work in it.
struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve pages of the results to a browser, which stay up to date.",
        discussion: """
            Shows what tapedeck report does, without writing anything: pages follow the results as a run or \
            watch records them, and what no browser plays is sent as WAV. Only programs of this machine \
            reach the loopback address; on any other, a token is asked for, which is part of the \
            address that is printed. Stop it with Control-C or SIGTERM.

            Exit status: 129 hung up, 130 interrupted, 143 terminated, 1 could not start, 64 wrong usage.

            Example: tapedeck serve ~/interviews
            """
    )

    @Argument(
        help: ArgumentHelp(
            "An output, a folder in one, or a folder of recordings.", valueName: "path"))
    var path: Pathname = "."

    @Option(
        help: ArgumentHelp(
            "Listen on this IP address and port. (default: 127.0.0.1:8017)", valueName: "address"),
        transform: ServerAddress.parse)
    var address = ServerAddress.standard

    @OptionGroup
    var server: ServerOptions

    func validate() throws { try requirePath(path) }

    func run() throws {
        signal(SIGPIPE, SIG_IGN)
        let signals = StopSignals.begin()
        try ExitStatus.end(saying: FailureText.sentence(for:)) { () throws(RunRefusal) in
            let tree = try ResultTree.find(path)
            let order = ServerOrder(address: address, options: server)
            guard let serving = order.start(try ServedOutput(tree)) else { return .couldNotRun }
            defer { serving.stop() }
            StandardStream.output.write(serving.line(of: tree.folder) + "\n")
            guard let signals else { throw .tooFewThreads(free: 0, needed: 1) }
            return ExitStatus(signals.next())
        }
    }
}
