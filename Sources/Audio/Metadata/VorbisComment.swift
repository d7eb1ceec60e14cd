import Recordings

/// A field of a FLAC or Ogg file: `NAME=value` (xiph.org, "Ogg Vorbis I format specification:
/// comment field and header specification").
///
/// The bytes are kept, as a value may be in another encoding than UTF-8.
struct VorbisComment: Hashable {
    let bytes: [UInt8]
    /// In capitals; names do not differ by case.
    let name: String

    /// `nil` if the bytes have no name.
    init?(_ bytes: some Collection<UInt8>) {
        let name = bytes.prefix { $0 != UInt8(ascii: "=") }
        let isName = name.allSatisfy { (0x20..<0x7E).contains($0) }
        guard isName, !name.isEmpty, name.count < bytes.count else { return nil }
        self.bytes = Array(bytes)
        self.name = String(decoding: name, as: UTF8.self).uppercased()
    }

    init?(_ name: String, _ value: String) {
        self.init(Array("\(name)=\(value)".utf8))
    }

    /// The text after the name; `nil` if it is none.
    var text: String? { TagText.text(value) }
    var value: ArraySlice<UInt8> { bytes.dropFirst(name.utf8.count + 1) }

    /// The fields of a header's body: the name of a program, and a list.
    static func list(in body: ArraySlice<UInt8>) -> [VorbisComment] {
        var rest = body
        func number() -> Int {
            defer { rest = rest.dropFirst(4) }
            return rest.count < 4 ? 0 : Int(integer(rest.prefix(4), bigEndian: false))
        }
        let name = number()
        rest = rest.dropFirst(name)
        var comments: [VorbisComment] = []
        let count = number()
        for _ in 0..<min(count, rest.count / 4) {
            let length = number()
            let field = rest.prefix(length)
            rest = rest.dropFirst(length)
            if let comment = VorbisComment(field) { comments.append(comment) }
        }
        return comments
    }

    /// The body of a header with these fields.
    /// - Parameter library: the name of what encoded the sound.
    static func body(_ comments: [VorbisComment], by library: String) -> [UInt8] {
        var body = ByteWriter()
        body.put(UInt32(library.utf8.count), bigEndian: false)
        body.put(library)
        body.put(UInt32(comments.count), bigEndian: false)
        for comment in comments {
            body.put(UInt32(comment.bytes.count), bigEndian: false)
            body.put(comment.bytes)
        }
        return body.bytes
    }
}

/// Appends numbers and texts as containers have them.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    mutating func put(_ more: some Sequence<UInt8>) { bytes += more }
    mutating func put(_ text: String) { bytes += text.utf8 }

    mutating func put(_ number: some FixedWidthInteger, bigEndian: Bool) {
        withUnsafeBytes(of: bigEndian ? number.bigEndian : number.littleEndian) { bytes += $0 }
    }
}

// MARK: - What they tell

extension RecordingMetadata {
    private static let names = [
        "TRACKNUMBER": "track", "ENCODER": "software",
        "ORIGINATOR_REFERENCE": "originatorReference",
    ]
    /// Those that tell of the file's form.
    private static let ofForm = ["METADATA_BLOCK_PICTURE", SpeakerLayout.field, "CHAPTER"]

    /// What the fields of a file say; of several with one name, the first.
    init(_ comments: [VorbisComment]) {
        self.init()
        var tags: [String: String] = [:]
        for comment in comments {
            let isOfForm = RecordingMetadata.ofForm.contains { comment.name.hasPrefix($0) }
            guard !isOfForm, let text = comment.text else { continue }
            switch comment.name {
            case "TITLE": title = title ?? text
            case "DESCRIPTION": description = description ?? text
            case "ORIGINATOR": recorder = recorder ?? text
            case "DATE":
                guard recordedAt == nil, let time = RecordedTime.parse(text) else { break }
                (recordedAt, recordedAtFrom) = (time, .tag)
            default:
                let name =
                    RecordingMetadata.names[comment.name]
                    ?? String(comment.name.lowercased().prefix(64))
                if tags[name] == nil { tags[name] = text }
            }
        }
        self.tags = tags.isEmpty ? nil : tags
    }

    /// The fields that say the same.
    var comments: [VorbisComment] {
        var fields = [
            ("TITLE", title), ("DATE", recordedAt), ("DESCRIPTION", description),
            ("ORIGINATOR", recorder),
        ]
        for (name, value) in (tags ?? [:]).sorted(by: { $0.key < $1.key }) {
            let known = RecordingMetadata.names.first { $0.value == name }?.key
            fields.append((known ?? name.uppercased(), value))
        }
        return fields.compactMap { name, value in value.flatMap { VorbisComment(name, $0) } }
    }
}
