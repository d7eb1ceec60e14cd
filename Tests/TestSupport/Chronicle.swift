import Jobs
import Recordings

/// What is known over all runs, apart from what the disk says: which outcomes are safe, and what
/// somebody else did to the outputs.
struct Chronicle {
    typealias Place = SimulatedDisk.Place

    /// The latest outcome of a recording that was said to be safe, and to stand.
    private var recorded: [Place: ManifestEntry] = [:]
    /// All files that were ever made of a recording that is in its folder's manifest.
    private var made: [Place: Set<Pathname>] = [:]
    /// Files of recordings that have lost one to another, and with it their place in the manifest.
    private(set) var forgotten: Set<Place> = []
    /// Outputs that somebody else has altered or removed.
    private(set) var disturbed: Set<Place> = []

    /// Recordings that are gone, with all that was made of them.
    private(set) var pruned: Set<Place> = []
    /// Files that a manifest which is in place names no longer, and that are being removed.
    private var removing: Set<Place> = []
    /// All that were ever removed so.
    private var removed: Set<Place> = []
    /// Those of which nobody knows whether they were.
    private(set) var doomed: Set<Place> = []

    /// A fact is being written: whether the next run finds it is not certain.
    mutating func beginRecording(_ fact: JournalFact) {
        recorded[Place(folder: fact.folder, name: fact.entry.name)] = nil
    }

    mutating func beginRemoval(of names: [Pathname], in folder: Pathname) {
        removing.formUnion(names.map { Place(folder: folder, name: $0) })
        removed.formUnion(removing)
    }

    /// The run comes to its end in the midst of something.
    mutating func crash(_ kind: SimulatedPlan.Crash? = .kill) {
        // A name that was removed may be back.
        doomed.formUnion(kind == .powerLoss ? removed : removing)
    }

    mutating func endRun() { removing = [] }

    /// A fact is on the disk.
    mutating func record(_ fact: JournalFact) {
        let place = Place(folder: fact.folder, name: fact.entry.name)
        pruned.remove(place)
        for file in fact.staged {
            disturbed.remove(Place(folder: fact.folder, name: file.name))
        }
        // Whoever had the name before has lost the file.
        let outputs = Set(fact.entry.outputs)
        for (other, files) in made where other.folder == fact.folder && other != place {
            guard !outputs.isDisjoint(with: files) else { continue }
            recorded[other] = nil
            for file in files { forgotten.insert(Place(folder: other.folder, name: file)) }
        }
        recorded[place] = fact.entry
        made[place, default: []].formUnion(outputs)
    }

    mutating func disturb(_ name: Pathname, in folder: Pathname) {
        disturbed.insert(Place(folder: folder, name: name))
        for (place, entry) in recorded
        where place.folder == folder && entry.outputs.contains(name) {
            recorded[place] = nil
        }
    }

    /// What is wrong with orders that do again what is safe.
    mutating func violation(
        of commands: [JobStore.Command], _ configuration: JobStore.Configuration,
        _ sources: SimulatedSources
    ) -> String? {
        for command in commands {
            switch command {
            case .job(_, .listen(let order)):
                if let sentence = violation(ofWorkOn: order.source, configuration, sources) {
                    return sentence
                }
            case .job(_, .trim(let order)):
                if let sentence = violation(ofWorkOn: order.source, configuration, sources) {
                    return sentence
                }
            case .announce(.settled(let folder, let entry, _, upToDate: false))
            where entry.source == nil:
                // It could not be looked at; what becomes of it is not recorded at once.
                recorded[Place(folder: folder, name: entry.name)] = nil
            case .announce(.missing(let folder, let name, pruned: true)):
                pruned.insert(Place(folder: folder, name: name))
            case .announce(.moved(let folder, let name, _, _)):
                pruned.insert(Place(folder: folder, name: name))
            case .writeManifest(_, let order):
                for (name, change) in order.changes where change.forgets {
                    recorded[Place(folder: order.folder, name: name)] = nil
                }
            default: break
            }
        }
        return nil
    }

    private func violation(
        ofWorkOn source: RecordingSource, _ configuration: JobStore.Configuration,
        _ sources: SimulatedSources
    ) -> String? {
        guard let entry = recorded[Place(folder: source.folder, name: source.name)],
            !configuration.redoesAll, entry.source == source.stamp,
            entry.recipe == configuration.recipes[source.folder].value,
            entry.sourceSHA256 != nil || !configuration.wantsChecksums,
            // A new neighbour may take an output's name.
            !sources.isUnruly
        else { return nil }
        if let failure = entry.failure,
            configuration.retriesFailed || !failure.liesInRecording
        {
            return nil
        }
        return "\(source.name) is done again though its outcome is safe"
    }
}
