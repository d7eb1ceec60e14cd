import Recordings

/// Decides whether a failure settles one recording, is retried, or stops the run.
package enum RetryPolicy {
    package enum Verdict: Hashable, Sendable {
        /// The recording has failed.
        case settle
        /// The failure may be transient; retry after a pause.
        case tryAgain(afterSeconds: Double)
        /// Nothing can be written any more, whatever the recording.
        case stopRun
    }

    /// Pauses before each retry.
    package static let pausesSeconds = [0.5, 2, 8]

    /// - Parameter attempts: failed attempts before this one.
    package static func verdict(on failure: RecordingFailure, attempts: Int) -> Verdict {
        switch failure.reason {
        case .noSpace, .readOnly, .outputGone, .takenOver, .damagedRecord:
            .stopRun
        case .tooManyOpenFiles, .inputOutput, .unavailable:
            attempts < pausesSeconds.count
                ? .tryAgain(afterSeconds: pausesSeconds[attempts]) : .settle
        case .vanished where failure.stage == .waveform:
            // The output folder was deleted, as folders of missing recordings are, and made again.
            attempts < pausesSeconds.count
                ? .tryAgain(afterSeconds: pausesSeconds[attempts]) : .settle
        default:
            .settle
        }
    }
}

extension RecordingFailure {
    /// Whether nothing can be written any more, whatever the recording.
    package var endsRun: Bool { RetryPolicy.verdict(on: self, attempts: .max) == .stopRun }

    /// Whether the recording is at fault, so that a retry would fail the same way until it or its
    /// recipe changes.
    package var liesInRecording: Bool {
        switch reason {
        case .permissionDenied, .vanished, .changed, .beingWritten, .emptied, .linked,
            .leadsElsewhere, .placeTaken, .nameTaken, .outputGone, .takenOver, .damagedRecord,
            .noSpace, .readOnly, .tooLarge, .tooManyOpenFiles, .inputOutput, .unavailable, .tooLong,
            .decoderCrashed, .decoderStuck, .needsLibav:
            false
        case .emptyFile, .unrecognisedFormat, .unsupportedEncoding, .noAudio,
            .truncated, .unfinished, .corrupt, .chainedStreams, .implausibleLength,
            .formatChanges:
            true
        case .notARegularFile, .nameTooLong, .other:
            // In these stages the output is at fault: it could not be written.
            stage != .waveform && stage != .trim
        }
    }

    /// Whether a recording that is still being written typically fails this way.
    package var mayPassWithWriting: Bool {
        switch reason {
        case .emptyFile, .noAudio, .truncated, .unfinished, .beingWritten: true
        default: false
        }
    }
}
