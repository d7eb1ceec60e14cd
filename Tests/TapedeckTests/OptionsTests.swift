import ArgumentParser
import Jobs
import Recordings
import Testing

@testable import tapedeck

@Suite struct OptionsTests {
    private func recipe(_ options: String...) throws -> Recipe {
        try RunCommand.parse(["folder"] + options).work.given.recipe
    }

    @Test func defaultOptionsGiveDefaultRecipe() throws {
        #expect(try recipe() == Recipe())
    }

    @Test func trimOptionsSetRecipe() throws {
        var expected = Recipe()
        expected.trim.mode = .gaps
        expected.trim.keepSilenceSeconds = 0
        expected.trim.longestGapSeconds = 0.25
        expected.trim.fadeMilliseconds = 12.5
        expected.trim.format = .flac
        let options = [
            "--trim", "gaps", "--keep-silence", "0", "--longest-gap=.25", "--fade-milliseconds",
            "12.5", "--trim-format", "flac",
        ]
        #expect(try RunCommand.parse(["folder"] + options).work.given.recipe == expected)
        #expect(try recipe("--trim", "off").trim.mode == .off)
        let share = try recipe("--trim", "gaps", "--shrink-gaps", "0.5").trim
        #expect(share.keptGapShare == 0.5 && share.longestGapSeconds == nil)
        let both = try recipe("--trim=gaps", "--shrink-gaps", "0.5", "--longest-gap", "2").trim
        #expect(both.keptGapShare == 0.5 && both.longestGapSeconds == 2)
        #expect(try recipe("--trim-format=wav").trim.format == .wav)
        #expect(try recipe("--min-confidence", "0.7").trim.minimumConfidence == 0.7)
        #expect(try recipe("--min-confidence", "0") == Recipe())
    }

    @Test func silenceOptionsSetRecipe() throws {
        #expect(try recipe("--min-silence", "0.05").silence.minimumSeconds == 0.05)
        #expect(try recipe("--detector", "classical").silence.detector == .classical)
        #expect(try recipe("--detector", "learned") == Recipe())
        #expect(throws: (any Error).self) { try recipe("--detector", "neural") }
        #expect(try recipe("--min-sound=.1").silence.minimumSoundSeconds == 0.1)
        #expect(try recipe("--activity", "any").silence.activity == .any)
        #expect(try recipe("--activity", "any").silence.detector == .classical)
        #expect(try recipe("--activity", "voice").silence.activity == .voice)
        #expect(try recipe("--activity", "voice").silence.goesByNetwork)
        let zeros = try recipe(
            "--sensitivity", "-0", "--keep-silence", "-0", "--threshold", "-0dBFS")
        #expect(zeros.silence.sensitivityDecibels.sign == .plus)
        #expect(zeros.trim.keepSilenceSeconds.sign == .plus)
        #expect(zeros.silence.thresholdDBFS?.sign == .plus)
        #expect(try recipe("--sensitivity", "-3").silence.sensitivityDecibels == -3)
        #expect(try recipe().silence.thresholdDBFS == nil)
    }

    @Test(arguments: ["-45dBFS", "-45", "-45.0dB", "-45DBFS"])
    func thresholdAcceptsOptionalUnit(level: String) throws {
        #expect(try recipe("--threshold", level).silence.thresholdDBFS == -45)
        #expect(try recipe("--threshold", level).silence.detector == .classical)
    }

    @Test func waveformOptionsSetRecipe() throws {
        var expected = Recipe()
        expected.waveform.samplesPerPixel = [256, 1024, 2]
        expected.waveform.bits = 16
        expected.waveform.format = .json
        expected.waveform.splitChannels = true
        let options = [
            "--samples-per-pixel", "256,1024,2", "--waveform-bits", "16", "--waveform-format",
            "json", "--split-channels",
        ]
        #expect(try RunCommand.parse(["folder"] + options).work.given.recipe == expected)
    }

    @Test func zoomsAndSubjectsSetRecipe() throws {
        var expected = Recipe()
        expected.waveform.subjects = [.source, .trimmed]
        expected.waveform.pixelsPerSecond = 50
        for subjects in ["source,trimmed", "trimmed,source", "both"] {
            #expect(
                try recipe("--waveform-of", subjects, "--pixels-per-second", "50") == expected)
        }
        #expect(try recipe("--waveform-of", "trimmed").waveform.subjects == [.trimmed])
        #expect(try recipe("--waveform-of", "source") == Recipe())
        #expect(try recipe("--points", "800").waveform.points == 800)
        let float = try recipe("--waveform-format", "float-json").waveform
        #expect(float.format == .floatJSON && float.bits == 16)
    }

    @Test func runOptionsAreParsed() throws {
        let command = try RunCommand.parse(
            [
                "a", "--output", "out", "b", "--jobs", "3", "--dry-run", "--force", "--json",
                "--quiet", "--trace", "run.trace",
            ])
        #expect(command.work.paths == ["a", "b"])
        #expect(command.work.output == "out")
        #expect(command.work.jobs == 3)
        #expect(command.work.trace == "run.trace")
        #expect(command.dryRun && command.force && command.work.json && command.work.quiet)
    }

    @Test func rememberedFlagsCanBeSwitchedOff() throws {
        let options = ["video", "strict", "checksums", "split-channels"]
        let on = try RunCommand.parse(["a"] + options.map { "--\($0)" }).work.given
        #expect(on.video == true && on.strict == true && on.checksums == true)
        #expect(on.splitChannels == true)
        let off = try RunCommand.parse(["a"] + options.map { "--no-\($0)" }).work.given
        #expect(off.video == false && off.strict == false && off.checksums == false)
        #expect(off.splitChannels == false)
        #expect(try RunCommand.parse(["a"]).work.given == Settings())
    }

    @Test func filtersAreParsed() throws {
        let work = try RunCommand.parse([
            "a", "--exclude", "x/", "--exclude=-y", "--include", "", "--files-from", "-",
            "--newer-than", "2026-03-01T00:00Z",
        ]).work
        #expect(work.given.exclude?.map(\.pattern) == ["x/", "-y"])
        #expect(work.given.include == [] && work.results.filters.filesFrom == "-")
        var settings = Settings()
        settings.include = [Glob("z")].compactMap { $0 }
        let filter = work.configuration(
            OutputSettings(settings.changed(by: work.given))
        ).rules.filter
        #expect(filter.exclude.count == 2 && filter.include.isEmpty)
        #expect(filter.newerThanNanoseconds == 1_772_323_200_000_000_000)
        #expect(try RunCommand.parse(["a"]).work.given.exclude == nil)
    }

    @Test func replayOptionsAreParsed() throws {
        let whole = try ReplayCommand.parse(["run.trace"])
        #expect(whole.file == "run.trace")
        #expect(whole.until == nil && !whole.json)
        let part = try ReplayCommand.parse(["run.trace", "--until", "0", "--json"])
        #expect(part.until == 0 && part.json)
    }

    @Test func explainRetryChecksumAndPruneFlagsAreParsed() throws {
        let plain = try RunCommand.parse(["a"]).work
        #expect(!plain.explain && !plain.repeats.retryFailed && plain.given.checksums == nil)
        #expect(!plain.repeats.prune)
        let command = try RunCommand.parse(
            ["a", "--explain", "--retry-failed", "--checksums", "--prune"])
        let work = command.work
        #expect(
            work.explain && work.repeats.retryFailed && work.given.checksums == true
                && work.repeats.prune)
        #expect(!command.force && !command.dryRun)
    }

    @Test func runOptionsSetJobStoreConfiguration() throws {
        func asked(_ options: String...) throws -> JobStore.Configuration {
            let command = try RunCommand.parse(["a"] + options)
            return command.asked(OutputSettings(command.work.given))
        }
        var expected = JobStore.Configuration()
        #expect(try asked() == expected)
        expected.prunesMissing = true
        #expect(try asked("--prune") == expected)
        expected.retriesFailed = true
        expected.wantsChecksums = true
        expected.explains = true
        #expect(
            try asked("--prune", "--retry-failed", "--checksums", "--explain") == expected)
        expected = JobStore.Configuration()
        expected.isDryRun = true
        expected.redoesAll = true
        #expect(try asked("--dry-run", "--force") == expected)
    }

    @Test func watchOptionsSetJobStoreConfiguration() throws {
        func asked(_ options: [String] = []) throws -> JobStore.Configuration {
            let command = try WatchCommand.parse(["a"] + options)
            return command.asked(OutputSettings(command.work.given))
        }
        var expected = JobStore.Configuration()
        expected.watch = WatchPolicy()
        #expect(try asked() == expected)
        expected.prunesMissing = true
        expected.recipes.usual.value.trim.mode = .off
        expected.watch = WatchPolicy(
            settleSeconds: 0.5, giveUpSeconds: 30, pollSeconds: 10, endsWhenIdle: true)
        let options = [
            "--prune", "--trim", "off", "--settle-seconds", "0.5", "--give-up-seconds", "30",
            "--poll", "10", "--once-idle",
        ]
        #expect(try asked(options) == expected)
    }

    @Test func pathWithLeadingDashIsAcceptedAfterDoubleDash() throws {
        #expect(try RunCommand.parse(["--", "-a.wav"]).work.paths == ["-a.wav"])
    }

    @Test func eachCommandIsFoundByName() throws {
        #expect(try Tapedeck.parseAsRoot(["run", "a"]) is RunCommand)
        #expect(try Tapedeck.parseAsRoot(["watch", "a"]) is WatchCommand)
        #expect(try Tapedeck.parseAsRoot(["replay", "a"]) is ReplayCommand)
    }
}
