import Audio
import Jobs
import Recordings

/// The recordings to measure on: found among the user's, or made.
struct BenchLibrary {
    /// One of them, and where its results go.
    struct Entry: Sendable {
        var path: Pathname
        var stamp: FileStamp
        var format: AudioFormat
    }

    private(set) var entries: [Entry] = []
    /// All recordings below the path.
    private(set) var found = 0
    /// Of those that were looked at, what is no sound that can be decoded.
    private(set) var undecodable = 0
    private var firstFailure: (path: Pathname, reason: RecordingFailure)?
    /// What the user named; `nil` where recordings were made.
    private let path: Pathname?

    /// Finds recordings at a path as a run would, and chooses among them.
    init(
        at path: Pathname, limitSeconds: Double, _ scratch: BenchScratch, _ stop: BenchStop
    ) throws(BenchRefusal) {
        self.path = path
        let places: RunPlaces
        do throws(RunRefusal) {
            places = try RunPlaces.resolve(
                paths: [path], output: scratch.path.appending("results"))
        } catch {
            throw .path(error)
        }
        let all = try BenchLibrary.recordings(in: places)
        guard !all.isEmpty else { throw .noRecordings(path) }
        found = all.count
        var sample = BenchSample(limitSeconds: limitSeconds)
        var looked: [Int: Entry] = [:]
        for place in BenchSample.places(in: all.count) {
            try stop.check()
            guard let entry = look(at: all[place]) else { continue }
            looked[place] = entry
            sample.offer(place, seconds: entry.format.durationSeconds)
        }
        sample.settle()
        entries = sample.chosen.compactMap { looked[$0] }
        try requireSome()
    }

    /// Takes recordings that were made for it.
    init(made paths: [Pathname]) throws(BenchRefusal) {
        path = nil
        found = paths.count
        entries = paths.compactMap { look(at: $0) }
        try requireSome()
    }

    /// Leaves out one that proves to be undecodable.
    mutating func drop(_ path: Pathname, _ failure: RecordingFailure) throws(BenchRefusal) {
        note(path, failure)
        entries.removeAll { $0.path == path }
        try requireSome()
    }

    /// Gives one the format that was found by decoding it.
    mutating func correct(_ path: Pathname, _ format: AudioFormat) {
        for index in entries.indices where entries[index].path == path {
            entries[index].format = format
        }
    }

    private func requireSome() throws(BenchRefusal) {
        guard entries.isEmpty, let first = firstFailure else { return }
        throw .noneDecodable(
            path ?? first.path, count: undecodable, example: first.path, first.reason)
    }

    private mutating func note(_ path: Pathname, _ failure: RecordingFailure) {
        undecodable += 1
        firstFailure = firstFailure ?? (RunPlaces.shown(path), failure)
    }

    /// Opens a recording for its format and length.
    private mutating func look(at path: Pathname) -> Entry? {
        do throws(RecordingFailure) {
            let status = try inStage(.decode) { () throws(FileSystemError) in
                try FileSystem.status(path)
            }
            let format = try inStage(.decode) { () throws(AudioFileError) in
                try AudioFileReader.format(of: path)
            }
            return Entry(path: path, stamp: status.stamp, format: format)
        } catch {
            note(path, error)
            return nil
        }
    }
}

extension BenchLibrary {
    /// What was worked on.
    var sound: BenchSound {
        var hash = SHA256()
        for entry in entries {
            let facts = "\u{0}\(entry.stamp.bytes)\u{0}\(entry.format.frames)\u{0}"
            hash.update(entry.path.lastComponent.bytes + Array(facts.utf8))
        }
        return BenchSound(
            path: path, recordings: entries.count,
            seconds: entries.reduce(0) { $0 + $1.format.durationSeconds },
            bytes: entries.reduce(0) { $0 + $1.stamp.bytes }, found: found,
            undecodable: undecodable, digest: hash.hexadecimal)
    }

    /// All recordings that a run would take up, by their paths.
    private static func recordings(
        in places: RunPlaces
    ) throws(BenchRefusal) -> [Pathname] {
        var paths: [Pathname] = []
        do throws(FileSystemError) {
            for target in places.targets {
                switch target {
                case .recording(let folder, let name):
                    paths.append(places.root.appending(folder).appending(name))
                case .folder(let folder):
                    try list(places.root.appending(folder), into: &paths)
                }
            }
        } catch {
            throw .path(.pathUnreadable(error.path, detail: error.detail))
        }
        return paths
    }

    private static func list(
        _ folder: Pathname, into paths: inout [Pathname]
    ) throws(FileSystemError) {
        var survey = FolderSurvey(isWhole: true, named: [])
        // Given back before others are opened, however deep they lie.
        do {
            let open = try OpenFolder(folder)
            try survey.look(into: open) { OutputFolder.isMarked(folder.appending($0)) }
        }
        paths += survey.recordings.map { folder.appending($0.name) }
        for name in survey.subfolders {
            // One that cannot be read is a run's to tell of.
            try? list(folder.appending(name), into: &paths)
        }
    }
}
