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

    /// A block with this body.
    static func bytes(_ kind: Kind, _ body: [UInt8], isLast: Bool = false) -> [UInt8] {
        var block = ByteWriter()
        block.put([kind.rawValue | (isLast ? 0x80 : 0)])
        block.put(withUnsafeBytes(of: UInt32(body.count).bigEndian) { Array($0.dropFirst()) })
        block.put(body)
        return block.bytes
    }
}
