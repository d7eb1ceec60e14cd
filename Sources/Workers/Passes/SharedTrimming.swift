import Audio
import Dispatch
import Jobs
import Recordings
import Synchronization

/// One trimmed copy in FLAC, written by several workers.
///
/// To encode takes several times as long as to decode. So each worker in turn reads the next
/// section of what is kept, encodes it while others read on, and hands it over to be written in
/// order. The copy is to the byte what one worker makes; or nothing, where that is not certain.
/// Memory: `sectionsAhead` sections for each worker, some megabytes each.
struct SharedTrimming {
    let order: TrimmingOrder
    let source: Pathname
    let destination: NewFile
    let cancellation: Cancellation
    var sectionBytes = CopySections.usualBytes

    /// Sections under way or waiting for those before them, for each worker.
    private static let sectionsAhead = 2

    /// A section as it was read, and as it is in the copy.
    private struct Piece: Sendable {
        let section: CopySection
        let encoded: EncodedSection
    }

    /// What is written, by whoever joins.
    private struct Writing: ~Copyable {
        var copy: JoinedCopy
        var digest = MD5()

        mutating func append(_ piece: Piece) throws(AudioFileError) {
            piece.section.withStoredBytes { digest.update($0) }
            try copy.append(piece.encoded)
        }

        mutating func finish() throws(AudioFileError) -> Bool {
            try copy.finish(digest: digest.digest)
        }
    }

    /// Runs to the end; false when cancelled, and where anything is not as it should be, which one
    /// worker is then to find out.
    func run() -> Bool {
        do throws(AudioFileError) {
            let sections = try CopySections(
                keeping: order.edits, from: source, container: order.container,
                fadeFrames: order.fadeFrames, sectionBytes: sectionBytes)
            guard let sections else { return false }
            let encoder = sections.encoder
            // Whose turn it is to read has this.
            let reading = Mutex(sections)
            // Whoever joins has this, one at a time, so that nobody waits for it.
            let writing = Mutex(Writing(copy: try JoinedCopy(writing: destination)))
            let work = SharedWork<Piece>(ahead: order.workers * SharedTrimming.sectionsAhead)
            let isThrough = work.run(by: order.workers) {
                _ = LibraryOutput.capture { write(work, reading, encoder, writing) }
            }
            guard isThrough, !cancellation.isCancelled else { return false }
            return try writing.withLock { writing throws(AudioFileError) in
                try writing.finish()
            }
        } catch {
            return false
        }
    }

    /// What one worker does.
    private func write(
        _ work: SharedWork<Piece>, _ reading: borrowing Mutex<CopySections>,
        _ encoder: SectionEncoder, _ writing: borrowing Mutex<Writing>
    ) {
        do throws(AudioFileError) {
            while work.waitForRoom() {
                let section = try reading.withLock { sections throws(AudioFileError) in
                    try sections.next(isCancelled: { cancellation.isCancelled || work.isTroubled })
                }
                guard let section else { return }
                guard let encoded = encoder.encode(section) else { return work.giveUp() }
                let piece = Piece(section: section, encoded: encoded)
                try work.deliver(piece, as: section.number) { piece throws(AudioFileError) in
                    try writing.withLock { writing throws(AudioFileError) in
                        try writing.append(piece)
                    }
                    return true
                }
            }
        } catch {
            work.giveUp()
        }
    }
}
