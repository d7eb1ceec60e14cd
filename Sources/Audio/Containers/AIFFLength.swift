import Glibc
import Recordings

/// Sets right how many frames an AIFF file says it holds.
///
/// Where its sound has an odd number of bytes, a pad byte follows, which libsndfile 1.2 counts as
/// sound when it closes a file that it has written: with frames of one byte, as one frame more.
enum AIFFLength {
    /// More than what the library writes in front of the sound.
    private static let headerBytes = 512

    /// Writes the number of frames into the file's header, if it may lack it.
    static func correct(
        _ file: NewFile, frames: Int64, bytes: Int64
    ) throws(AudioFileError) {
        guard !bytes.isMultiple(of: 2), bytes < Int64(UInt32.max) - 8 else { return }
        let (descriptor, path) = (file.descriptor, file.path)
        var header = [UInt8](repeating: 0, count: headerBytes)
        let count = header.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
        guard count > 12 else {
            throw AudioFileError(.closing, path, errno: count < 0 ? errno : EIO)
        }
        header.removeLast(header.count - count)
        set(frames: UInt32(frames), bytes: UInt32(bytes), in: &header)
        let written = header.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
        guard written == count else {
            throw AudioFileError(.closing, path, errno: written < 0 ? errno : ENOSPC)
        }
    }

    /// Walks the chunks as far as the one with the sound.
    private static func set(frames: UInt32, bytes: UInt32, in header: inout [UInt8]) {
        var offset = 12
        while offset + 8 <= header.count {
            let size = integer(header[offset + 4..<offset + 8], bigEndian: true)
            if header[offset...].starts(with: "COMM".utf8), offset + 14 <= header.count {
                // Behind the number of channels.
                put(frames, at: offset + 10, in: &header)
            } else if header[offset...].starts(with: "SSND".utf8) {
                // With an offset and a block size, both of them zero.
                return put(bytes + 8, at: offset + 4, in: &header)
            }
            guard size < UInt64(header.count) else { return }
            offset += 8 + (Int(size) + 1) / 2 * 2
        }
    }

    private static func put(_ number: UInt32, at offset: Int, in header: inout [UInt8]) {
        for byte in 0..<4 {
            header[offset + byte] = UInt8(truncatingIfNeeded: number >> (8 * (3 - byte)))
        }
    }
}
