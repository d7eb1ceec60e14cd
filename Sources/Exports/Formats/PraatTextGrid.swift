import Recordings

/// A TextGrid of Praat with one tier, or one for each channel; the intervals between are empty.
struct PraatTextGrid: ExportFormat {
    static let name = "textgrid"
    static let readers = "Praat, ELAN, textgrid, praatio"
    static let subjects: [ExportSubject] = [.segments, .silences]
    static let ending: String? = ".TextGrid"
    static let hasChannels = true
    static func files(of subject: ExportSubject) -> [Pathname] { [] }

    private let label: String

    init(_ subject: ExportSubject) { label = subject.label }

    func add(_ recording: ExportedRecording, to texts: inout [ExportText]) {
        let end = ExportValue.seconds(recording.durationSeconds)
        let tiers = recording.listedChannels
        texts[0].add(
            """
            File type = "ooTextFile"
            Object class = "TextGrid"

            xmin = 0
            xmax = \(end)
            tiers? <exists>
            size = \(tiers.count)
            item []:

            """)
        for (number, channel) in tiers.enumerated() {
            let stretches = recording.stretches.filter { $0.channel == channel }
            let intervals = intervals(stretches, recording.durationSeconds)
            texts[0].add(
                """
                    item [\(number + 1)]:
                        class = "IntervalTier"
                        name = "\(label)\(channel.map { " \($0)" } ?? "")"
                        xmin = 0
                        xmax = \(end)
                        intervals: size = \(intervals.count)

                """)
            for (index, interval) in intervals.enumerated() {
                texts[0].add(
                    """
                            intervals [\(index + 1)]:
                                xmin = \(interval.start)
                                xmax = \(interval.end)
                                text = "\(interval.text)"

                    """)
            }
        }
    }

    /// All intervals of a tier, without gaps between them, as written.
    private func intervals(
        _ stretches: [Stretch], _ durationSeconds: Double
    ) -> [(start: String, end: String, text: String)] {
        let others = Stretch.between(stretches, durationSeconds: durationSeconds)
        let all = stretches.map { ($0, label) } + others.map { ($0, "") }
        return all.sorted { $0.0.start < $1.0.start }
            .map { (ExportValue.seconds($0.start), ExportValue.seconds($0.end), $1) }
            .filter { $0.0 != $0.1 }
    }
}
