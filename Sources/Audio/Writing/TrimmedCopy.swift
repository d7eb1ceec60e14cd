import CSndfile
import Recordings

/// Writes the kept parts of a recording to a new file.
package enum TrimmedCopy {
    /// Writes the parts of `source` that `edits` keeps to `destination`; see `CopySource`.
    /// - Parameters:
    ///   - raw: the format if the source has no header; `nil` to go by the extension.
    ///   - isIsolated: whether to decode in a process of its own in any case.
    /// - Returns: what the copy lacks of the recording's metadata; `nil` when cancelled.
    package static func write(
        keeping edits: EditList, from source: Pathname, withoutHeaderAs raw: RawFormat? = nil,
        isIsolated: Bool = false, to destination: NewFile, container: TrimmedContainer,
        fadeFrames: Int, isCancelled: () -> Bool
    ) throws(AudioFileError) -> MetadataLoss? {
        var source = try CopySource(
            opening: source, withoutHeaderAs: raw, isIsolated: isIsolated)
        return try source.write(
            keeping: edits, to: destination, container: container, fadeFrames: fadeFrames,
            isCancelled: isCancelled)
    }
}

/// A recording of which one or several copies are written.
///
/// A source that cannot seek exactly is decoded once for all of them, which therefore have to be
/// written in the order of what they keep.
package struct CopySource: ~Copyable {
    private let input: DecodableFile
    private let carried: CarriedMetadata
    private let told: RecordingMetadata
    private let speakers: SpeakerLayout?
    /// The next frame that is decoded, if the source cannot seek.
    private var position: Int64 = 0

    package init(
        opening source: Pathname, withoutHeaderAs raw: RawFormat? = nil, isIsolated: Bool = false
    ) throws(AudioFileError) {
        input = try DecodableFile(
            opening: source, withoutHeaderAs: raw, isIsolated: isIsolated)
        (carried, told, speakers) = (input.carried, input.metadata, input.speakers)
    }

    /// Writes the parts that `edits` keeps to `destination`, overwriting its contents.
    ///
    /// The copy has the recording's metadata, with times and places as they are in the copy.
    ///
    /// Samples of lossless encodings are copied unchanged, apart from fades of `fadeFrames` (at
    /// most half an edit) at cuts. If cancelled or on an error, `destination` may hold part of a
    /// copy.
    ///
    /// Throws `unsupportedEncoding` if the container cannot hold the samples unchanged, and
    /// `truncated` if the source ends before an edit does.
    /// - Parameters:
    ///   - channel: the only channel to write, from 0; `nil` for all.
    ///   - isPart: whether this is one of many files of a recording; it has no picture that is
    ///     larger than its sound.
    /// - Returns: what the copy lacks of the metadata; `nil` when cancelled.
    package mutating func write(
        keeping edits: EditList, channel: Int? = nil, isPart: Bool = false,
        to destination: NewFile, container: TrimmedContainer, fadeFrames: Int,
        isCancelled: () -> Bool
    ) throws(AudioFileError) -> MetadataLoss? {
        let frames = edits.trimmedFrameCount
        let speakers = channel == nil ? speakers : nil
        let form = TrimmedFormat(
            copying: input, as: container, frames: frames, besides: carried.bytes,
            speakers: speakers)
        guard let format = form,
            let info = format.info(
                copying: input.format, channels: channel == nil ? input.format.channels : 1)
        else {
            throw AudioFileError(
                activity: .creating, path: destination.path, reason: .unsupportedEncoding)
        }
        let output = try SoundFile(writing: destination, info: info)
        // The peak chunk holds a timestamp, so copies would differ.
        output.set(SFC_SET_ADD_PEAK_CHUNK, to: false)
        if format.tellsSpeakers { speakers?.tell(output) }
        let (metadata, loss) = metadata(
            keeping: edits, isPart: isPart, speakers, as: info.format)
        let inserted = metadata.write(to: output, frames: frames)

        let way = CopyingWay(
            edits: edits, fadeFrames: fadeFrames, step: format.step, input: input, output: output,
            destination: destination.path, channelOrder: input.channelOrderOfCopies,
            channel: channel)
        let isThrough =
            switch format.carrier {
            case .int16: try way.copy(Int16.self, from: &position, isCancelled)
            case .int32: try way.copy(Int32.self, from: &position, isCancelled)
            case .float32: try way.copy(Float.self, from: &position, isCancelled)
            case .float64: try way.copy(Double.self, from: &position, isCancelled)
            }
        guard isThrough else {
            output.abandon()
            return nil
        }
        output.close()
        guard output.errorNumber == 0 else {
            throw AudioFileError(.closing, destination.path, errno: output.errorNumber)
        }
        let width = SampleEncoding(sndfileFormat: info.format).bytesPerSample ?? 2
        try WrittenHeader.correct(
            destination, frames: frames, bytes: frames * Int64(width) * Int64(info.channels),
            inserted: inserted)
        return loss
    }

    private func metadata(
        keeping edits: EditList, isPart: Bool, _ speakers: SpeakerLayout?, as format: Int32
    ) -> (CopyHeader, MetadataLoss) {
        var (own, cut) = carried.moved(by: edits, input.format)
        if isPart {
            let width = Int64(input.format.encoding.bytesPerSample ?? 2)
            own.leaveOffPictures(
                over: edits.trimmedFrameCount * width * Int64(input.format.channels))
        }
        let loss = MetadataLoss(
            cuePoints: cut.map {
                CutCuePoint(frame: $0.frame, label: TagText.text($0.label).flatMap(TagText.name))
            },
            leftOff: Set(own.leftOff + own.chunksLost(in: ChunkForm(sndfile: format))).sorted())
        let first = edits.edits.first?.source.lowerBound ?? 0
        let header = CopyHeader(
            carried: own, told: CarriedMetadata.moved(told, to: first, input.format),
            format: input.format, speakers: speakers)
        return (header, loss)
    }
}

/// Copies the kept parts from one open file to another, and fades them at the cuts.
///
/// Uses one block of memory. A lossy source is decoded from its start up to the last edit, because
/// seeking would give other frames than the analysis saw.
private struct CopyingWay {
    let edits: EditList
    let fadeFrames: Int
    /// The distance between neighbouring samples, in the carrier's units.
    let step: Double
    let input: DecodableFile
    let output: SoundFile
    let destination: Pathname
    /// The order of channels that other containers need; `nil` if it is the source's.
    let channelOrder: [Int]?
    /// The only channel to copy, from 0; `nil` for all.
    let channel: Int?

    private var source: Pathname { input.source.path }

    /// Copies all edits; false when cancelled.
    func copy<Sample: LosslessSample>(
        _ type: Sample.Type, from position: inout Int64, _ isCancelled: () -> Bool
    ) throws(AudioFileError) -> Bool {
        var block = LosslessBlock<Sample>(
            channels: input.format.channels,
            capacityFrames: AudioFileReader.recommendedBlockFrames, view: input.view)
        for edit in edits.edits {
            let (start, end) = (edit.source.lowerBound, edit.source.upperBound)
            let fade = EditFade(edit, of: edits.sourceFrameCount, frames: fadeFrames, step: step)
            if input.isSeekable {
                try seek(to: start)
                position = start
            }
            precondition(position <= start, "what is behind cannot be decoded again")
            while position < end {
                if isCancelled() { return false }
                let isKept = position >= start
                let frames = min(Int64(block.capacityFrames), (isKept ? end : start) - position)
                try fill(&block, Int(frames), from: position)
                if isKept {
                    fade.apply(to: &block, at: position - start)
                    try write(block)
                }
                position += frames
            }
        }
        return true
    }

    private func seek(to frame: Int64) throws(AudioFileError) {
        guard !input.decoder.seek(to: frame) else { return }
        throw AudioFileError(
            .seeking, source, input.decoder.complaint?.refusal, or: .corrupt, frame: frame)
    }

    private func fill<Sample>(
        _ block: inout LosslessBlock<Sample>, _ frames: Int, from position: Int64
    ) throws(AudioFileError) {
        block.read(frames, from: input.decoder)
        if channel == nil, let channelOrder { block.reorder(channels: channelOrder) }
        guard block.frames < frames else { return }
        let frame = position + Int64(block.frames)
        let number = input.decoder.errorNumber
        if number != 0 { throw AudioFileError(.reading, source, errno: number, frame: frame) }
        throw AudioFileError(
            .reading, source, input.decoder.complaint?.refusal,
            or: input.decoder.troubleAtEnd ?? .truncated, frame: frame,
            expected: edits.sourceFrameCount)
    }

    /// Reports no frame on errors: the data that failed may have been buffered earlier.
    private func write<Sample>(_ block: LosslessBlock<Sample>) throws(AudioFileError) {
        let samples = channel.map(block.samples(ofChannel:)) ?? block.samples
        let written = output.write(samples, frames: block.frames)
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
