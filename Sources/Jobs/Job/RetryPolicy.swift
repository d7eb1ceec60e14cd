import Recordings

/// What a failure means for a run: the end of one recording, or something that may pass.
package enum RetryPolicy {
    package enum Verdict: Hashable, Sendable {
        /// The recording has failed.
        case settle
        /// It may pass; try again after a while.
        case tryAgain(afterSeconds: Double)
        /// Nothing can be written any more, whatever the recording.
        case stopRun
    }

    /// Pauses before the second and each further attempt.
    package static let pausesSeconds = [0.5, 2, 8]

    /// - Parameter attempts: failed ones, this one not counted.
    package static func verdict(on failure: RecordingFailure, attempts: Int) -> Verdict {
        switch failure.reason {
        case .noSpace, .readOnly, .outputGone:
            .stopRun
        case .tooManyOpenFiles, .inputOutput, .unavailable:
            attempts < pausesSeconds.count
                ? .tryAgain(afterSeconds: pausesSeconds[attempts]) : .settle
        case .vanished where failure.stage == .waveform:
            // The folder for it went, as folders of recordings that are gone do, and came again.
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

    /// Whether it is the recording that is at fault, so that trying again would end the same way
    /// until it or its recipe changes.
    package var liesInRecording: Bool {
        switch reason {
        case .permissionDenied, .vanished, .changed, .beingWritten, .emptied, .linked,
            .leadsElsewhere, .placeTaken, .nameTaken, .outputGone, .noSpace, .readOnly, .tooLarge,
            .tooManyOpenFiles, .inputOutput, .unavailable, .tooLong:
            false
        case .emptyFile, .unrecognisedFormat, .unsupportedEncoding, .noAudio,
            .truncated, .unfinished, .corrupt, .chainedStreams, .implausibleLength, .decoderStuck:
            true
        case .notARegularFile, .nameTooLong, .other:
            // In these stages it is the output that could not be written.
            stage != .waveform && stage != .trim
        }
    }

    /// Whether it is what a recording looks like that is not complete.
    package var mayPassWithWriting: Bool {
        switch reason {
        case .emptyFile, .noAudio, .truncated, .unfinished, .beingWritten: true
        default: false
        }
    }
}
