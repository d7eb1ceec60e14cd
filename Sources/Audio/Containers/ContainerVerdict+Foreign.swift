import Recordings

// Containers that libav alone reads: it takes a file that is cut off for a shorter one.

extension ContainerVerdict {
    /// Judges Matroska and WebM, AVI, ASF (WMA) and WavPack; `nil` for other files.
    init?(onForeign source: SourceFile, beginning start: [UInt8]) {
        if start.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) {
            self = ContainerVerdict(onMatroska: source)
        } else if start.has("RIFF"), start.has("AVI ", at: 8) {
            self = ContainerVerdict(onAVI: source)
        } else if start.starts(with: [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]) {
            self = ContainerVerdict(onASF: source)
        } else if start.has("wvpk") {
            self = ContainerVerdict(onWavPack: source)
        } else {
            return nil
        }
    }

    /// Whether the file holds all bytes up to `end`.
    private init(_ source: SourceFile, endsAt end: Int64) {
        self = end > source.byteCount ? .truncated(expectedBytes: nil) : .whole
    }

    /// The segment, which follows the EBML header, declares its size (RFC 8794, 4 and 6; RFC 9559).
    private init(onMatroska source: SourceFile) {
        guard let header = ContainerVerdict.element(at: 0, in: source), let size = header.bytes,
            let segment = ContainerVerdict.element(at: header.body + size, in: source)
        else {
            self = .truncated(expectedBytes: nil)
            return
        }
        // A program that cannot seek back, or that died, leaves the size unknown.
        guard let bytes = segment.bytes else {
            self = .lengthUnknown
            return
        }
        self.init(source, endsAt: segment.body.addingReportingOverflow(bytes).partialValue)
    }

    /// The body of an EBML element with an identifier of four bytes; its size is `nil` if unknown.
    private static func element(
        at offset: Int64, in source: SourceFile
    ) -> (body: Int64, bytes: Int64?)? {
        let head = source.bytes(at: offset, count: 12)
        guard head.count > 4, head[4] != 0 else { return nil }
        // As many zeros as bytes follow.
        let width = head[4].leadingZeroBitCount + 1
        guard head.count >= 4 + width else { return nil }
        let mask = UInt64(1) << (7 * width) - 1
        let size = integer(head[4..<4 + width], bigEndian: true) & mask
        return (offset + 4 + Int64(width), size == mask ? nil : Int64(size))
    }

    /// One `RIFF` chunk, or several (OpenDML AVI File Format Extensions, 1.02).
    private init(onAVI source: SourceFile) {
        var offset: Int64 = 0
        while source.bytes(at: offset, count: 4).has("RIFF") {
            let size = integer(source.bytes(at: offset + 4, count: 4), bigEndian: false)
            if size == 0 || ChunkGrammar.isUnknown(size) {
                self = .lengthUnknown
                return
            }
            offset += 8 + Int64(size)
        }
        self.init(source, endsAt: offset)
    }

    /// The file properties object has the size of the file, unless it is being broadcast (Advanced
    /// Systems Format Specification, 3.2).
    private init(onASF source: SourceFile) {
        let properties: [UInt8] = [
            0xA1, 0xDC, 0xAB, 0x8C, 0x47, 0xA9, 0xCF, 0x11, 0x8E, 0xE4, 0, 0xC0, 0x0C, 0x20, 0x53,
            0x65,
        ]
        self = .lengthUnknown
        var offset: Int64 = 30
        for _ in 0..<100 {
            let object = source.bytes(at: offset, count: 92)
            guard object.count == 92 else { break }
            if object.starts(with: properties) {
                let isBroadcast = object[88] & 1 == 1
                let size = Int64(clamping: integer(object[40..<48], bigEndian: false))
                let next = source.bytes(at: size, count: 16)
                if !isBroadcast {
                    self.init(source, endsAt: size)
                    if next == source.bytes(at: 0, count: 16) { self = .chained }
                }
                return
            }
            let size = integer(object[16..<24], bigEndian: false)
            guard size >= 24, size < UInt64(source.byteCount) else { break }
            offset += Int64(size)
        }
    }

    /// Blocks with a header of 32 bytes each, the first of which counts all frames (WavPack 4 & 5
    /// Binary File / Block Format).
    private init(onWavPack source: SourceFile) {
        var (offset, found, expected) = (Int64(0), Int64(0), Int64(0))
        while true {
            let head = source.bytes(at: offset, count: 32)
            guard head.count == 32, head.has("wvpk") else { break }
            func field(_ place: Int) -> Int64 {
                Int64(integer(head[place..<place + 4], bigEndian: false))
            }
            if offset == 0 { expected = field(12) == Int64(UInt32.max) ? 0 : field(12) }
            offset += 8 + field(4)
            guard offset <= source.byteCount else { break }
            // Further channels of the same frames have blocks of their own.
            let isFirstOfFrames = head[25] & 8 != 0
            if isFirstOfFrames { found += field(20) }
        }
        self =
            found < expected ? .short(foundFrames: found, expectedFrames: expected) : .whole
    }
}
