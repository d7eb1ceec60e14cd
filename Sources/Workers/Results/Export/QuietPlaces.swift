import Exports
import Recordings
import WaveformData

/// Where a recording is quiet, by its waveform in the output; without decoding.
struct QuietPlaces {
    private let waveform: Waveform?

    /// - Parameter folder: of the recording's results.
    init(_ sound: OutputRecord.RecordedSound, in folder: Pathname) {
        let bytes = sound.waveform.flatMap { try? FileSystem.contents(of: folder.appending($0)) }
        waveform = bytes.flatMap(Waveform.init(binary:))
    }

    /// The quietest place in a stretch of seconds; its end if there is no waveform.
    func quietest(in seconds: ClosedRange<Double>) -> Double {
        waveform?.quietestSecond(in: seconds) ?? seconds.upperBound
    }
}

extension StretchRules {
    /// The segments of a recording by these rules.
    /// - Parameter folder: of the recording's results.
    func apply(
        to stretches: [Stretch], of sound: OutputRecord.RecordedSound, durationSeconds: Double,
        in folder: Pathname
    ) -> [Stretch] {
        guard maximumSeconds.isFinite else {
            return apply(to: stretches, durationSeconds: durationSeconds)
        }
        let places = QuietPlaces(sound, in: folder)
        return apply(
            to: stretches, durationSeconds: durationSeconds, quietest: places.quietest(in:))
    }
}
