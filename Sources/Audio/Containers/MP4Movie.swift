import Recordings

/// What the header of an MPEG-4 or QuickTime file says of its first audio track (ISO/IEC 14496-12).
///
/// libav adapts the lengths of packets to the edit list, which may count in milliseconds. So the
/// length is read here, and held against what libav delivers.
struct MP4Movie {
    /// Units per second of the edit list, and of the track.
    private var movieTimescale: Int64 = 0
    private var trackTimescale: Int64 = 0
    /// The track's length before any edit.
    private var trackUnits: Int64 = 0
    /// The parts of the track to be played: length in movie units, and start in the track.
    private var edits: [(length: Int64, start: Int64)] = []
    /// Whether the sound comes in fragments, each with its own header.
    private var isFragmented = false

    private static let mostBoxes = 10_000

    /// Whether a file begins as one of this family.
    static func begins(_ source: SourceFile) -> Bool {
        let start = source.bytes(at: 4, count: 4)
        return ["ftyp", "moov", "mdat", "wide", "free", "skip"].contains { start.has($0) }
    }

    /// Whether another file of the family was joined to this one.
    static func isFollowedByAnother(_ source: SourceFile) -> Bool {
        var boxes = mostBoxes
        return Box(body: 0, end: source.byteCount).all("ftyp", in: source, &boxes).count > 1
    }

    /// Reads the header; `nil` if there is none, because the recorder writes it last and stopped.
    init?(of source: SourceFile) {
        var boxes = MP4Movie.mostBoxes
        let file = Box(body: 0, end: source.byteCount)
        guard let movie = file.first("moov", in: source, &boxes) else { return nil }
        isFragmented = movie.first("mvex", in: source, &boxes) != nil
        guard let header = movie.first("mvhd", in: source, &boxes) else { return nil }
        movieTimescale = header.timescaleAndLength(in: source).timescale
        for track in movie.all("trak", in: source, &boxes) {
            guard let media = track.first("mdia", in: source, &boxes),
                let handler = media.first("hdlr", in: source, &boxes),
                source.bytes(at: handler.body + 8, count: 4).has("soun"),
                let header = media.first("mdhd", in: source, &boxes)
            else { continue }
            (trackTimescale, trackUnits) = header.timescaleAndLength(in: source)
            let list = track.first("edts", in: source, &boxes)?.first("elst", in: source, &boxes)
            edits = list?.edits(in: source) ?? []
            return
        }
    }

    /// Whether the track has an edit list, which states where the sound begins and ends.
    var hasEdits: Bool { !edits.isEmpty }

    /// The frames of the track at this rate; `nil` if the header does not state them, or coarsely.
    func frames(atRate rateHertz: Int) -> Int64? {
        let sounding = edits.filter { $0.start >= 0 }
        guard !isFragmented, trackTimescale > 0, trackUnits > 0, sounding.count <= 1,
            trackTimescale * 2 >= Int64(rateHertz)
        else { return nil }
        var units = trackUnits
        if let edit = sounding.first, movieTimescale > 0 {
            guard edit.start < trackUnits else { return nil }
            units -= edit.start
            // A whole track is edited to a length that was rounded to the movie's coarser units.
            let edited = edit.length.scaled(by: trackTimescale, over: movieTimescale)
            if abs(edited - units) > trackTimescale / movieTimescale + 1 {
                units = min(units, edited)
            }
        }
        return units > 0 ? units.scaled(by: Int64(rateHertz), over: trackTimescale) : nil
    }
}

extension Int64 {
    /// `self * factor / divisor`, clamped.
    fileprivate func scaled(by factor: Int64, over divisor: Int64) -> Int64 {
        let (high, low) = multipliedFullWidth(by: factor)
        guard high.magnitude < divisor.magnitude / 2 else { return .max }
        return divisor.dividingFullWidth((high, low)).quotient
    }
}

/// One box of the file, which may hold others.
private struct Box {
    /// The offsets of its contents.
    let body: Int64
    let end: Int64

    /// The first box of this name among the contents; takes the boxes passed from `left`.
    func first(_ name: String, in source: SourceFile, _ left: inout Int) -> Box? {
        all(name, in: source, &left, most: 1).first
    }

    func all(
        _ name: String, in source: SourceFile, _ left: inout Int, most: Int = .max
    ) -> [Box] {
        var found: [Box] = []
        var place = body
        while place < end, left > 0, found.count < most {
            left -= 1
            let header = source.bytes(at: place, count: 16)
            guard header.count >= 8 else { break }
            var size = Int64(integer(header[..<4], bigEndian: true))
            var headerBytes: Int64 = 8
            if size == 1, header.count == 16 {
                size = Int64(clamping: integer(header[8...], bigEndian: true))
                headerBytes = 16
            } else if size == 0 {
                size = end - place
            }
            guard size >= headerBytes else { break }
            if header.has(name, at: 4) {
                let bodyEnd = size > end - place ? end : place + size
                found.append(Box(body: place + headerBytes, end: bodyEnd))
            }
            guard size < end - place else { break }
            place += size
        }
        return found
    }

    /// The fields of `mvhd` and `mdhd`, in which version 1 has wider times.
    func timescaleAndLength(in source: SourceFile) -> (timescale: Int64, units: Int64) {
        let isWide = source.bytes(at: body, count: 1) == [1]
        let fields = source.bytes(at: body + (isWide ? 20 : 12), count: isWide ? 12 : 8)
        guard fields.count >= 8 else { return (0, 0) }
        let units = Int64(clamping: integer(fields[4...], bigEndian: true))
        // All ones: not known.
        let isKnown = units < (isWide ? Int64.max : Int64(UInt32.max))
        return (Int64(integer(fields[..<4], bigEndian: true)), isKnown ? units : 0)
    }

    /// The entries of `elst`; a start of -1 stands for silence before the sound.
    func edits(in source: SourceFile) -> [(length: Int64, start: Int64)] {
        let isWide = source.bytes(at: body, count: 1) == [1]
        let width = isWide ? 8 : 4
        let count = Int(integer(source.bytes(at: body + 4, count: 4), bigEndian: true))
        return (0..<min(count, 64)).compactMap { index in
            let fields = source.bytes(
                at: body + 8 + Int64(index * (2 * width + 4)), count: 2 * width)
            guard fields.count == 2 * width else { return nil }
            let start = integer(fields[width...], bigEndian: true)
            return (
                Int64(clamping: integer(fields[..<width], bigEndian: true)),
                isWide ? Int64(bitPattern: start) : Int64(Int32(truncatingIfNeeded: start))
            )
        }
    }
}
