import Recordings

/// What edits keep of an open file, block by block, faded where it is cut.
///
/// Memory is a block's. Of a lossy source everything up to the last edit is decoded, because only
/// that gives the frames which listening gave.
struct KeptFrames<Sample: CarriedSample> {
    private let edits: EditList
    private let fadeFrames: Int
    private let step: Double
    private let source: Pathname
    private let isSought: Bool
    /// The frames that came last.
    private(set) var block: CarriedBlock<Sample>
    /// The edit whose frames come next, and where in the source.
    private var current = 0
    private var position: Int64 = 0
    private var isAtItsPlace = false

    /// - Parameters:
    ///   - input: The source, which is open; its frames are asked for later.
    ///   - step: The distance between neighbouring samples, as carried.
    init(
        _ edits: EditList, of source: Pathname, in input: borrowing DecodableFile,
        fadeFrames: Int, _ step: Double
    ) {
        self.edits = edits
        self.fadeFrames = fadeFrames
        self.step = step
        self.source = source
        let encoding = SampleEncoding(sndfileFormat: input.sound.info.format)
        isSought = encoding.bytesPerSample != nil && input.sound.info.seekable != 0
        block = CarriedBlock<Sample>(
            channels: Int(input.sound.info.channels),
            capacityFrames: AudioFileReader.recommendedBlockFrames,
            view: SampleView(of: encoding))
    }

    enum Step {
        /// There is another block.
        case block
        case end
        case cancelled
    }

    /// Brings the next frames into `block`, if there are any.
    mutating func next(
        from input: borrowing DecodableFile, isCancelled: () -> Bool
    ) throws(AudioFileError) -> Step {
        while current < edits.edits.count {
            let edit = edits.edits[current]
            if !isAtItsPlace {
                isAtItsPlace = true
                if isSought { try seek(to: edit.source.lowerBound, in: input) }
            }
            while position < edit.source.upperBound {
                if isCancelled() { return .cancelled }
                let isKept = position >= edit.source.lowerBound
                let end = isKept ? edit.source.upperBound : edit.source.lowerBound
                let frames = Int(min(Int64(block.capacityFrames), end - position))
                try fill(frames, from: input)
                let place = position - edit.source.lowerBound
                position += Int64(frames)
                guard isKept else { continue }
                EditFade(edit, of: edits.sourceFrameCount, frames: fadeFrames, step: step)
                    .apply(to: &block, at: place)
                return .block
            }
            current += 1
            isAtItsPlace = false
        }
        return .end
    }

    private mutating func seek(
        to frame: Int64, in input: borrowing DecodableFile
    ) throws(AudioFileError) {
        position = frame
        guard !input.frames.seek(to: frame) else { return }
        let refusal = input.sound.refusal
        throw AudioFileError(
            activity: .seeking, path: source, reason: refusal?.reason ?? .corrupt,
            code: refusal?.code, detail: refusal?.detail, frame: frame)
    }

    private mutating func fill(
        _ frames: Int, from input: borrowing DecodableFile
    ) throws(AudioFileError) {
        let received = block.read(frames, from: input.frames)
        guard received < frames else { return }
        let frame = position + Int64(received)
        if input.errorNumber != 0 {
            throw AudioFileError(.reading, source, errno: input.errorNumber, frame: frame)
        }
        let refusal = input.sound.refusal
        throw AudioFileError(
            activity: .reading, path: source, reason: refusal?.reason ?? .truncated,
            code: refusal?.code, detail: refusal?.detail, frame: frame,
            expected: edits.sourceFrameCount)
    }
}
