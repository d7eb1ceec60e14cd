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

extension ResultTree {
    /// The settings that an output was made with.
    package func settings() throws(RunRefusal) -> OutputSettings {
        let record = try record()
        defer { record.close() }
        return try OutputRecord.reading(shownOutput, record.settings)
    }
}
