import Recordings

/// What the chunks of WAV, RF64, W64 and AIFF files say of a recording, and those that a FLAC file
/// keeps of a WAV file.
struct ChunkMetadata {
    private let chunks: [(id: String, body: Int64, bytes: Int64)]
    private let bigEndian: Bool
    private let source: SourceFile

    /// Longer chunks are read up to here: a note, not a book.
    private static let mostBytes = 1 << 16

    /// `nil` if the file has no chunks; those of a WAV file may be in a FLAC file too.
    init?(of source: SourceFile) {
        self.source = source
        let start = source.bytes(at: 0, count: 16)
        if let grammar = ChunkGrammar(beginning: start) {
            (chunks, bigEndian) = (grammar.chunks(in: source), grammar.bigEndian)
        } else if start.has("fLaC") {
            (chunks, bigEndian) = (FLACBlock.foreignChunks(of: source), false)
        } else {
            return nil
        }
    }

    /// All that they say, the most trusted first.
    var metadata: RecordingMetadata {
        let info = info
        var all = RecordingMetadata()
        for part in [guano, wildlife, comment(info), broadcast, production, info] {
            all.add(part)
        }
        return all
    }

    private func bytes(of name: String) -> [UInt8] {
        guard let chunk = chunks.first(where: { $0.id == name }) else { return [] }
        let count = min(Int(clamping: chunk.bytes), ChunkMetadata.mostBytes)
        return source.bytes(at: chunk.body, count: count)
    }

    /// The broadcast extension (EBU Tech 3285): fields of a fixed length.
    private var broadcast: RecordingMetadata {
        let bytes = bytes(of: "bext")
        var metadata = RecordingMetadata()
        guard bytes.count >= 346 else { return metadata }
        metadata.description = TagText.text(bytes[..<256])
        metadata.recorder = TagText.text(bytes[256..<288])
        metadata.tags = TagText.text(bytes[288..<320]).map { ["originatorReference": $0] }
        // Some programs write other separators than the standard's.
        let date = TagText.text(bytes[320..<330]).map { String($0.map { $0.isNumber ? $0 : "-" }) }
        let time = TagText.text(bytes[330..<338]).map { String($0.map { $0.isNumber ? $0 : ":" }) }
        if let date, let time, let recorded = RecordedTime.parse("\(date)T\(time)") {
            (metadata.recordedAt, metadata.recordedAtFrom) = (recorded, .bext)
        }
        return metadata
    }

    /// iXML: the elements that people look for, wherever they are.
    private var production: RecordingMetadata {
        let text = String(decoding: bytes(of: "iXML"), as: UTF8.self)
        var metadata = RecordingMetadata()
        guard !text.isEmpty else { return metadata }
        func element(_ name: String) -> String? {
            guard let start = text.firstRange(of: "<\(name)>"),
                let end = text[start.upperBound...].firstRange(of: "</\(name)>")
            else { return nil }
            return TagText.plain(ChunkMetadata.unescaped(text[start.upperBound..<end.lowerBound]))
        }
        metadata.description = element("NOTE")
        if let date = element("BWF_ORIGINATION_DATE"), let time = element("BWF_ORIGINATION_TIME"),
            let recorded = RecordedTime.parse("\(date)T\(time)")
        {
            (metadata.recordedAt, metadata.recordedAtFrom) = (recorded, .ixml)
        }
        let names = ["PROJECT", "SCENE", "TAKE", "TAPE"]
        let pairs = names.compactMap { name in element(name).map { (name.lowercased(), $0) } }
        metadata.tags = pairs.isEmpty ? nil : Dictionary(uniqueKeysWithValues: pairs)
        return metadata
    }

    private static func unescaped(_ text: Substring) -> String {
        guard text.contains("&") else { return String(text) }
        // The ampersand last: what it gives is not markup.
        let names = [
            ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&"),
        ]
        return names.reduce(String(text)) { $0.replacing($1.0, with: $1.1) }
    }

    /// GUANO: a line for each field (github.com/riggsd/guano-spec).
    private var guano: RecordingMetadata {
        var metadata = RecordingMetadata()
        var fields: [String: String] = [:]
        let text = String(decoding: bytes(of: "guan").prefix { $0 != 0 }, as: UTF8.self)
        for line in text.split(separator: "\n") {
            guard let colon = line.firstIndex(of: ":") else { continue }
            guard let name = TagText.name(line[..<colon]),
                let value = TagText.plain(String(line[line.index(after: colon)...])),
                fields.count < RecordingMetadata.mostTags
            else { continue }
            fields[name] = value
        }
        guard !fields.isEmpty else { return metadata }
        if let recorded = fields.removeValue(forKey: "Timestamp").flatMap(RecordedTime.parse) {
            (metadata.recordedAt, metadata.recordedAtFrom) = (recorded, .guano)
        }
        metadata.description = fields.removeValue(forKey: "Note")
        let device = ["Make", "Model", "Serial"].compactMap { fields.removeValue(forKey: $0) }
        metadata.recorder = device.isEmpty ? nil : device.joined(separator: " ")
        // Of the file, and of its sound.
        for name in ["GUANO|Version", "Length"] { fields[name] = nil }
        metadata.tags = fields.isEmpty ? nil : fields
        return metadata
    }

    /// The chunk of Wildlife Acoustics' recorders: a number, a length and bytes for each field.
    private var wildlife: RecordingMetadata {
        var metadata = RecordingMetadata()
        var rest = bytes(of: "wamd")[...]
        var device: [String] = []
        while rest.count >= 6 {
            let number = integer(rest.prefix(2), bigEndian: false)
            let length = Int(clamping: integer(rest.dropFirst(2).prefix(4), bigEndian: false))
            let value = TagText.text(rest.dropFirst(6).prefix(length))
            rest = rest.dropFirst(6).dropFirst(length)
            switch (number, value) {
            case (1, let value?), (2, let value?): device.append(value)
            case (5, let value?):
                metadata.recordedAt = RecordedTime.parse(value)
                metadata.recordedAtFrom = metadata.recordedAt == nil ? nil : .wamd
            case (10, let value?): metadata.description = value
            default: break
            }
        }
        metadata.recorder = device.isEmpty ? nil : device.joined(separator: " ")
        return metadata
    }
}

// MARK: - RIFF INFO

extension ChunkMetadata {
    /// A list that says the same in words; `nil` if there is nothing to say.
    static func info(_ told: RecordingMetadata) -> MetadataChunk? {
        var fields = [("INAM", told.title), ("ICRD", told.recordedAt)]
        let tags = told.tags ?? [:]
        fields += names.sorted { $0.key < $1.key }.map { ($0.key, tags[$0.value]) }
        if tags["comment"] == nil { fields.append(("ICMT", told.description)) }
        var list = ByteWriter()
        list.put("INFO")
        for (id, text) in fields {
            guard let text else { continue }
            // A zero ends it, and its length is even.
            let bytes = Array(text.utf8) + [0]
            list.put(id)
            list.put(UInt32(bytes.count), bigEndian: false)
            list.put(bytes + (bytes.count % 2 == 0 ? [] : [0]))
        }
        return list.bytes.count > 4 ? MetadataChunk(id: "LIST", body: list.bytes) : nil
    }

    private static let names = [
        "IART": "artist", "ICMT": "comment", "ICOP": "copyright", "IGNR": "genre",
        "IKEY": "keywords", "IPRD": "album", "ISBJ": "subject", "ISFT": "software",
        "ITRK": "track",
    ]

    private var info: RecordingMetadata {
        var metadata = RecordingMetadata()
        var tags: [String: String] = [:]
        // Other lists tell of other things; W64 has small letters.
        let lists = chunks.filter { $0.id.uppercased() == "LIST" }
        let list = lists.lazy.map { place in
            source.bytes(
                at: place.body, count: Int(min(place.bytes, Int64(ChunkMetadata.mostBytes))))
        }.first { $0.has("INFO") }
        guard var rest = list?[...] else { return metadata }
        rest = rest.dropFirst(4)
        while rest.count >= 8 {
            let id = TagText.text(rest.prefix(4)) ?? ""
            let length = Int(
                clamping: integer(
                    rest.dropFirst(4).prefix(4), bigEndian: bigEndian))
            let value = TagText.text(rest.dropFirst(8).prefix(length))
            // Padded to an even length.
            rest = rest.dropFirst(8).dropFirst(length).dropFirst(length % 2)
            guard let value else { continue }
            switch id {
            case "INAM": metadata.title = value
            case "ICRD":
                metadata.recordedAt = RecordedTime.parse(value)
                metadata.recordedAtFrom = metadata.recordedAt == nil ? nil : .info
            default: ChunkMetadata.names[id].map { tags[$0] = value }
            }
        }
        metadata.tags = tags.isEmpty ? nil : tags
        return metadata
    }

    /// What an AudioMoth says in the comment of its INFO.
    private func comment(_ info: RecordingMetadata) -> RecordingMetadata {
        var metadata = RecordingMetadata()
        guard let comment = info.tags?["comment"],
            let found = RecordedTime.ofAudioMoth(comment)
        else { return metadata }
        (metadata.recordedAt, metadata.recordedAtFrom) = (found.time, .comment)
        metadata.recorder = found.recorder
        return metadata
    }
}
