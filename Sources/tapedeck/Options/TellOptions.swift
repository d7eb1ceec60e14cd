import ArgumentParser
import Recordings

/// Whom a watch tells what happens, besides its log.
struct TellOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Run this shell command after failures, at most once a minute, with JSON lines on standard input.",
            valueName: "command"))
    var onFailure: String?

    @Option(
        help: ArgumentHelp(
            "Run this shell command after recordings are done, at most once a second, with JSON lines on standard input.",
            valueName: "command"))
    var onDone: String?

    @Option(
        help: ArgumentHelp(
            "Keep counts in this file, for the textfile collector of Prometheus' node exporter.",
            valueName: "file"))
    var metrics: Pathname?

    func validate() throws {
        try requirePath(metrics)
        for (option, command) in [("--on-failure", onFailure), ("--on-done", onDone)] {
            guard command?.allSatisfy(\.isWhitespace) != true else {
                throw ValidationError("\(option) needs a command, such as 'mail -s failed me'")
            }
        }
        guard metrics?.fileExtension ?? "prom" == "prom" else {
            throw ValidationError("--metrics needs a name that ends in .prom, or nobody reads it")
        }
    }
}
