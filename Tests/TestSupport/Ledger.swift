import Jobs
import Recordings
import ReducerKit

/// Keeps its own books of a run, from its actions and commands alone, to hold the state against.
struct Ledger {
    /// A name in a folder.
    struct Place: Hashable {
        var folder: Pathname
        var name: Pathname
    }

    /// What became of a recording.
    struct Settlement {
        var entry: SettledEntry
        /// Where work led to it.
        var whole: ManifestEntry?
        var isUpToDate: Bool
    }

    let configuration: JobStore.Configuration
    /// Commands that wait for their answer.
    private(set) var pending: [Due: JobStore.Command] = [:]
    private(set) var isStopping = false
    /// Whether nothing can be written any more, so that only the record has what manifests lack.
    private var isInTrouble = false
    private(set) var listings: [Pathname: FolderListing] = [:]
    /// The disk on which a folder asked for was last seen with something in it.
    private var devices: [Pathname: UInt64] = [:]
    /// Folders of which only single recordings were asked for.
    private(set) var partial: Set<Pathname> = []
    private(set) var settled: [Place: Settlement] = [:]
    private(set) var planned: Set<Place> = []
    var manifests: [Pathname: ManifestOrder] = [:]
    private(set) var finishes = 0
    /// Manifests that could not be written.
    var unwritten: Set<Pathname> = []
    /// Names that recordings had before.
    var moved: Set<Place> = []
    private var pruned: Set<Place> = []
    /// Times that the run has said that it cannot go on.
    private(set) var stops = 0
    /// Other settings that it has told of.
    private var settingsTold: Set<StaleReason> = []
    /// Who writes, or has written, each file in an output folder.
    private var owners: [Place: Pathname] = [:]
    /// Names of files that were recorded as a recording's, even if they did not get there.
    private(set) var given: Set<Place> = []

    init(_ configuration: JobStore.Configuration) {
        self.configuration = configuration
    }

    /// Takes in an action with its commands; the first thing that is wrong with them.
    mutating func violation(
        after action: JobStore.Action, _ commands: [JobStore.Command], _ state: JobStore.State
    ) -> String? {
        if finishes > 0, !commands.isEmpty { return "something was ordered after the end" }
        if case .stopRequested = action { isStopping = true }
        switch state.phase {
        case .stopping, .closing(.some), .finished(.some): isStopping = true
        case .running, .closing(nil), .finished(nil): break
        }
        if let answered = action.answered {
            if case .scan(.listed(_, let listing)) = action, !isStopping,
                case .scan(.list(_, let request)) = pending[answered]
            {
                take(listing, request)
            }
            pending[answered] = nil
        }
        for command in commands {
            if let sentence = violation(of: command) { return sentence }
            if let due = command.due, pending.updateValue(command, forKey: due) != nil {
                return "\(due) was ordered again before its answer"
            }
        }
        let dues = pending.keys.map { $0 }
        let working = dues.count { if case .work = $0 { true } else { false } }
        if working > configuration.jobLimit { return "\(working) recordings are worked on at once" }
        let listing = dues.count { if case .listing = $0 { true } else { false } }
        if listing > 1 { return "\(listing) folders are listed at once" }
        if finishes > 0, !pending.isEmpty { return "the run has ended before its last answer" }
        if (finishes > 0) != state.isFinished { return "finishing and being finished are apart" }
        return nil
    }

    /// A folder whose disk seems not to be there is as one that was not listed.
    private mutating func take(_ listing: FolderListing, _ request: FolderScan.Request) {
        if let volume = listing.volume, let top = request.top {
            let isLess =
                listing.isGone || !listing.unseen.isEmpty || !listing.lostFolders.isEmpty
            if isLess, volume.state(known: devices[top]) != .firm { return }
            if !volume.isBare, top == request.path { devices[top] = volume.device }
        }
        listings[request.path] = listing
        if request.only != nil { partial.insert(request.path) }
    }

    private mutating func violation(of command: JobStore.Command) -> String? {
        switch command {
        case .scan(.list(_, let request)):
            if isStopping { return "a listing was ordered though the run is stopping" }
            if listings[request.path] != nil { return "\(request.path) is listed twice" }
            return nil
        case .job(_, .listen(let order)):
            return violation(ofWorkOn: order.source, writing: order.waveformNames)
        case .job(_, .trim(let order)):
            return violation(ofWorkOn: order.source, writing: [order.name] + order.waveformNames)
        case .job(_, .identify(let source)):
            return violation(ofWorkOn: source, writing: [])
        case .job(_, .adopt(let order)):
            return violation(ofWorkOn: order.source, writing: order.files.map(\.new))
        case .scan(.forget), .job(_, .recall), .job(_, .find):
            return nil
        case .writeManifest(_, let order):
            return violation(of: order)
        case .announce(let news):
            return violation(of: news)
        case .finish:
            finishes += 1
            return finishes > 1 ? "the run finishes twice" : nil
        case .commit(.record(_, let outcomes, _)):
            for outcome in outcomes {
                given.formUnion(
                    outcome.staged.map { Place(folder: outcome.path, name: $0.name) })
            }
            return configuration.isDryRun ? "a dry run keeps something" : nil
        case .commit:
            return configuration.isDryRun ? "a dry run keeps something" : nil
        case .export:
            return configuration.isDryRun ? "a dry run exports" : nil
        case .cancelWork:
            return isStopping ? nil : "work was cancelled though nobody asked to stop"
        }
    }

    private mutating func violation(
        ofWorkOn source: RecordingSource, writing names: [Pathname]
    ) -> String? {
        if isStopping { return "work was begun though the run is stopping" }
        if configuration.isDryRun { return "a dry run works" }
        if settled[Place(folder: source.folder, name: source.name)] != nil {
            return "\(source.name) is worked on though it is settled"
        }
        for name in names {
            if let sentence = claim(name, in: source.folder, for: source.name) { return sentence }
        }
        return nil
    }

    private mutating func violation(of news: Announcement) -> String? {
        switch news {
        case .settled(let folder, let entry, let boxed, let isUpToDate):
            let place = Place(folder: folder, name: entry.name)
            let settlement = Settlement(
                entry: entry, whole: boxed?.value, isUpToDate: isUpToDate)
            if settled.updateValue(settlement, forKey: place) != nil {
                return "\(entry.name) settles twice"
            }
            for name in entry.made {
                if let sentence = claim(name, in: folder, for: entry.name) { return sentence }
            }
            return nil
        case .planned(let folder, let name, let stages):
            if stages.isEmpty { return "\(name) is planned for nothing" }
            let isNew = planned.insert(Place(folder: folder, name: name)).inserted
            return isNew && configuration.isDryRun ? nil : "\(name) is planned out of turn"
        case .stopped:
            stops += 1
            return stops > 1 ? "the run says twice that it cannot go on" : nil
        case .manifestFailed(let folder, _):
            unwritten.insert(folder)
            return nil
        case .explained(_, let name, let reasons):
            if reasons.isEmpty { return "\(name) is stale for no reason" }
            return nil
        case .settingsChanged(let reasons):
            if reasons.isEmpty { return "settings changed in nothing" }
            let isNews = reasons.allSatisfy { settingsTold.insert($0).inserted }
            return isNews ? nil : "it is told twice that settings changed"
        case .missing(let folder, let name, let isPruned):
            let work = listings[folder]?.unseen.first { $0.entry.name == name }
            guard let work, work.isLeft else { return "\(name) is said to be missing" }
            if isPruned { pruned.insert(Place(folder: folder, name: name)) }
            return isPruned == configuration.prunesMissing
                ? nil : "what was made of \(name) is pruned out of turn"
        case .moved(let folder, let name, _, _):
            let place = Place(folder: folder, name: name)
            if !pruned.contains(place) { moved.insert(place) }
            return nil
        case .folderFailed, .manifestSetAside, .awaited, .polled, .spared, .exportTrouble:
            return nil
        }
    }

    private mutating func claim(
        _ name: Pathname, in folder: Pathname, for recording: Pathname
    ) -> String? {
        if name == OutputNames.manifest { return "\(recording) is to overwrite the manifest" }
        let listing = listings[folder] ?? FolderListing()
        if (listing.subfolders + listing.lostFolders).contains(name) {
            return "\(recording) is to overwrite a folder"
        }
        let owner = owners.updateValue(recording, forKey: Place(folder: folder, name: name))
        guard let owner, owner != recording else { return nil }
        return "\(owner) and \(recording) both write \(name) in \"\(folder)\""
    }
}
