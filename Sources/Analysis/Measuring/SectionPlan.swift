/// A stretch of a recording that is listened to by itself, all in frames of the recording.
package struct RecordingSection: Hashable, Sendable {
    /// Its place among the others.
    package let number: Int
    /// Frames before it, from the first that its spectrum depends on; none for the first section.
    package let lead: Range<Int>
    /// Its own.
    package let frames: Range<Int>
    /// Frames behind it that its spectrum depends on; none for the last section, which goes on for
    /// as long as there is something.
    package let tail: Range<Int>
    /// Those of its own that lie before the next section as that one's lead.
    package let nextLead: Range<Int>
    package let isLast: Bool
    /// Its hops of 10 ms; of the last one without an end.
    let hops: Range<Int>
}

/// How a long recording is shared among workers: in sections that can be joined so that nothing
/// tells of them.
///
/// Where they are cut hangs on the recording alone, not on who listens to them.
package struct SectionPlan: Hashable, Sendable {
    package let sections: [RecordingSection]

    /// Long enough for what is read twice, some 50 ms, and for the seeking to be nothing beside it,
    /// and short enough to wait for in memory.
    package static let usualSeconds = 60
    /// Shorter recordings are heard in a second by one worker, and sharing gains nothing that
    /// anybody would notice.
    package static let shortestSeconds = 300

    /// A plan for so many frames; `nil` where they are too few to be shared.
    /// - Parameters:
    ///   - shortestSeconds: Recordings that are shorter are not shared; at least two sections.
    ///   - sectionMilliseconds: About so long is a section; at least 100.
    package init?(
        frames: Int64, sampleRateHertz: Int, shortestSeconds: Int = shortestSeconds,
        sectionMilliseconds: Int = 1000 * usualSeconds
    ) {
        precondition(sectionMilliseconds >= 100, "a section is longer than what leads to it")
        // Below that a hop may have no frames, and nothing takes long.
        guard sampleRateHertz >= 1000, let frames = Int(exactly: frames),
            frames / sampleRateHertz >= shortestSeconds
        else { return nil }
        let layout = SpectrumLayout(sampleRateHertz: sampleRateHertz)
        let length = sectionMilliseconds / 10
        var starts = [0]
        while let last = starts.last {
            var hop = last + length
            while !layout.mayBegin(at: hop) { hop += 1 }
            // What is left at the end belongs to the last one.
            guard layout.start(of: hop + length / 2) < frames,
                layout.tail(of: hop) < frames
            else { break }
            starts.append(hop)
        }
        guard starts.count > 1 else { return nil }
        sections = starts.indices.map { number in
            let first = starts[number]
            let next = number + 1 < starts.count ? starts[number + 1] : nil
            let begin = layout.start(of: first)
            let end = next.map(layout.start) ?? frames
            return RecordingSection(
                number: number, lead: (number == 0 ? begin : layout.lead(of: first))..<begin,
                frames: begin..<end, tail: end..<(next.map(layout.tail) ?? end),
                nextLead: (next.map(layout.lead) ?? end)..<end,
                isLast: next == nil, hops: first..<(next ?? .max))
        }
    }
}
