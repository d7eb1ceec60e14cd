import ArgumentParser
import Exports
import Jobs
import Recordings
import Reports
import Synchronization
import Workers

/// `tapedeck report`: pages to look at and listen to.
struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Make pages of the results, to look at and listen to in a browser.",
        discussion: """
            It writes index.html to the output and each of its folders: waveforms with silences and \
            cuts, levels, warnings and failures, and the sound. For spectrograms, it decodes each \
            recording once. Pages work from a folder and from any web server. Later runs keep them \
            up to date, until --no-report.

            Exit status: 0 written, 1 not written, 3 a file is in the way, 64 wrong usage.

            Example: tapedeck report ~/interviews
            """
    )

    @Argument(
        help: ArgumentHelp(
            "An output, a folder in one, or a folder of recordings.", valueName: "path"))
    var path: Pathname = "."

    @Flag(
        inversion: .prefixedNo,
        help: "Decode recordings once more for their spectrogram, noise floor and score.")
    var details = true

    func validate() throws { try requirePath(path) }

    func run() throws {
        try ExitStatus.end(saying: FailureText.sentence(for:)) { () throws(RunRefusal) in
            let painter = TerminalPainter(isEnabled: true)
            let output = SerialOutput()
            let count = Mutex(0)
            let session = try ReportSession(ResultTree.find(path))
            let outcome = try session.run(makesDetails: details) {
                let done = count.withLock {
                    $0 += 1
                    return $0
                }
                output { painter.paint { _ in [ReportView.progress(done)] } }
            }
            output.finish()
            painter.clear()
            for trouble in outcome.report.troubles {
                StandardStream.complain(ExportView.sentence(for: trouble))
            }
            StandardStream.output.write(ReportView.line(outcome.report, page: outcome.page) + "\n")
            return outcome.report.troubles.isEmpty ? .allWell : .someFailed
        }
    }
}
