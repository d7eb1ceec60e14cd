import ArgumentParser
import Exports
import Jobs

/// Options for what runs write for other programs.
struct ExportOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Keep exports in these formats up to date in the output, such as csv,rttm; none ends it. tapedeck export --list prints all.",
            valueName: "format,..."),
        transform: formats(in:))
    var export: [[String]] = []

    @Flag(
        inversion: .prefixedNo,
        help: "Write every segment of sound to a file of its own, in folders named segments.")
    var split: Bool?

    @Flag(
        inversion: .prefixedNo,
        help: "Make pages to look at and listen to, index.html in the output and its folders.")
    var report: Bool?

    /// Copies the given options into settings.
    func apply(to settings: inout Settings) {
        settings.export = export.isEmpty ? nil : Set(export.joined()).sorted()
        settings.split = split
        settings.report = report
    }

    private static func formats(in list: String) throws -> [String] {
        if list == "none" { return [] }
        return try list.split(separator: ",", omittingEmptySubsequences: false).map {
            let format = try ExportFormats.format(named: String($0))
            guard format.links == nil else {
                throw ValidationError(
                    "\(format.name) makes links, which runs do not keep up to date; use tapedeck"
                        + " export, or --split")
            }
            return format.name
        }
    }
}

extension ExportFormats {
    /// The format of this name, as typed by the user.
    static func format(named name: String) throws -> any ExportFormat.Type {
        guard let format = named(name) else {
            let names = all.map { $0.name }.joined(separator: ", ")
            throw ValidationError("there is no format '\(name)'; choose one of \(names)")
        }
        return format
    }
}
