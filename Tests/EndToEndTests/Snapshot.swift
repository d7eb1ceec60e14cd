import Foundation
import Recordings
import TestSupport

/// Everything there is to see in a folder and below it, to be compared with another look.
struct Snapshot: Equatable {
    struct Sight: Equatable {
        var mode: UInt32
        /// 0 where it does not matter.
        var modifiedNanoseconds: Int64
        var contents: [UInt8]

        var isFile: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFREG) }
    }

    private(set) var sights: [Pathname: Sight] = [:]

    /// - Parameter comparingFolderTimes: whether it matters that a name came or went meanwhile.
    init(_ folder: Pathname, comparingFolderTimes: Bool = true) {
        var pending = [Pathname.empty]
        while let place = pending.popLast() {
            let path = folder.appending(place)
            guard let status = Snapshot.status(path) else { continue }
            let isFolder = status.st_mode & S_IFMT == S_IFDIR
            let time = status.st_mtim
            let nanoseconds = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
            // Readers of a record make files beside it, and take them away.
            let isOutput = isFolder && Snapshot.status(path.appending(".tapedeck")) != nil
            let isTimed = !isOutput && (!isFolder || comparingFolderTimes)
            var sight = Sight(
                mode: UInt32(status.st_mode),
                modifiedNanoseconds: isTimed ? nanoseconds : 0,
                contents: [])
            // What a live connection keeps in memory: it changes as the kernel writes it back.
            let isShared = place.lastComponent == ".tapedeck-shm"
            if isShared { sight.modifiedNanoseconds = 0 }
            if sight.isFile && !isShared { sight.contents = TestFolder.bytes(of: path) }
            sights[place] = sight
            if isFolder { pending += Snapshot.names(in: path).map { place.appending($0) } }
        }
    }

    /// The results in an output, without its record and lock.
    static func ofResults(in output: Pathname) -> Snapshot {
        Snapshot(output, comparingFolderTimes: false)
            .without(".tapedeck").without(".tapedeck.lock")
    }

    var names: [Pathname] { sights.keys.sorted() }

    /// Names of the files that are to be found, folders and hidden ones left out.
    var files: [Pathname] {
        names.filter { sights[$0]?.isFile == true && !$0.lastComponent.isHidden }
    }

    /// Without what lies in or below a folder.
    func without(_ folder: Pathname) -> Snapshot {
        var rest = self
        rest.sights = sights.filter { !folder.contains($0.key) }
        // A folder's time tells of the one that was made in it.
        rest.sights[.empty]?.modifiedNanoseconds = 0
        return rest
    }

    /// Without the times of all files of these names.
    func ignoringTimes(of names: [Pathname]) -> Snapshot {
        var rest = self
        for (path, _) in sights where names.contains(path.lastComponent) {
            rest.sights[path]?.modifiedNanoseconds = 0
        }
        return rest
    }

    /// What is the same wherever an output lies and whenever it was made: manifests bear the time
    /// of their run.
    var wherever: Snapshot {
        without(".tapedeck").without(".tapedeck.lock").ignoringTimes(of: ["manifest.json"])
    }

    /// What is not the same in another look.
    func differences(from other: Snapshot) -> [Pathname] {
        Set(names).union(other.names).filter { sights[$0] != other.sights[$0] }.sorted()
    }

    static func status(_ path: Pathname) -> stat? {
        var info = stat()
        return withPath(path) { lstat($0, &info) } == 0 ? info : nil
    }

    private static func names(in path: Pathname) -> [Pathname] {
        guard let folder = withPath(path, { opendir($0) }) else { return [] }
        defer { closedir(folder) }
        var names: [Pathname] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                Pathname(bytes: Array(bytes.prefix { $0 != 0 }))
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names
    }

    private static func withPath<Result>(
        _ path: Pathname, _ body: (UnsafePointer<CChar>) -> Result
    ) -> Result {
        (path.bytes.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer {
            body($0.baseAddress.unsafelyUnwrapped)
        }
    }
}

/// A folder of recordings, and a look at what a run makes of it.
final class Library {
    let folder = TestFolder()
    /// The root of the recordings.
    var root: Pathname { folder.path("library") }
    /// Where results go by default.
    var output: Pathname { root.appending("tapedeck") }

    init() {
        makeFolder("library")
    }

    func makeFolder(_ name: Pathname) {
        var place = Pathname.empty
        for component in name.components {
            place = place.appending(component)
            _ = (folder.path(place).bytes.map { CChar(bitPattern: $0) } + [0])
                .withUnsafeBufferPointer { mkdir($0.baseAddress.unsafelyUnwrapped, 0o755) }
        }
    }

    /// Writes a file below the root, with the folders above it.
    @discardableResult
    func add(_ name: Pathname, _ bytes: [UInt8]) -> Pathname {
        let path = Pathname("library").appending(name)
        makeFolder(path.parent)
        return folder.write(bytes, to: path)
    }

    /// Writes a recording with silence before and behind its sound.
    @discardableResult
    func addRecording(_ name: Pathname, seconds: Double = 1, hertz: Double = 147) -> Pathname {
        add(name, SmallWAV.bytes(SmallWAV.voice(seconds: seconds, hertz: hertz)))
    }

    /// Adds recordings of an hour at a low rate, which take little room and long to listen to.
    /// - Parameter silence: at either end, in seconds at the usual rate.
    func addLongRecordings(_ names: [Pathname], silence: Double = 1) {
        let rate = 1000
        let seconds = Double(3600 * rate) / Double(SmallWAV.sampleRateHertz)
        let voice = SmallWAV.voice(
            after: silence, seconds: seconds, before: silence, hertz: 800)
        let bytes = SmallWAV.bytes(voice, sampleRateHertz: rate)
        for name in names { add(name, bytes) }
    }

    /// Runs the tool over the root.
    func run(_ options: String...) -> Tool.Outcome {
        Tool.run(["run", root.text] + options, in: root)
    }

    func snapshot(comparingFolderTimes: Bool = true) -> Snapshot {
        Snapshot(folder.path, comparingFolderTimes: comparingFolderTimes)
    }

    /// The output without its record and lock; of what SQLite makes beside them nothing may stay.
    func outputs() -> Snapshot { Snapshot.ofResults(in: output) }

    /// Makes the output one of an earlier version: manifests, and a text that says whose they are.
    func forgetRecord() {
        for name in [".tapedeck", ".tapedeck-wal", ".tapedeck-shm"] as [Pathname] {
            unlink(output.appending(name).text)
        }
        let mark = "This folder is written by tapedeck.\nrecordings: ..\n"
        folder.write(Array(mark.utf8), to: "library/tapedeck/.tapedeck")
    }

    /// The manifest of a folder of the default output.
    func manifest(_ path: Pathname = .empty) throws -> Manifest {
        try Manifest.read(output.appending(path))
    }
}

extension Manifest {
    static func read(_ folder: Pathname) throws -> Manifest {
        let bytes = TestFolder.bytes(of: folder.appending("manifest.json"))
        return try JSONDecoder().decode(Manifest.self, from: Data(bytes))
    }

    subscript(name: Pathname) -> ManifestEntry? {
        recordings.first { $0.name == name }
    }
}

/// The sample recordings of this repository.
enum Corpus {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "corpus")

    static func bytes(_ name: String) -> [UInt8] {
        TestFolder.bytes(of: Pathname(folder.appending(path: name).path))
    }

    /// What its README says that a run makes of each file, by the file's name.
    static func expectations() throws -> [(name: Pathname, says: String)] {
        let readme = try String(contentsOf: folder.appending(path: "README.md"), encoding: .utf8)
        return readme.split(separator: "\n").filter { $0.hasPrefix("| `") }.compactMap { row in
            let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard let name = cells.first, let says = cells.last else { return nil }
            return (Pathname(name.trimmingCharacters(in: ["`"])), says)
        }
    }

    /// Copies all of it into a library, hidden files included.
    static func copy(into library: Library) {
        for (name, sight) in Snapshot(Pathname(folder.path)).sights where sight.isFile {
            library.add(name, sight.contents)
        }
    }
}
