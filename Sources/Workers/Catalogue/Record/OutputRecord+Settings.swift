import Jobs
import Recordings

extension OutputRecord {
    /// The settings of the latest run.
    ///
    /// An output of an earlier version does not know them: they are those of the recipe that most
    /// recordings have.
    func settings() throws(FileSystemError) -> OutputSettings {
        let known = try meta("settings").flatMap { JSONLine.read(OutputSettings.self, from: $0) }
        if let known { return known }
        return try read { (database) throws(FileSystemError) in
            // Results of deleted recordings may be of any age.
            let id = try database.first(
                """
                SELECT recipe FROM entries GROUP BY recipe ORDER BY
                    count(*) FILTER (WHERE status <> 'sourceMissing') DESC, recipe DESC LIMIT 1
                """
            ) { $0.integer(0) }
            let recipes = try database.recipes()
            return OutputSettings(
                id.flatMap { recipes[$0] }.map { Settings($0.value) } ?? Settings())
        }
    }

    func set(_ settings: OutputSettings) throws(FileSystemError) {
        try setMeta("settings", JSONLine.bytes(settings))
    }
}

// MARK: - For a run

extension OutputRecord {
    package func settings(of places: RunPlaces) throws(RunRefusal) -> OutputSettings {
        try OutputRecord.reading(places.shownOutput, settings)
    }

    /// Remembers settings, for this run's successors.
    package func set(_ settings: OutputSettings, of places: RunPlaces) throws(RunRefusal) {
        try OutputLock.refusing(places.output) { () throws(FileSystemError) in try set(settings) }
    }

    /// Whether there are results of any recording.
    package func hasResults(in places: RunPlaces) throws(RunRefusal) -> Bool {
        try OutputRecord.reading(places.shownOutput) { () throws(FileSystemError) in
            try read { (database) throws(FileSystemError) in
                try database.first("SELECT 1 FROM entries LIMIT 1") { _ in true } ?? false
            }
        }
    }

    /// The results of some recordings of a folder.
    package func entries(
        of names: Set<Pathname>, in folder: Pathname, _ places: RunPlaces
    ) throws(RunRefusal) -> [ManifestEntry] {
        try OutputRecord.reading(places.shownOutput) { () throws(FileSystemError) in
            try entries(in: folder).filter { names.contains($0.name) }
        }
    }
}

// MARK: - What runs were asked for

extension OutputRecord {
    /// Remembers the paths of a run, with those of earlier ones.
    /// - Parameter isList: whether they come from a list, which may have very many: then none is.
    package func note(_ places: RunPlaces, isList: Bool) throws(RunRefusal) {
        let paths = isList ? [] : places.targets.map(\.path)
        try OutputLock.refusing(places.output) { () throws(FileSystemError) in
            let known = try targets ?? []
            let all = Set(known + paths)
            // A command line may name thousands of files.
            let rest = all.filter { path in
                var above = path
                while !above.isEmpty {
                    above = above.parent
                    if all.contains(above) { return false }
                }
                return true
            }
            try setMeta("targets", JSONLine.bytes(rest.sorted()))
        }
    }

    /// The paths that runs were asked for, relative to the root; `nil` for outputs of earlier
    /// versions.
    private var targets: [Pathname]? {
        get throws(FileSystemError) {
            try meta("targets").flatMap { JSONLine.read([Pathname].self, from: $0) }
        }
    }

    /// What runs were asked for in a folder: all of it, if that is not known.
    package func targets(
        in tree: ResultTree, _ root: Pathname
    ) throws(RunRefusal) -> [FolderScan.Target] {
        let folder = tree.folder
        let known = try OutputRecord.reading(tree.shownOutput) { () throws(FileSystemError) in
            try targets
        }
        guard let known else { return [.folder(folder)] }
        return known.compactMap { path in
            if path.contains(folder) { return .folder(folder) }
            guard folder.contains(path) else { return nil }
            let isFolder = ResultTree.isFolder(root.appending(path))
            return isFolder
                ? .folder(path) : .recording(folder: path.parent, name: path.lastComponent)
        }
    }

    /// The recordings of a folder that failed.
    package func failed(in folder: Pathname) -> Set<Pathname> {
        let entries = try? entries(in: folder).filter { $0.failure != nil }
        return Set((entries ?? []).map(\.name))
    }
}

extension FolderScan.Target {
    fileprivate var path: Pathname {
        switch self {
        case .folder(let folder): folder
        case .recording(let folder, let name): folder.appending(name)
        }
    }
}

extension ResultTree {
    /// The settings that an output was made with.
    package func settings() throws(RunRefusal) -> OutputSettings {
        let record = try record()
        defer { record.close() }
        return try OutputRecord.reading(shownOutput, record.settings)
    }
}
