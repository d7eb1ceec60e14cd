import CSndfile
import Recordings

/// Writes the kept stretches of a recording to a file of their own.
package enum TrimmedCopy {
    /// Writes what `edits` keeps of `source` to `destination`, in the place of what is in it.
    ///
    /// Samples of lossless encodings are copied as they are, apart from fades of `fadeFrames` (at
    /// most half an edit) where an edit begins or ends at a cut. The same input gives the same
    /// bytes each time.
    ///
    /// Neither when cancelled nor after throwing is anything removed: `destination` may hold part
    /// of a copy. Throws `unsupportedEncoding` for a container that cannot hold the samples
    /// unchanged, and `truncated` where the source ends before an edit does.
    ///
    /// - Returns: false when cancelled.
    package static func write(
        keeping edits: EditList, from source: Pathname, to destination: NewFile,
        container: TrimmedContainer, fadeFrames: Int, isCancelled: () -> Bool
    ) throws(AudioFileError) -> Bool {
        let input = try DecodableFile(opening: source)
        var info = input.sound.info
        let frames = edits.trimmedFrameCount
        guard let format = TrimmedFormat(copying: info, as: container, frames: frames),
            format.isWritable(&info)
        else {
            throw AudioFileError(
                activity: .creating, path: destination.path, reason: .unsupportedEncoding)
        }
        var output = try SoundFile(writing: destination, info: info)
        // The chunk of peak values holds the time of writing.
        output.set(SFC_SET_ADD_PEAK_CHUNK, to: false)
        output.copyChannelMap(from: input.sound)

        let copying = Copying(
            edits: edits, fadeFrames: fadeFrames, step: format.step, source: source,
            destination: destination.path)
        let isThrough = try copying.run(format.carrier, from: input, to: output, isCancelled)
        guard isThrough else {
            output.abandon()
            return false
        }
        output.close()
        guard output.errorNumber == 0 else {
            throw AudioFileError(.closing, destination.path, errno: output.errorNumber)
        }
        try correctLength(of: destination, info, frames: frames)
        return true
    }

    /// Corrects what the library says of an AIFF file's length.
    private static func correctLength(
        of file: NewFile, _ info: SF_INFO, frames: Int64
    ) throws(AudioFileError) {
        guard Int(info.format) & SF_FORMAT_TYPEMASK == SF_FORMAT_AIFF else { return }
        let width = SampleEncoding(sndfileFormat: info.format).bytesPerSample ?? 2
        let bytes = frames * Int64(width) * Int64(info.channels)
        try AIFFLength.correct(file, frames: frames, bytes: bytes)
    }
}

extension TrimmedFormat {
    /// Whether the library can write this format with the rate and channels of `info`, which takes
    /// the format on.
    func isWritable(_ info: inout SF_INFO) -> Bool {
        info.format = sndfileFormat
        return sf_format_check(&info) != 0
    }
}

/// The way of the kept frames from one open file to another.
private struct Copying {
    let edits: EditList
    let fadeFrames: Int
    let step: Double
    let source: Pathname
    let destination: Pathname

    /// Copies all edits; false when cancelled.
    func run(
        _ carrier: TrimmedFormat.Carrier, from input: borrowing DecodableFile,
        to output: borrowing SoundFile, _ isCancelled: () -> Bool
    ) throws(AudioFileError) -> Bool {
        switch carrier {
        case .int16: try run(Int16.self, from: input, to: output, isCancelled)
        case .int32: try run(Int32.self, from: input, to: output, isCancelled)
        case .float32: try run(Float.self, from: input, to: output, isCancelled)
        case .float64: try run(Double.self, from: input, to: output, isCancelled)
        }
    }

    private func run<Sample: CarriedSample>(
        _ type: Sample.Type, from input: borrowing DecodableFile, to output: borrowing SoundFile,
        _ isCancelled: () -> Bool
    ) throws(AudioFileError) -> Bool {
        var kept = KeptFrames<Sample>(
            edits, of: source, in: input, fadeFrames: fadeFrames, step)
        while true {
            switch try kept.next(from: input, isCancelled: isCancelled) {
            case .block: try write(kept.block, to: output)
            case .end: return true
            case .cancelled: return false
            }
        }
    }

    /// Says nothing of the frame at which it fails: what fails to be written was gathered before.
    private func write<Sample>(
        _ block: CarriedBlock<Sample>, to output: borrowing SoundFile
    ) throws(AudioFileError) {
        let written = block.write(to: output)
        if output.errorNumber != 0 {
            throw AudioFileError(.writing, destination, errno: output.errorNumber)
        }
        guard written < block.frames else { return }
        let refusal = output.refusal
        throw AudioFileError(
            activity: .writing, path: destination, reason: .other, code: refusal?.code,
            detail: refusal?.detail)
    }
}
