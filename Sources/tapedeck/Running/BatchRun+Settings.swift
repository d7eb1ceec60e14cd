import Jobs
import Recordings
import Reports
import Workers

/// The settings file of a run.
struct RunSettingsFile {
    /// As displayed; `nil` if there is no file.
    var path: Pathname?
    var settings = FileSettings()
}

extension BatchRun {
    /// The settings that the output remembers, and these changed by a settings file and the
    /// options.
    func change(
        _ record: OutputRecord, _ places: RunPlaces, _ file: RunSettingsFile
    ) throws(RunRefusal) -> SettingsChange {
        if let planned { return SettingsChange(keeping: planned) }
        if repair != nil || merging != nil {
            return SettingsChange(keeping: try record.settings(of: places))
        }
        return SettingsChange(
            try record.settings(of: places), file: file.settings, given: options.given,
            forgets: options.source.forgets)
    }

    /// What the settings file says; `nil` once it was said why it or the options cannot be used,
    /// before an output is made.
    func settingsFile(_ places: RunPlaces) throws(RunRefusal) -> RunSettingsFile? {
        var file = RunSettingsFile()
        if repair != nil || merging != nil { return file }
        do throws(SettingsFault) {
            if let found = try options.source.file(in: places.root, shown: places.shownRoot) {
                file = RunSettingsFile(path: found.path, settings: found.settings)
            }
        } catch {
            StandardStream.complain(error.text)
            return nil
        }
        let needsGaps =
            ([options.given, file.settings.usual] + file.settings.folders.values)
            .contains { $0.optionForGaps != nil }
        guard needsGaps else { return file }
        let record = try OutputRecord.forReading(of: places)
        defer { record.close() }
        guard let (folder, option) = try change(record, places, file).optionWithoutGaps
        else { return file }
        let sentence = FailureText.sentence(forOptionWithoutGaps: option)
        let isOfFile = options.given.optionWithoutGaps == nil
        let place = folder.isEmpty ? "" : "[folder.\"\(folder.displayText)\"]: "
        StandardStream.complain(
            isOfFile ? "\(file.path?.displayText ?? ""): \(place)\(sentence)" : sentence)
        return nil
    }
}
