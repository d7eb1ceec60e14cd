import Glibc
import Jobs
import Recordings
import ReducerKit

/// `manifest.json`, as it is found and put in its place; `ManifestText` is what it says.
enum ManifestFile {
    /// Prints a folder's manifest under a temporary name.
    static func stage(
        _ order: ManifestOrder, of record: OutputRecord, _ ownership: OutputOwnership
    ) throws(RecordingFailure) -> StagedManifest {
        let folder = try ownership.hold(order.folder, making: true)
        return try inStage(.manifest) { () throws(FileSystemError) in
            let staged = try StagedOutput(OutputNames.manifest, in: folder)
            _ = try staged.write { (put) throws(FileSystemError) in
                try ManifestText.write(order.folder, order.recipe.value, of: record, to: put)
            }
            let isSame = FileSystem.areEqual(
                staged.file.path, folder.path.appending(OutputNames.manifest))
            let file = isSame ? nil : try staged.leave()
            return StagedManifest(
                folder, order, file, obsolete: try record.obsoleteFiles(in: order.folder))
        }
    }

    /// The manifest in an output folder; `nil` where there is none, or none that can be understood.
    ///
    /// Throws where it is there and cannot be read just now: what it knows is not lost for that.
    static func readIfSound(in folder: Pathname) throws(FileSystemError) -> Manifest? {
        do throws(FileSystemError) {
            let result = try read(folder.appending(OutputNames.manifest))
            return try? result.get()
        } catch {
            guard error.isNoManifest else { throw error }
            return nil
        }
    }

    /// A manifest by its path, or what is wrong with what it says.
    ///
    /// Of one that is not as it is written, so much is read that a line may be long.
    static func read(
        _ path: Pathname
    ) throws(FileSystemError) -> Result<Manifest, ResultTrouble> {
        guard let text = try FileSystem.contents(of: path, atMost: LineReader.mostLineBytes) else {
            return .failure(.damaged)
        }
        let manifest = JSONLine.read(Manifest.self, from: text)
        let version = manifest?.version ?? JSONLine.read(VersionOnly.self, from: text)?.version
        if let version, version > Manifest.currentVersion { return .failure(.ofLaterVersion) }
        guard let manifest, manifest.recordings.allSatisfy(\.isPlausible) else {
            return .failure(.damaged)
        }
        return .success(manifest)
    }

    private struct VersionOnly: Decodable {
        let version: Int
    }

    /// Whether a folder's manifest is there, as this program prints it.
    static func isThere(
        for folder: Pathname, in output: Pathname
    ) throws(FileSystemError) -> Bool {
        try isThere(
            in: output.appending(folder), beginningWith: ManifestText.beginning(of: folder))
    }

    /// Whether the file of a manifest's name has contents that this program has not printed.
    static func isForeign(
        _ found: FileSystem.Status?, in place: Pathname
    ) throws(FileSystemError) -> Bool {
        guard let found, found.kind == .regular, found.stamp.bytes > 0 else { return false }
        return try !isThere(in: place, beginningWith: ManifestText.beginning)
    }

    private static func isThere(
        in place: Pathname, beginningWith start: [UInt8]
    ) throws(FileSystemError) -> Bool {
        let path = place.appending(OutputNames.manifest)
        return try FileSystem.beginning(of: path, bytes: start.count) == start
    }
}

extension FileSystemError {
    /// Whether there is no file to be read, rather than one that cannot be.
    fileprivate var isNoManifest: Bool { isMissing || code == EISDIR || code == ELOOP }
}
