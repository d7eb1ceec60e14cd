import CSndfile
import Recordings

/// A recording as an earlier version of Tapedeck decoded it, held against the file.
package struct EarlierDecoding {
    let format: AudioFormat
    let hasCopy: Bool

    /// - Parameters:
    ///   - format: what that version decoded.
    ///   - hasCopy: whether it made a trimmed copy.
    package init(_ format: AudioFormat, hasCopy: Bool) {
        self.format = format
        self.hasCopy = hasCopy
    }

    /// Whether headers have the number of frames that decoding finds.
    private var declaresFrames: Bool {
        format.encoding.bytesPerSample != nil || format.encoding == .gsm610
    }

    /// How this version decodes the file at `path`, if the result is the same; `nil` if that
    /// version misread it, or made a copy that others misread.
    ///
    /// Decodes nothing, but reads headers, and walks the frames of an MPEG stream of varying bit
    /// rate. Throws if the file cannot be opened.
    package func confirmed(by path: Pathname) throws(AudioFileError) -> Decoding? {
        switch format.container {
        case .mp3 where MPEGStream.isWhole(try SourceFile(opening: path), with: format.frames):
            return Decoding(by: .libsndfile)
        case .ogg:
            // Other misreadings of Ogg were failures.
            let isMisread = OggStream.omitsOpusRate(try SourceFile(opening: path))
            let hasOtherOrder = hasCopy && DecodableFile.channelOrders[format.channels] != nil
            return isMisread || hasOtherOrder ? nil : Decoding(by: .libsndfile)
        default: break
        }
        let reader = try AudioFileReader(opening: path)
        let file = reader.file
        // An earlier version knew libsndfile alone, and believed what it said.
        guard file.decoding.because == nil, file.streamStart ?? 0 == 0,
            reader.format.with(frames: 0) == format.with(frames: 0),
            !declaresFrames || [0, format.frames].contains(reader.format.frames),
            !hasCopy || !file.makesAnotherCopy
        else { return nil }
        return file.decoding
    }
}

extension DecodableFile {
    /// Whether copies of it were wrong in versions before 2 of `Decoding.currentRevision`.
    fileprivate var makesAnotherCopy: Bool {
        if channelOrderOfCopies != nil { return true }
        let isLittleEndian =
            (sndfileFormat ?? 0) & Int32(SF_FORMAT_ENDMASK) == SF_ENDIAN_LITTLE
        return isAmbisonic
            || format.container == .aiff && format.encoding == .pcm24 && isLittleEndian
    }
}

extension MPEGStream {
    /// Whether libsndfile reads all of the file, by a few of its frames: if no stream of another
    /// format follows, `frames` are as many as the size of the file holds.
    ///
    /// False if the bit rate varies and no header counts the bytes.
    fileprivate static func isWhole(_ source: SourceFile, with frames: Int64) -> Bool {
        let start = skippingTags(at: 0, in: source)
        guard let first = MPEGHeader(source.bytes(at: start, count: 4)[...]) else { return false }
        if let promise = first.promise(in: source.bytes(at: start, count: first.byteCount)[...]) {
            return promise.frames > 0 && promise.bytes == source.streamEnd - start
        }
        var offset = start
        for _ in 0..<200 where offset < source.streamEnd {
            guard let header = MPEGHeader(source.bytes(at: offset, count: 4)[...]),
                header.meanByteCount == first.meanByteCount
            else { return false }
            offset += Int64(header.byteCount)
        }
        let expected = Double(source.streamEnd - start) / first.meanByteCount
        return abs(expected - Double(frames) / Double(first.samples)) < 4
    }
}
