import Recordings

// Whether several workers may be at one recording.

extension Job {
    /// Smaller recordings are not shared among workers: five minutes of the plainest telephone
    /// sound are larger, and two minutes of ordinary MP3.
    package static let leastSharedBytes: Int64 = 2_000_000
}

extension Job.State {
    /// Whether several workers may do together what it does now.
    package var isSharing: Bool {
        switch phase {
        case .listening: true
        case .trimming(_, let entry, _): entry.value.format.map(hasSharedCopy) ?? false
        case .waiting, .identifying, .adopting, .ended, .committing, .settled: false
        }
    }

    /// Whether several workers could do some of these stages at once, as far as name and size tell.
    ///
    /// It may be long, and of a format in which a reader can begin anywhere, or have a copy in
    /// FLAC. What it really is, only the decoder knows.
    package func mayBeShared(_ stages: Stages) -> Bool {
        guard stamp.bytes >= Job.leastSharedBytes else { return false }
        if name.isOfSeekableFormat, !stages.isDisjoint(with: .decoding) { return true }
        return stages.contains(.trim) && mayHaveSharedCopy
    }

    /// Whether a copy of a recording in this format is FLAC, which several workers encode faster.
    ///
    /// Of other formats a copy takes little more than to read and to write.
    func hasSharedCopy(of format: AudioFormat) -> Bool {
        switch setting.value.recipe.trim.container(for: format) {
        case .flac: true
        case .wav: false
        case .same: format.container == .flac
        }
    }

    private var mayHaveSharedCopy: Bool {
        let recipe = setting.value.recipe.trim
        guard recipe.mode != .off else { return false }
        return switch recipe.format {
        case .flac: true
        case .wav: false
        // What is lossy becomes FLAC, and what is not stays what it is.
        case .auto: name.fileExtension == "flac" || !name.isOfSeekableFormat
        }
    }
}
