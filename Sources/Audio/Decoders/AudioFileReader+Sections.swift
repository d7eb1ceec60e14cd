import Recordings

// A part of a recording, read as if all before it had been read too.

extension AudioFileReader {
    /// Whether reading can begin at any frame, and what is read then is what it would be if all
    /// before it had been read.
    ///
    /// So it is where all frames are of one size, and in FLAC, if frames say where they belong;
    /// lossy encodings make each frame of those before it. A header that promises what is not there
    /// is not believed in the rest either.
    package var isExactlySeekable: Bool {
        guard file.sound.info.seekable != 0, format.frames > 0 else { return false }
        let isExact =
            switch format.container {
            case .wav, .rf64, .w64, .aiff, .caf, .au: hasFramesOfOneSize
            case .flac: file.frames.isSeekable
            case .ogg, .mp3, .other: false
            }
        return isExact && ContainerVerdict(on: file.source) == .whole
    }

    /// Whether all frames are of one size, so that there is no doubt where each of them is.
    package var hasFramesOfOneSize: Bool {
        format.encoding.bytesPerSample != nil && format.container != .flac
    }

    /// The most frames that are encoded together, as a FLAC file says of itself (RFC 9639, 8.2).
    package var mostFramesTogether: Int {
        if hasFramesOfOneSize { return 1 }
        let most = file.source.bytes(at: 10, count: 2).reduce(0) { $0 << 8 | Int($1) }
        return most >= 16 ? most : 65_535
    }

    /// Where in the file the decoder is; `nil` where only libsndfile knows.
    package var streamPlace: Int64? { file.frames.place }

    /// Goes to a frame, so that the next one read is that.
    package mutating func seek(to frame: Int64) throws(AudioFileError) {
        // Not at any cost: there are many sections, and each would cost as much as all before it.
        guard file.frames.seek(to: frame) else {
            let refusal = file.sound.refusal
            throw AudioFileError(
                activity: .seeking, path: file.source.path, reason: refusal?.reason ?? .corrupt,
                code: refusal?.code, detail: refusal?.detail, frame: frame)
        }
        framesRead = frame
    }

    /// The next `count` frames; fewer at the end.
    ///
    /// Throws for all damage.
    package mutating func block(of count: Int) throws(AudioFileError) -> AudioBlock {
        var block = AudioBlock(channels: format.channels, capacityFrames: count)
        try read(into: &block)
        if let damage { throw damage }
        return block
    }

    /// Lends the frames up to a place, or all that are left, block by block; whether it came there.
    ///
    /// As soon as `goesOn` is false it stops and returns false. Throws for all damage, also for
    /// such as the decoder can step over.
    package mutating func forEachBlock(
        upTo end: Int64?, while goesOn: () -> Bool = { true },
        _ take: (borrowing AudioBlock) -> Void
    ) throws(AudioFileError) -> Bool {
        let usual = usualBlockFrames
        var block = AudioBlock(channels: format.channels, capacityFrames: usual)
        while goesOn() {
            let left = end.map { max(0, $0 - framesRead) } ?? .max
            if left == 0 { return true }
            try read(into: &block, atMost: Int(min(left, Int64(usual))))
            if let damage { throw damage }
            guard block.frames > 0 else { return end == nil }
            take(block)
        }
        return false
    }
}
