import Jobs
import Recordings

extension FailureText {
    /// Why speed is not measured, or not compared.
    package static func sentence(for refusal: BenchRefusal) -> String {
        switch refusal {
        case .path(let refusal): sentence(for: refusal)
        case .noRecordings(let path): "there are no recordings in \(path.displayText)"
        case .noneDecodable(let path, 1, let only, let failure)
        where path.lastComponent == only.lastComponent:
            "\(path.displayText): \(sentence(for: failure, of: path.lastComponent))"
        case .noneDecodable(let path, let count, let example, let failure):
            "of \(CountText.words(count, "recording")) in \(path.displayText) none can be decoded,"
                + " such as \(example.displayText): "
                + sentence(for: failure, of: example.lastComponent)
        case .noScratch(let folder, let detail):
            "nothing can be written in \(folder.displayText), where what is made meanwhile would"
                + " go: \(detail); name another folder with TMPDIR"
        case .failed(let path, let failure):
            "\(path.displayText): \(sentence(for: failure, of: path.lastComponent))"
        case .runFailed(let status, let detail):
            "a run that was to be measured ended with status \(status)"
                + (detail.isEmpty ? "" : ": \(Pathname(detail).displayText)")
        case .foreignBaseline(let path):
            "\(path.displayText) is there already and is no baseline of tapedeck bench; name"
                + " another with --baseline"
        case .otherFormat(let path, let format):
            "the baseline \(path.displayText) is of another kind (\(format)) than this version"
                + " writes; take a new one"
        case .baselineNotRead(let path, let detail):
            "the baseline \(path.displayText) cannot be read: \(detail)"
        case .baselineNotWritten(let path, let detail):
            "the baseline \(path.displayText) cannot be written: \(detail)"
        case .stopped: "stopped before anything was measured to the end"
        }
    }
}
