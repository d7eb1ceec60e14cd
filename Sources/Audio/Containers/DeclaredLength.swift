import Recordings

/// The amount of sound that the header of a container without chunks declares.
///
/// libsndfile ignores it and delivers what is in the file. IRCAM (BICSF), PAF (Ensoniq PARIS) and
/// PVF (portable voice format) headers carry no length. A truncated file of these cannot be told
/// from a shorter one, so they are not judged.
struct DeclaredLength: Equatable {
    /// Where the sound begins, in bytes.
    var start: Int64
    /// Bytes of sound; 0 if the writer never updated the header.
    var bytes: Int64

    /// Reads the header at the beginning of `source`; `nil` for other containers, and for a header
    /// whose length cannot be parsed.
    init?(of source: SourceFile) {
        let start = source.bytes(at: 0, count: 32)
        if start.has("NIST_1A\n") {
            self.init(ofSPHERE: source)
        } else if start.has("2BIT") {
            self.init(ofAVR: source)
        } else if start.has("Extended Instrument:") {
            self.init(ofXI: source)
        } else if start.has("MATLAB 5.0 MAT-file") {
            self.init(ofMAT5: source)
        } else if start.has("samplerate\0", at: 20) {
            self.init(ofMAT4: source)
        } else {
            return nil
        }
    }

    private init?(start: Int64, factors: [Int64]) {
        var bytes: Int64 = 1
        for factor in factors {
            let (product, overflows) = bytes.multipliedReportingOverflow(by: factor)
            guard !overflows, factor >= 0 else { return nil }
            bytes = product
        }
        (self.start, self.bytes) = (start, bytes)
    }

    /// Compares the declared length with the file's.
    func verdict(on source: SourceFile) -> ContainerVerdict {
        let found = source.byteCount - start
        if bytes == 0 { return found > 0 ? .unfinished : .whole }
        return bytes <= found ? .whole : .truncated(expectedBytes: bytes)
    }
}

// MARK: - The containers

extension DeclaredLength {
    /// NIST SPHERE: lines of text with a name, a type and a value (SPHERE 2.6, `nist_hdr`).
    ///
    /// `sample_count` counts the samples of each channel. Samples that are compressed have no fixed
    /// size.
    private init?(ofSPHERE source: SourceFile) {
        let line = source.bytes(at: 8, count: 8)
        guard let size = Int(DeclaredLength.text(line[...]).trimmed), (16...1 << 16).contains(size)
        else { return nil }
        let lines = source.bytes(at: 0, count: size).split(separator: UInt8(ascii: "\n"))
        var values: [String: String] = [:]
        for line in lines.prefix(while: { !$0.starts(with: "end_head".utf8) }) {
            let words = DeclaredLength.text(line).split(separator: " ", maxSplits: 2)
            if words.count == 3 { values[String(words[0])] = String(words[2]).trimmed }
        }
        let coding = values["sample_coding"] ?? "pcm"
        let isOneByte = ["alaw", "ulaw", "mu-law"].contains(coding)
        guard isOneByte || coding == "pcm",
            let frames = values["sample_count"].flatMap({ Int64($0) }),
            let channels = values["channel_count"].flatMap({ Int64($0) }),
            let width = values["sample_n_bytes"].flatMap({ Int64($0) }) ?? (isOneByte ? 1 : nil)
        else { return nil }
        self.init(start: Int64(size), factors: [frames, channels, width])
    }

    /// AVR (Audio Visual Research, Atari ST): 128 bytes, big-endian; whether stereo at 12, the bits
    /// of a sample at 14, and the frames at 26.
    private init?(ofAVR source: SourceFile) {
        let header = source.bytes(at: 0, count: 128)
        guard header.count == 128 else { return nil }
        let bits = Int64(integer(header[14..<16], bigEndian: true))
        let frames = Int64(integer(header[26..<30], bigEndian: true))
        self.init(start: 128, factors: [frames, header[13] & 1 == 0 ? 1 : 2, bits / 8])
    }

    /// XI (FastTracker II instrument): the number of samples at 296, and for each 40 bytes, which
    /// begin with its size in bytes (The Unofficial XM File Format).
    ///
    /// libsndfile writes a size of 0, and reads all that follows as the first sample.
    private init?(ofXI source: SourceFile) {
        let count = Int64(integer(source.bytes(at: 296, count: 2), bigEndian: false))
        guard (1...16).contains(count) else { return nil }
        let sizes = (0..<count).map {
            Int64(integer(source.bytes(at: 298 + 40 * $0, count: 4), bigEndian: false))
        }
        guard sizes[0] > 0 else { return nil }
        self.init(start: 298 + 40 * count, factors: [sizes.reduce(0, +)])
    }

    /// MAT-file level 4: two matrices, the sample rate and the sound (MATLAB MAT-File Format,
    /// chapter 2).
    ///
    /// Each has a type, rows, columns, an imaginary flag, and the length of its name. A row is a
    /// channel. The thousands of the type are the byte order, its tens the width.
    private init?(ofMAT4 source: SourceFile) {
        let first = source.bytes(at: 0, count: 20)
        let bigEndian = first.starts(with: [0, 0, 3])
        let second = 20 + Int64(integer(first[16..<20], bigEndian: bigEndian)) + 8
        let header = source.bytes(at: second, count: 20)
        guard header.count == 20 else { return nil }
        let numbers = stride(from: 0, to: 20, by: 4).map {
            Int64(integer(header[$0..<$0 + 4], bigEndian: bigEndian))
        }
        let widths: [Int64] = [8, 4, 4, 2, 2, 1]
        let kind = Int(numbers[0] % 1000 / 10)
        guard kind < widths.count else { return nil }
        self.init(
            start: second + 20 + numbers[4], factors: [numbers[1], numbers[2], widths[kind]])
    }

    /// MAT-file level 5: 128 bytes, then elements with type and size (MATLAB MAT-File Format,
    /// chapter 1).
    ///
    /// The second array, or the first if it is the only one, holds the sound: the fourth element in
    /// it, after flags, dimensions and name.
    private init?(ofMAT5 source: SourceFile) {
        let bigEndian = source.bytes(at: 126, count: 1) == [UInt8(ascii: "M")]
        var place: Int64 = 128
        var last: (start: Int64, bytes: Int64)?
        for _ in 0..<2 {
            let array = source.bytes(at: place, count: 8)
            guard array.count == 8, integer(array[..<4], bigEndian: bigEndian) == 14 else { break }
            place += 8
            for part in 0..<4 {
                let tag = source.bytes(at: place, count: 8)
                guard tag.count == 8 else { break }
                let type = integer(tag[..<4], bigEndian: bigEndian)
                // Up to four bytes fit in the tag itself, which then begins with their number.
                let isSmall = type >> 16 != 0
                let bytes = isSmall ? 0 : Int64(integer(tag[4...], bigEndian: bigEndian))
                if part == 3 { last = (isSmall ? place + 4 : place + 8, bytes) }
                place += 8 + (bytes + 7) / 8 * 8
            }
        }
        guard let last, last.bytes > 0 else { return nil }
        self.init(start: last.start, factors: [last.bytes])
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self)
    }
}

extension String {
    /// Without spaces at either end.
    fileprivate var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
