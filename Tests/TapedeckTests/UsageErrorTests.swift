import ArgumentParser
import Jobs
import Recordings
import Testing

@testable import tapedeck

@Suite struct UsageErrorTests {
    private static let sentences: [([String], String)] = [
        (
            ["--min-silence", "0.01"],
            "--min-silence takes 0.05 to 3600 seconds, such as 0.5, not 0.01"
        ),
        (
            ["--min-sound", "-1"],
            "--min-sound takes 0 to 3600 seconds, such as 0.2, not -1"
        ),
        (
            ["--sensitivity", "30"],
            "--sensitivity takes -20 to 20 decibels, such as 3, not 30"
        ),
        (
            ["--threshold", "45dBFS"],
            "--threshold takes -100 to 0 dBFS, such as -45dBFS, not 45"
        ),
        (
            ["--min-silence", "nan"],
            "--min-silence takes 0.05 to 3600 seconds, such as 0.5, not nan"
        ),
        (
            ["--min-silence", "3601"],
            "--min-silence takes 0.05 to 3600 seconds, such as 0.5, not 3601"
        ),
        (
            ["--exclude", "../x"],
            "The value '../x' is invalid for '--exclude <pattern>': give a name or a path below the"
                + " recordings, such as '*.wav' or drafts/"
        ),
        (
            ["--newer-than", "lately"],
            "The value 'lately' is invalid for '--newer-than <time>': give a date (2026-03-01), a"
                + " date and time (2026-03-01T12:00) or an age (12h, 7d)"
        ),
        (
            ["--files-from", "-", "b"],
            "--files-from needs one folder, to which the paths in the list are relative"
        ),
        (["--keep-silence", "-1"], "--keep-silence takes 0 to 3600 seconds, such as 0.25, not -1"),
        (["--keep-silence=-0.5"], "--keep-silence takes 0 to 3600 seconds, such as 0.25, not -0.5"),
        (
            ["--keep-silence", "inf"],
            "--keep-silence takes 0 to 3600 seconds, such as 0.25, not inf"
        ),
        (
            ["--trim", "gaps", "--shrink-gaps", "50"],
            "--shrink-gaps takes 0 to 1 of each gap, such as 0.5, not 50"
        ),
        (
            ["--shrink-gaps", "0.5", "--trim", "edges"],
            "--shrink-gaps is about inner silences, which only --trim gaps cuts; add that"
        ),
        (
            ["--longest-gap", "2", "--trim", "off"],
            "--longest-gap is about inner silences, which only --trim gaps cuts; add that"
        ),
        (
            ["--trim", "off", "--keep-silence", "0"],
            "--keep-silence is about trimmed copies, of which --trim off makes none; leave one of"
                + " them out"
        ),
        (
            ["--fade-milliseconds", "5", "--trim=off"],
            "--fade-milliseconds is about trimmed copies, of which --trim off makes none; leave one"
                + " of them out"
        ),
        (
            ["--trim", "off", "--trim-format", "auto"],
            "--trim-format is about trimmed copies, of which --trim off makes none; leave one of"
                + " them out"
        ),
        (
            ["--activity", "voice", "--detector", "classical"],
            "--detector classical cannot tell voices from music; leave it or --activity voice out"
        ),
        (
            ["--activity", "voice", "--threshold", "-45"],
            "--threshold goes by the level alone, whatever sounds; leave it or --activity voice out"
        ),
        (
            ["--min-confidence", "70"],
            "--min-confidence takes 0 to 1 as a share, such as 0.7, not 70"
        ),
        (
            ["--min-confidence", "0.7", "--trim", "off"],
            "--min-confidence is about trimmed copies, of which --trim off makes none; leave one of"
                + " them out"
        ),
        (
            ["--min-confidence", "0.7", "--threshold", "-45"],
            "--threshold decides by the level, without confidence; leave it or --min-confidence out"
        ),
        (
            ["--longest-gap", "1e300"],
            "--longest-gap takes 0 to 3600 seconds, such as 1, not 1e+300"
        ),
        (
            ["--fade-milliseconds", "1001"],
            "--fade-milliseconds takes 0 to 1000 milliseconds, such as 5, not 1001"
        ),
        (["--waveform-bits", "12"], "--waveform-bits is 8 or 16, not 12"),
        (["--waveform-bits", "-8"], "--waveform-bits is 8 or 16, not -8"),
        (
            ["--trim", "off", "--waveform-of", "source,trimmed"],
            "--waveform-of trimmed is about trimmed copies, of which --trim off makes none; leave"
                + " one of them out"
        ),
        (
            ["--waveform-of", "source,source"],
            "The value 'source,source' is invalid for '--waveform-of <waveform-of>'. Please"
                + " provide one of 'source', 'trimmed' or 'both'."
        ),
        (
            ["--points", "800", "--samples-per-pixel", "256"],
            "--samples-per-pixel and --points both set the zoom; give one of them"
        ),
        (
            ["--points", "800", "--pixels-per-second", "50"],
            "--pixels-per-second and --points both set the zoom; give one of them"
        ),
        (["--points", "0"], "--points takes 1 to 100000, such as 1000, not 0"),
        (
            ["--pixels-per-second", "-1"],
            "--pixels-per-second takes 1 to 1000000, such as 100, not -1"
        ),
        (
            ["--waveform-format", "float-json", "--waveform-bits", "8"],
            "--waveform-bits is about dat and json; --waveform-format float-json has 16 always"
        ),
        (
            ["--samples-per-pixel", "1"],
            "--samples-per-pixel takes 2 to 2147483647, such as 256, not 1"
        ),
        (
            ["--samples-per-pixel", "-256"],
            "--samples-per-pixel takes 2 to 2147483647, such as 256, not -256"
        ),
        (
            ["--samples-per-pixel", "256,2147483648"],
            "--samples-per-pixel takes 2 to 2147483647, such as 256, not 2147483648"
        ),
        (
            ["--samples-per-pixel", "256,512,256"],
            "--samples-per-pixel names a zoom twice; name each once"
        ),
        (
            ["--samples-per-pixel", (2...18).map(String.init).joined(separator: ",")],
            "--samples-per-pixel takes at most 16 zooms, not 17"
        ),
        (["--jobs", "0"], "--jobs takes 1 to 1024, not 0"),
        (["--jobs", "-1"], "--jobs takes 1 to 1024, not -1"),
        (["--jobs", "1025"], "--jobs takes 1 to 1024, not 1025"),
        (["--output", ""], "a path cannot be empty; write . for this folder"),
        (["--trace", ""], "a path cannot be empty; write . for this folder"),
        ([""], "a path cannot be empty; write . for this folder"),
        (
            ["--trim", "middle"],
            "The value 'middle' is invalid for '--trim <trim>'."
                + " Please provide one of 'edges', 'gaps' or 'off'."
        ),
        (
            ["--trim-format", "mp3"],
            "The value 'mp3' is invalid for '--trim-format <trim-format>'."
                + " Please provide one of 'auto', 'wav' or 'flac'."
        ),
        (
            ["--waveform-format", "png"],
            "The value 'png' is invalid for '--waveform-format <waveform-format>'."
                + " Please provide one of 'dat', 'json' or 'float-json'."
        ),
        (
            ["--samples-per-pixel", "256,,512"],
            "The value '256,,512' is invalid for '--samples-per-pixel <count,...>'"
        ),
        (
            ["--threshold", "loud"],
            "The value 'loud' is invalid for '--threshold <level>'"
        ),
        (
            ["--min-silence", "short"],
            "The value 'short' is invalid for '--min-silence <seconds>'"
        ),
        (["--jobs", "two"], "The value 'two' is invalid for '--jobs <n>'"),
        (["--loudness"], "Unknown option '--loudness'"),
    ]

    @Test(arguments: sentences.indices)
    func invalidRunOptionsHaveExpectedMessages(index: Int) throws {
        let (options, sentence) = Self.sentences[index]
        let error = try #require(throws: (any Error).self) {
            try Tapedeck.parseAsRoot(["run", "folder"] + options)
        }
        #expect(Tapedeck.exitCode(for: error).rawValue == Status.usage.rawValue)
        #expect(
            Tapedeck.message(for: error).split(separator: "\n").first.map(String.init) == sentence)
    }

    private static let replays: [([String], String)] = [
        ([""], "a path cannot be empty"),
        (["run.trace", "--until", "-1"], "--until takes a number of actions, not -1"),
        (["run.trace", "--until", "x"], "The value 'x' is invalid for '--until <n>'"),
        (["run.trace", "another"], "Unexpected argument 'another'"),
    ]

    @Test(arguments: replays.indices)
    func invalidReplayArgumentsHaveExpectedMessages(index: Int) throws {
        let (arguments, sentence) = Self.replays[index]
        let error = try #require(throws: (any Error).self) {
            try Tapedeck.parseAsRoot(["replay"] + arguments)
        }
        #expect(Tapedeck.exitCode(for: error).rawValue == Status.usage.rawValue)
        #expect(
            Tapedeck.message(for: error).split(separator: "\n").first.map(String.init) == sentence)
    }

    @Test(arguments: [
        (["--picture", "a.gif"], "--picture draws a .png or .svg, such as why.png, not a.gif"),
        (["--picture", "a"], "--picture draws a .png or .svg, such as why.png, not a"),
        (
            ["--picture", "a.png", "--width", "299"],
            "--width takes 300 to 10000 pixels, not 299"
        ),
        (
            ["--picture", "a.svg", "--width", "10001"],
            "--width takes 300 to 10000 pixels, not 10001"
        ),
        (
            ["--picture", "a.png", "--start", "1:30", "--end", "90"],
            "--start 1:30 is not before --end 90"
        ),
        (["--picture", "a.png", "--end", "0"], "--end 0 leaves nothing to draw"),
        (
            ["--start", "3"],
            "--start is about the picture; add --picture why.png, or leave it out"
        ),
        (
            ["--picture", "a.png", "--start", "soon"],
            "The value 'soon' is invalid for '--start <time>'"
        ),
    ])
    func invalidPictureOptionsHaveExpectedMessages(options: [String], sentence: String) throws {
        let error = try #require(throws: (any Error).self) {
            try Tapedeck.parseAsRoot(["inspect", "a.wav"] + options)
        }
        #expect(Tapedeck.exitCode(for: error).rawValue == Status.usage.rawValue)
        #expect(
            Tapedeck.message(for: error).split(separator: "\n").first.map(String.init) == sentence)
    }

    /// What would make a run without end do the same for ever, or nothing at all, it does not know.
    @Test(arguments: [
        (
            ["--settle-seconds", "0"],
            "--settle-seconds takes 0.1 to 3600 seconds, such as 2, not 0"
        ),
        (
            ["--settle-seconds", "-1"],
            "--settle-seconds takes 0.1 to 3600 seconds, such as 2, not -1"
        ),
        (
            ["--settle-seconds", "nan"],
            "--settle-seconds takes 0.1 to 3600 seconds, such as 2, not nan"
        ),
        (["--poll", "0"], "--poll takes 0.1 to 86400 seconds, such as 5, not 0"),
        (["--poll", "86401"], "--poll takes 0.1 to 86400 seconds, such as 5, not 86401"),
        (
            ["--give-up-seconds", "0.5"],
            "--give-up-seconds takes 1 to 604800 seconds, such as 600, not 0.5"
        ),
        (
            ["--give-up-seconds=604801"],
            "--give-up-seconds takes 1 to 604800 seconds, such as 600, not 604801"
        ),
        (["--poll", "often"], "The value 'often' is invalid for '--poll <seconds>'"),
        (["--jobs", "0"], "--jobs takes 1 to 1024, not 0"),
        (["--waveform-bits", "12"], "--waveform-bits is 8 or 16, not 12"),
        ([""], "a path cannot be empty; write . for this folder"),
        (["--force"], "watch has no --force; run tapedeck run --force, then watch"),
        (["--dry-run"], "Unknown option '--dry-run'"),
    ])
    func invalidWatchOptionsHaveExpectedMessages(options: [String], sentence: String) throws {
        let error = try #require(throws: (any Error).self) {
            try Tapedeck.parseAsRoot(["watch", "folder"] + options)
        }
        #expect(Tapedeck.exitCode(for: error).rawValue == Status.usage.rawValue)
        #expect(
            Tapedeck.message(for: error).split(separator: "\n").first.map(String.init) == sentence)
    }

    @Test(arguments: [
        (["status", ""], "a path cannot be empty; write . for this folder"),
        (["verify", ""], "a path cannot be empty; write . for this folder"),
        (["verify", "a", "--recordings", ""], "a path cannot be empty; write . for this folder"),
        (["verify", "a", "--jobs", "-1"], "--jobs takes 1 to 1024, not -1"),
    ])
    func invalidArgumentsHaveExpectedMessages(arguments: [String], sentence: String) throws {
        let error = try #require(throws: (any Error).self) {
            try Tapedeck.parseAsRoot(arguments)
        }
        #expect(Tapedeck.exitCode(for: error).rawValue == Status.usage.rawValue)
        #expect(Tapedeck.message(for: error) == sentence)
    }

    @Test(arguments: [
        ["run"], ["watch"], ["walk"], ["run", "--jobs"], ["status"], ["verify"], ["replay"],
    ])
    func incompleteCommandLineIsRefused(arguments: [String]) throws {
        let error = try #require(throws: (any Error).self) {
            try Tapedeck.parseAsRoot(arguments)
        }
        #expect(Tapedeck.exitCode(for: error).rawValue == Status.usage.rawValue)
    }
}

@Suite struct DashedNameTests {
    private func sentence(_ line: String) -> String? {
        do {
            try Tapedeck.requireNoDashedName(line.split(separator: " ").map(String.init))
            return nil
        } catch {
            return Tapedeck.message(for: error)
        }
    }

    @Test(arguments: [
        "", "run talks", "run -h talks", "run talks --threshold -30dBFS", "run ./-hello.wav",
        "run -- -hello.wav", "--help", "map a.json a.wav --to-source -1.5 -", "run -é",
    ])
    func otherArgumentsAreLeftToParser(line: String) {
        #expect(sentence(line) == nil)
    }

    @Test(arguments: ["run talks -hello.wav", "-hello.wav", "status -hello.wav --json"])
    func fileNameWithLeadingDashIsReported(line: String) {
        #expect(
            sentence(line)
                == "'-hello.wav' is no option; before a name that begins so, write ./")
    }
}

@Suite struct ArgumentTextTests {
    /// Text, what is not UTF-8 at each place, and characters that are used as stand-ins.
    private static let words: [[UInt8]] = [
        [], Array("run".utf8), Array("cafe\u{301}".utf8), Array("caf\u{E9}".utf8),
        Array("a\u{FFFD}".utf8), [0x61, 0xFF], [0xFE, 0x61], [0x61, 0xC3], [0xE2, 0x82],
        [0xED, 0xA0, 0x80], [0xC0, 0xAF], Array(0x80...0xFF), Array("\u{10FF7F}".utf8),
        Array("\u{10FF80}\u{10FFFF}".utf8), [0xF4, 0x8F] + Array("\u{10FFFE}".utf8),
    ]

    @Test func argumentBytesRoundTrip() {
        for word in Self.words {
            let text = ArgumentText.text(of: word)
            #expect(ArgumentText.bytes(of: text) == word)
            #expect(Pathname(argument: text) == Pathname(bytes: word))
        }
        let texts = Self.words.map { Array(ArgumentText.text(of: $0).utf8) }
        #expect(Set(texts).count == Self.words.count)
    }

    @Test func validUTF8TextIsUnchanged() {
        for text in ["--output=a", "caf\u{E9}", "a\u{FFFD}", "\u{1F399}"] {
            #expect(ArgumentText.text(of: Array(text.utf8)).utf8.elementsEqual(text.utf8))
        }
    }
}

/// What is added to, or taken away from, what the parser says.
@Suite struct UsageMessageTests {
    private func message(_ words: String...) -> String {
        do {
            _ = try Tapedeck.parseAsRoot(words)
            return ""
        } catch {
            let text = UsageMessage.text(Tapedeck.fullMessage(for: error), for: words)
            return String(text.split(separator: "\n").first ?? "")
        }
    }

    @Test func drasticOptionsAreNeverSuggested() {
        for word in ["--forse", "--format", "--prun", "--retry-faild", "--move", "--default"] {
            let text = message("run", "a", word)
            #expect(text == "Error: Unknown option '\(word)'", "\(text)")
        }
    }

    @Test func suggestionTakesAValueIfOneIsThere() {
        #expect(
            message("run", "a", "--outptu", "b")
                == "Error: Unknown option '--outptu'. Did you mean '--output'?")
        #expect(message("run", "a", "--outptu") == "Error: Unknown option '--outptu'")
        #expect(
            message("run", "--quite", "a")
                == "Error: Unknown option '--quite'. Did you mean '--quiet'?")
        #expect(message("run", "a", "--quite=1") == "Error: Unknown option '--quite'")
    }

    @Test(arguments: [
        ("--keep-silence", "0,5", "; write 0.5 (seconds)"),
        ("--max-hours", "99999999999999999999999h", "; write 1e+23 (hours)"),
        ("--keep-silence", "500ms", "; write 0.5 (seconds)"),
        ("--keep-silence", "2s", "; write 2 (seconds)"),
        ("--longest-gap", "1,5min", "; write 90 (seconds)"),
        ("--fade-milliseconds", "0.01s", "; write 10 (milliseconds)"),
        ("--max-hours", "90min", "; write 1.5 (hours)"),
        ("--shrink-gaps", "50%", "; write 0.5"),
        ("--sensitivity", "-3dB", "; write -3 (dB)"),
        ("--keep-silence", "half", ""), ("--jobs", "1,5", ""), ("--keep-silence", "1.2.3", ""),
        ("--trim", "0,5", ""),
    ])
    func numberWithCommaOrUnitIsToldAsItWouldBeRight(
        option: String, value: String, hint: String
    ) {
        let text = message("run", "a", option, value)
        #expect(text.hasPrefix("Error: The value '\(value)' is invalid for '\(option)"))
        #expect(hint.isEmpty ? !text.contains("write") : text.hasSuffix(hint), "\(text)")
    }

    @Test(arguments: [
        (["-nv"], true), (["-j4"], true), (["-qh"], true), (["-j"], true), (["-n"], true),
        (["-notes.wav"], false), (["-outtakes.wav"], false), (["-j4x"], false), (["-vj4"], false),
        (["--", "-notes.wav"], true), (["-3"], true),
    ])
    func namesThatBeginWithADashAreRefused(words: [String], isAllowed: Bool) {
        let isRefused = (try? Tapedeck.requireNoDashedName(["run"] + words)) == nil
        #expect(isRefused != isAllowed)
    }

    @Test func shortHelpIsShortAndTellsOfTheLong() throws {
        #expect(ShortHelp.text(for: ["status", "-h"]) == nil)
        #expect(ShortHelp.text(for: ["run", "a"]) == nil)
        #expect(ShortHelp.text(for: ["run", "--", "-h"]) == nil)
        for command in [RunCommand.self, WatchCommand.self] as [any ParsableCommand.Type] {
            let name = try #require(command.configuration.commandName)
            let text = ShortHelp.text(of: command, columns: 80)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.count < 60)
            #expect(lines[0] == command.configuration.abstract)
            #expect(text.hasSuffix("tapedeck \(name) --help tells of all options.\n"))
            #expect(text.contains("-o, --output <dir>") && !text.contains("--points"))
            // No section without options.
            for (line, next) in zip(lines, lines.dropFirst()) where line.hasSuffix(":") {
                #expect(next.hasPrefix("  "), "\(line)")
            }
        }
    }
}
