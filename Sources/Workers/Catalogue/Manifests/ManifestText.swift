import Jobs
import Recordings

/// The text of a manifest: one object with sorted keys, one recording a line.
///
/// A line a recording, so that two versions differ by the lines of what changed. It is made a line
/// at a time, since of very many recordings the whole is longer than all else that is known.
struct ManifestText {
    private let folder: Pathname
    private let recipe: Recipe
    private let fingerprint: String
    /// Ascending by name.
    private let entries: [SettledEntry]
    private let version: Int

    private static let pieceBytes = 1 << 16

    init(_ order: ManifestOrder) {
        folder = order.folder
        recipe = order.recipe.value
        fingerprint = ManifestFile.fingerprint(of: recipe)
        entries = order.entries
        version = Manifest.currentVersion
    }

    init(_ manifest: Manifest) {
        folder = manifest.folder
        recipe = manifest.recipe
        fingerprint = manifest.recipeFingerprint
        entries = manifest.recordings.map { SettledEntry($0) }
        version = manifest.version
    }

    /// How the text of every manifest begins.
    static var beginning: JSONWriter {
        var json = JSONWriter()
        json.raw("{\"folder\":")
        return json
    }

    /// What stands before the first entry.
    static let opening: StaticString = ",\"recordings\":["

    /// How the text of a folder's manifest begins.
    static func beginning(of folder: Pathname) -> JSONWriter {
        var json = beginning
        json.put(folder.orDot)
        json.raw(",\"recipe\":")
        return json
    }

    /// Hands out the text in pieces.
    func write<Failure: Error>(to put: ([UInt8]) throws(Failure) -> Void) throws(Failure) {
        var piece: [UInt8] = []
        piece.reserveCapacity(2 * ManifestText.pieceBytes)
        try forEachLine { (line: [UInt8]) throws(Failure) in
            piece += line
            piece.append(UInt8(ascii: "\n"))
            guard piece.count >= ManifestText.pieceBytes else { return }
            try put(piece)
            piece.removeAll(keepingCapacity: true)
        }
        if !piece.isEmpty { try put(piece) }
    }

    /// Whether a file says this, and nothing else; not where it cannot be read.
    func isAll(of path: Pathname) -> Bool {
        FileSystem.holds(path) { (put) throws(FileSystem.Difference) in try write(to: put) }
    }

    /// Lends each line without its end.
    private func forEachLine<Failure: Error>(
        _ body: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        var json = ManifestText.beginning(of: folder)
        json.put(recipe)
        json.raw(",\"recipeFingerprint\":")
        json.string(fingerprint)
        json.raw(ManifestText.opening)
        for place in entries.indices {
            try body(json.bytes)
            json.clear()
            json.put(entries[place].value)
            if place < entries.count - 1 { json.raw(",") }
        }
        if !entries.isEmpty {
            try body(json.bytes)
            json.clear()
        }
        json.raw("],\"version\":")
        json.integer(version)
        json.raw("}")
        try body(json.bytes)
    }
}
