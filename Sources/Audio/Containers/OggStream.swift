/// What the pages of an Ogg file say, read from the first to the last.
///
/// The page layout and the checksum are those of RFC 3533, section 6.
struct OggStream {
    private(set) var verdict = ContainerVerdict.whole

    private var serial: UInt64?
    private var nextSequence: UInt64 = 0
    private var lastGranule: Int64 = 0
    private var hasSound = false
    private var hasEnded = false

    /// Reads every page of `source`; takes about as long as copying the file.
    init(walking source: borrowing SourceFile) {
        var window = ByteWindow()
        var offset: Int64 = 0
        while offset < source.byteCount, verdict == .whole {
            guard let page = OggPage(at: offset, in: source, window: &window) else {
                if !hasEnded {
                    let isCut = source.byteCount - offset < OggPage.largestBytes
                    verdict =
                        isCut ? .truncated(expectedBytes: nil) : .damaged(frame: lastGranule)
                }
                return
            }
            take(page)
            offset += Int64(page.byteCount)
        }
        if verdict == .whole && !hasEnded { verdict = .truncated(expectedBytes: nil) }
    }

    private mutating func take(_ page: OggPage) {
        if page.beginsStream {
            if hasSound { verdict = .chained }
            // A picture or an index may run beside the sound; those pages are nobody's concern.
            if serial == nil || page.holdsSound { serial = page.serial }
        }
        guard page.serial == serial else { return }
        hasSound = hasSound || !page.beginsStream
        if page.beginsStream { nextSequence = page.sequence }
        if !page.isIntact || page.sequence != nextSequence {
            verdict = verdict == .whole ? .damaged(frame: lastGranule) : verdict
        }
        nextSequence = page.sequence + 1
        // A page on which no packet ends has a granule position of -1.
        if page.granule >= 0 { lastGranule = page.granule }
        hasEnded = page.endsStream
    }
}

/// One page of an Ogg file.
struct OggPage {
    /// A header, 255 lacing values, and 255 segments of 255 bytes.
    static let largestBytes: Int64 = 27 + 255 + 255 * 255

    let beginsStream: Bool
    let endsStream: Bool
    /// Frames decoded when this page's last packet is; of Opus, at 48 kHz.
    let granule: Int64
    let serial: UInt64
    let sequence: UInt64
    let byteCount: Int
    /// Whether the checksum is right.
    let isIntact: Bool
    /// Whether the body begins like a stream of Vorbis or Opus.
    let holdsSound: Bool

    /// The page at `offset`; `nil` where none begins there or the file ends within it.
    init?(at offset: Int64, in source: borrowing SourceFile, window: inout ByteWindow) {
        let header = window.bytes(at: offset, count: 27, in: source)
        guard header.count == 27, header.starts(with: "OggS".utf8) else { return nil }
        let base = header.startIndex
        let segments = Int(header[base + 26])
        beginsStream = header[base + 5] & 2 != 0
        endsStream = header[base + 5] & 4 != 0
        granule = Int64(bitPattern: integer(header[base + 6..<base + 14], bigEndian: false))
        serial = integer(header[base + 14..<base + 18], bigEndian: false)
        sequence = integer(header[base + 18..<base + 22], bigEndian: false)
        let declared = UInt32(integer(header[base + 22..<base + 26], bigEndian: false))

        let lacing = window.bytes(at: offset + 27, count: segments, in: source)
        guard lacing.count == segments else { return nil }
        byteCount = 27 + segments + lacing.reduce(0) { $0 + Int($1) }
        let page = window.bytes(at: offset, count: byteCount, in: source)
        guard page.count == byteCount else { return nil }
        isIntact = OggPage.checksum(of: page) == declared
        let body = page.dropFirst(27 + segments)
        holdsSound = body.starts(with: "\u{1}vorbis".utf8) || body.starts(with: "OpusHead".utf8)
    }

    /// The checksum over a page with zeros in the checksum's own place.
    private static func checksum(of page: ArraySlice<UInt8>) -> UInt32 {
        var checksum = OggChecksum()
        checksum.take(page.prefix(22))
        checksum.take([0, 0, 0, 0])
        checksum.take(page.dropFirst(26))
        return checksum.value
    }
}
