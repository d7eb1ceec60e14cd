import Glibc
import Recordings

/// The fades at the cut edges of one edit.
struct EditFade {
    private let editFrames: Int64
    private let fadesIn: Bool
    private let fadesOut: Bool
    private let fadeFrames: Int64
    private let step: Double

    /// Fades over `frames`, at most half the edit, at each end that is not an end of the source.
    init(_ edit: Edit, of sourceFrameCount: Int64, frames: Int, step: Double) {
        editFrames = edit.frames
        fadesIn = edit.source.lowerBound > 0
        fadesOut = edit.source.upperBound < sourceFrameCount
        fadeFrames = min(Int64(frames), editFrames / 2)
        self.step = step
    }

    /// Fades the frames of `block`, whose first frame is frame `position` of the edit.
    func apply<Sample>(to block: inout LosslessBlock<Sample>, at position: Int64) {
        let end = position + Int64(block.frames)
        if fadesIn {
            for frame in position..<max(position, min(end, fadeFrames)) {
                block.fade(frame: Int(frame - position), by: gain(at: frame), step: step)
            }
        }
        if fadesOut {
            for frame in min(end, max(position, editFrames - fadeFrames))..<end {
                let gain = gain(at: editFrames - 1 - frame)
                block.fade(frame: Int(frame - position), by: gain, step: step)
            }
        }
    }

    /// Half a cosine from 0 to 1; `distance` is the frames between this one and the cut.
    private func gain(at distance: Int64) -> Double {
        0.5 - 0.5 * cos(Double.pi * (Double(distance) + 0.5) / Double(fadeFrames))
    }
}
