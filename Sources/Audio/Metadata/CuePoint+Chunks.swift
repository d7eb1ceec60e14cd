// The chunks of WAV and AIFF files that have cue points.

extension [CuePoint] {
    /// The points of a `cue ` chunk, and what lists of associated data say of them.
    init(riff chunk: [UInt8], _ lists: [[UInt8]], bigEndian: Bool) {
        func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
            UInt32(truncatingIfNeeded: integer(bytes.prefix(4), bigEndian: bigEndian))
        }
        self = stride(from: 4, through: chunk.count - 24, by: 24).prefix(CuePoint.most).map {
            // In uncompressed files, the place is the last of its numbers.
            CuePoint(id: number(chunk[$0...]), frame: Int64(number(chunk[($0 + 20)...])))
        }
        let places = Dictionary(enumerated().map { ($1.id, $0) }) { first, _ in first }
        for list in lists {
            var rest = list.dropFirst(4)
            while rest.count > 12 {
                let id = String(decoding: rest.prefix(4), as: UTF8.self)
                let body = rest.dropFirst(8).prefix(Int(number(rest.dropFirst(4))))
                rest = rest.dropFirst(8 + body.count + body.count % 2)
                guard body.count >= 4, let place = places[number(body)] else { continue }
                let text = body.dropFirst(4)
                switch id {
                case "labl": self[place].label = [UInt8](text.prefix { $0 != 0 })
                case "note": self[place].note = [UInt8](text.prefix { $0 != 0 })
                case "ltxt":
                    self[place].length = Int64(number(text))
                    self[place].purpose = [UInt8](text.dropFirst(4))
                default: break
                }
            }
        }
    }

    /// The chunks `cue ` and, if there are texts, `LIST`; none if there are no points, or frames
    /// are too many for them.
    var riff: [MetadataChunk] {
        let fitting = filter { $0.frame + $0.length <= Int64(UInt32.max) }
        guard !fitting.isEmpty else { return [] }
        var (points, texts) = (ByteWriter(), ByteWriter())
        points.put(UInt32(fitting.count), bigEndian: false)
        texts.put("adtl")
        func put(_ id: String, _ cue: CuePoint, _ body: [UInt8]) {
            texts.put(id)
            texts.put(UInt32(4 + body.count), bigEndian: false)
            texts.put(cue.id, bigEndian: false)
            texts.put(body + (body.count % 2 == 0 ? [] : [0]))
        }
        for cue in fitting {
            for number in [cue.id, UInt32(cue.frame)] { points.put(number, bigEndian: false) }
            points.put("data")
            for number in [0, 0, UInt32(cue.frame)] { points.put(number, bigEndian: false) }
        }
        // Some programs read no more labels behind the first stretch.
        for cue in fitting where !cue.label.isEmpty { put("labl", cue, cue.label + [0]) }
        for cue in fitting where !cue.note.isEmpty { put("note", cue, cue.note + [0]) }
        for cue in fitting where cue.length > 0 || !cue.purpose.isEmpty {
            var stretch = ByteWriter()
            stretch.put(UInt32(cue.length), bigEndian: false)
            stretch.put(cue.purpose.isEmpty ? CuePoint.region : cue.purpose)
            put("ltxt", cue, stretch.bytes)
        }
        let chunks = [MetadataChunk(id: "cue ", body: points.bytes)]
        return texts.bytes.count > 4
            ? chunks + [MetadataChunk(id: "LIST", body: texts.bytes)] : chunks
    }
}

// MARK: - AIFF

extension [CuePoint] {
    /// The points of a `MARK` chunk (Apple, "Audio Interchange File Format", 1989).
    init(aiff chunk: [UInt8]) {
        self = []
        var rest = chunk.dropFirst(2)
        while rest.count > 6, count < CuePoint.most {
            let id = integer(rest.prefix(2), bigEndian: true)
            let frame = integer(rest.dropFirst(2).prefix(4), bigEndian: true)
            let length = Int(rest.dropFirst(6).first ?? 0)
            var cue = CuePoint(id: UInt32(id), frame: Int64(frame))
            cue.label = [UInt8](rest.dropFirst(7).prefix(length))
            append(cue)
            // A text and its length take an even number of bytes.
            rest = rest.dropFirst(6 + (length + 2) / 2 * 2)
        }
    }

    /// The chunk `MARK`; none if there are no points.
    var aiff: [MetadataChunk] {
        let fitting = filter { $0.frame <= Int64(UInt32.max) && $0.id <= UInt16.max }
        guard !fitting.isEmpty else { return [] }
        var body = ByteWriter()
        body.put(UInt16(fitting.count), bigEndian: true)
        for cue in fitting {
            let label = cue.label.prefix(255)
            body.put(UInt16(cue.id), bigEndian: true)
            body.put(UInt32(cue.frame), bigEndian: true)
            body.put([UInt8(label.count)] + label + (label.count % 2 == 0 ? [0] : []))
        }
        return [MetadataChunk(id: "MARK", body: body.bytes)]
    }
}

extension CuePoint {
    /// A stretch without a text, in no country's language.
    fileprivate static let region = [UInt8]("rgn ".utf8) + [UInt8](repeating: 0, count: 8)
}
