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
        let line = Mutex(Line(sections: plan.sections.count))
        // Whoever joins has it, one at a time, so that nobody waits for it.
        let listeners = Mutex(Listeners(order, format))
        // Made without any, as one that goes with fewer than it was made with is taken for in use.
        let room = DispatchSemaphore(value: 0)
        let trouble = Cancellation()
        for _ in 0..<workers * SharedListening.sectionsAhead { room.signal() }
        // Whoever has the first section that is not joined never waits, so that others wait in vain
        // for nobody, however few of them really run at once.
        DispatchQueue.concurrentPerform(iterations: workers) { _ in
            work(line, listeners, room, trouble)
            // Those who still wait for room are to see that nothing is left to take.
            room.signal()
        }
        guard !trouble.isCancelled, let format = line.withLock({ $0.decodedFormat }) else {
            return nil
        }
        let crew = Crew(workers: workers) {
            DispatchQueue.concurrentPerform(iterations: $0, execute: $1)
        }
        return listeners.withLock { $0.finish(format, crew: crew) }
    }

    /// What one worker does.
    private func work(
        _ line: borrowing Mutex<Line>, _ listeners: borrowing Mutex<Listeners>,
        _ room: DispatchSemaphore, _ trouble: Cancellation
    ) {
        do throws(AudioFileError) {
            var reader = try AudioFileReader(opening: path)
            // Another file may have taken its place meanwhile.
            guard reader.format == format else { return trouble.cancel() }
            let isSure = reader.hasFramesOfOneSize
            while true {
                room.wait()
                guard !trouble.isCancelled, let number = line.withLock({ $0.take() }) else {
                    return
                }
                let heard = try HeardSection(
                    plan.sections[number], of: order, in: &reader,
                    while: { !cancellation.isCancelled && !trouble.isCancelled })
                guard let heard else { return trouble.cancel() }
                line.withLock { $0.deliver(heard, as: number) }
                while let next = line.withLock({ $0.begin() }) {
                    guard isSure || next.isSmooth else { return trouble.cancel() }
                    listeners.withLock { $0.append(next.section) }
                    line.withLock { $0.end(next.section) }
                    room.signal()
                }
            }
        } catch {
            trouble.cancel()
        }
    }
}

/// What has become of the sections.
private struct Line {
    private let sections: Int
    private var taken = 0
    private var joined = 0
    private var isJoining = false
    /// Those that wait for one before them, or for who joins them.
    private var waiting: [Int: HeardSection] = [:]
    /// How the one that was joined last goes on.
    private var continuation = SoundPrint(least: 0)
    /// What was decoded, once all are joined.
    private(set) var decodedFormat: AudioFormat?

    init(sections: Int) { self.sections = sections }

    /// The next section to be heard; `nil` where there is none.
    mutating func take() -> Int? {
        guard taken < sections else { return nil }
        taken += 1
        return taken - 1
    }

    /// Takes in what was heard of a section.
    mutating func deliver(_ heard: HeardSection, as number: Int) { waiting[number] = heard }

    /// The next section to be joined, and whether it begins as the one before goes on; `nil` where
    /// it was not yet heard, or somebody joins, who will ask for it.
    ///
    /// Where frames vary in size, a decoder that goes from one to the next need not come to the
    /// same place as one that looks for it, if the file was tampered with. So both have to have
    /// read the same there, and more than a constant, which is the same everywhere.
    mutating func begin() -> (section: HeardSection, isSmooth: Bool)? {
        guard !isJoining, let next = waiting.removeValue(forKey: joined) else { return nil }
        isJoining = true
        let isSmooth = next.beginning == continuation && !continuation.isConstant
        return (next, joined == 0 || isSmooth)
    }

    /// The section has been joined.
    mutating func end(_ section: HeardSection) {
        isJoining = false
        joined += 1
        continuation = section.continuation
        decodedFormat = joined == sections ? section.decodedFormat : nil
    }
}
