import Recordings

extension DecodableFile {
    /// What copies take along.
    var carried: CarriedMetadata {
        var carried = CarriedMetadata()
        let rate = format.sampleRateHertz
        // Tags in front were passed over, but for those of MPEG streams.
        carried.add(ID3Tag(source, at: 0, atMost: CarriedMetadata.mostBytes), rate)
        if isLibav {
            carried.add(tags.compactMap { VorbisComment($0.key, $0.value) }, rate)
            // What it says in words is told of the recording.
            carried.comments = []
            carried.pictures += decoder.picture.map { [$0] } ?? []
        }
        if let grammar = ChunkGrammar(beginning: source.bytes(at: 0, count: 16)) {
            carried.family = grammar.family
            carried.hasOwnChunks = true
            // Those of RIFX have their numbers the other way round.
            let isRead = grammar.family != .riff || !grammar.bigEndian
            carried.readChunks(grammar.chunks(in: source), source, rate, isRead: isRead)
        } else if source.bytes(at: 0, count: 4).has("fLaC") {
            carried.readBlocks(source, rate)
        } else if !isLibav,
            let fields = OggStream.comments(of: source, atMost: CarriedMetadata.mostBytes)
        {
            carried.add(VorbisComment.list(in: fields), rate)
        }
        return carried
    }

    /// The fields of a FLAC or Ogg file, or of an ID3 tag, read up to some length.
    var fields: [VorbisComment] {
        var fields = ID3Tag(source, at: 0)?.comments ?? []
        if let grammar = ChunkGrammar(beginning: source.bytes(at: 0, count: 16)) {
            let tag = grammar.tag(in: source).flatMap { ID3Tag(source, at: $0) }
            fields += tag?.comments ?? []
        } else if source.bytes(at: 0, count: 4).has("fLaC") {
            let block = FLACBlock.all(of: source).first { $0.kind == .comments }
            let bytes = block.map {
                source.bytes(at: $0.place, count: min($0.bytes, ID3Tag.mostTextBytes))
            }
            fields += VorbisComment.list(in: (bytes ?? [])[...])
        } else {
            let bytes = OggStream.comments(of: source, atMost: CarriedMetadata.mostBytes)
            fields += VorbisComment.list(in: bytes ?? [])
        }
        return fields
    }
}

extension ChunkGrammar {
    /// Where in the whole file the ID3 tag is that a WAV or AIFF file has in a chunk.
    fileprivate func tag(in source: SourceFile) -> Int64? {
        (chunk("id3 ", in: source) ?? chunk("ID3 ", in: source)).map { source.start + $0.body }
    }
}

extension CarriedMetadata {
    fileprivate mutating func add(_ tag: ID3Tag?, _ rate: Int) {
        guard let tag, self.tag == nil else { return }
        self.tag = tag
        comments += tag.comments
        pictures += tag.pictures
        cues += tag.chapters(atRate: rate)
        if tag.isCutOff { leftOff.append("ID3") }
    }

    /// Adds fields; chapters and pictures among them go where they belong.
    fileprivate mutating func add(_ fields: [VorbisComment], _ rate: Int) {
        var fields = fields
        let chapters = [CuePoint](takingChapters: &fields, rate: rate)
        if cues.isEmpty { cues = chapters }
        for field in fields {
            switch field.name {
            case "METADATA_BLOCK_PICTURE": add(Picture(base64: field.value))
            // Times of the whole recording.
            case "CUESHEET": leftOff.append("CUESHEET")
            default: comments.append(field)
            }
        }
    }

    private mutating func add(_ picture: Picture?) {
        if let picture { pictures.append(picture) } else { leftOff.append("PICTURE") }
    }
}

// MARK: - Chunks

extension CarriedMetadata {
    /// What tells how the sound is stored; the copy has its own.
    private static let structural: Set<String> = [
        "fmt ", "data", "fact", "ds64", "JUNK", "junk", "PAD ", "FLLR", "FLR ", "PEAK", "peak",
        "wavl", "slnt", "afsp", "COMM", "FVER", "SSND", "BODY", "VHDR", "desc", "chan", "pakt",
        "free", "kuki", "CHAN",
    ]
    /// What has places or levels of the whole recording, in ways that are not moved.
    private static let ofWhole: Set<String> = [
        "smpl", "inst", "INST", "plst", "regn", "levl", "mark", "ovvw", "midi", "MD5 ",
    ]

    /// - Parameter isRead: whether their numbers are read; if not, all are left off.
    fileprivate mutating func readChunks(
        _ all: [(id: String, body: Int64, bytes: Int64)], _ source: SourceFile, _ rate: Int,
        isRead: Bool = true
    ) {
        var total = 0
        var points: [UInt8] = []
        var texts: [[UInt8]] = []
        for (name, place, bytes) in all {
            // W64 has small letters.
            let id = name == "list" ? "LIST" : name
            guard !CarriedMetadata.structural.contains(id) else { continue }
            guard isRead, !CarriedMetadata.ofWhole.contains(id),
                bytes <= CarriedMetadata.mostBytes - total
            else {
                leftOff.append(id)
                continue
            }
            let body = source.bytes(at: place, count: Int(bytes))
            total += body.count
            switch id {
            case "cue ": points = body
            case "LIST" where body.has("adtl"): texts.append(body)
            case "MARK" where family == .aiff: cues = [CuePoint](aiff: body)
            case "id3 ", "ID3 ": readTag(id, body, source, at: place, rate)
            case "iXML":
                var chunk = MetadataChunk(id: id, body: body)
                leftOff += chunk.removeProductionOfWhole().map { "iXML \($0)" }
                chunks.append(chunk)
            default: chunks.append(MetadataChunk(id: id, body: body))
            }
        }
        guard family == .riff else { return }
        let riff = [CuePoint](riff: points, texts, bigEndian: false)
        if !riff.isEmpty { cues = riff }
    }

    /// A tag in a chunk; its chapters become cue points, and frames that tell of the whole go.
    private mutating func readTag(
        _ id: String, _ body: [UInt8], _ source: SourceFile, at place: Int64, _ rate: Int
    ) {
        var chunk = MetadataChunk(id: id, body: body)
        let tag = ID3Tag(source, at: source.start + place, atMost: CarriedMetadata.mostBytes)
        if let tag {
            pictures = tag.pictures
            if cues.isEmpty { cues = tag.chapters(atRate: rate) }
            if let lasting = tag.lasting { chunk.body = lasting }
        }
        if !chunk.body.isEmpty { chunks.append(chunk) }
    }
}

// MARK: - FLAC

extension CarriedMetadata {
    fileprivate mutating func readBlocks(_ source: SourceFile, _ rate: Int) {
        var total = 0
        var fields: [VorbisComment] = []
        for block in FLACBlock.all(of: source) {
            guard block.kind.isCarried else {
                if block.kind == .cueSheet { leftOff.append("CUESHEET") }
                continue
            }
            guard block.bytes <= CarriedMetadata.mostBytes - total else {
                leftOff.append(block.kind == .picture ? "PICTURE" : "VORBIS_COMMENT")
                continue
            }
            total += block.bytes
            let body = source.bytes(at: block.place, count: block.bytes)
            switch block.kind {
            case .comments: fields += VorbisComment.list(in: body[...])
            case .picture: add(Picture(block: body))
            case .application where body.has("riff"): break
            default: leftOff.append("APPLICATION")
            }
        }
        readChunks(FLACBlock.foreignChunks(of: source), source, rate)
        add(fields, rate)
    }
}
