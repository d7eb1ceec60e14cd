import ArgumentParser
import Jobs
import Recordings
import ReducerKit
import Reports
import Workers

extension BatchRun {
    /// The file for `--trace`, opened but as it was; `nil` where none is asked for.
    func openTrace() throws -> TraceWriter? {
        guard let trace = options.trace else { return nil }
        do throws(TraceRefusal) {
            return try TraceWriter(trace)
        } catch {
            let sentence = TraceView.sentence(for: error)
            // Somebody else's file was named: the command line is wrong, not the disk.
            if case .foreign = error { throw ValidationError(sentence) }
            StandardStream.complain(sentence)
            throw ExitStatus.couldNotRun.exitCode
        }
    }

    /// All decisions, recorded where there is a trace; without one they cost nothing more.
    func reducer(
        tracing trace: TraceWriter?, _ configuration: JobStore.Configuration,
        _ painter: TerminalPainter
    ) -> Reducer<JobStore.State, JobStore.Action, JobStore.Command> {
        guard let trace else { return JobStore.reducer }
        trace.begin(version: Tapedeck.version, configuration) {
            painter.print("tapedeck: \(TraceView.sentence(for: $0))", to: .error)
        }
        return trace.tracing(JobStore.reducer)
    }
}
