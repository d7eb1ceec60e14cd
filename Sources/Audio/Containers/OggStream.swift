import COgg

/// The pages of an Ogg file, read from the first to the last.
///
/// RFC 3533, section 6, defines the page layout and the checksum.
struct OggStream {
    private(set) var verdict = ContainerVerdict.whole

    /// The verdict on a file that begins with an Ogg page; `nil` for others.
    static func verdict(on source: SourceFile) -> ContainerVerdict? {
        source.bytes(at: 0, count: 4).has("OggS") ? OggStream(walking: source).verdict : nil
    }

    /// Whether the file begins with an Opus header that does not state the rate of the input
    /// (RFC 7845, 5.1), which libsndfile takes for 8 kHz.
    static func omitsOpusRate(_ source: SourceFile) -> Bool {
        let page = source.bytes(at: 0, count: 28 + 19)
        return page.has("OpusHead", at: 28) && page.count == 47
            && page[40..<44].allSatisfy { $0 == 0 }
    }

    /// What the second packet has behind its first bytes: the fields of Vorbis, Opus, FLAC and
    /// Speex; `nil` if there is none, or it is longer than `mostBytes`.
    static func comments(of source: SourceFile, atMost mostBytes: Int) -> ArraySlice<UInt8>? {
        var (place, packets): (Int64, Int) = (0, 0)
        var packet: [UInt8] = []
        var serial: ArraySlice<UInt8>?
        while packet.count <= mostBytes {
            let head = source.bytes(at: place, count: 27)
            guard head.count == 27, head.has("OggS") else { return nil }
            let lacing = source.bytes(at: place + 27, count: Int(head[26]))
            let count = lacing.reduce(0) { $0 + Int($1) }
            let body = source.bytes(at: place + 27 + Int64(lacing.count), count: count)
            place += 27 + Int64(lacing.count + count)
            let isSound = prefixes.contains { body.has($0.first) }
            if serial == nil, head[5] & 2 != 0, isSound { serial = head[14..<18] }
            guard head[14..<18] == serial else { continue }
            var rest = body[...]
            for lace in lacing {
                if packets == 1 { packet += rest.prefix(Int(lace)) }
                rest = rest.dropFirst(Int(lace))
                if lace == 255 { continue }
                packets += 1
                guard packets == 2 else { continue }
                return prefixes.first { packet.has($0.second) }.map {
                    packet.dropFirst($0.second.utf8.count + $0.more)
                }
            }
        }
        return nil
    }

    /// How the first two packets of a stream begin, and the further bytes before the fields.
    private static let prefixes: [(first: String, second: String, more: Int)] = [
        ("\u{1}vorbis", "\u{3}vorbis", 0), ("OpusHead", "OpusTags", 0), ("\u{7F}FLAC", "\u{4}", 3),
        ("Speex   ", "", 0),
    ]

    private var serial: Int32?
    private var nextSequence = 0
    private var lastGranule: Int64 = 0
    private var hasSound = false
    private var hasEnded = false

    /// Reads every page of `source`; takes about as long as copying the file.
    init(walking source: SourceFile) {
        var offset: Int64 = 0
        while offset < source.byteCount, verdict == .whole {
            guard let page = OggPage(at: offset, in: source) else {
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
            // Pictures or indexes may be multiplexed with the sound; their pages are ignored.
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
private struct OggPage {
    /// A header, 255 lacing values, and 255 segments of 255 bytes.
    static let largestBytes: Int64 = 27 + 255 + 255 * 255

    let beginsStream: Bool
    let endsStream: Bool
    /// Frames decoded up to the last packet of this page; for Opus, at 48 kHz.
    let granule: Int64
    let serial: Int32
    let sequence: Int
    let byteCount: Int
    /// Whether the checksum is correct.
    let isIntact: Bool
    /// Whether the body begins with a Vorbis or Opus header.
    let holdsSound: Bool

    /// The page at `offset`; `nil` if none begins there or the file ends within it.
    init?(at offset: Int64, in source: SourceFile) {
        let header = source.bytes(at: offset, count: 27)
        guard header.count == 27, header.starts(with: "OggS".utf8) else { return nil }
        let headerBytes = 27 + Int(header[26])
        let lacing = source.bytes(at: offset, count: headerBytes).dropFirst(27)
        byteCount = headerBytes + lacing.reduce(0) { $0 + Int($1) }
        var bytes = source.bytes(at: offset, count: byteCount)
        guard lacing.count == headerBytes - 27, bytes.count == byteCount else { return nil }
        let body = bytes[headerBytes...]
        holdsSound = body.starts(with: "\u{1}vorbis".utf8) || body.starts(with: "OpusHead".utf8)
        let declared = Array(bytes[OggPage.checksum])
        let bodyBytes = body.count
        (beginsStream, endsStream, granule, serial, sequence) = bytes.withUnsafeMutableBytes {
            let start = $0.baseAddress?.assumingMemoryBound(to: UInt8.self)
            var page = ogg_page(
                header: start, header_len: headerBytes, body: start.map { $0 + headerBytes },
                body_len: bodyBytes)
            ogg_page_checksum_set(&page)
            return (
                ogg_page_bos(&page) != 0, ogg_page_eos(&page) != 0, ogg_page_granulepos(&page),
                ogg_page_serialno(&page), ogg_page_pageno(&page)
            )
        }
        isIntact = bytes[OggPage.checksum].elementsEqual(declared)
    }

    /// The position of the checksum in the header.
    private static let checksum = 22..<26
}
