import Jobs
import Recordings

// What the decoder printed, as part of a recording's outcome.

extension Job.Action {
    /// The answer with what was printed while its order was carried out.
    func noting(decoderMessage message: String?) -> Job.Action {
        guard let message else { return self }
        switch self {
        case .listened(var measured, let staged):
            measured.decoderMessage = message
            return .listened(measured, staged: staged)
        case .failed(let failure, let found):
            // Of another file than the one that was read, nothing is said.
            guard failure.liesInRecording else { return self }
            var measured = found ?? Measurements(format: nil)
            measured.decoderMessage = message
            return .failed(failure.noting(decoderMessage: message), measured: measured)
        default:
            return self
        }
    }
}

extension RecordingFailure {
    /// The failure with what was printed behind its own words.
    func noting(decoderMessage message: String?) -> RecordingFailure {
        guard let message else { return self }
        var failure = self
        failure.detail = [detail, message].compactMap { $0 }.joined(separator: "; ")
        return failure
    }
}
