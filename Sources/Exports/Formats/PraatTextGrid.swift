import Recordings

/// A TextGrid of Praat with one tier, in which the intervals between are empty.
struct PraatTextGrid: ExportFormat {
    static let name = "textgrid"
    static let readers = "Praat, ELAN, textgrid, praatio"
    static let subjects: [ExportSubject] = [.segments, .silences]
    static let ending: String? = ".TextGrid"
    static func files(of subject: ExportSubject) -> [Pathname] { [] }

    private let label: String

    init(_ subject: ExportSubject) { label = subject.label }

    func add(_ recording: ExportedRecording, to texts: inout [ExportText]) {
        let intervals = self.intervals(of: recording)
        let end = ExportValue.seconds(recording.durationSeconds)
        texts[0].add(
            """
            File type = "ooTextFile"
            Object class = "TextGrid"

            xmin = 0
            xmax = \(end)
            tiers? <exists>
            size = 1
            item []:
                item [1]:
                    class = "IntervalTier"
                    name = "\(label)"
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

    /// All intervals of the tier, without gaps between them, as written.
    private func intervals(
        of recording: ExportedRecording
    ) -> [(start: String, end: String, text: String)] {
        let others = Stretch.between(
            recording.stretches, durationSeconds: recording.durationSeconds)
        let all = recording.stretches.map { ($0, label) } + others.map { ($0, "") }
        return all.sorted { $0.0.start < $1.0.start }
            .map { (ExportValue.seconds($0.start), ExportValue.seconds($0.end), $1) }
            .filter { $0.0 != $0.1 }
    }
}
