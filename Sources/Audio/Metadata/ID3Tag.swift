import Recordings

/// An ID3v2 tag (ID3 2.2, 2.3 and 2.4, id3.org), as MP3 files begin with, and WAV and AIFF files
/// have in a chunk.
struct ID3Tag {
    struct Frame {
        let id: String
        let body: ArraySlice<UInt8>
        /// With its header, as in the file.
        let raw: ArraySlice<UInt8>
    }

    private(set) var frames: [Frame] = []
    /// 2, 3 or 4.
    let version: Int
    /// Whether it is longer than what was read of it.
    let isCutOff: Bool

    /// Pictures come behind texts; more text is none.
    static let mostTextBytes = 1 << 18
    /// More is no name of a field.
    private static let mostNameBytes = 1 << 10

    /// Reads up to `mostBytes` of the tag; `nil` if the bytes are no tag.
    /// - Parameter place: of the whole file, as tags in front may have been passed over.
    init?(_ source: SourceFile, at place: Int64, atMost mostBytes: Int = mostTextBytes) {
        let head = source.bytesOfWhole(at: place, count: 10)
        guard let length = SourceFile.tagBytes(head), (2...4).contains(head[3]) else { return nil }
        version = Int(head[3])
        let declared = Int(clamping: length) - 10
        isCutOff = declared > mostBytes
        var bytes = source.bytesOfWhole(at: place + 10, count: min(declared, mostBytes))
        // Until 2.3 the tag as a whole was unsynchronised: each 0xFF has a zero behind it.
        if version < 4, head[5] & 0x80 != 0 { bytes = ID3Tag.synchronised(bytes) }
        var rest = bytes[...]
        if head[5] & 0x40 != 0, version > 2 {
            let size = ID3Tag.size(rest.prefix(4), isSafe: version == 4)
            rest = rest.dropFirst(version == 4 ? size : size + 4)
        }
        read(rest)
    }

    private mutating func read(_ tag: ArraySlice<UInt8>) {
        var rest = tag
        let (idBytes, headerBytes) = version == 2 ? (3, 6) : (4, 10)
        while rest.count > headerBytes, rest.first != 0 {
            let id = String(decoding: rest.prefix(idBytes), as: UTF8.self)
            let sizes = rest.dropFirst(idBytes).prefix(idBytes)
            let size = ID3Tag.size(sizes, isSafe: version == 4)
            let raw = rest.prefix(headerBytes + size)
            let flags = version == 4 ? rest.dropFirst(9).first ?? 0 : 0
            rest = rest.dropFirst(raw.count)
            // One that is cut off has only its text.
            guard raw.count == headerBytes + size || id.hasPrefix("T") else { break }
            var body = raw.dropFirst(headerBytes)
            // What is compressed or encrypted is not read; a length of four bytes may come first.
            if flags & 0x0C != 0 { body = [] }
            if flags & 1 != 0 { body = body.dropFirst(4) }
            if flags & 2 != 0 { body = ID3Tag.synchronised(Array(body))[...] }
            frames.append(Frame(id: id, body: body, raw: raw))
        }
    }

    mutating func removeFrames(where isOff: (Frame) -> Bool) { frames.removeAll(where: isOff) }

    private static func size(_ bytes: ArraySlice<UInt8>, isSafe: Bool) -> Int {
        bytes.reduce(0) { isSafe ? $0 << 7 | Int($1 & 0x7F) : $0 << 8 | Int($1) }
    }

    private static func synchronised(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for byte in bytes where !(byte == 0 && result.last == 0xFF) { result.append(byte) }
        return result
    }

    /// What is before and behind the zero that ends a text.
    static func split(
        _ bytes: ArraySlice<UInt8>, encoding: UInt8
    ) -> (text: ArraySlice<UInt8>, rest: ArraySlice<UInt8>) {
        let width = encoding == 1 || encoding == 2 ? 2 : 1
        var place = bytes.startIndex
        while place + width <= bytes.endIndex {
            if bytes[place..<place + width].allSatisfy({ $0 == 0 }) {
                return (bytes[..<place], bytes[(place + width)...])
            }
            place += width
        }
        return (bytes, [])
    }

    /// A text of one of the four encodings; `nil` if it is none.
    static func text(_ text: ArraySlice<UInt8>, encoding: UInt8) -> String? {
        guard encoding == 1 || encoding == 2 else { return TagText.text(text) }
        let isBig = encoding == 2 || text.starts(with: [0xFE, 0xFF])
        let isMarked = text.starts(with: [0xFE, 0xFF]) || text.starts(with: [0xFF, 0xFE])
        let pairs = Array(isMarked ? text.dropFirst(2) : text)
        let units = stride(from: 0, to: pairs.count - 1, by: 2).map { index in
            let (first, second) = (UInt16(pairs[index]), UInt16(pairs[index + 1]))
            return isBig ? first << 8 | second : second << 8 | first
        }
        return String(validating: units, as: UTF16.self).flatMap(TagText.plain)
    }
}

// MARK: - What it tells

extension ID3Tag {
    /// The fields of its texts, and where the file says less: the title, of ID3 2.2 to 2.4.
    var comments: [VorbisComment] {
        var comments: [VorbisComment] = []
        var olds: [String: String] = [:]
        var (bytes, counted) = (0, 0)
        for frame in frames {
            // A frame may have a long name and many short values, each of which has the name.
            bytes += comments[counted...].reduce(0) { $0 + $1.bytes.count }
            counted = comments.count
            guard bytes < CarriedMetadata.mostBytes / 2 else { break }
            guard let encoding = frame.body.first else { continue }
            let body = frame.body.dropFirst()
            let id = ID3Names.modern[frame.id] ?? frame.id
            if let name = ID3Names.comments[id] {
                for text in ID3Tag.texts(body, encoding: encoding) {
                    VorbisComment(name, text).map { comments.append($0) }
                }
            } else if id == "TXXX" {
                let (name, value) = ID3Tag.split(body, encoding: encoding)
                let texts = ID3Tag.texts(value, encoding: encoding)
                guard let name = ID3Tag.text(name, encoding: encoding),
                    name.utf8.count <= ID3Tag.mostNameBytes
                else { continue }
                comments += texts.compactMap { VorbisComment(name.uppercased(), $0) }
            } else if id == "COMM" || id == "USLT" {
                // A language of three letters, and a name. A comment with a name is a program's
                // own, such as iTunNORM.
                let (name, value) = ID3Tag.split(body.dropFirst(3), encoding: encoding)
                let isOwn = ID3Tag.text(name, encoding: encoding) != nil
                guard !isOwn, let text = ID3Tag.text(value, encoding: encoding) else { continue }
                let field = VorbisComment(id == "COMM" ? "COMMENT" : "LYRICS", text)
                field.map { comments.append($0) }
            } else if ["TYER", "TDAT", "TIME"].contains(id) {
                olds[id] = ID3Tag.text(body, encoding: encoding)
            }
        }
        // Year, day and month, hour and minute, until 2.3.
        if let year = olds["TYER"], !comments.contains(where: { $0.name == "DATE" }) {
            let day = olds["TDAT"].map { "-\($0.suffix(2))-\($0.prefix(2))" }
            let hour = olds["TIME"].map { "T\($0.prefix(2)):\($0.suffix(2))" }
            let date = VorbisComment("DATE", year + (day ?? "") + (day == nil ? "" : hour ?? ""))
            date.map { comments.append($0) }
        }
        return comments
    }

    private static func texts(_ bytes: ArraySlice<UInt8>, encoding: UInt8) -> [String] {
        var rest = bytes
        var texts: [String] = []
        while !rest.isEmpty, texts.count < RecordingMetadata.mostTags {
            let (first, behind) = split(rest, encoding: encoding)
            if let text = text(first, encoding: encoding) { texts.append(text) }
            rest = behind
        }
        return texts
    }

    var pictures: [Picture] {
        frames.filter { $0.id == "APIC" || $0.id == "PIC" }.compactMap {
            Picture(id3: $0.body, isOld: $0.id == "PIC")
        }
    }

    /// Chapters (ID3v2 Chapter Frame Addendum): their starts, ends and titles.
    func chapters(atRate rate: Int) -> [CuePoint] {
        let all: [CuePoint] = frames.filter { $0.id == "CHAP" }.enumerated().compactMap {
            index, frame in
            let times = ID3Tag.split(frame.body, encoding: 0).rest
            guard times.count >= 16 else { return nil }
            let start = integer(times.prefix(4), bigEndian: true)
            var cue = CuePoint(id: UInt32(index + 1), frame: Int64(start) * Int64(rate) / 1000)
            var inner = self
            inner.frames = []
            inner.read(times.dropFirst(16))
            cue.label = inner.comments.first { $0.name == "TITLE" }.map { Array($0.value) } ?? []
            return cue
        }
        return all.lastingToTheNext
    }
}
