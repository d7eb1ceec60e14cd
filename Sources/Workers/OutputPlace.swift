import Jobs
import Recordings

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Where the results of one folder go, as it is found before anything is written there.
struct OutputPlace {
    let path: Pathname
    private let request: FolderScan.Request
    private let places: RunPlaces
    private let journal: RecoveredJournal

    init(of request: FolderScan.Request, _ places: RunPlaces, _ journal: RecoveredJournal) {
        path = places.output.appending(request.path)
        self.request = request
        self.places = places
        self.journal = journal
    }

    /// Why nothing can be written there; `nil` where nothing is in the way.
    ///
    /// Asked at the first look: what is there later is this run's.
    var obstacle: RecordingFailure.Reason? {
        get throws(FileSystemError) {
            guard request.isFirst else { return nil }
            // That is the manifest of the folder above.
            if request.path.lastComponent == OutputNames.manifest { return .placeTaken }
            do throws(FileSystemError) {
                let status = try FileSystem.status(path)
                if status.kind != .folder { return .placeTaken }
                let manifest = path.appending(OutputNames.manifest)
                let below = try ifThere { () throws(FileSystemError) in
                    try FileSystem.status(manifest)
                }
                if below?.kind == .folder { return .placeTaken }
                return try leadsElsewhere(status) ? .leadsElsewhere : nil
            } catch {
                guard error.isMissing else { throw error }
                return error.code == ENOTDIR ? .placeTaken : nil
            }
        }
    }

    /// Whether it holds what is not the output's: recordings, above all, which a link or a mount
    /// there would have us write over.
    private func leadsElsewhere(_ status: FileSystem.Status) throws(FileSystemError) -> Bool {
        let source = try? FileSystem.status(places.root.appending(request.path))
        if let source, source.identity == status.identity { return true }
        // A folder of the output may well be on another disk.
        let place = try FileSystem.resolve(path)
        let isMount = try FileSystem.status(places.output).device != status.device
        guard place != path || isMount else { return false }
        if !places.output.contains(place) {
            if places.targets.contains(where: { places.root.appending($0.place).contains(place) }) {
                return true
            }
            if OutputFolder.markedFolder(atOrAbove: place) != nil { return true }
        }
        // What a run that did not come to its end has left there has no manifest yet.
        return journal.facts(in: request.path).isEmpty && OutputFolder.holdsForeignFiles(place)
    }
}
