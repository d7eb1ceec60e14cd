import Recordings

/// The settings of the latest run of an output, which it remembers.
package struct OutputSettings: Hashable, Sendable {
    /// Those of folders without settings of their own.
    package var usual: Settings
    /// Those of `usual` that a settings file gave; they count only as long as it does.
    package var ofFile: Settings
    /// Those of command lines alone, which count once no file says otherwise.
    package var own: Settings
    /// By folder with settings of its own, relative to the root: all that apply to it.
    package var folders: [Pathname: Settings]

    package init(
        _ usual: Settings = Settings(), ofFile: Settings = Settings(), own: Settings? = nil,
        folders: [Pathname: Settings] = [:]
    ) {
        (self.usual, self.ofFile, self.folders) = (usual, ofFile, folders)
        self.own = own ?? usual.forgetting(ofFile)
    }

    /// Changes settings as an option of a command line does.
    package mutating func remember(_ change: (inout Settings) -> Void) {
        change(&usual)
        change(&own)
    }

    /// The settings of a folder.
    package subscript(folder: Pathname) -> Settings {
        if let settings = folders[folder] { return settings }
        return folder.isEmpty ? usual : self[folder.parent]
    }

    package var recipes: Recipes { Recipes(usual.recipe, own: folders.mapValues(\.recipe)) }

    /// The job store's configuration by these settings.
    package var configuration: JobStore.Configuration {
        var configuration = usual.configuration
        configuration.recipes = recipes
        return configuration
    }
}

/// Encoded like `Settings`, with three members more.
extension OutputSettings: Codable {
    private enum Key: String, CodingKey {
        case ofFile, own, folders
    }

    /// In a list, ascending, so that the same settings are the same bytes.
    private struct Entry: Codable {
        var folder: Pathname
        var settings: Settings
    }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Key.self)
        usual = try Settings(from: decoder)
        ofFile = try members.decodeIfPresent(Settings.self, forKey: .ofFile) ?? Settings()
        own =
            try members.decodeIfPresent(Settings.self, forKey: .own) ?? usual.forgetting(ofFile)
        let entries = try members.decodeIfPresent([Entry].self, forKey: .folders) ?? []
        folders = Dictionary(entries.map { ($0.folder, $0.settings) }) { $1 }
    }

    package func encode(to encoder: any Encoder) throws {
        try usual.encode(to: encoder)
        var members = encoder.container(keyedBy: Key.self)
        if ofFile != Settings() { try members.encode(ofFile, forKey: .ofFile) }
        if own != usual.forgetting(ofFile) { try members.encode(own, forKey: .own) }
        guard !folders.isEmpty else { return }
        let entries = folders.sorted { $0.key < $1.key }.map(Entry.init)
        try members.encode(entries, forKey: .folders)
    }
}

/// What a settings file says.
package struct FileSettings: Hashable, Sendable {
    /// What such a file is called in a folder of recordings.
    package static let name: Pathname = "tapedeck.toml"

    package var usual = Settings()
    /// By folder, relative to the root; they apply to what is below it, too.
    package var folders: [Pathname: Settings] = [:]
    /// Whether nothing that the output remembers counts.
    package var isWhole = false

    package init() {}

    /// The settings of a folder: those of the folders above it, with its own in their place.
    fileprivate func applied(in folder: Pathname, to settings: Settings) -> Settings {
        let above = folder.isEmpty ? settings : applied(in: folder.parent, to: settings)
        return folders[folder].map(above.changed) ?? above
    }
}

/// The settings of an output, before and after a command line and a settings file.
package struct SettingsChange: Hashable, Sendable {
    package let before: OutputSettings
    /// The options of the command line.
    package let given: Settings
    package let after: OutputSettings

    /// A command line comes before a file, that before what is remembered.
    /// - Parameter forgets: whether remembered settings are forgotten.
    package init(
        _ before: OutputSettings, file: FileSettings = FileSettings(), given: Settings,
        forgets: Bool
    ) {
        self.before = before
        self.given = given
        var remembered = forgets || file.isWhole ? Settings() : before.own
        var usual = remembered.changed(by: file.usual)
        // A file may come from whoever can write to the folder, and would turn off what keeps
        // such people's recordings apart.
        if !forgets, before.own.isolate == true {
            (remembered.isolate, usual.isolate) = (true, true)
        }
        var folders: [Pathname: Settings] = [:]
        for folder in file.folders.keys {
            folders[folder] = file.applied(in: folder, to: usual).changed(by: given)
        }
        after = OutputSettings(
            usual.changed(by: given), ofFile: file.usual, own: remembered.changed(by: given),
            folders: folders)
    }

    /// No change: those that are remembered count, whatever a file says.
    package init(keeping settings: OutputSettings) {
        (before, given, after) = (settings, Settings(), settings)
    }

    /// An option for inner silences that has no effect in a folder, because they are not cut
    /// there.
    package var optionWithoutGaps: (folder: Pathname, option: String)? {
        let all = [(.empty, after.usual)] + after.folders.sorted { $0.key < $1.key }
        for (folder, settings) in all {
            if let option = settings.optionWithoutGaps { return (folder, option) }
        }
        return nil
    }
}
