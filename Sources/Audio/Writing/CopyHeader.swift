import CFLAC
import CSndfile
import Glibc
import Recordings

/// The metadata of a copy, as bytes of its header.
struct CopyHeader {
    let carried: CarriedMetadata
    /// What the recording says in words.
    let told: RecordingMetadata
    let format: AudioFormat
    let speakers: SpeakerLayout?

    /// Writes it into a file to which no sound has been written yet.
    /// - Returns: where the bytes are of which libsndfile does not know, and how many.
    func write(to file: SoundFile, frames: Int64) -> (place: Int, count: Int) {
        let type = Int(file.info.format) & SF_FORMAT_TYPEMASK
        guard type != SF_FORMAT_FLAC else {
            let blocks = blocks(of: file, frames: frames)
            guard !blocks.isEmpty else { return (0, 0) }
            // The block of fields that libFLAC writes behind the first, with its name alone.
            file.insert(.init(place: 42, bytes: blocks, replaced: CopyHeader.bytesOfLibFLAC))
            return (42, blocks.count)
        }
        guard let form = ChunkForm(sndfile: file.info.format) else { return (0, 0) }
        let chunks =
            switch form {
            case .riff, .wave64: carried.riffChunks(told)
            case .aiff: carried.family == .aiff ? carried.chunks + carried.cues.aiff : []
            case .caf: carried.family == .caf ? carried.chunks : []
            }
        let bytes = chunks.flatMap(form.bytes(of:))
        guard !bytes.isEmpty else { return (0, 0) }
        let place = file.writeHeader() - form.bytesBeforeSound
        file.insert(.init(place: place, bytes: bytes))
        return (Int(place), bytes.count)
    }

    private static let library = cflac_name().map { String(cString: $0) } ?? ""
    /// The block that libFLAC writes: a header, its name and the number of fields.
    private static var bytesOfLibFLAC: Int64 { Int64(4 + 4 + library.utf8.count + 4) }

    // MARK: - FLAC

    /// Metadata blocks, of which the last is marked; none if there is nothing to say.
    private func blocks(of file: SoundFile, frames: Int64) -> [UInt8] {
        var fields = carried.flacComments(told, rate: format.sampleRateHertz)
        if !fields.contains(where: { $0.name == SpeakerLayout.field }),
            let mask = mask(of: Int(file.info.channels)),
            let field = VorbisComment(SpeakerLayout.field, "0x" + String(mask, radix: 16))
        {
            fields.append(field)
        }
        let foreign = foreignBlocks(of: file, frames: frames)
        guard !fields.isEmpty || !foreign.isEmpty || !carried.pictures.isEmpty else { return [] }
        var bytes = foreign.flatMap { FLACBlock.bytes(.application, Array("riff".utf8) + $0) }
        bytes += carried.pictures.flatMap { FLACBlock.bytes(.picture, $0.block) }
        return bytes
            + FLACBlock.bytes(
                .comments, VorbisComment.body(fields, by: CopyHeader.library), isLast: true)
    }

    /// What FLAC files say of more than two channels, as programs do not agree on the usual.
    private func mask(of channels: Int) -> UInt32? {
        guard channels > 2, speakers != .usual else { return nil }
        return speakers.map { $0.mask(of: channels) ?? 0 }
    }

    /// The chunks of a WAV file with the copy's sound, from which `flac -d
    /// --keep-foreign-metadata` makes it; none if the recording has no chunks.
    private func foreignBlocks(of file: SoundFile, frames: Int64) -> [[UInt8]] {
        let chunks = (carried.family == .riff ? carried.chunks : []) + carried.cues.riff
        let width = SampleEncoding(sndfileFormat: file.info.format).bytesPerSample ?? 2
        let channels = Int(file.info.channels)
        let bytes = frames * Int64(width * channels)
        let isNeeded = !chunks.isEmpty || speakers == .ambisonic
        guard carried.family == .riff, isNeeded, bytes < Int64(UInt32.max) else { return [] }
        var head = ByteWriter()
        // 1 is PCM, and the other extensible.
        let isExtensible = channels > 2 && speakers != nil
        for number in [isExtensible ? 0xFFFE : 1, UInt16(channels)] {
            head.put(number, bigEndian: false)
        }
        let rate = format.sampleRateHertz
        for number in [UInt32(rate), UInt32(clamping: rate * width * channels)] {
            head.put(number, bigEndian: false)
        }
        for number in [UInt16(width * channels), UInt16(8 * width)] {
            head.put(number, bigEndian: false)
        }
        if isExtensible {
            for number in [22, UInt16(8 * width)] { head.put(number, bigEndian: false) }
            for number in [speakers?.mask(of: channels) ?? 0, 1] {
                head.put(number, bigEndian: false)
            }
            head.put(
                speakers == .ambisonic
                    ? SpeakerLayout.ambisonicIdentifier : SpeakerLayout.plainIdentifier)
        }
        let all = [MetadataChunk(id: "fmt ", body: head.bytes)] + chunks
        let bodies = all.map(ChunkForm.riff.bytes(of:))
        let size = 4 + bodies.reduce(0) { $0 + $1.count } + 8 + Int(bytes) + Int(bytes) % 2
        guard size < Int(UInt32.max) else { return [] }
        var (riff, data) = (ByteWriter(), ByteWriter())
        riff.put("RIFF")
        riff.put(UInt32(size), bigEndian: false)
        riff.put("WAVE")
        data.put("data")
        data.put(UInt32(bytes), bigEndian: false)
        return [riff.bytes] + bodies + [data.bytes]
    }
}

/// How a container writes chunks.
enum ChunkForm {
    case riff, wave64, aiff, caf

    /// `nil` if the container has none, or is RIFX, whose numbers are the other way round.
    init?(sndfile format: Int32) {
        switch Int(format) & SF_FORMAT_TYPEMASK {
        case SF_FORMAT_WAV, SF_FORMAT_WAVEX:
            guard Int(format) & SF_FORMAT_ENDMASK != SF_ENDIAN_BIG else { return nil }
            self = .riff
        case SF_FORMAT_RF64: self = .riff
        case SF_FORMAT_W64: self = .wave64
        case SF_FORMAT_AIFF: self = .aiff
        case SF_FORMAT_CAF: self = .caf
        default: return nil
        }
    }

    /// From the header of the chunk of sound to the first sample.
    var bytesBeforeSound: Int64 {
        switch self {
        case .riff: 8
        case .wave64: 24
        case .aiff, .caf: 16
        }
    }

    func bytes(of chunk: MetadataChunk) -> [UInt8] {
        var bytes = ByteWriter()
        let count = chunk.body.count
        bytes.put(self == .wave64 && chunk.id == "LIST" ? "list" : chunk.id)
        switch self {
        case .riff, .aiff:
            bytes.put(UInt32(count), bigEndian: self != .riff)
            bytes.put(chunk.body + (count % 2 == 0 ? [] : [0]))
        case .wave64:
            // The rest of the identifiers of lists, and of other chunks.
            bytes.put(chunk.id == "LIST" ? ChunkForm.list : ChunkForm.other)
            bytes.put(UInt64(count + 24), bigEndian: false)
            bytes.put(chunk.body + [UInt8](repeating: 0, count: (8 - count % 8) % 8))
        case .caf:
            bytes.put(UInt64(count), bigEndian: true)
            bytes.put(chunk.body)
        }
        return bytes.bytes
    }

    private static let list: [UInt8] = [
        0x2F, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 0x04, 0xC1, 0x00, 0x00,
    ]
    private static let other: [UInt8] = [
        0xF3, 0xAC, 0xD3, 0x11, 0x8C, 0xD1, 0x00, 0xC0, 0x4F, 0x8E, 0xDB, 0x8A,
    ]
}
