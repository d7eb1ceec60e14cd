import Recordings

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Tells a waveform file by how it begins.
enum WaveformBeginning {
    /// Of the binary format, and of the other as this program writes it.
    private static let json = Array("{\"version\":2,\"channels\":".utf8)
    private static let binaryBytes = 20

    static func isThere(at path: Pathname) -> Bool {
        let descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) }
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: max(json.count, binaryBytes))
        let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
        bytes.removeLast(bytes.count - max(0, count))
        if path.fileExtension == "json" { return bytes.starts(with: json) }
        // Version 1 or 2, and flags of which there is one.
        return bytes.count >= binaryBytes && [1, 2].contains(bytes[0])
            && bytes[1..<4].allSatisfy { $0 == 0 } && bytes[4] <= 1
            && bytes[5..<8].allSatisfy { $0 == 0 }
    }
}
