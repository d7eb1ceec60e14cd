import Recordings

// Whether several workers may listen to one recording.

extension Job {
    /// Smaller recordings are not shared among workers: five minutes of the plainest telephone
    /// sound are larger.
    package static let leastSharedBytes: Int64 = 2_000_000
}

extension Job.State {
    package var isListening: Bool {
        if case .listening = phase { true } else { false }
    }

    /// Whether several workers could listen to it at once, as far as name and size tell: it may be
    /// long, and of a format in which a reader can begin anywhere.
    ///
    /// What it really is, only the decoder knows.
    package var mayBeShared: Bool {
        name.isOfSeekableFormat && stamp.bytes >= Job.leastSharedBytes
    }
}
