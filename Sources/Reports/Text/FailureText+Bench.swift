import Jobs
import Recordings

extension FailureText {
    /// Why a benchmark could not run.
    package static func sentence(for refusal: BenchRefusal) -> String {
        switch refusal {
        case .path(let refusal): sentence(for: refusal)
        case .noRecordings(let path): "there are no recordings in \(path.displayText)"
        case .allFailed(let path, 1, let only, let failure)
        where path.lastComponent == only.lastComponent:
            "\(path.displayText): \(sentence(for: failure))"
        case .allFailed(let path, let count, let example, let failure):
            "of \(CountText.words(count, "recording")) in \(path.displayText) none went well,"
                + " such as \(example.displayText): "
                + sentence(for: failure)
        case .noScratch(let folder, let detail):
            "nothing can be written in \(folder.displayText), where what is made meanwhile would"
                + " go: \(detail); name another folder with TMPDIR"
        case .runFailed(let status, let detail):
            "a run that was to be measured ended with status \(status)"
                + (detail.isEmpty ? "" : ": \(Pathname(detail).displayText)")
        case .stopped: "stopped before anything was measured to the end"
        }
    }
}
