import Glibc

/// Corrects header fields of a finished file that libsndfile 1.2 always writes wrongly, or that
/// count bytes which it does not know of.
enum WrittenHeader {
    /// An upper bound of the header that libsndfile writes before the sound.
    private static let mostBytes = 512

    /// Corrects the header of a file that holds `frames` frames in `bytes` bytes of sound.
    /// - Parameter inserted: where bytes were inserted into the header, and how many.
    static func correct(
        _ file: NewFile, frames: Int64, bytes: Int64, inserted: (place: Int, count: Int)
    ) throws(AudioFileError) {
        // As libsndfile wrote it: what is before those bytes, and what is behind.
        var first = [UInt8](repeating: 0, count: inserted.count > 0 ? inserted.place : 0)
        var second = [UInt8](repeating: 0, count: max(0, mostBytes - first.count))
        let behind = Int64(first.count + inserted.count)
        first.removeLast(first.count - (try read(&first, at: 0, of: file)))
        second.removeLast(second.count - (try read(&second, at: behind, of: file)))
        let before = first + second
        guard !before.has("fLaC") else { return }
        var header = before
        removeTime(from: &header)
        if !bytes.isMultiple(of: 2), bytes < Int64(UInt32.max) - 8 {
            setLengthOfAIFF(UInt32(frames), bytes: UInt32(bytes), in: &header)
        }
        if inserted.count > 0 { addToLength(UInt64(inserted.count), in: &header) }
        if header == before { return }
        try write(header.prefix(first.count), at: 0, to: file)
        try write(header.dropFirst(first.count), at: behind, to: file)
    }

    private static func read(
        _ bytes: inout [UInt8], at place: Int64, of file: NewFile
    ) throws(AudioFileError) -> Int {
        let count = bytes.withUnsafeMutableBytes {
            pread(file.descriptor, $0.baseAddress, $0.count, off_t(place))
        }
        guard count > 0 || bytes.isEmpty else {
            throw AudioFileError(.closing, file.path, errno: count < 0 ? errno : EIO)
        }
        return count
    }

    private static func write(
        _ bytes: ArraySlice<UInt8>, at place: Int64, to file: NewFile
    ) throws(AudioFileError) {
        let written = bytes.withUnsafeBytes {
            pwrite(file.descriptor, $0.baseAddress, $0.count, off_t(place))
        }
        guard written == bytes.count else {
            throw AudioFileError(.closing, file.path, errno: written < 0 ? errno : ENOSPC)
        }
    }

    /// Adds to the length of the file that its first bytes say.
    private static func addToLength(_ bytes: UInt64, in header: inout [UInt8]) {
        let (place, isBig): (Range<Int>, Bool)
        if header.has("RIFF") || header.has("RIFX") || header.has("FORM") {
            (place, isBig) = (4..<8, !header.has("RIFF"))
        } else if header.has("RF64"), header.has("ds64", at: 12) {
            (place, isBig) = (20..<28, false)
        } else if header.has("riff") {
            (place, isBig) = (16..<24, false)
        } else {
            return
        }
        let sum = integer(header[place], bigEndian: isBig) &+ bytes
        for (index, byte) in (isBig ? place.reversed() : Array(place)).enumerated() {
            header[byte] = UInt8(truncatingIfNeeded: sum >> (8 * UInt64(index)))
        }
    }

    /// Zeroes the timestamp, so that the same input gives the same bytes each time.
    private static func removeTime(from header: inout [UInt8]) {
        let matlab = "MATLAB 5.0 MAT-file"
        var place = 0..<0
        if header.has(matlab) {
            // A descriptive text, which readers expect to end with a zero byte.
            place = matlab.utf8.count..<116
        } else if header.has("RF64"),
            let body = bodyOfChunk("PEAK", in: header, bigEndian: false)
        {
            // The timestamp (seconds since 1970), after the version of the peak values.
            place = body + 4..<body + 8
        }
        for byte in place.clamped(to: header.indices) { header[byte] = 0 }
    }

    /// Writes the frame count of an AIFF file whose sound has an odd number of bytes.
    ///
    /// On closing, libsndfile counts the pad byte after the sound as sound. With frames of one
    /// byte, that is one frame too many.
    private static func setLengthOfAIFF(_ frames: UInt32, bytes: UInt32, in header: inout [UInt8]) {
        guard header.has("FORM"), header.has("AIF", at: 8) else { return }
        if let body = bodyOfChunk("COMM", in: header, bigEndian: true) {
            // After the number of channels.
            put(frames, at: body + 2, in: &header)
        }
        if let body = bodyOfChunk("SSND", in: header, bigEndian: true) {
            // The size includes an offset and a block size, both zero.
            put(bytes + 8, at: body - 4, in: &header)
        }
    }

    /// The offset of the body of the first chunk with that name.
    private static func bodyOfChunk(
        _ name: String, in header: [UInt8], bigEndian: Bool
    ) -> Int? {
        var body = 20
        while body <= header.count {
            if header.has(name, at: body - 8) { return body }
            let size = integer(header[body - 4..<body], bigEndian: bigEndian)
            guard size < UInt64(header.count) else { return nil }
            body += 8 + (Int(size) + 1) / 2 * 2
        }
        return nil
    }

    private static func put(_ number: UInt32, at offset: Int, in header: inout [UInt8]) {
        for byte in 0..<4 where offset + byte < header.count {
            header[offset + byte] = UInt8(truncatingIfNeeded: number >> (8 * (3 - byte)))
        }
    }
}
