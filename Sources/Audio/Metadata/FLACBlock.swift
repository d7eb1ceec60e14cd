/// A metadata block of a FLAC stream (RFC 9639, 8).
struct FLACBlock {
    enum Kind: UInt8 {
        case streamInfo, padding, application, seekTable, comments, cueSheet, picture, unknown

        /// Whether copies may have it.
        var isCarried: Bool { [.comments, .picture, .application].contains(self) }
    }

    let kind: Kind
    /// Where its body is, and how long.
    let place: Int64
    let bytes: Int

    /// More than any program writes.
    private static let most = 10_000

    /// The blocks of a file, up to the last one, or its end.
    static func all(of source: SourceFile) -> [FLACBlock] {
        var blocks: [FLACBlock] = []
        var place: Int64 = 4
        while blocks.count < most {
            let head = source.bytes(at: place, count: 4)
            guard head.count == 4 else { break }
            let block = FLACBlock(
                kind: Kind(rawValue: head[0] & 0x7F) ?? .unknown, place: place + 4,
                bytes: Int(integer(head[1...], bigEndian: true)))
            blocks.append(block)
            place = block.place + Int64(block.bytes)
            if head[0] & 0x80 != 0 { break }
        }
        return blocks
    }

    /// The chunks of a WAV file that a FLAC file keeps to give them back (`flac
    /// --keep-foreign-metadata`), each in a block behind the letters `riff`.
    static func foreignChunks(
        of source: SourceFile
    ) -> [(id: String, body: Int64, bytes: Int64)] {
        all(of: source).compactMap { block in
            guard block.kind == .application, block.bytes >= 12 else { return nil }
            let head = source.bytes(at: block.place, count: 12)
            guard head.count == 12, head.has("riff"), ChunkGrammar.isIdentifier(head[4..<8]) else {
                return nil
            }
            let bytes = Int64(integer(head[8...], bigEndian: false))
            // Of what begins the file, and its sound, it has the first bytes alone.
            guard bytes <= Int64(block.bytes - 12) else { return nil }
            return (String(decoding: head[4..<8], as: UTF8.self), block.place + 12, bytes)
        }
    }

    /// A block with this body.
    static func bytes(_ kind: Kind, _ body: [UInt8], isLast: Bool = false) -> [UInt8] {
        var block = ByteWriter()
        block.put([kind.rawValue | (isLast ? 0x80 : 0)])
        block.put(withUnsafeBytes(of: UInt32(body.count).bigEndian) { Array($0.dropFirst()) })
        block.put(body)
        return block.bytes
    }
}
