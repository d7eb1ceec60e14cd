import Recordings
import ReducerKit

/// The results of a recording from an earlier run.
package struct PreviousWork: Hashable, Codable, Sendable {
    package var entry: SettledEntry
    /// The recipe with which that entry was made.
    package var recipe: Boxed<Recipe>
    /// Outputs that are missing or were modified since.
    package var damage: [OutputDamage]
    /// What a check of an earlier version's decoding found; `nil` if none was needed or possible.
    package var check: DecodingCheck?
    /// The whole entry, once a job has asked for it.
    package var whole: Boxed<ManifestEntry>?
    /// Of few it is known; a folder may have very many.
    private var file: Boxed<FileFacts>?

    private struct FileFacts: Hashable, Codable, Sendable {
        var identity: UInt64?
        var isElsewhere = false
    }

    package init(
        entry: SettledEntry, recipe: Boxed<Recipe>, damage: [OutputDamage] = [],
        identity: UInt64? = nil
    ) {
        self.entry = entry
        self.recipe = recipe
        self.damage = damage
        if let identity { file = Boxed(FileFacts(identity: identity)) }
    }

    /// Distinguishes the recording's file from every other, whatever its name; `nil` if unknown.
    package var identity: UInt64? {
        get { file?.value.identity }
        set { file = Boxed(FileFacts(identity: newValue, isElsewhere: isElsewhere)) }
    }

    /// Whether the record has results of that file under another name, so that these can go.
    package var isElsewhere: Bool {
        get { file?.value.isElsewhere == true }
        set { file = Boxed(FileFacts(identity: identity, isElsewhere: newValue)) }
    }
}

extension PreviousWork {
    /// Whether the recording is recorded as gone, with its outputs retained.
    var isGone: Bool { entry.status == .sourceMissing }

    /// Whether any of its outputs still exists.
    var isWorthKeeping: Bool {
        let lost = Set(damage.filter { $0.kind == .missing }.map(\.name))
        return !entry.outputs.allSatisfy(lost.contains)
    }
}

/// What became of a recording that an earlier version decoded.
package enum DecodingCheck: Hashable, Codable, Sendable {
    /// This version reads the file with the same result.
    indirect case same(Decoding)
    /// That version misread the file, or made a copy of it that others misread.
    case misread
}

/// An output that is missing or was modified.
package struct OutputDamage: Hashable, Codable, Sendable {
    package enum Kind: String, Codable, Sendable {
        /// It has the recorded length and another time, as after a copy of the output.
        case missing, altered, retimed
    }

    package var name: Pathname
    package var kind: Kind
    /// The stage that makes it.
    package var stage: Stages

    package init(name: Pathname, kind: Kind, stage: Stages) {
        self.name = name
        self.kind = kind
        self.stage = stage
    }
}

/// Why a recording is not up to date, as facts for the caller to word.
package enum StaleReason: Hashable, Codable, Sendable {
    case new
    /// The user asked to redo everything.
    case forced
    case sourceChanged(before: FileStamp, now: FileStamp)
    /// It could not be examined before, or its measurements are incomplete.
    case sourceUnknown
    /// It failed, and is retried.
    case failedBefore(RecordingFailure)
    case waveformRecipe(before: WaveformRecipe, now: WaveformRecipe)
    case silenceRecipe(before: SilenceRecipe, now: SilenceRecipe)
    case trimRecipe(before: TrimRecipe, now: TrimRecipe)
    case output(OutputDamage)
    /// An output needs another name, because of a neighbour.
    case renamed(Pathname)
    case checksumWanted
    /// It was done with warnings, which are failures now.
    case warnedBefore([RecordingWarning])
    /// An earlier version misread it.
    case misread
    /// It has no header, and was read in another format.
    case rawFormat(before: String, now: String)
}

/// The stages that a recording needs, and why.
package enum Staleness: Hashable, Sendable {
    case upToDate
    /// It failed, and nothing has changed since that could change the outcome.
    case stillFailed
    case stale(Stages, [StaleReason])
}

extension Staleness {
    /// The settings of a run that decide what is stale.
    package struct RebuildPolicy: Hashable, Sendable {
        package var recipe: Boxed<Recipe>
        package var redoesAll = false
        package var retriesFailed = false
        /// Whether faults that could be warnings are failures.
        package var isStrict = false
        package var wantsChecksums = false
        /// The format of the recording if it has no header; `nil` if no rule says so.
        package var raw: RawFormat?
        /// Whether the reason is wanted even for a new recording; otherwise none is allocated.
        package var wantsReasons = true

        package init(recipe: Boxed<Recipe>) { self.recipe = recipe }
    }

    /// Compares a recording with its earlier results.
    ///
    /// A stage is stale if the source changed, or the part of the recipe that it reads, or if its
    /// outputs are missing or were modified.
    /// - Complexity: O(outputs).
    package init(
        stamp: FileStamp, previous: PreviousWork?, names: OutputNames, policy: RebuildPolicy
    ) {
        // A checksum that was recorded once is kept current.
        let hasChecksum = previous?.entry.sourceSHA256 != nil
        let all: Stages = policy.wantsChecksums || hasChecksum ? [.all, .checksum] : .all
        guard let previous else {
            self = .stale(all, policy.wantsReasons ? [policy.redoesAll ? .forced : .new] : [])
            return
        }
        let entry = previous.entry
        if policy.redoesAll {
            self = .stale(all, [.forced])
        } else if let reason = Staleness.sourceReason(stamp, entry) {
            self = .stale(all, [reason])
        } else if let failure = entry.failure {
            let isSettled =
                failure.liesInRecording && !policy.retriesFailed
                && (policy.isStrict || !failure.leavesSound) && !failure.isOfLesserDecoder
                && !(policy.raw != nil && failure.isOfMissingHeader)
                && previous.recipe == policy.recipe
            let changes = Staleness.recipeChanges(previous, policy)
            self =
                isSettled
                ? .stillFailed : .stale(all, [.failedBefore(failure)] + changes.map(\.reason))
        } else {
            self.init(previous, names: names, policy: policy)
        }
    }

    private static func sourceReason(_ now: FileStamp, _ entry: SettledEntry) -> StaleReason? {
        guard let before = entry.source, entry.failure != nil || entry.isMeasured else {
            return .sourceUnknown
        }
        return before == now ? nil : .sourceChanged(before: before, now: now)
    }

    /// Compares settings, outputs and names of an unchanged recording that was done.
    private init(
        _ previous: PreviousWork, names: OutputNames, policy: RebuildPolicy
    ) {
        let entry = previous.entry
        var stages: Stages = []
        var reasons: [StaleReason] = []
        func add(_ more: Stages, _ reason: StaleReason) {
            stages.formUnion(more)
            reasons.append(reason)
        }
        for change in Staleness.recipeChanges(previous, policy) {
            add(change.stages, change.reason)
        }
        for damage in previous.damage { add(damage.stage, .output(damage)) }
        let recipe = policy.recipe.value
        if !stages.contains(.waveform), names.misnamesWaveforms(of: entry, recipe.waveform) {
            add(.waveform, .renamed(entry.waveforms.first?.path ?? entry.name))
        }
        if !stages.contains(.trim), names.misnamesCopy(of: entry, recipe.trim) {
            add(.trim, .renamed(entry.copy?.path ?? entry.name))
        }
        if !stages.contains(.trim), names.misnamesCopyWaveforms(of: entry, recipe.waveform) {
            add(.trim, .renamed(entry.copyWaveforms.first?.path ?? entry.name))
        }
        let warnings = (entry.warnings ?? []).faults
        if policy.isStrict, !warnings.isEmpty { add(.all, .warnedBefore(warnings)) }
        if previous.check == .misread { add(.all, .misread) }
        if let before = entry.decoding?.raw, let now = policy.raw?.text, before != now {
            add(.all, .rawFormat(before: before, now: now))
        }
        if policy.wantsChecksums, entry.sourceSHA256 == nil { add(.checksum, .checksumWanted) }
        self = stages.isEmpty ? .upToDate : .stale(stages, reasons)
    }

    /// Whether a recording and its outputs may be as recorded but for their times, as after a copy
    /// of their folders; digests tell.
    static func mayBeTimesOnly(
        stamp: FileStamp, previous: PreviousWork, names: OutputNames, policy: RebuildPolicy
    ) -> Bool {
        guard let source = previous.entry.source, source.bytes == stamp.bytes,
            source == stamp || previous.entry.sourceSHA256 != nil
        else { return false }
        var same = previous
        same.damage.removeAll { $0.kind == .retimed }
        return Staleness(stamp: source, previous: same, names: names, policy: policy) == .upToDate
    }

    /// Settings in which the earlier results differ from the policy's.
    static func otherSettings(_ previous: PreviousWork, _ policy: RebuildPolicy) -> [StaleReason] {
        recipeChanges(previous, policy).map(\.reason)
    }

    /// Parts of the recipe that changed, with the stages that read them.
    private static func recipeChanges(
        _ previous: PreviousWork, _ policy: RebuildPolicy
    ) -> [(stages: Stages, reason: StaleReason)] {
        guard previous.recipe != policy.recipe else { return [] }
        let before = previous.recipe.value
        let now = policy.recipe.value
        var changes: [(stages: Stages, reason: StaleReason)] = []
        if before.waveform != now.waveform {
            changes.append(
                (
                    Stages(redrawing: before.waveform, as: now.waveform),
                    .waveformRecipe(before: before.waveform, now: now.waveform)
                ))
        }
        if before.silence != now.silence {
            changes.append(
                ([.silence, .trim], .silenceRecipe(before: before.silence, now: now.silence)))
        }
        if before.trim != now.trim {
            changes.append((.trim, .trimRecipe(before: before.trim, now: now.trim)))
        }
        return changes
    }
}

extension RecordingFailure {
    /// Whether it may only be the header that is missing.
    fileprivate var isOfMissingHeader: Bool {
        stage == .decode && [.unrecognisedFormat, .unfinished].contains(reason)
    }
}
