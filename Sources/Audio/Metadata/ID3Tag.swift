import Recordings

/// The texts of an ID3v2 tag (ID3 2.2, 2.3 and 2.4, id3.org), as MP3 files begin with.
struct ID3Tag {
    private(set) var metadata = RecordingMetadata()

    /// Pictures come behind texts; more text is none.
    private static let mostBytes = 1 << 18
    private static let names = [
        "TPE1": "artist", "TP1": "artist", "TALB": "album", "TAL": "album", "TCON": "genre",
        "TCO": "genre", "TRCK": "track", "TRK": "track", "TCOP": "copyright", "TCR": "copyright",
        "TSSE": "software", "TSS": "software", "COMM": "comment", "COM": "comment",
    ]

    /// `nil` if the bytes are no tag.
    init?(_ source: SourceFile, at place: Int64 = 0) {
        let head = source.bytes(at: place, count: 10)
        guard let length = SourceFile.tagBytes(head), (2...4).contains(head[3]) else { return nil }
        let count = min(Int(clamping: length) - 10, ID3Tag.mostBytes)
        var bytes = source.bytes(at: place + 10, count: count)
        let version = Int(head[3])
        // Until 2.3 the tag as a whole was unsynchronised: each 0xFF has a zero behind it.
        if version < 4, head[5] & 0x80 != 0 { bytes = ID3Tag.synchronised(bytes) }
        var rest = bytes[...]
        if head[5] & 0x40 != 0, version > 2 {
            let size = ID3Tag.size(rest.prefix(4), isSafe: version == 4)
            rest = rest.dropFirst(version == 4 ? size : size + 4)
        }
        read(rest, version: version)
    }

    private mutating func read(_ tag: ArraySlice<UInt8>, version: Int) {
        var rest = tag
        var tags: [String: String] = [:]
        var texts: [String: String] = [:]
        let (idBytes, headerBytes) = version == 2 ? (3, 6) : (4, 10)
        while rest.count > headerBytes, rest.first != 0 {
            let id = String(decoding: rest.prefix(idBytes), as: UTF8.self)
            let sizes = rest.dropFirst(idBytes).prefix(idBytes)
            let size = ID3Tag.size(sizes, isSafe: version == 4)
            var body = rest.dropFirst(headerBytes).prefix(size)
            let flags = version == 4 ? rest.dropFirst(9).first ?? 0 : 0
            rest = rest.dropFirst(headerBytes + size)
            // Neither compressed nor encrypted; a length of four bytes may come first.
            guard flags & 0x0C == 0 else { continue }
            if flags & 1 != 0 { body = body.dropFirst(4) }
            if flags & 2 != 0 { body = ID3Tag.synchronised(Array(body))[...] }
            guard let text = ID3Tag.text(body, hasLanguage: id.hasPrefix("COM")) else { continue }
            texts[id] = text
            if let name = ID3Tag.names[id], tags[name] == nil { tags[name] = text }
        }
        metadata.title = texts["TIT2"] ?? texts["TT2"]
        metadata.tags = tags.isEmpty ? nil : tags
        // Year, day and month, hour and minute, until 2.3.
        var time = texts["TDRC"]
        if time == nil, let year = texts["TYER"] ?? texts["TYE"] {
            let day = (texts["TDAT"] ?? texts["TDA"]).map { "-\($0.suffix(2))-\($0.prefix(2))" }
            let hour = (texts["TIME"] ?? texts["TIM"]).map { "T\($0.prefix(2)):\($0.suffix(2))" }
            time = year + (day ?? "") + (day == nil ? "" : hour ?? "")
        }
        metadata.recordedAt = time.flatMap(RecordedTime.parse)
        metadata.recordedAtFrom = metadata.recordedAt == nil ? nil : .tag
    }

    private static func size(_ bytes: ArraySlice<UInt8>, isSafe: Bool) -> Int {
        bytes.reduce(0) { isSafe ? $0 << 7 | Int($1 & 0x7F) : $0 << 8 | Int($1) }
    }

    private static func synchronised(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for byte in bytes where !(byte == 0 && result.last == 0xFF) { result.append(byte) }
        return result
    }

    /// The first text of a frame, whose first byte is its encoding; a comment has a language and a
    /// name before.
    private static func text(_ body: ArraySlice<UInt8>, hasLanguage: Bool) -> String? {
        guard let encoding = body.first else { return nil }
        var bytes = body.dropFirst()
        let isWide = encoding == 1 || encoding == 2
        if hasLanguage {
            bytes = bytes.dropFirst(3)
            // A comment with a name is a program's own, such as iTunNORM.
            let name = isWide ? bytes.prefix(4).drop { $0 == 0xFF || $0 == 0xFE } : bytes.prefix(1)
            guard name.first == 0 else { return nil }
            bytes = bytes.dropFirst(isWide ? (bytes.first == 0 ? 2 : 4) : 1)
        }
        guard isWide else { return TagText.text(bytes) }
        let isBig = encoding == 2 || bytes.starts(with: [0xFE, 0xFF])
        if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
            bytes = bytes.dropFirst(2)
        }
        let pairs = Array(bytes)
        let units = stride(from: 0, to: pairs.count - 1, by: 2).map { index in
            let (first, second) = (UInt16(pairs[index]), UInt16(pairs[index + 1]))
            return isBig ? first << 8 | second : second << 8 | first
        }
        guard let text = String(validating: units.prefix { $0 != 0 }, as: UTF16.self) else {
            return nil
        }
        return TagText.plain(text)
    }
}
