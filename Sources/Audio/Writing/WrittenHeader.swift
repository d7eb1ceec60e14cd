import Glibc

/// Corrects header fields of a finished file that libsndfile 1.2 always writes wrongly.
enum WrittenHeader {
    /// An upper bound of the header that libsndfile writes before the sound.
    private static let mostBytes = 512

    /// Corrects the header of a file that holds `frames` frames in `bytes` bytes of sound.
    static func correct(
        _ file: NewFile, frames: Int64, bytes: Int64
    ) throws(AudioFileError) {
        let (descriptor, path) = (file.descriptor, file.path)
        var header = [UInt8](repeating: 0, count: mostBytes)
        let count = header.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
        guard count > 0 else {
            throw AudioFileError(.closing, path, errno: count < 0 ? errno : EIO)
        }
        header.removeLast(header.count - count)
        let before = header
        removeTime(from: &header)
        if !bytes.isMultiple(of: 2), bytes < Int64(UInt32.max) - 8 {
            setLengthOfAIFF(UInt32(frames), bytes: UInt32(bytes), in: &header)
        }
        if header == before { return }
        let written = header.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
        guard written == count else {
            throw AudioFileError(.closing, path, errno: written < 0 ? errno : ENOSPC)
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
