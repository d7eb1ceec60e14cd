import Analysis
import Audio
import Dispatch
import Jobs
import Recordings
import Synchronization

/// One recording, listened to by several workers in sections.
///
/// Each worker has a reader of its own, takes the next section that nobody has taken, and hands
/// over what it heard, which is joined in order. So what comes of it is what one worker would have
/// heard, or nothing, where that is not certain. Memory: `sectionsAhead` sections for each worker.
struct SharedListening {
    let order: ListeningOrder
    let path: Pathname
    let format: AudioFormat
    let plan: SectionPlan
    let workers: Int
    let cancellation: Cancellation

    /// Sections under way or waiting for those before them, for each worker: enough that nobody
    /// waits for one who is a little slower.
    private static let sectionsAhead = 3

    /// Runs to the end; `nil` when cancelled, and where anything is not as it should be, which
    /// one worker is then to find out.
    func run() -> Heard? {
        let work = SharedWork<HeardSection>(ahead: workers * SharedListening.sectionsAhead)
        let next = Atomic(0)
        // Whoever joins has it, one at a time, so that nobody waits for it.
        let line = Mutex(Line(Listeners(order, format)))
        let isThrough = work.run(by: workers) {
            let (_, printed) = LibraryOutput.capture { listen(work, next, line) }
            // One worker finds out what is printed, and how often, when all of it is read in order.
            if printed != nil { work.giveUp() }
        }
        guard isThrough else { return nil }
        let crew = Crew(workers: workers) {
            DispatchQueue.concurrentPerform(iterations: $0, execute: $1)
        }
        return line.withLock { $0.finish(crew) }
    }

    /// What one worker does.
    private func listen(
        _ work: SharedWork<HeardSection>, _ next: borrowing Atomic<Int>,
        _ line: borrowing Mutex<Line>
    ) {
        do throws(AudioFileError) {
            var reader = try AudioFileReader(opening: path)
            // Another file may have taken its place meanwhile.
            guard reader.format == format else { return work.giveUp() }
            let isSure = reader.hasFramesOfOneSize
            while work.waitForRoom() {
                let number = next.add(1, ordering: .relaxed).oldValue
                guard number < plan.sections.count else { return }
                let heard = try HeardSection(
                    plan.sections[number], of: order, in: &reader,
                    while: { !cancellation.isCancelled && !work.isTroubled })
                guard let heard else { return work.giveUp() }
                work.deliver(heard, as: number) { section in
                    line.withLock { $0.join(section, isSure: isSure) }
                }
            }
        } catch {
            work.giveUp()
        }
    }
}

/// What has been joined.
private struct Line {
    private var listeners: Listeners
    /// How the section that was joined last goes on; `nil` before there is one.
    private var continuation: SoundPrint?
    /// And where the decoder was then.
    private var place: Int64?
    /// What was decoded in all, once the last section is joined.
    private var decodedFormat: AudioFormat?

    init(_ listeners: Listeners) { self.listeners = listeners }

    /// Joins the next section; false where it does not begin as the one before goes on.
    ///
    /// Where frames vary in size, a decoder that goes from one to the next need not come to the
    /// same place as one that looks for it, if the file was tampered with. So both have to have
    /// been there, and to have read the same, and more than a constant, which is the same
    /// everywhere.
    mutating func join(_ next: HeardSection, isSure: Bool) -> Bool {
        if let continuation, !isSure,
            next.beginning != continuation || continuation.isConstant
                || next.beginningPlace != place
        {
            return false
        }
        listeners.append(next)
        continuation = next.continuation
        place = next.continuationPlace
        decodedFormat = next.decodedFormat
        return true
    }

    /// What was heard, if all of it was.
    mutating func finish(_ crew: Crew) -> Heard? {
        decodedFormat.map { listeners.finish($0, crew: crew) }
    }
}
