import Jobs
import Recordings

/// The text of a manifest: one object with sorted keys, one recording per line, so that two
/// versions differ by the lines of what changed.
///
/// It is made a line at a time: of very many recordings the whole is longer than all else in
/// memory.
enum ManifestText {
    private static let pieceBytes = 1 << 16

    /// Hands out the text of a folder's manifest in pieces.
    static func write(
        _ folder: Pathname, _ recipe: Recipe, of record: OutputRecord,
        to put: ([UInt8]) throws(FileSystemError) -> Void
    ) throws(FileSystemError) {
        var piece = beginning(of: folder)
        let text = JSONLine.bytes(recipe)
        piece += text
        piece += ",\"recipeFingerprint\":\"\(SHA256.hexadecimal(of: text))\",\"recordings\":[".utf8
        var problem: FileSystemError?
        var isFirst = true
        try record.forEachEntry(in: folder) { row, own in
            guard problem == nil else { return }
            piece += isFirst ? [] : [UInt8(ascii: ",")]
            isFirst = false
            piece.append(UInt8(ascii: "\n"))
            piece += own == recipe ? row.bytes(1) : line(of: row, by: own)
            guard piece.count >= pieceBytes else { return }
            do throws(FileSystemError) { try put(piece) } catch { problem = error }
            piece.removeAll(keepingCapacity: true)
        }
        if let problem { throw problem }
        if !isFirst { piece.append(UInt8(ascii: "\n")) }
        try put(piece + "],\"version\":\(Manifest.currentVersion)}\n".utf8)
    }

    /// An entry whose recipe is not the folder's, and is named in it.
    private static func line(of row: Row, by recipe: Recipe) -> [UInt8] {
        guard var entry = row.entry(1) else { return row.bytes(1) }
        entry.recipe = recipe
        return JSONLine.bytes(entry)
    }

    /// How the text of every manifest begins.
    static let beginning = Array("{\"folder\":".utf8)

    /// How the text of a folder's manifest begins.
    static func beginning(of folder: Pathname) -> [UInt8] {
        beginning + JSONLine.bytes(folder.orDot) + ",\"recipe\":".utf8
    }
}
