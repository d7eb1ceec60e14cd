/// The frames of an MPEG audio file, walked from the first header to the last.
///
/// libsndfile estimates the length of a stream without a Xing header from its first frame, and
/// stops there. It also takes text for a stream if two bytes match.
struct MPEGStream {
    private(set) var verdict = ContainerVerdict.whole
    /// Where the decoder begins to read: after a Xing header that counts no frames, as a recorder
    /// that died leaves it, or only the first of several files that were joined; else at the
    /// beginning of the file.
    private(set) var start: Int64 = 0
    /// The offset after the last complete frame.
    private(set) var end: Int64
    /// Whether mono frames follow stereo ones, or the reverse.
    private(set) var changesChannels = false
    /// Whether frames of another rate or layer follow.
    private(set) var changesRate = false
    /// MPEG frames that hold sound.
    private(set) var soundFrames: Int64 = 0

    /// Whether libsndfile would take `source` for an MPEG stream, by eleven bits after its tags.
    static func seems(_ source: SourceFile) -> Bool {
        let start = source.bytes(at: skippingTags(at: 0, in: source), count: 2)
        return start.count == 2 && start[0] == 0xFF && start[1] >= 0xE0
    }

    /// Whether `source` ends within a tag before the first frame, or within that frame's header.
    ///
    /// Pictures make tags long, so a copy in progress may well end within one.
    static func isCutOffBeforeItBegins(_ source: SourceFile) -> Bool {
        let start = source.bytes(at: 0, count: 3)
        let first = skippingTags(at: 0, in: source)
        if source.beginsWithTag { return first + 4 > source.byteCount || first == 0 }
        return source.byteCount < 4 && first == 0 && start.first == 0xFF
            && start.dropFirst().first.map { $0 >= 0xE0 } != false
    }

    /// Walks the frames; `nil` if the first is not followed by a second, so this is no MPEG stream.
    init?(walking source: SourceFile) {
        var offset = MPEGStream.skippingTags(at: 0, in: source)
        guard let first = MPEGHeader(source.bytes(at: offset, count: 4)[...]),
            MPEGStream.begins(at: offset, in: source)
        else { return nil }
        let beginning = offset
        let promise = first.promise(
            in: source.bytes(at: offset, count: first.byteCount)[...])
        // The frame with the Xing header holds no sound.
        if promise != nil { offset += Int64(first.byteCount) }
        if promise?.frames == 0 { start = offset }
        end = offset

        walk(source, from: offset, like: first)
        guard let promise, promise.frames > 0 else { return }
        if soundFrames > promise.frames {
            start = offset
        } else {
            judge(promise, from: beginning)
        }
    }

    /// Whether a frame begins at `offset`, with another like it behind it or the end of the file.
    private static func begins(at offset: Int64, in source: SourceFile) -> Bool {
        guard let first = MPEGHeader(source.bytes(at: offset, count: 4)[...]) else { return false }
        let second = offset + Int64(first.byteCount)
        guard second + 4 <= source.byteCount else { return true }
        let next = MPEGHeader(source.bytes(at: second, count: 4)[...])
        return next?.continues(first) == true
    }

    /// Compares the frames found with those a header at `start` declares.
    private mutating func judge(_ promise: MPEGHeader.Promise, from start: Int64) {
        if soundFrames == promise.frames {
            // Whatever follows the last declared frame is not part of the stream.
            verdict = .whole
        } else if verdict == .whole {
            let countsItself = soundFrames + 1 == promise.frames && promise.bytes == end - start
            if !countsItself { verdict = .truncated(expectedBytes: nil) }
        }
    }

    private mutating func walk(
        _ source: SourceFile, from start: Int64, like first: MPEGHeader
    ) {
        var offset = start
        while offset < source.byteCount {
            let bytes = source.bytes(at: offset, count: 4)
            if let header = MPEGHeader(bytes[...]), header.continues(first) {
                guard offset + Int64(header.byteCount) <= source.byteCount else {
                    verdict = .truncated(expectedBytes: nil)
                    return
                }
                let frame = source.bytes(at: offset, count: header.byteCount)
                guard MPEGSideInformation.isPossible(in: frame[...], of: header) else {
                    verdict = .damaged(frame: soundFrames * Int64(first.samples))
                    return
                }
                if header.channels != first.channels { changesChannels = true }
                offset += Int64(header.byteCount)
                soundFrames += 1
                end = offset
                continue
            }
            let behindTags = MPEGStream.skippingTags(at: offset, in: source)
            if behindTags > offset {
                offset = behindTags
            } else if MPEGStream.endsWithTag(source, from: offset) {
                return
            } else if MPEGStream.begins(at: offset, in: source) {
                changesRate = true
                return
            } else {
                noteJunk(at: offset, in: source, samplesPerFrame: first.samples)
                return
            }
        }
    }

    /// Judges the bytes after the frames: padding, or damage.
    private mutating func noteJunk(
        at offset: Int64, in source: SourceFile, samplesPerFrame: Int
    ) {
        let junk = source.bytes(at: offset, count: 1 << 16)
        if junk.count > 3 && junk.contains(where: { $0 != 0 }) {
            verdict = .damaged(frame: soundFrames * Int64(samplesPerFrame))
        }
    }

    /// Whether an APE tag with only a footer (APEv1) begins at `offset`; an ID3v1 tag may follow.
    ///
    /// Such a tag can be recognised only from its end.
    private static func endsWithTag(_ source: SourceFile, from offset: Int64) -> Bool {
        let footer = source.bytes(at: source.streamEnd - 32, count: 16)
        guard footer.count == 16, footer.starts(with: "APETAGEX".utf8) else { return false }
        // Counts the items and the footer.
        let bytes = Int64(integer(footer[12...], bigEndian: false))
        return source.streamEnd - bytes <= offset
    }

    /// The offset after all tags that begin at `offset`.
    static func skippingTags(at offset: Int64, in source: SourceFile) -> Int64 {
        var offset = offset
        while true {
            let start = source.bytes(at: offset, count: 16)
            if let tag = SourceFile.tagBytes(start) {
                offset += tag
            } else if start.starts(with: "TAG".utf8) {
                offset += 128
            } else if start.count == 16, start.starts(with: "APETAGEX".utf8) {
                offset += 32 + Int64(integer(start[12..<16], bigEndian: false))
            } else if start.starts(with: "LYRICSBEGIN".utf8) {
                // Lyrics precede an ID3v1 tag at the end of the file.
                offset = source.byteCount
            } else {
                return offset
            }
        }
    }
}
