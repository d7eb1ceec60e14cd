import Jobs
import Recordings

/// A random tree of folders with recordings, which nobody but their owner changes.
struct SimulatedSources: Sendable {
    /// Of each recording.
    private static let bytes: Int64 = 2_000_000

    struct Source: Hashable, Sendable {
        var stamp: FileStamp
        /// What is heard: equal ones give equal outputs.
        var sound: Int
        /// Follows the file, whatever its name.
        var identity: UInt64
        /// Whether somebody is writing it.
        var isOpen = false
        /// Whether all is there that its header promises.
        var isWhole = true
    }

    /// Whether the disk with the tree on it is there.
    enum Mount: Sendable {
        case there
        /// Its place is, with nothing in it.
        case bare
        /// Not even its place is.
        case gone
    }

    /// By folder, then by name, whether the disk is there or not.
    var recordings: [Pathname: [Pathname: Source]] = [:]
    /// All folders, ascending, whether the disk is there or not.
    var folders: [Pathname] = []
    /// Identities of the folders, which follow them through renames.
    var folderIdentities: [Pathname: UInt64] = [:]
    var mount = Mount.there
    /// Whether recordings may change and vanish, and some are recordings only by the user's word.
    let isUnruly: Bool
    private let hasOddNames: Bool
    /// What was removed last, and may be put back.
    private var trash: (folder: Pathname, name: Pathname, source: Source)?
    private var changes: Int64 = 100
    private var identities: UInt64 = 0

    /// Names that get into each other's way: one is another's output, two are one to the eye.
    static let names: [Pathname] = [
        "a.wav", "b.mp3", "b.mp3.flac", "b.mp3.2.flac", "c.wav", "c.wav.wav", "c.wav.2.wav",
        "\u{e9}.wav", "e\u{301}.wav", Pathname(bytes: [0xff, 0x2e, 0x77, 0x61, 0x76]),
    ]
    /// No recordings by their names.
    private static let oddNames: [Pathname] = ["a.wav.2", "a.wav.dat", "b.mp3.64", "manifest.json"]

    init(isWatched: Bool = false, using random: inout SeededGenerator) {
        isUnruly = isWatched || random.chance(percent: 50)
        hasOddNames = isUnruly && !isWatched
        grow("", depth: 0, using: &random)
        folders.sort()
    }

    /// Every recording, in order.
    var all: [(folder: Pathname, name: Pathname)] {
        folders.flatMap { folder in
            (recordings[folder] ?? [:]).keys.sorted().map { (folder, $0) }
        }
    }

    subscript(folder: Pathname, name: Pathname) -> Source? {
        mount == .there ? recordings[folder]?[name] : nil
    }

    /// Whether there is such a folder now.
    func holds(_ folder: Pathname) -> Bool {
        switch mount {
        case .there: folders.contains(folder)
        case .bare: folder.isEmpty
        case .gone: false
        }
    }

    /// Names of the recordings in a folder now, in no order.
    func names(in folder: Pathname) -> [Pathname] {
        mount == .there ? Array((recordings[folder] ?? [:]).keys) : []
    }

    /// Names of the folders in a folder now, ascending.
    func subfolders(of folder: Pathname) -> [Pathname] {
        guard mount == .there else { return [] }
        return folders.filter { !$0.isEmpty && $0.parent == folder }.map(\.lastComponent)
    }

    /// Where a folder that was asked for stands.
    func volume(of folder: Pathname) -> MountEvidence {
        guard holds(folder) else { return MountEvidence(device: nil, isBare: true) }
        return MountEvidence(
            device: mount == .there ? 1 : 2,
            isBare: names(in: folder).isEmpty && subfolders(of: folder).isEmpty)
    }

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

    /// The owner works on the tree: a recording changes, goes, or there is a new one, or a folder
    /// goes with all that is in it.
    mutating func disturb(using random: inout SeededGenerator) {
        let all = all
        if let (folder, name, source) = trash, random.chance(percent: 90) {
            trash = nil
            if folders.contains(folder), !folders.contains(folder.appending(name)) {
                recordings[folder, default: [:]][name] = source
            }
        } else if folders.count > 1, random.chance(percent: 15) {
            remove(random.pick(Array(folders.dropFirst())))
        } else if all.isEmpty || random.chance(percent: 30) {
            add(random.pick(SimulatedSources.names), to: random.pick(folders), using: &random)
        } else {
            let (folder, name) = random.pick(all)
            change(name, in: folder, using: &random)
        }
    }

    /// It changes, or goes.
    mutating func change(
        _ name: Pathname, in folder: Pathname, using random: inout SeededGenerator
    ) {
        if random.chance(percent: 55) {
            trash = recordings[folder]?.removeValue(forKey: name).map { (folder, name, $0) }
        } else {
            add(name, to: folder, using: &random)
        }
    }

    /// Sees to it that nobody can take the whole tree for one whose disk is not there.
    mutating func standFirm(using random: inout SeededGenerator) {
        mount = .there
        if volume(of: "").isBare { add("a.wav", to: "", using: &random) }
    }

    private mutating func remove(_ folder: Pathname) {
        folders.removeAll(where: folder.contains)
        recordings = recordings.filter { !folder.contains($0.key) }
    }

    private mutating func add(
        _ name: Pathname, to folder: Pathname, using random: inout SeededGenerator
    ) {
        guard !folders.contains(folder.appending(name)) else { return }
        changes += 1
        let identity = recordings[folder]?[name]?.identity ?? newIdentity()
        recordings[folder, default: [:]][name] = Source(
            stamp: FileStamp(bytes: SimulatedSources.bytes, modifiedNanoseconds: changes),
            sound: Int.random(in: 0..<12, using: &random), identity: identity)
    }

    mutating func newIdentity() -> UInt64 {
        identities += 1
        return identities
    }

    private mutating func grow(
        _ path: Pathname, depth: Int, using random: inout SeededGenerator
    ) {
        folders.append(path)
        folderIdentities[path] = newIdentity()
        let percent = depth == 0 ? 30 : 20
        var found: [Pathname] = []
        if depth < 2 {
            let others: [Pathname] =
                isUnruly && !hasOddNames ? ["new", "sub"] : ["a.wav.dat", "c.wav.flac", "sub"]
            found = others.filter { _ in random.chance(percent: 25) }
        }
        var sources: [Pathname: Source] = [:]
        let odd = hasOddNames ? SimulatedSources.oddNames : []
        for name in SimulatedSources.names + odd {
            guard random.chance(percent: percent), !found.contains(name) else { continue }
            // Where somebody may rename one to another, no two are of one time.
            let time = hasOddNames || !isUnruly ? Int64.random(in: 1...3, using: &random) : nil
            changes += 1
            let stamp = FileStamp(
                bytes: SimulatedSources.bytes, modifiedNanoseconds: time ?? changes)
            sources[name] = Source(
                stamp: stamp, sound: Int.random(in: 0..<12, using: &random),
                identity: newIdentity())
        }
        recordings[path] = sources
        for name in found { grow(path.appending(name), depth: depth + 1, using: &random) }
    }
}
