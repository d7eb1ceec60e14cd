import Recordings

// Whether several workers may be at one recording.

extension Job {
    /// Smaller recordings are not shared among workers: five minutes of the plainest telephone
    /// sound are larger.
    package static let leastSharedBytes: Int64 = 2_000_000
    /// A copy of a shorter recording is made in half a second by one worker.
    package static let leastSharedSeconds: Int64 = 300
}

extension Job.State {
    /// How many workers could do together what it does now, as far as is known.
    ///
    /// To be heard by several a recording has to be long, and of a format in which a reader can
    /// begin anywhere. Of a long copy any number encode FLAC; of what is stored as it is, one reads
    /// and writes while another takes the digest.
    package var mostWorkers: Int {
        switch phase {
        case .listening:
            name.isOfSeekableFormat && stamp.bytes >= Job.leastSharedBytes ? .max : 1
        case .trimming(_, let entry, _): entry.value.format.map(mostWorkers(onCopyOf:)) ?? 1
        case .waiting, .identifying, .adopting, .ended, .committing, .settled: 1
        }
    }

    private func mostWorkers(onCopyOf format: AudioFormat) -> Int {
        let shortest = Job.leastSharedSeconds * Int64(format.sampleRateHertz)
        guard format.frames >= shortest else { return 1 }
        return setting.value.recipe.trim.container(for: format).isFLAC(of: format) ? .max : 2
    }
}

extension TrimmedContainer {
    /// Whether a copy of a recording in this format is FLAC.
    package func isFLAC(of format: AudioFormat) -> Bool {
        switch self {
        case .flac: true
        case .wav: false
        case .same: format.container == .flac
        }
    }
}
