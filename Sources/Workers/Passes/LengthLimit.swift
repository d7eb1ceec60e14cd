import Jobs
import Recordings

/// The maximum duration of a recording.
///
/// Memory for the results grows with the duration, not with the file size. Without a limit, a file
/// of a few hundred bytes could exhaust all memory.
package struct LengthLimit: Sendable {
    package static let usualHours = Settings.usualMaxHours

    /// The maximum plausible frames per byte: somewhat more than in FLAC's longest blocks of
    /// digital silence, 65,535 frames in fourteen bytes.
    private static let mostFramesPerByte = 4800.0
    /// The duration that is accepted for any file size.
    private static let alwaysBelievedSeconds = 3600.0

    private let mostSeconds: Double

    package init(hours: Double = LengthLimit.usualHours) { mostSeconds = 3600 * hours }

    /// Throws if the frame count is implausible for the file size, or exceeds the limit.
    func check(frames: Int64, _ format: AudioFormat, bytes: Int64) throws(RecordingFailure) {
        guard frames > mostFrames(format, bytes: bytes) else { return }
        let isBelieved = Double(frames) <= believedFrames(format, bytes)
        throw RecordingFailure(
            stage: .decode, reason: isBelieved ? .tooLong : .implausibleLength, expected: frames)
    }

    /// The maximum frame count for a file of this size.
    func mostFrames(_ format: AudioFormat, bytes: Int64) -> Int64 {
        let most = mostSeconds * Double(format.sampleRateHertz)
        return Int64(min(believedFrames(format, bytes), most))
    }

    private func believedFrames(_ format: AudioFormat, _ bytes: Int64) -> Double {
        max(
            LengthLimit.alwaysBelievedSeconds * Double(format.sampleRateHertz),
            LengthLimit.mostFramesPerByte * Double(bytes))
    }
}
