import Exports
import Recordings

extension OutputRecord.RecordedSound {
    /// What there is to list or to split: of all channels together, or of each.
    /// - Parameter apart: whether channels are told apart that were listened to by themselves.
    func stretches(_ subject: ExportSubject, apart: Bool) -> [[Stretch]] {
        guard let format else { return [] }
        let end = format.durationSeconds
        switch subject {
        case .segments where apart && !channels.isEmpty:
            return channels.enumerated().map { index, map in
                (map.segments ?? []).map { Stretch($0, upTo: end, channel: index + 1) }
            }
        case .silences where apart && !channels.isEmpty:
            return channels.enumerated().map { index, map in
                map.intervalsSeconds.map { Stretch($0[0], min($0[1], end), channel: index + 1) }
            }
        case .segments: return [segments.map { Stretch($0, upTo: end) }]
        case .silences: return [silences.map { Stretch($0[0], min($0[1], end)) }]
        case .edits:
            guard let edits = copy?.edits else { return [[Stretch(0, end)]] }
            let rate = Double(format.sampleRateHertz)
            return [
                edits.map {
                    Stretch(
                        Double($0.source.lowerBound) / rate, Double($0.source.upperBound) / rate)
                }
            ]
        case .recordings: return [[Stretch(0, end)]]
        }
    }
}

extension Stretch {
    init(_ segment: SoundSegment, upTo seconds: Double, channel: Int? = nil) {
        self.init(
            min(segment.startSeconds, seconds), min(segment.endSeconds, seconds), channel: channel)
        levelDBFS = segment.levelDBFS
        signalToNoiseDecibels = segment.signalToNoiseDecibels
        confidence = segment.confidence
    }
}
