import Jobs
import Recordings

/// Lists the recordings that a run would find, without their results.
struct ShardLister {
    private let scanner: FolderScanner

    init(_ places: RunPlaces, _ record: OutputRecord) {
        scanner = FolderScanner(places: places, record: record, isDryRun: true)
    }

    /// Adds all to a plan, folder by folder.
    /// - Parameter wantsIdentities: whether to note which file each is.
    /// - Returns: why folders were left out; the run after the merge looks at them.
    func list(
        into plan: inout Database, wantsIdentities: Bool
    ) throws(FileSystemError) -> [FileSystemError] {
        var unread: [FileSystemError] = []
        var scan = FolderScan.State()
        var next: FolderScan.Command?
        scan.begin(scanner.places.targets) { next = $0 }
        while case .list(let id, let request) = next {
            next = nil
            var (recordings, subfolders): ([ScannedFile], [Pathname]) = ([], [])
            do throws(FileSystemError) {
                (recordings, subfolders) = try scanner.recordings(of: request)
            } catch {
                guard !scanner.places.targets.contains(.folder(request.path)) else { throw error }
                unread.append(error)
            }
            if !recordings.isEmpty {
                try plan.run("INSERT INTO folders(path) VALUES (?)", .bytes(request.path.bytes))
                let folder = Database.Value.integer(plan.lastInserted)
                for recording in recordings {
                    try ShardLister.add(recording, in: folder, to: &plan, wantsIdentities)
                }
            }
            var listing = FolderListing()
            listing.subfolders = subfolders
            _ = scan.handle(.listed(id, listing)) { next = $0 }
        }
        return unread
    }

    private static func add(
        _ recording: ScannedFile, in folder: Database.Value, to plan: inout Database,
        _ wantsIdentity: Bool
    ) throws(FileSystemError) {
        // What cannot be looked at fails in the run after the merge.
        guard case .file(let stamp) = recording.finding else { return }
        let identity = wantsIdentity ? recording.identity.map { Int64(bitPattern: $0) } : nil
        try plan.run(
            "INSERT INTO recordings VALUES (NULL, ?, ?, ?, ?, ?, ?)", folder,
            .bytes(recording.name.bytes), .integer(work(of: recording.name, bytes: stamp.bytes)),
            .integer(stamp.bytes),
            wantsIdentity ? .integer(stamp.modifiedNanoseconds) : .null, .init(identity))
    }

    /// The work of a recording, about in bytes of PCM that take as long: what is compressed has
    /// more sound in a byte, and opening and writing files takes its time too.
    ///
    /// Measured with 16 kHz mono (`Tests/Shards/balance.py` shows what comes of it), in ms of a
    /// processor for a megabyte: WAV 5, FLAC of noise 8, MP3 at 64 kbit/s 48, Vorbis at 32 kbit/s
    /// 110, Opus at 27 kbit/s, which is decoded at 48 kHz, 850; and 0.4 for each file.
    static func work(of name: Pathname, bytes: Int64) -> Int64 {
        let factor: Int64 =
            switch name.fileExtension {
            case "wav", "wave", "aif", "aiff", "aifc", "rf64", "w64", "au", "caf": 1
            case "flac", "wv", "tta", "ape", "shn", "tak": 3
            case "ogg", "oga": 20
            case "opus": 150
            default: 10
            }
        return max(0, bytes) * factor + fixedWork
    }

    private static let fixedWork: Int64 = 1 << 17
}
