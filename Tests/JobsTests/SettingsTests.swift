import Foundation
import Jobs
import Recordings
import TestSupport
import Testing

/// Settings by the options' values; what is not named is not chosen.
private func settings(_ change: (inout Settings) -> Void) -> Settings {
    var settings = Settings()
    change(&settings)
    return settings
}

private func globs(_ patterns: Pathname...) -> [Glob] { patterns.compactMap(Glob.init) }

@Suite struct SettingsTests {
    private static let gaps = settings {
        $0.trim = .gaps
        $0.longestGapSeconds = 2
        $0.shrinkGaps = 0.5
        $0.keepSilenceSeconds = 0.1
        $0.fadeMilliseconds = 2
        $0.trimFormat = .flac
        $0.minSilenceSeconds = 0.3
    }

    /// What is remembered, what is given, and what becomes of it.
    private static let changes: [(Settings, Settings, Settings)] = [
        (gaps, Settings(), gaps),
        (Settings(), gaps, gaps),
        (gaps, settings { $0.trim = .gaps }, gaps),
        (
            gaps, settings { $0.minSilenceSeconds = 1 },
            gaps.changed { $0.minSilenceSeconds = 1 }
        ),
        (
            gaps, settings { $0.trim = .edges },
            gaps.changed { ($0.trim, $0.longestGapSeconds, $0.shrinkGaps) = (.edges, nil, nil) }
        ),
        (
            gaps, settings { $0.trim = .off },
            settings { ($0.trim, $0.minSilenceSeconds) = (.off, 0.3) }
        ),
        (
            settings { ($0.trim, $0.waveformBits) = (.off, 16) },
            settings { $0.keepSilenceSeconds = 1 },
            settings { ($0.keepSilenceSeconds, $0.waveformBits) = (1, 16) }
        ),
        (
            settings { $0.trim = .off }, settings { $0.fadeMilliseconds = 1 },
            settings { $0.fadeMilliseconds = 1 }
        ),
        (
            settings { $0.trim = .off }, settings { $0.minConfidence = 0.7 },
            settings { $0.minConfidence = 0.7 }
        ),
        (
            settings { $0.minConfidence = 0.7 }, settings { $0.trim = .off },
            settings { $0.trim = .off }
        ),
        (
            settings { $0.minConfidence = 0.7 }, settings { $0.thresholdDBFS = -40 },
            settings { $0.thresholdDBFS = -40 }
        ),
        (
            settings { $0.thresholdDBFS = -40 }, settings { $0.minConfidence = 0.7 },
            settings { $0.minConfidence = 0.7 }
        ),
        (
            settings { $0.trim = .off }, settings { $0.trimFormat = .wav },
            settings { $0.trimFormat = .wav }
        ),
        // Refused, as no --trim gaps is given.
        (
            settings { $0.trim = .off }, settings { $0.shrinkGaps = 0.5 },
            settings { ($0.trim, $0.shrinkGaps) = (.off, 0.5) }
        ),
        (
            settings { $0.activity = .any }, settings { $0.thresholdDBFS = -40 },
            settings { $0.thresholdDBFS = -40 }
        ),
        (
            settings { $0.detector = .learned }, settings { $0.thresholdDBFS = -40 },
            settings { $0.thresholdDBFS = -40 }
        ),
        (
            settings { $0.detector = .classical }, settings { $0.thresholdDBFS = -40 },
            settings { ($0.detector, $0.thresholdDBFS) = (.classical, -40) }
        ),
        (
            settings { $0.thresholdDBFS = -40 }, settings { $0.activity = .any },
            settings { $0.activity = .any }
        ),
        (
            settings { $0.detector = .learned }, settings { $0.activity = .any },
            settings { $0.activity = .any }
        ),
        (
            settings { $0.detector = .learned }, settings { $0.activity = .voice },
            settings { ($0.detector, $0.activity) = (.learned, .voice) }
        ),
        (
            settings { $0.detector = .classical }, settings { $0.activity = .voice },
            settings { $0.activity = .voice }
        ),
        (
            settings { $0.activity = .voice }, settings { $0.detector = .classical },
            settings { $0.detector = .classical }
        ),
        (
            settings { $0.activity = .voice }, settings { $0.thresholdDBFS = -40 },
            settings { $0.thresholdDBFS = -40 }
        ),
        (
            settings { $0.thresholdDBFS = -40 }, settings { $0.activity = .voice },
            settings { $0.activity = .voice }
        ),
        (
            settings { $0.thresholdDBFS = -40 }, settings { $0.activity = .speech },
            settings { ($0.thresholdDBFS, $0.activity) = (-40, .speech) }
        ),
        (
            settings { $0.thresholdDBFS = -40 }, settings { $0.detector = .learned },
            settings { $0.detector = .learned }
        ),
        (
            settings { $0.activity = .any }, settings { $0.detector = .learned },
            settings { $0.detector = .learned }
        ),
        (
            settings { $0.raw = rules("*.pcm", "*.bin") }, settings { $0.raw = rules("*.x") },
            settings { $0.raw = rules("*.x") }
        ),
        (
            settings { ($0.include, $0.exclude) = (globs("a", "b"), globs("c/")) },
            settings { $0.include = globs("d") },
            settings { ($0.include, $0.exclude) = (globs("d"), globs("c/")) }
        ),
        (
            settings { $0.exclude = globs("c/") }, settings { $0.exclude = [] },
            settings { $0.exclude = [] }
        ),
        (
            settings { ($0.video, $0.strict, $0.checksums) = (true, true, true) },
            settings { ($0.video, $0.strict, $0.splitChannels) = (false, false, false) },
            settings {
                ($0.video, $0.strict, $0.checksums, $0.splitChannels) = (false, false, true, false)
            }
        ),
        (
            settings { ($0.maxHours, $0.samplesPerPixel) = (3, [64]) },
            settings { ($0.maxHours, $0.waveformFormat) = (5, .json) },
            settings { ($0.maxHours, $0.samplesPerPixel, $0.waveformFormat) = (5, [64], .json) }
        ),
        (
            settings { $0.samplesPerPixel = [64] }, settings { $0.points = 800 },
            settings { $0.points = 800 }
        ),
        (
            settings { $0.points = 800 }, settings { $0.pixelsPerSecond = 50 },
            settings { $0.pixelsPerSecond = 50 }
        ),
        (
            settings { ($0.pixelsPerSecond, $0.waveformBits) = (50, 16) },
            settings { $0.samplesPerPixel = [256] },
            settings { ($0.samplesPerPixel, $0.waveformBits) = ([256], 16) }
        ),
        (
            settings { $0.waveformOf = [.source, .trimmed] }, settings { $0.trim = .off },
            settings { $0.trim = .off }
        ),
        (
            settings { $0.waveformOf = [.source] }, settings { $0.trim = .off },
            settings { ($0.trim, $0.waveformOf) = (.off, [.source]) }
        ),
        (
            settings { $0.trim = .off }, settings { $0.waveformOf = [.trimmed] },
            settings { $0.waveformOf = [.trimmed] }
        ),
    ]

    private static func rules(_ patterns: String...) -> [InputRules.Raw] {
        patterns.map {
            InputRules.Raw(
                pattern: Pathname($0), format: RawFormat(.pcm16, sampleRateHertz: 8000))
        }
    }

    @Test(arguments: changes.indices)
    func givenOptionsReplaceRemembered(index: Int) {
        let (remembered, given, expected) = Self.changes[index]
        #expect(remembered.changed(by: given) == expected)
        let change = SettingsChange(OutputSettings(remembered), given: given, forgets: true)
        #expect(change.after.usual == given && change.before.usual == remembered)
    }

    @Test func gapOptionIsRefusedWithoutGaps() {
        #expect(Self.gaps.optionWithoutGaps == nil)
        #expect(Self.changes[13].2.optionWithoutGaps == "--shrink-gaps")
        #expect(settings { $0.longestGapSeconds = 1 }.optionWithoutGaps == "--longest-gap")
    }

    private static let chosen: [Settings] = [
        Settings(), gaps, settings { ($0.trim, $0.samplesPerPixel) = (.off, [256, 1024]) },
        settings { ($0.trim, $0.longestGapSeconds) = (.gaps, 3) },
        settings { ($0.trim, $0.shrinkGaps) = (.gaps, 0.25) },
        settings { ($0.activity, $0.minSoundSeconds) = (.any, 0) },
        settings { ($0.thresholdDBFS, $0.sensitivityDecibels) = (-40, -3) },
        settings { ($0.detector, $0.keepSilenceSeconds) = (.classical, 1) },
        settings { ($0.trim, $0.minConfidence) = (.gaps, 0.7) },
        settings {
            ($0.waveformBits, $0.waveformFormat, $0.splitChannels) = (16, .json, true)
        },
        settings { ($0.waveformOf, $0.pixelsPerSecond) = ([.source, .trimmed], 50) },
        settings { ($0.points, $0.waveformFormat) = (800, .floatJSON) },
        // Beside a share, this is no default.
        settings { ($0.trim, $0.shrinkGaps, $0.longestGapSeconds) = (.gaps, 0.25, 1) },
    ]

    @Test(arguments: chosen)
    func settingsOfARecipeAreItsDifferencesFromTheDefault(chosen: Settings) {
        #expect(Settings(chosen.recipe) == chosen)
        var earlier = chosen.recipe
        earlier.silence.method -= 1
        #expect(Settings(earlier) == chosen)
    }

    @Test func negativeZeroIsZero() {
        let zeros = settings {
            ($0.sensitivityDecibels, $0.thresholdDBFS, $0.keepSilenceSeconds) = (-0.0, -0.0, -0.0)
        }
        #expect(zeros.recipe.silence.sensitivityDecibels.sign == .plus)
        #expect(zeros.recipe.silence.thresholdDBFS?.sign == .plus)
        #expect(zeros.recipe.trim.keepSilenceSeconds.sign == .plus)
    }

    @Test(arguments: chosen + changes.map(\.0))
    func settingsRoundTripAsJSON(chosen: Settings) throws {
        let bytes = try JSONEncoder().encode(chosen)
        #expect(try JSONDecoder().decode(Settings.self, from: bytes) == chosen)
    }

    @Test func unchosenSettingsAreNotEncoded() throws {
        let bytes = try JSONEncoder().encode(settings { $0.minSilenceSeconds = 0.5 })
        #expect(String(decoding: bytes, as: UTF8.self) == #"{"minSilenceSeconds":0.5}"#)
    }
}

extension Settings {
    fileprivate func changed(_ change: (inout Settings) -> Void) -> Settings {
        var other = self
        change(&other)
        return other
    }
}
