/// A picture in a file's tags, as the body of a FLAC picture block (RFC 9639, 8.8).
struct Picture: Hashable {
    let block: [UInt8]

    /// `nil` if the bytes are no block of a picture, or one that breaks off.
    init?(block: [UInt8]) {
        self.block = block
        if id3 == nil { return nil }
    }

    /// The contents of an ID3 frame: an encoding, a media type, a kind, a name and the picture
    /// (ID3 2.4.0, 4.14); `nil` if they are cut off.
    /// - Parameter isOld: whether the media type is three letters, as in ID3 2.2.
    init?(id3 body: ArraySlice<UInt8>, isOld: Bool) {
        guard let encoding = body.first else { return nil }
        var rest = body.dropFirst()
        var media = isOld ? rest.prefix(3) : rest.prefix { $0 != 0 }
        rest = rest.dropFirst(media.count + (isOld ? 0 : 1))
        if isOld {
            media = ArraySlice((media.elementsEqual("PNG".utf8) ? "image/png" : "image/jpeg").utf8)
        }
        guard let kind = rest.first else { return nil }
        let (name, data) = ID3Tag.split(rest.dropFirst(), encoding: encoding)
        let text = ID3Tag.text(name, encoding: encoding) ?? ""
        self.init(kind: UInt32(kind), media: media, name: Array(text.utf8)[...], data: data)
    }

    init(
        kind: UInt32, media: ArraySlice<UInt8>, name: ArraySlice<UInt8>, data: ArraySlice<UInt8>
    ) {
        var block = ByteWriter()
        block.put(kind, bigEndian: true)
        for part in [media, name] {
            block.put(UInt32(part.count), bigEndian: true)
            block.put(part)
        }
        // Width, height, depth and colours: unknown.
        block.put([UInt8](repeating: 0, count: 16))
        block.put(UInt32(data.count), bigEndian: true)
        block.put(data)
        self.block = block.bytes
    }

    /// The picture as contents of an ID3 frame; `nil` if the block is damaged.
    var id3: [UInt8]? {
        var rest = block[...]
        func number() -> Int? {
            guard rest.count >= 4 else { return nil }
            defer { rest = rest.dropFirst(4) }
            return Int(integer(rest.prefix(4), bigEndian: true))
        }
        func part() -> ArraySlice<UInt8>? {
            guard let count = number(), count <= rest.count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }
        guard let kind = number(), let media = part(), let name = part() else { return nil }
        rest = rest.dropFirst(16)
        guard let data = part() else { return nil }
        // UTF-8.
        return [3] + media.filter { $0 != 0 } + [0, UInt8(truncatingIfNeeded: kind)]
            + name.filter { $0 != 0 } + [0] + data
    }

    /// The bytes of a text in base 64 (RFC 4648), as Ogg files have pictures; `nil` if it is none.
    init?(base64 text: ArraySlice<UInt8>) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var (held, bits): (UInt32, UInt32) = (0, 0)
        for letter in text where letter != UInt8(ascii: "=") {
            guard let value = Picture.value(of: letter) else { return nil }
            held = held << 6 | value
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: held >> bits))
            }
        }
        self.init(block: bytes)
    }

    private static func value(of letter: UInt8) -> UInt32? {
        switch letter {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(letter - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(letter - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(letter - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
