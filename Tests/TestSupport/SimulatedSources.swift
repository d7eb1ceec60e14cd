import Jobs
import Recordings

/// A random tree of folders with recordings, which nobody but their owner changes.
struct SimulatedSources: Sendable {
    struct Source: Hashable, Sendable {
        var stamp: FileStamp
        /// What is heard: equal ones give equal outputs.
        var sound: Int
    }

    /// By folder, then by name.
    private(set) var recordings: [Pathname: [Pathname: Source]] = [:]
    /// All folders, ascending.
    private(set) var folders: [Pathname] = []
    private(set) var subfolders: [Pathname: [Pathname]] = [:]
    /// Whether recordings may change and vanish, and some are recordings only by the user's word.
    let isUnruly: Bool
    /// Recordings that were here once.
    private(set) var gone: Set<SimulatedDisk.Place> = []
    private var changes: Int64 = 100

    /// Names that get into each other's way: one is another's output, two are one to the eye.
    private static let names: [Pathname] = [
        "a.wav", "b.mp3", "b.mp3.flac", "b.mp3.2.flac", "c.wav", "c.wav.wav", "c.wav.2.wav",
        "\u{e9}.wav", "e\u{301}.wav", Pathname(bytes: [0xff, 0x2e, 0x77, 0x61, 0x76]),
    ]
    /// No recordings by their names.
    private static let oddNames: [Pathname] = ["a.wav.2", "a.wav.dat", "b.mp3.64", "manifest.json"]

    init(using random: inout SeededGenerator) {
        isUnruly = random.chance(percent: 50)
        grow("", depth: 0, using: &random)
        folders.sort()
    }

    /// Every recording, in order.
    var all: [(folder: Pathname, name: Pathname)] {
        folders.flatMap { folder in
            (recordings[folder] ?? [:]).keys.sorted().map { (folder, $0) }
        }
    }

    subscript(folder: Pathname, name: Pathname) -> Source? { recordings[folder]?[name] }

    /// Everything, with those that are recordings by the user's word alone.
    var everything: [FolderScan.Target] {
        [.folder("")]
            + all.filter { !$0.name.isRecordingName }.map {
                .recording(folder: $0.folder, name: $0.name)
            }
    }

    /// Something a user may ask for.
    func targets(using random: inout SeededGenerator) -> [FolderScan.Target] {
        guard random.chance(percent: 40) else { return everything }
        let all = all
        return (0..<Int.random(in: 1...3, using: &random)).map { _ in
            guard !all.isEmpty, random.chance(percent: 60) else {
                return .folder(random.pick(folders))
            }
            let (folder, name) = random.pick(all)
            return .recording(folder: folder, name: name)
        }
    }

    /// The owner works on a recording: it changes, goes, or there is a new one.
    mutating func disturb(using random: inout SeededGenerator) {
        let all = all
        if all.isEmpty || random.chance(percent: 30) {
            let folder = random.pick(folders)
            add(random.pick(SimulatedSources.names), to: folder, using: &random)
        } else {
            let (folder, name) = random.pick(all)
            change(name, in: folder, using: &random)
        }
    }

    /// It changes, or goes.
    mutating func change(
        _ name: Pathname, in folder: Pathname, using random: inout SeededGenerator
    ) {
        if random.chance(percent: 30) {
            recordings[folder]?[name] = nil
            gone.insert(SimulatedDisk.Place(folder: folder, name: name))
        } else {
            add(name, to: folder, using: &random)
        }
    }

    private mutating func add(
        _ name: Pathname, to folder: Pathname, using random: inout SeededGenerator
    ) {
        guard subfolders[folder]?.contains(name) != true else { return }
        changes += 1
        recordings[folder, default: [:]][name] = Source(
            stamp: FileStamp(bytes: 1_000, modifiedNanoseconds: changes),
            sound: Int.random(in: 0..<12, using: &random))
    }

    private mutating func grow(
        _ path: Pathname, depth: Int, using random: inout SeededGenerator
    ) {
        folders.append(path)
        let percent = depth == 0 ? 30 : 20
        var found: [Pathname] = []
        if depth < 2 {
            let others: [Pathname] = ["a.wav.dat", "c.wav.flac", "sub"]
            found = others.filter { _ in random.chance(percent: 25) }
        }
        subfolders[path] = found
        var sources: [Pathname: Source] = [:]
        let odd = isUnruly ? SimulatedSources.oddNames : []
        for name in SimulatedSources.names + odd {
            guard random.chance(percent: percent), !found.contains(name) else { continue }
            sources[name] = Source(
                stamp: FileStamp(
                    bytes: 1_000, modifiedNanoseconds: Int64.random(in: 1...3, using: &random)),
                sound: Int.random(in: 0..<12, using: &random))
        }
        recordings[path] = sources
        for name in found { grow(path.appending(name), depth: depth + 1, using: &random) }
    }
}
