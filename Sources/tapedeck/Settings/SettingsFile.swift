import ArgumentParser
import Jobs
import Recordings
import Reports
import Workers

/// Why a settings file is not used.
struct SettingsFault: Error, Hashable {
    /// As displayed.
    var file: Pathname
    /// From 1; `nil` if it is about the file as a whole.
    var line: Int?
    var sentence: String

    /// As compilers write it, so that editors find the place.
    var text: String {
        // It may quote the file, whose control characters must not reach a terminal.
        "\(file.displayText):\(line.map { "\($0):" } ?? "") \(Pathname(sentence).displayText)"
    }
}

/// Settings files: options by their names, parsed as on the command line.
enum SettingsFile {
    /// The table that holds one for each folder.
    private static let folders = "folder"
    private static let preset = "preset"

    /// - Parameter shown: the path for messages.
    /// - Returns: `nil` if there is no such file.
    static func read(
        _ path: Pathname, shown: Pathname
    ) throws(SettingsFault) -> FileSettings? {
        do throws(SettingsDocument.Fault) {
            return try SettingsDocument(reading: path).map(settings)
        } catch {
            throw SettingsFault(file: shown, line: error.line, sentence: error.sentence)
        }
    }

    /// - Parameter text: a whole file.
    static func settings(ofText text: String) throws(SettingsDocument.Fault) -> FileSettings {
        try settings(of: SettingsDocument(text))
    }

    private static func settings(
        of document: SettingsDocument
    ) throws(SettingsDocument.Fault) -> FileSettings {
        var settings = FileSettings()
        // By line, so that the first error of the file is told.
        for table in document.tables.sorted(by: { $0.line < $1.line }) {
            switch table.path.count {
            case 0:
                settings.isWhole = table.entries.contains { $0.key == preset }
                settings.usual = try self.settings(of: table, Settings.members)
            case 1 where table.path == [folders]:
                guard let first = table.entries.first else { continue }
                throw SettingsDocument.Fault(
                    line: first.line,
                    "'\(first.key)' belongs below a folder's name, as in [folder.calls]")
            case 2 where table.path[0] == folders:
                let folder = try folder(table.path[1], line: table.line)
                guard settings.folders[folder] == nil else {
                    throw SettingsDocument.Fault(
                        line: table.line, "there is a table for this folder before")
                }
                let members = Settings.members.filter(\.isOfFolders)
                settings.folders[folder] = try self.settings(of: table, members)
            default: throw unknown(table)
            }
        }
        return settings
    }

    private static func unknown(_ table: SettingsDocument.Table) -> SettingsDocument.Fault {
        SettingsDocument.Fault(
            line: table.line,
            "there is no table [\(table.path.joined(separator: "."))]; settings of a folder are"
                + " in one such as [folder.calls] or [folder.\"calls/2026\"]")
    }

    private static func folder(
        _ name: String, line: Int
    ) throws(SettingsDocument.Fault) -> Pathname {
        let path = Pathname(argument: name)
        let names = path.components
        guard !path.isAbsolute, !names.isEmpty, !names.contains(".."), !names.contains(".") else {
            throw SettingsDocument.Fault(
                line: line,
                "[folder.\"\(name)\"] is to name a folder below the one of this file, such as"
                    + " [folder.calls] or [folder.\"calls/2026\"]")
        }
        return names.reduce(.empty) { $0.appending($1) }
    }

    /// The settings of a table's keys.
    private static func settings(
        of table: SettingsDocument.Table, _ members: [Settings.Member]
    ) throws(SettingsDocument.Fault) -> Settings {
        var base = Settings()
        var words: [[String]] = []
        for entry in table.entries {
            if entry.key == preset {
                // Of a preset, a folder takes what it may have.
                let chosen = try chosen(entry).settings
                for member in members { member.take(&base, chosen) }
                words.append([])
            } else {
                words.append(try SettingsWords.words(for: entry, members))
            }
        }
        do {
            return base.changed(by: try ResultOptions.parse(words.flatMap { $0 }).given)
        } catch {
            throw fault(words, table)
        }
    }

    private static func chosen(
        _ entry: SettingsDocument.Entry
    ) throws(SettingsDocument.Fault) -> Preset {
        guard case .text(let name) = entry.value, let preset = try? Preset.named(name) else {
            throw SettingsDocument.Fault(
                line: entry.line, "preset is one of \(Preset.names)")
        }
        return preset
    }

    /// The first key that is wrong, by itself or after those before it, and why.
    private static func fault(
        _ words: [[String]], _ table: SettingsDocument.Table
    ) -> SettingsDocument.Fault {
        for (index, entry) in table.entries.enumerated() {
            do {
                _ = try ResultOptions.parse(words[...index].flatMap { $0 })
            } catch {
                return SettingsDocument.Fault(
                    line: entry.line, ResultOptions.message(for: error))
            }
        }
        return SettingsDocument.Fault(line: table.line, "its keys cannot be combined")
    }
}
