import Recordings

// The decoder recognises a file by its first bytes. If it recognises nothing, these bytes may still
// show that the file is incomplete: still being copied, or cut off while recording.

extension SourceFile {
    /// Bytes that are examined as a header.
    private static let headerBytes = 4096
    /// The decoder recognises no file shorter than this, whatever it contains.
    private static let fewestBytes: Int64 = 12
    private static let magics = [
        "RIFF", "RIFX", "RF64", "BW64", "riff", "FORM", "caff", "OggS", "fLaC", ".snd", "dns.",
    ].map { Array($0.utf8) }

    /// Whether the first bytes are text, in ASCII or UTF-16, which samples hardly ever are.
    var seemsText: Bool {
        let start = bytes(at: 0, count: 512)
        let printable = start.count { (32..<127).contains($0) || (9...13).contains($0) }
        let beginsWithMark = start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF])
        let zeros = start.count { $0 == 0 }
        return printable * 20 >= start.count * 19
            || beginsWithMark && (printable + zeros + 2) * 20 >= start.count * 19 && printable > 3
    }

    /// Why an unrecognised file is incomplete, judged by its first bytes; `nil` if they do not show
    /// it.
    var incompleteBeginning: RecordingFailure.Reason? {
        let start = bytes(at: 0, count: SourceFile.headerBytes)
        // Space was preallocated, and the header is not written yet.
        if start.allSatisfy({ $0 == 0 }) { return .unfinished }
        let isShort = byteCount < SourceFile.fewestBytes
        if isShort, SourceFile.magics.contains(where: { start.isBegun(by: $0) }) {
            return .truncated
        }
        return MPEGStream.isCutOffBeforeItBegins(self) ? .truncated : nil
    }
}

extension [UInt8] {
    /// Whether these bytes start with the magic, or are a prefix of it.
    fileprivate func isBegun(by magic: [UInt8]) -> Bool {
        starts(with: magic) || magic.starts(with: self)
    }
}
