import ArgumentParser
import Jobs

/// `tapedeck run`: all that is there, and then the end.
struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Draws waveforms, measures, finds silence, trims, and writes manifests.",
        discussion: """
            Folders are taken with everything below them. Originals are only ever read. The output \
            mirrors the folders: for A/b.wav it holds A/b.wav.dat (waveform), A/b.wav (trimmed \
            copy, where something was cut) and A/manifest.json. What is up to date is not done \
            again.

            Exit status: 0 all well, 1 could not run or go on, 3 some recordings failed (the others are \
            done), 64 wrong usage, 129 hung up, 130 interrupted, 143 terminated.
            """
    )

    @OptionGroup
    var work: WorkOptions

    @Flag(help: "Say what would be done, and write nothing.")
    var dryRun = false

    @Flag(help: "Do again what is up to date.")
    var force = false

    func run() throws {
        try BatchRun(work, asked).carryOut()
    }

    /// What the options ask of the job store.
    var asked: JobStore.Configuration {
        var configuration = work.configuration
        configuration.isDryRun = dryRun
        configuration.redoesAll = force
        return configuration
    }
}
