import ArgumentParser
import Jobs
import Workers

/// Settings for a kind of work: a settings file that comes with the command.
struct Preset: Hashable, Sendable {
    let name: String
    /// As a settings file, with a comment in front that says what for.
    let text: String

    static let all = [
        Preset("podcast", PackageResources.podcast_toml),
        Preset("speech-data", PackageResources.speech_data_toml),
        Preset("birds", PackageResources.birds_toml),
        Preset("archive", PackageResources.archive_toml),
        Preset("calls", PackageResources.calls_toml),
    ]

    static let names = all.map(\.name).joined(separator: ", ")

    private init(_ name: String, _ bytes: [UInt8]) {
        self.name = name
        text = String(decoding: bytes, as: UTF8.self)
    }

    @Sendable static func named(_ name: String) throws -> Preset {
        guard let preset = all.first(where: { $0.name == name }) else {
            throw ValidationError("presets are \(names)")
        }
        return preset
    }

    var settings: Settings {
        do throws(SettingsDocument.Fault) {
            return try SettingsFile.settings(ofText: text).usual
        } catch {
            preconditionFailure("preset \(name), line \(error.line ?? 0): \(error.sentence)")
        }
    }

    /// What it is for: the first comment, without its signs.
    var summary: String {
        text.split(separator: "\n").prefix { $0.hasPrefix("#") }
            .map { $0.drop { "# ".contains($0) } }.joined(separator: " ")
    }
}
