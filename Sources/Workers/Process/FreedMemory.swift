import CSync
import Synchronization

/// What becomes of memory that nobody needs any more.
package enum FreedMemory {
    /// More than a pass over a short recording needs, and little beside what a long one does.
    private static let keptBytes: Int32 = 4 << 20

    /// Keeps some of it, in each of the places that threads have, for whatever comes next.
    ///
    /// By itself glibc gives most of it back as soon as a recording is done, and has the pages
    /// zeroed again for the next: a tenth of what short recordings cost. What is larger than the
    /// second threshold it gives back at once in any case; setting the first alone would leave that
    /// one at 128 kB, which a block of eight channels is.
    ///
    /// And has the threads share those places, two for each core: by itself glibc makes up to
    /// eight, of which each keeps what it needed at its worst. A watch over a folder of 4,000
    /// recordings that were all overwritten again and again came to 160 MB, and comes to 80.
    package static func keepSome(cores: Int) {
        mallopt(M_ARENA_MAX, Int32(clamping: 2 * cores))
        mallopt(M_TRIM_THRESHOLD, keptBytes)
        mallopt(M_MMAP_THRESHOLD, keptBytes)
    }
}

/// Memory that very many recordings of a folder took while they were read or written.
///
/// What is free of it is given back: otherwise the next time may take as much once more, in another
/// of the places that threads have.
final class LargeNeed: Sendable {
    private static let manyRecordings = 10_000
    /// Whether there was one since everything was put away.
    private let wasThere = Atomic(false)

    /// Takes in that so many recordings of a folder were read or written.
    func note(recordings: Int) {
        guard recordings >= LargeNeed.manyRecordings else { return }
        wasThere.store(true, ordering: .relaxed)
        giveBack()
    }

    /// Takes in that whoever had them in mind has let go of them.
    func end() {
        if wasThere.exchange(false, ordering: .relaxed) { giveBack() }
    }

    /// Some milliseconds.
    private func giveBack() {
        malloc_trim(0)
    }
}
