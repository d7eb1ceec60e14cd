import Audio
import Jobs
import Recordings

/// The recordings to measure on, chosen among the user's.
struct BenchLibrary {
    struct Entry: Sendable {
        var path: Pathname
        var stamp: FileStamp
        var format: AudioFormat
    }

    /// What the user named.
    private let path: Pathname
    private var entries: [Entry] = []
    /// All recordings below the path.
    private let found: Int
    /// What is no sound that can be decoded, and why.
    private var failures: [(path: Pathname, reason: RecordingFailure)] = []

    /// Finds recordings at a path as a run would, and chooses among them.
    init(
        at path: Pathname, limitSeconds: Double, _ scratch: BenchScratch, _ stop: BenchStop
    ) throws(BenchRefusal) {
        self.path = path
        let all = try BenchLibrary.recordings(at: path, scratch)
        guard !all.isEmpty else { throw .noRecordings(path) }
        found = all.count
        try add(BenchSample.places(in: all.count).map { all[$0] }, stop)
        let lengths = entries.map(\.format.durationSeconds)
        entries = BenchSample.chosen(of: lengths, limitSeconds: limitSeconds).map { entries[$0] }
        try requireSome()
    }

    /// Opens recordings for their formats and lengths.
    private mutating func add(_ paths: [Pathname], _ stop: BenchStop) throws(BenchRefusal) {
        for path in paths {
            try stop.check()
            do throws(RecordingFailure) {
                let status = try inStage(.decode) { () throws(FileSystemError) in
                    try FileSystem.status(path)
                }
                let format = try inStage(.decode) { () throws(AudioFileError) in
                    try AudioFileReader.format(of: path)
                }
                entries.append(Entry(path: path, stamp: status.stamp, format: format))
            } catch {
                failures.append((path, error))
            }
        }
    }

    /// Makes something of each entry; what fails is left out, as it cannot be decoded.
    mutating func map<Result>(
        _ stop: BenchStop, _ make: (inout Entry) throws(RecordingFailure) -> Result
    ) throws(BenchRefusal) -> [Result] {
        var results: [Result] = []
        var kept: [Entry] = []
        for var entry in entries {
            do throws(RecordingFailure) {
                results.append(try make(&entry))
                kept.append(entry)
            } catch {
                try stop.check()
                failures.append((entry.path, error))
            }
        }
        entries = kept
        try requireSome()
        return results
    }

    private func requireSome() throws(BenchRefusal) {
        guard entries.isEmpty, let first = failures.first else { return }
        throw .noneDecodable(
            path, count: failures.count, example: RunPlaces.shown(first.path), first.reason)
    }

    var paths: [Pathname] { entries.map(\.path) }

    /// What was worked on.
    var sound: BenchSound {
        var sound = BenchSound(path: path)
        sound.recordings = entries.count
        sound.seconds = entries.reduce(0) { $0 + $1.format.durationSeconds }
        sound.bytes = entries.reduce(0) { $0 + $1.stamp.bytes }
        sound.found = found
        sound.undecodable = failures.count
        return sound
    }
}

// MARK: - Finding

extension BenchLibrary {
    /// All recordings that a run would take up, by their paths.
    private static func recordings(
        at path: Pathname, _ scratch: BenchScratch
    ) throws(BenchRefusal) -> [Pathname] {
        let places: RunPlaces
        do throws(RunRefusal) {
            places = try RunPlaces.resolve(
                paths: [path], output: scratch.path.appending("results"))
        } catch {
            throw .path(error)
        }
        if case .recording(_, let name) = places.targets.first {
            return [places.root.appending(name)]
        }
        do throws(FileSystemError) {
            return try recordings(in: places.root)
        } catch {
            throw .path(.pathUnreadable(path, detail: error.detail))
        }
    }

    private static func recordings(in folder: Pathname) throws(FileSystemError) -> [Pathname] {
        var survey = DirectoryListing(isWhole: true, named: [])
        // Given back before others are opened, however deep they lie.
        do {
            let open = try DirectoryReader(folder)
            try survey.look(into: open) { OutputFolder.isMarked(folder.appending($0)) }
        }
        // A folder below that cannot be read is a run's to tell of.
        return survey.recordings.map { folder.appending($0.name) }
            + survey.subfolders.flatMap { (try? recordings(in: folder.appending($0))) ?? [] }
    }
}
