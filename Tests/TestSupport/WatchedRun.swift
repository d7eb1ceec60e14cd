import Jobs
import Recordings
import ReducerKit

/// A run that goes on, over a tree of files that a test changes: it is listed as it is, and all
/// work succeeds at once unless a test answers in its place.
package final class WatchedRun {
    package struct File: Hashable {
        package var stamp: FileStamp
        package var identity: UInt64

        package init(stamp: FileStamp, identity: UInt64) {
            self.stamp = stamp
            self.identity = identity
        }
    }

    package let run: ScriptedRun
    /// What is there, by folder.
    package var files: [Pathname: [Pathname: File]] = ["": [:]]
    /// Folders that were asked for and look bare, or are gone where there is no device.
    package var volume: MountEvidence?
    /// Of folders below, where they stand, if that is anything special.
    package var volumes: [Pathname: MountEvidence] = [:]
    package private(set) var nowSeconds = 100.0
    /// Answers of passes in place of success, by name; each is given once.
    package var answers: [Pathname: Job.Action] = [:]
    /// Passes on recordings of these names are not answered until a test does.
    package var held: Set<Pathname> = []
    /// What else is not answered until a test does.
    package var holds: (JobStore.Command) -> Bool = { _ in false }
    /// How passes on recordings of these names always end.
    package var fails: [Pathname: RecordingFailure] = [:]
    /// Names of recordings that cannot even be looked at.
    package var closed: Set<Pathname> = []
    /// Folders whose manifests cannot be written.
    package var unwritable: Set<Pathname> = []
    package var failsAdoptions = false
    /// What filters leave out of a folder.
    package var filter: (Pathname) -> FolderFilter = { _ in FolderFilter() }
    /// Another number whenever somebody's rights changed.
    package var rights = 0
    private var changes: Int64 = 0

    package init(
        _ policy: WatchPolicy = WatchPolicy(),
        _ change: (inout JobStore.Configuration) -> Void = { _ in }
    ) {
        var configuration = JobStore.Configuration(jobLimit: 4)
        configuration.watch = policy
        configuration.looksForMoved = true
        change(&configuration)
        run = ScriptedRun(configuration)
    }

    /// The next run over the same tree.
    package init(
        after earlier: WatchedRun, _ change: (inout JobStore.Configuration) -> Void = { _ in }
    ) {
        var configuration = earlier.state.configuration
        change(&configuration)
        run = ScriptedRun(configuration)
        files = earlier.files
        run.record = earlier.run.record
        run.written = earlier.manifests
        nowSeconds = earlier.nowSeconds
        changes = earlier.changes
    }

    /// A run that has done a recording, `old.wav`, and waits for what lands.
    package static func underway(
        _ policy: WatchPolicy = WatchPolicy(),
        _ change: (inout JobStore.Configuration) -> Void = { _ in }
    ) -> WatchedRun {
        let run = WatchedRun(policy, change)
        run.write("old.wav")
        run.pass(seconds: 60)
        run.start()
        run.pass(seconds: 5)
        return run
    }

    package var state: JobStore.State { run.state }

    /// The manifests that are in the output.
    package var manifests: [Pathname: PrintedManifest] { run.written }

    /// Names and status of a folder's recordings in the record.
    package func manifest(_ folder: Pathname = "") -> [Pathname: ManifestEntry.Status] {
        let entries = run.record.folders[folder]?.entries.values.map(\.entry) ?? []
        return Dictionary(uniqueKeysWithValues: entries.map { ($0.name, $0.status) })
    }

    /// Names of the recordings that were decoded so far, in order.
    package var decoded: [Pathname] { run.listened.map(\.source.name) }

    package func start(
        targets: [FolderScan.Target] = [.folder("")]
    ) {
        run.send(.ticked(nowSeconds))
        run.send(.started(targets))
        settle()
    }

    /// Puts a file there, or changes the one that is.
    /// - Returns: its stamp.
    @discardableResult
    package func write(_ name: Pathname, in folder: Pathname = "") -> FileStamp {
        changes += 1
        let now = Int64(nowSeconds * 1e9)
        let stamp = FileStamp(bytes: 1000, modifiedNanoseconds: now + changes)
        let identity = files[folder]?[name]?.identity ?? UInt64(changes)
        files[folder, default: [:]][name] = File(stamp: stamp, identity: identity)
        return stamp
    }

    package func move(
        _ name: Pathname, in folder: Pathname = "", to newName: Pathname,
        into newFolder: Pathname = ""
    ) {
        let file = files[folder]?.removeValue(forKey: name)
        files[newFolder, default: [:]][newName] = file
    }

    /// Time passes, in steps as the ticker has them.
    package func pass(seconds: Double) {
        for _ in 0..<max(1, Int((seconds / 0.2).rounded())) {
            nowSeconds += 0.2
            run.send(.ticked(nowSeconds))
            settle()
        }
    }

    /// The system tells of changes.
    package func notice(
        _ kind: FileEvent.Kind, _ name: Pathname? = nil, in folder: Pathname = ""
    ) {
        run.send(.ticked(nowSeconds))
        run.send(.scan(.noticed([FileEvent(folder: folder, name: name, kind: kind)])))
        settle()
    }

    /// Answers all that waits for an answer and is not held.
    package func settle() {
        while let command = run.pending.first(where: { !isHeld($0) }) {
            guard let action = answer(to: command) else { return }
            run.send(action)
        }
    }

    /// Answers that recordings which are held were nothing else before.
    package func answerFinding() {
        for case .job(let id, .find) in run.pending { run.send(.job(id, .found(nil))) }
    }

    private func isHeld(_ command: JobStore.Command) -> Bool {
        switch command {
        case .job(_, .listen(let order)): held.contains(order.source.name)
        case .job(_, .identify(let source)): held.contains(source.name)
        case .job(_, .find(let order)): held.contains(order.source.name)
        case .job(_, .adopt(let order)): held.contains(order.source.name) || holds(command)
        default: holds(command)
        }
    }

    private func answer(to command: JobStore.Command) -> JobStore.Action? {
        switch command {
        case .scan(.list(let id, let request)):
            return .scan(list(id, request))
        case .job(let id, .listen(let order)):
            if let failure = fails[order.source.name] {
                return .job(id, .failed(failure, measured: nil))
            }
            if let answer = answers.removeValue(forKey: order.source.name) {
                return .job(id, answer)
            }
            if files[order.source.folder]?[order.source.name]?.stamp != order.source.stamp {
                let stamp = files[order.source.folder]?[order.source.name]?.stamp
                return .job(id, .sourceChanged(stamp))
            }
            return run.success(of: command)
        case .job(let id, .find(let order)): return .job(id, .found(find(order)))
        case .job(let id, .adopt) where failsAdoptions:
            return .job(id, .failed(Example.failure(.other, in: .waveform), measured: nil))
        case .writeManifest(let id, let order) where unwritable.contains(order.folder):
            return .manifestFailed(id, Example.failure(.permissionDenied, in: .manifest))
        default:
            return run.success(of: command)
        }
    }

    private func find(_ order: FindingOrder) -> FormerWork? {
        run.record.find(order, digest: run.digest(of: order.source.name)) {
            [files] place, isSameFile in
            let there = files[place.folder]?[place.name]
            return there.map { isSameFile && $0.identity != order.identity } ?? true
        }
    }

    private func list(_ id: FolderID, _ request: FolderScan.Request) -> FolderScan.Action {
        let filter = filter(request.path)
        if filter.isLeftOut {
            var listing = FolderListing(unseen: run.record.folders[request.path]?.works ?? [])
            listing.isLeftOut = true
            return .listed(id, listing)
        }
        var earlier: [Pathname: PreviousWork] = [:]
        let there = request.isKnown ? files[request.path] ?? [:] : [:]
        for work in run.record.folders[request.path]?.works ?? []
        where there[work.entry.name] == nil {
            earlier[work.entry.name] = work
        }
        var listing = FolderListing()
        for (name, file) in (files[request.path] ?? [:]).sorted(by: { $0.key < $1.key }) {
            guard !filter.leavesOut(name) else {
                listing.leftOut.append(name)
                continue
            }
            let isClosed = closed.contains(name)
            listing.recordings.append(
                ScannedFile(
                    name: name,
                    finding: isClosed
                        ? .failure(Example.failure(.permissionDenied)) : .file(file.stamp),
                    identity: file.identity, previous: earlier.removeValue(forKey: name)))
        }
        listing.unseen = earlier.values.sorted { $0.entry.name < $1.entry.name }
        run.record.addIdentities(to: &listing.unseen, in: request.path)
        let gone = listing.unseen.map(\.entry.name).filter { filter.leavesOut($0) }
        listing.leftOut = Set(listing.leftOut + gone).sorted()
        listing.subfolders = children(of: request.path, in: files.keys)
            .filter { !filter.leavesOut(folder: $0) }
        listing.lostFolders = children(
            of: request.path, in: run.record.places
        ).filter { !listing.subfolders.contains($0) && !filter.leavesOut(folder: $0) }
        listing.isGone = files[request.path] == nil
        listing.volume = volume(of: request.path)
        listing.lookedAtNanoseconds = Int64(nowSeconds * 1e9)
        var hasher = Hasher()
        hasher.combine(listing.recordings.map(\.finding))
        hasher.combine(listing.recordings.map(\.name))
        hasher.combine(rights)
        hasher.combine(filter)
        hasher.combine(listing.subfolders)
        hasher.combine(listing.lostFolders)
        listing.fingerprint = UInt64(bitPattern: Int64(hasher.finalize()))
        if request.known == listing.fingerprint { return .unchanged(id) }
        listing.watch = request.watches ? .watched : nil
        return .listed(id, listing)
    }

    private func volume(of folder: Pathname) -> MountEvidence? {
        var place = folder
        while !place.isEmpty, files[place] == nil { place = place.parent }
        if let special = volumes[place] { return special }
        guard place.isEmpty || place != folder else { return nil }
        return volume ?? MountEvidence(device: 1, isBare: false)
    }

    private func children(
        of folder: Pathname, in folders: some Sequence<Pathname>
    ) -> [Pathname] {
        folders.filter { !$0.isEmpty && $0.parent == folder }.map(\.lastComponent).sorted()
    }
}
