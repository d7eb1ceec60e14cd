import Recordings

/// Converts analysis frames to seconds of a recording.
struct Timeline {
    let durationSeconds: Double
    private let minimumSeconds: Double

    init(format: AudioFormat, minimumSeconds: Double) {
        durationSeconds = format.durationSeconds
        self.minimumSeconds = minimumSeconds
    }

    /// One interval over the entire recording; none if it is too short.
    var everything: [[Double]] { longEnough([[0, durationSeconds]]) }

    /// The gaps around the stretches of sound, if they are long enough.
    func silences(around sound: [Range<Int>], of frames: Int) -> [[Double]] {
        let starts = [0] + sound.map(\.upperBound)
        let ends = sound.map(\.lowerBound) + [frames]
        let gaps = zip(starts, ends).map {
            [seconds($0), $1 == frames ? durationSeconds : seconds($1)]
        }
        return longEnough(gaps)
    }

    private func longEnough(_ intervals: [[Double]]) -> [[Double]] {
        intervals.filter { $0[1] > $0[0] && $0[1] - $0[0] >= minimumSeconds - 1e-9 }
    }

    /// The frame that begins at a time.
    func frame(_ seconds: Double) -> Int {
        Int((seconds * Double(ActivityTrack.framesPerSecond)).rounded())
    }

    private func seconds(_ frame: Int) -> Double {
        min(durationSeconds, Double(frame) / Double(ActivityTrack.framesPerSecond))
    }
}
