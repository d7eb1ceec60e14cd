import ArgumentParser
import Jobs
import Recordings

/// Options for files whose names or contents do not say that they are recordings.
struct InputOptions: ParsableArguments {
    @Flag(help: "Process the first audio track of videos in folders (mp4, mov, mkv, webm, …).")
    var video = false

    @Option(help: InputOptions.rawHelp)
    var raw: [RawRule] = []

    static let rawHelp = ArgumentHelp(
        "Read files without a header as this encoding, rate and channels, such as"
            + " *.pcm=s16le,8000,1; may be repeated.",
        valueName: "pattern=format")

    var rules: InputRules {
        var rules = InputRules()
        rules.includesVideo = video
        rules.raw = raw.map(\.rule)
        return rules
    }
}

/// A pattern of file names and a format, as in `*.pcm=s16le,8000,1`.
struct RawRule: ExpressibleByArgument {
    let rule: InputRules.Raw

    init?(argument: String) {
        guard let sign = argument.lastIndex(of: "="), sign > argument.startIndex,
            let format = RawFormat(text: String(argument[argument.index(after: sign)...]))
        else { return nil }
        let pattern = Pathname(argument: String(argument[..<sign]))
        guard pattern.isSingleName else { return nil }
        rule = InputRules.Raw(pattern: pattern, format: format)
    }
}
