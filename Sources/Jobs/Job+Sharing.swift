import Recordings

// Whether several workers may be at one recording.

extension Job {
    /// Smaller recordings are not shared among workers: five minutes of the plainest telephone
    /// sound are larger, and two minutes of ordinary MP3.
    package static let leastSharedBytes: Int64 = 2_000_000
}

extension Job.State {
    /// How many workers could do together what it does now.
    package var mostWorkers: Int {
        switch phase {
        case .listening: .max
        case .trimming(_, let entry, _): entry.value.format.map(mostWorkers(onCopyOf:)) ?? 1
        case .waiting, .identifying, .adopting, .ended, .committing, .settled: 1
        }
    }

    /// Whether several workers could do some of these stages at once, as far as name and size tell.
    ///
    /// It may be long, and of a format in which a reader can begin anywhere, or have a copy. What
    /// it really is, only the decoder knows.
    package func mayBeShared(_ stages: Stages) -> Bool {
        guard stamp.bytes >= Job.leastSharedBytes else { return false }
        if name.isOfSeekableFormat, !stages.isDisjoint(with: .decoding) { return true }
        return stages.contains(.trim) && setting.value.recipe.trim.mode != .off
    }

    /// How many workers could write a copy of a recording in this format: any number encode FLAC.
    ///
    /// Of what is stored as it is, one reads and writes while another takes its digest.
    func mostWorkers(onCopyOf format: AudioFormat) -> Int {
        setting.value.recipe.trim.container(for: format).isFLAC(of: format) ? .max : 2
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
