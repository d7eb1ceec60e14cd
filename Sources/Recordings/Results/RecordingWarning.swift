/// A fault of a recording whose sound could be used all the same.
package struct RecordingWarning: Hashable, Codable, Sendable {
    package enum Kind: String, Codable, Sendable, CaseIterable {
        /// The header promises more frames than there are.
        case truncated
        /// The header was never finalised; all bytes after it were taken for sound.
        case unfinished
        /// The decoder met invalid data, and went on.
        case damaged
        /// Further streams follow, which are missing here.
        case chainedStreams
        /// The sample rate changes; what follows is missing here.
        case formatChanges
        /// The decoder printed a message (`decoderMessage`).
        case decoderMessage
    }

    package var kind: Kind
    /// The frame at which the fault is.
    package var frame: Int64?
    /// The duration of the sound that is missing, if it is known.
    package var lostSeconds: Double?

    package init(_ kind: Kind, frame: Int64? = nil, lostSeconds: Double? = nil) {
        self.kind = kind
        self.frame = frame
        self.lostSeconds = lostSeconds
    }

    /// The warning in place of a failure to decode after which sound remains; `nil` for others.
    package init?(insteadOf failure: RecordingFailure, atRate sampleRateHertz: Int) {
        guard failure.stage == .decode, let frame = failure.frame,
            let kind = Kind(failure.reason)
        else { return nil }
        let lost = failure.expected.map { Double($0 - frame).seconds(atRate: sampleRateHertz) }
        self.init(kind, frame: frame, lostSeconds: lost.flatMap { $0 > 0 ? $0 : nil })
    }

    /// The reason for which a recording fails where warnings are failures.
    package var reason: RecordingFailure.Reason {
        switch kind {
        case .truncated: .truncated
        case .unfinished: .unfinished
        case .damaged, .decoderMessage: .corrupt
        case .chainedStreams: .chainedStreams
        case .formatChanges: .formatChanges
        }
    }
}

extension RecordingWarning.Kind {
    fileprivate init?(_ reason: RecordingFailure.Reason) {
        switch reason {
        case .truncated: self = .truncated
        case .unfinished: self = .unfinished
        case .corrupt: self = .damaged
        case .chainedStreams: self = .chainedStreams
        case .formatChanges: self = .formatChanges
        default: return nil
        }
    }
}

extension RecordingFailure {
    /// Whether sound remains, so that this could be a warning.
    package var leavesSound: Bool {
        guard let frame, frame > 0, stage == .decode else { return false }
        return RecordingWarning.Kind(reason) != nil
    }
}

/// Which faults of a recording are warnings; the others are failures.
package enum FaultTolerance: String, Codable, Sendable {
    case none
    /// Those that would not pass if the recording were still being written.
    case lasting
    case all
}

extension [RecordingWarning] {
    /// Those that are failures if faults are not tolerated; a decoder's message never is.
    package var faults: [RecordingWarning] { filter { $0.kind != .decoderMessage } }
}
