import Recordings

/// What a recording says of itself, as copies of it take it along.
struct CarriedMetadata {
    /// Chunks in the order of the file, without those of cue points.
    var chunks: [MetadataChunk] = []
    /// The containers that such chunks are in.
    var family = ChunkGrammar.Family.riff
    /// Whether the recording is in a container of chunks.
    var hasOwnChunks = false
    /// Fields of FLAC and Ogg files, or of ID3 tags.
    var comments: [VorbisComment] = []
    var pictures: [Picture] = []
    /// The frames of an ID3 tag, for containers that can have it; `nil` if there is none.
    var tag: ID3Tag?
    var cues: [CuePoint] = []
    /// Names of what no copy has, as it would be wrong or is too long.
    var leftOff: [String] = []

    /// The most bytes of a chunk, tag or picture that is taken along, and of all together.
    static let mostBytes = (1 << 24) - 1024

    /// The metadata of a copy that keeps `edits` of the recording.
    /// - Returns: also the cue points that are in cuts.
    func moved(by edits: EditList, _ format: AudioFormat) -> (CarriedMetadata, cut: [CuePoint]) {
        var moved = self
        let cut = MetadataChunk.Cut(
            edits: edits, rate: format.sampleRateHertz,
            history: CarriedMetadata.history(of: format))
        moved.chunks = chunks.map { $0.moved(cut) }
        moved.comments = comments.map { $0.moved(by: cut.frames) }
        let cues = cues.moved(by: edits)
        moved.cues = cues.kept
        return (moved, cues.cut)
    }

    /// About how many there are.
    var bytes: Int {
        let all =
            chunks.map(\.body.count) + comments.map(\.bytes.count) + pictures.map(\.block.count)
        return all.reduce(0) { $0 + $1 + 64 } + 512 * cues.count
    }

    /// Leaves off pictures that have more bytes.
    mutating func leaveOffPictures(over most: Int64) {
        pictures.removeAll { $0.block.count > most }
        chunks.removeAll { $0.id.lowercased() == "id3 " && $0.body.count > most }
        tag?.removeFrames { ["APIC", "PIC"].contains($0.id) && $0.raw.count > most }
    }

    /// What a copy says in words, whose first frame is this one of the recording.
    static func moved(
        _ told: RecordingMetadata, to frame: Int64, _ format: AudioFormat
    ) -> RecordingMetadata {
        var moved = told
        // The same time as in the copy's chunk. Other dates are those of the recording.
        if told.recordedAtFrom == .guano, frame > 0, format.sampleRateHertz > 0 {
            let seconds = Double(frame) / Double(format.sampleRateHertz)
            let time = told.recordedAt.flatMap { RecordedTime.later($0, bySeconds: seconds) }
            moved.recordedAt = time ?? told.recordedAt
        }
        return moved
    }

    /// A line of the coding history (EBU R 98).
    private static func history(of format: AudioFormat) -> String {
        let mode =
            switch format.channels {
            case 1: "mono"
            case 2: "stereo"
            default: "multitrack"
            }
        let bits = (format.encoding.bytesPerSample).map { ",W=\($0 * 8)" } ?? ""
        return "A=PCM,F=\(format.sampleRateHertz)\(bits),M=\(mode),T=tapedeck; cut\r\n"
    }
}

extension VorbisComment {
    /// The field as it is in a copy of which so many frames are cut in front.
    fileprivate func moved(by frames: Int64) -> VorbisComment {
        // As ffmpeg writes the reference of WAV files.
        guard name == "TIME_REFERENCE", let time = text.flatMap({ UInt64($0) }) else { return self }
        return VorbisComment(name, String(time &+ UInt64(frames))) ?? self
    }
}

// MARK: - In other containers

extension CarriedMetadata {
    /// The chunks for WAV, RF64 and W64 files, with those of cue points.
    /// - Parameter told: what the recording says in words, for programs that read no more.
    func riffChunks(_ told: RecordingMetadata) -> [MetadataChunk] {
        var all = family == .riff ? chunks : sharedChunks
        let isWAV = hasOwnChunks && family == .riff
        let hasInfo = all.contains { $0.id == "LIST" && $0.body.has("INFO") }
        if !isWAV, !hasInfo, let info = ChunkMetadata.info(told) { all.append(info) }
        let hasTag = all.contains { $0.id.lowercased() == "id3 " }
        if !hasTag, let tag = tagBytes { all.append(MetadataChunk(id: "id3 ", body: tag)) }
        return all + cues.riff
    }

    private static let shared = ["bext", "iXML", "cart", "guan"]
    /// Texts of AIFF and CAF files, which are told of the recording.
    private static let texts = ["NAME", "AUTH", "(c) ", "ANNO", "info", "ID3 "]

    /// The names of chunks that a copy has in no way.
    /// - Parameter form: how the copy writes chunks; `nil` of FLAC, which keeps those of WAV files.
    func chunksLost(in form: ChunkForm?) -> [String] {
        let (isSame, isWAV) =
            switch form {
            case .riff, .wave64: (family == .riff, true)
            case .aiff: (family == .aiff, false)
            case .caf: (family == .caf, false)
            case nil: (family == .riff, false)
            }
        if isSame { return [] }
        let kept = CarriedMetadata.texts + (isWAV ? CarriedMetadata.shared : [])
        return chunks.map(\.id).filter { !kept.contains($0) }
    }

    /// Those of an AIFF or CAF file that WAV files have too.
    private var sharedChunks: [MetadataChunk] {
        chunks.compactMap { chunk in
            if CarriedMetadata.shared.contains(chunk.id) { return chunk }
            return chunk.id == "ID3 " ? MetadataChunk(id: "id3 ", body: chunk.body) : nil
        }
    }

    /// The ID3 tag that says what is carried; `nil` if there is nothing for it.
    private var tagBytes: [UInt8]? {
        if let tag, tag.version > 2 {
            let bytes = tag.lasting ?? ID3Tag.bytes(tag.frames, version: tag.version)
            return bytes.isEmpty ? nil : bytes
        }
        let bytes = ID3Tag.bytes(comments, pictures)
        return bytes.isEmpty ? nil : bytes
    }

    /// The fields for FLAC files, with chapters and the time reference.
    /// - Parameter told: what the recording says in words, if it has no fields.
    func flacComments(_ told: RecordingMetadata, rate: Int) -> [VorbisComment] {
        // Told is what the recording says, not the copy.
        var fields =
            comments.isEmpty ? told.comments.filter { $0.name != "TIME_REFERENCE" } : comments
        let broadcast = chunks.first { $0.id == "bext" }
        if let reference = broadcast?.timeReference,
            !fields.contains(where: { $0.name == "TIME_REFERENCE" }),
            let field = VorbisComment("TIME_REFERENCE", String(reference))
        {
            fields.append(field)
        }
        // The length of the block has 24 bits.
        var rest = CarriedMetadata.mostBytes
        return (fields + cues.chapters(atRate: rate)).filter { field in
            rest -= field.bytes.count + 4
            return rest >= 0
        }
    }
}
