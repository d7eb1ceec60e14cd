import Recordings

extension Settings {
    /// One of the options, with a value or without.
    package struct Member: Sendable {
        /// As typed, with dashes.
        package let option: String
        package let isGiven: @Sendable (Settings) -> Bool
        /// Sets it to the value that other settings have, which may be none.
        package let take: @Sendable (inout Settings, Settings) -> Void

        /// Whether folders can have values of their own.
        package let isOfFolders: Bool

        fileprivate init<Value: Sendable>(
            _ option: String, _ path: any WritableKeyPath<Settings, Value?> & Sendable,
            isOfFolders: Bool = true
        ) {
            self.option = option
            self.isOfFolders = isOfFolders
            isGiven = { $0[keyPath: path] != nil }
            take = { $0[keyPath: path] = $1[keyPath: path] }
        }

        /// The settings without this one.
        package func without(_ settings: Settings) -> Settings {
            var rest = settings
            take(&rest, Settings())
            return rest
        }
    }

    /// All options, in the order of the help.
    package static let members = [
        Member("--video", \.video, isOfFolders: false),
        Member("--raw", \.raw, isOfFolders: false),
        Member("--include", \.include, isOfFolders: false),
        Member("--exclude", \.exclude, isOfFolders: false),
        Member("--trim", \.trim),
        Member("--min-silence", \.minSilenceSeconds),
        Member("--min-sound", \.minSoundSeconds),
        Member("--activity", \.activity),
        Member("--detector", \.detector),
        Member("--sensitivity", \.sensitivityDecibels),
        Member("--threshold", \.thresholdDBFS),
        Member("--channels", \.channels),
        Member("--keep-silence", \.keepSilenceSeconds),
        Member("--longest-gap", \.longestGapSeconds),
        Member("--shrink-gaps", \.shrinkGaps),
        Member("--fade-milliseconds", \.fadeMilliseconds),
        Member("--min-confidence", \.minConfidence),
        Member("--trim-format", \.trimFormat),
        Member("--waveform-of", \.waveformOf),
        Member("--samples-per-pixel", \.samplesPerPixel),
        Member("--pixels-per-second", \.pixelsPerSecond),
        Member("--points", \.points),
        Member("--waveform-bits", \.waveformBits),
        Member("--waveform-format", \.waveformFormat),
        Member("--split-channels", \.splitChannels),
        Member("--max-hours", \.maxHours, isOfFolders: false),
        Member("--strict", \.strict, isOfFolders: false),
        Member("--checksums", \.checksums, isOfFolders: false),
        Member("--isolate", \.isolate, isOfFolders: false),
        Member("--export", \.export, isOfFolders: false),
        Member("--split", \.split, isOfFolders: false),
        Member("--report", \.report, isOfFolders: false),
    ]

    /// The options that are given in these settings.
    package var givenOptions: Set<String> {
        Set(Settings.members.filter { $0.isGiven(self) }.map(\.option))
    }

    /// These settings without the options that are given in others.
    package func forgetting(_ others: Settings) -> Settings {
        Settings.members.filter { $0.isGiven(others) }.reduce(self) { $1.without($0) }
    }
}
