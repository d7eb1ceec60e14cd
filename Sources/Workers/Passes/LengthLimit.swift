import Recordings

/// How much sound a recording may hold.
///
/// What is kept of the sound while it is heard grows with its time, whatever its bytes: without a
/// limit, a file of a few hundred bytes could take all memory.
package struct LengthLimit: Sendable {
    package static let usualHours = 48.0

    /// Frames that are believed of each byte: somewhat more than the longest blocks of FLAC hold of
    /// digital silence, 65,535 in fourteen bytes.
    private static let mostFramesPerByte = 4800.0
    /// Sound that is believed whatever the bytes.
    private static let alwaysBelievedSeconds = 3600.0

    private let mostSeconds: Double

    package init(hours: Double = LengthLimit.usualHours) { mostSeconds = 3600 * hours }

    /// Throws where a recording of so many bytes cannot hold so many frames, or may not.
    func check(frames: Int64, _ format: AudioFormat, bytes: Int64) throws(RecordingFailure) {
        guard frames > mostFrames(format, bytes: bytes) else { return }
        let isBelieved = Double(frames) <= believedFrames(format, bytes)
        throw RecordingFailure(
            stage: .decode, reason: isBelieved ? .tooLong : .implausibleLength, expected: frames)
    }

    /// The most frames that a recording of so many bytes may hold.
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
