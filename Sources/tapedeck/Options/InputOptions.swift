import ArgumentParser
import Jobs
import Recordings

/// Options for files whose names or contents do not say that they are recordings.
struct InputOptions: ParsableArguments {
    @Flag(
        inversion: .prefixedNo,
        help: "Process the first audio track of videos in folders (mp4, mov, mkv, webm, …).")
    var video: Bool?

    @Option(help: InputOptions.rawHelp, transform: RawRule.init)
    var raw: [RawRule] = []

    static let rawHelp = ArgumentHelp(
        "Read files without a header as this encoding, rate and channels, such as"
            + " *.pcm=s16le,8000,1; may be repeated.",
        valueName: "pattern=format")

    /// Copies the given options into settings.
    func apply(to settings: inout Settings) {
        settings.video = video
        settings.raw = raw.isEmpty ? nil : raw.map(\.rule)
    }
}

/// A pattern of file names and a format, as in `*.pcm=s16le,8000,1`.
struct RawRule {
    let rule: InputRules.Raw

    @Sendable init(_ argument: String) throws {
        guard let sign = argument.lastIndex(of: "="), sign > argument.startIndex else {
            throw ValidationError(
                "--raw needs a pattern of file names and a format, such as *.pcm=s16le,8000,1, not"
                    + " \(argument)")
        }
        let text = String(argument[argument.index(after: sign)...])
        guard let format = RawFormat(text: text) else {
            throw ValidationError(
                "--raw takes an encoding, a rate in hertz and a number of channels, such as"
                    + " s16le,8000,1, not \(text); encodings are "
                    + RawFormat.encodingNames.joined(separator: ", "))
        }
        let pattern = Pathname(argument: String(argument[..<sign]))
        guard pattern.isSingleName else {
            throw ValidationError(
                "--raw matches names of files, without folders, not \(pattern.displayText)")
        }
        rule = InputRules.Raw(pattern: pattern, format: format)
    }
}
