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
    /// Decodes nothing, but reads headers, and walks the frames of an MPEG or Ogg stream. Throws
    /// if the file cannot be opened.
    package func confirmed(by path: Pathname) throws(AudioFileError) -> Decoding? {
        if format.container == .mp3, MPEGStream.isWholeByItsHeader(try SourceFile(opening: path)) {
            return Decoding(by: .libsndfile)
        }
        let reader = try AudioFileReader(opening: path)
        let file = reader.file
        // An earlier version knew libsndfile alone, and believed what it said.
        guard file.decoding.because == nil, file.stream?.start ?? 0 == 0,
            reader.format.with(frames: 0) == format.with(frames: 0),
            !declaresFrames || reader.format.frames == format.frames,
            !hasCopy || !file.makesAnotherCopy
        else { return nil }
        return file.decoding
    }
}

extension DecodableFile {
    /// Whether copies of it were wrong in versions before 2 of `Decoding.currentRevision`.
    fileprivate var makesAnotherCopy: Bool {
        if channelOrderOfCopies != nil { return true }
        guard let sound else { return false }
        let isAmbisonic =
            sf_command(sound.handle, Int32(SFC_WAVEX_GET_AMBISONIC), nil, 0)
            == SF_AMBISONIC_B_FORMAT
        let isLittleEndian = sound.info.format & Int32(SF_FORMAT_ENDMASK) == SF_ENDIAN_LITTLE
        return isAmbisonic
            || format.container == .aiff && format.encoding == .pcm24 && isLittleEndian
    }
}

extension MPEGStream {
    /// Whether the header of the first frame counts all bytes up to the end: then no other stream
    /// follows, and libsndfile reads all of it.
    fileprivate static func isWholeByItsHeader(_ source: SourceFile) -> Bool {
        let start = skippingTags(at: 0, in: source)
        guard let first = MPEGHeader(source.bytes(at: start, count: 4)[...]),
            let promise = first.promise(in: source.bytes(at: start, count: first.byteCount)[...])
        else { return false }
        return promise.frames > 0 && promise.bytes == source.streamEnd - start
    }
}
