import Recordings

// The decoder knows a file by its first bytes. Where it recognises nothing, these may still show
// that the file is only not complete: being copied, or left by a recorder that was cut off.

extension SourceFile {
    /// As much as is taken for the header of whatever was to be written.
    private static let headerBytes = 4096
    /// The decoder recognises nothing in fewer bytes, whatever they say.
    private static let fewestBytes: Int64 = 12
    private static let magics = [
        "RIFF", "RIFX", "RF64", "BW64", "riff", "FORM", "caff", "OggS", "fLaC", ".snd", "dns.",
    ].map { Array($0.utf8) }

    /// What is wrong with a file in which nothing is recognised, going by its first bytes; `nil`
    /// where they do not tell.
    var incompleteBeginning: RecordingFailure.Reason? {
        let start = bytes(at: 0, count: SourceFile.headerBytes)
        // Room was reserved, and the beginning is not written yet.
        if start.allSatisfy({ $0 == 0 }) { return .unfinished }
        let isShort = byteCount < SourceFile.fewestBytes
        if isShort, SourceFile.magics.contains(where: { start.isBegun(by: $0) }) {
            return .truncated
        }
        return MPEGStream.isCutOffBeforeItBegins(self) ? .truncated : nil
    }
}

extension [UInt8] {
    /// Whether these bytes begin with the magic, or are the beginning of it.
    fileprivate func isBegun(by magic: [UInt8]) -> Bool {
        starts(with: magic) || magic.starts(with: self)
    }
}
