import Recordings

/// Recognizes waveform files by their first bytes.
enum WaveformBeginning {
    /// The first bytes of our own JSON files, and the header size of the binary format.
    private static let json = [2, 1].map { Array("{\"version\":\($0),\"channels\":".utf8) }
    private static let binaryBytes = 20

    static func isThere(as name: Pathname, in folder: DirectoryHandle) throws(FileSystemError)
        -> Bool
    {
        let most = (json.map(\.count) + [binaryBytes]).max() ?? 0
        let bytes = try folder.beginning(of: name, bytes: most)
        if name.fileExtension == "json" { return json.contains { bytes.starts(with: $0) } }
        // Version 1 or 2, and flags, of which only one is defined.
        return bytes.count >= binaryBytes && [1, 2].contains(bytes[0])
            && bytes[1..<4].allSatisfy { $0 == 0 } && bytes[4] <= 1
            && bytes[5..<8].allSatisfy { $0 == 0 }
    }
}
