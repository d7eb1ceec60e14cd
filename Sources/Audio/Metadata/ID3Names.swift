/// The names of ID3 frames, and of the fields of FLAC and Ogg files that say the same.
enum ID3Names {
    static let comments = [
        "TIT2": "TITLE", "TIT1": "GROUPING", "TIT3": "SUBTITLE", "TPE1": "ARTIST",
        "TPE2": "ALBUMARTIST", "TPE3": "CONDUCTOR", "TALB": "ALBUM", "TCON": "GENRE",
        "TRCK": "TRACKNUMBER", "TPOS": "DISCNUMBER", "TCOP": "COPYRIGHT", "TCOM": "COMPOSER",
        "TEXT": "LYRICIST", "TENC": "ENCODED-BY", "TSSE": "ENCODER", "TPUB": "ORGANIZATION",
        "TLAN": "LANGUAGE", "TSRC": "ISRC", "TBPM": "BPM", "TDRC": "DATE",
    ]
    /// Of frames that ID3 2.2 has, with three letters.
    static let modern = [
        "TT2": "TIT2", "TT1": "TIT1", "TT3": "TIT3", "TP1": "TPE1", "TP2": "TPE2", "TP3": "TPE3",
        "TAL": "TALB", "TCO": "TCON", "TRK": "TRCK", "TPA": "TPOS", "TCR": "TCOP", "TCM": "TCOM",
        "TXT": "TEXT", "TEN": "TENC", "TSS": "TSSE", "TPB": "TPUB", "TLA": "TLAN", "TRC": "TSRC",
        "TBP": "TBPM", "TYE": "TYER", "TDA": "TDAT", "TIM": "TIME", "TXX": "TXXX", "COM": "COMM",
        "ULT": "USLT",
    ]
    /// What says how a file was before it was cut.
    static let ofLength = ["CHAP", "CTOC", "TLEN", "SEEK", "ASPI", "MLLT", "ETCO", "SYLT", "SYTC"]
}

extension ID3Tag {
    /// The tag without what says how the file was before it was cut; `nil` if there is no such
    /// frame.
    var lasting: [UInt8]? {
        guard version > 2, frames.contains(where: { ID3Names.ofLength.contains($0.id) }) else {
            return nil
        }
        return ID3Tag.bytes(
            frames.filter { !ID3Names.ofLength.contains($0.id) }, version: version)
    }

    /// A tag (2.4) with these frames of another, as they are; empty if there are none.
    static func bytes(_ frames: [Frame], version: Int) -> [UInt8] {
        tag(frames.flatMap(\.raw), version: UInt8(version))
    }

    /// A tag with these fields and pictures; empty if there are none.
    static func bytes(_ comments: [VorbisComment], _ pictures: [Picture]) -> [UInt8] {
        var body: [UInt8] = []
        func put(_ id: String, _ contents: [UInt8]) {
            body += Array(id.utf8) + safe(contents.count) + [0, 0] + contents
        }
        var known: [String: [[UInt8]]] = [:]
        var order: [String] = []
        for comment in comments {
            if known[comment.name] == nil { order.append(comment.name) }
            known[comment.name, default: []].append(comment.value.filter { $0 != 0 })
        }
        for name in order {
            let values = known[name] ?? []
            let all = Array(values.joined(separator: [0]))
            // 3 is UTF-8.
            if let id = ID3Names.comments.first(where: { $0.value == name })?.key {
                put(id, [3] + all)
            } else if name == "COMMENT" || name == "LYRICS" {
                for value in values.prefix(1) {
                    put(name == "COMMENT" ? "COMM" : "USLT", [3] + Array("und".utf8) + [0] + value)
                }
            } else {
                put("TXXX", [3] + Array(name.utf8) + [0] + all)
            }
        }
        for picture in pictures { picture.id3.map { put("APIC", $0) } }
        return tag(body, version: 4)
    }

    private static func tag(_ frames: [UInt8], version: UInt8) -> [UInt8] {
        frames.isEmpty ? [] : Array("ID3".utf8) + [version, 0, 0] + safe(frames.count) + frames
    }

    /// Four bytes of seven bits each.
    private static func safe(_ number: Int) -> [UInt8] {
        [21, 14, 7, 0].map { UInt8(number >> $0 & 0x7F) }
    }
}
