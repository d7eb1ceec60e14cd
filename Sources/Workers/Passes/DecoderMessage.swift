import Jobs
import Recordings

// Adds what the decoder printed to a recording's outcome.

extension Job.Action {
    /// The answer with what the decoder printed during the pass.
    func noting(decoderMessage message: String?) -> Job.Action {
        guard let message else { return self }
        switch self {
        case .listened(var measured, let staged):
            measured.decoderMessage = message
            measured.warnings = (measured.warnings ?? []) + [RecordingWarning(.decoderMessage)]
            return .listened(measured, staged: staged)
        case .failed(let failure, let found):
            // Otherwise the message may concern another version of the file.
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
    /// The failure with the printed message appended to its detail.
    func noting(decoderMessage message: String?) -> RecordingFailure {
        guard let message else { return self }
        var failure = self
        failure.detail = [detail, message].compactMap { $0 }.joined(separator: "; ")
        return failure
    }
}
