import Recordings
import ReducerKit

/// What an earlier run left of a recording.
package struct PreviousWork: Hashable, Codable, Sendable {
    package var entry: SettledEntry
    /// The recipe by which that entry was made.
    package var recipe: Boxed<Recipe>
    /// Outputs that are missing or were altered since.
    package var damage: [OutputDamage]

    package init(
        entry: SettledEntry, recipe: Boxed<Recipe>, damage: [OutputDamage] = []
    ) {
        self.entry = entry
        self.recipe = recipe
        self.damage = damage
    }
}

extension PreviousWork {
    /// Whether the recording was found to be gone, and what was made of it stays.
    var isGone: Bool { entry.status == .sourceMissing && !isToGo }

    /// Whether all that is there of it is to go: a watch was ended before it could.
    var isToGo: Bool {
        entry.leavesBehind && entry.failure == nil && entry.value.made.isEmpty
    }

    /// Whether something that was made of a recording is still there.
    var isWorthKeeping: Bool {
        let lost = Set(damage.filter { $0.kind == .missing }.map(\.name))
        return !entry.value.outputs.allSatisfy(lost.contains)
    }
}

/// An output that is not as it was written.
package struct OutputDamage: Hashable, Codable, Sendable {
    package enum Kind: String, Codable, Sendable {
        case missing, altered
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

/// Why a recording is not up to date: facts, for whoever words them.
package enum StaleReason: Hashable, Codable, Sendable {
    case new
    /// Everything was asked for anew.
    case forced
    case sourceChanged(before: FileStamp, now: FileStamp)
    /// It could not be looked at before, or what was found is not known.
    case sourceUnknown
    /// It failed, and is tried again.
    case failedBefore(RecordingFailure)
    case waveformRecipe(before: WaveformRecipe, now: WaveformRecipe)
    case silenceRecipe(before: SilenceRecipe, now: SilenceRecipe)
    case trimRecipe(before: TrimRecipe, now: TrimRecipe)
    case output(OutputDamage)
    /// An output has to bear another name, because of a neighbour.
    case renamed(Pathname)
    case checksumWanted
}

/// What has to be done for a recording, and why.
package enum Staleness: Hashable, Sendable {
    case upToDate
    /// It failed, and nothing has changed since that could make it end otherwise.
    case stillFailed
    case stale(Stages, [StaleReason])
}

extension Staleness {
    /// What was asked for in a run, as far as it decides what is stale.
    package struct RebuildPolicy: Hashable, Sendable {
        package var recipe: Boxed<Recipe>
        package var redoesAll = false
        package var retriesFailed = false
        package var wantsChecksums = false
        /// Whether somebody asks why; otherwise nothing is made to answer that.
        package var wantsReasons = true

        package init(recipe: Boxed<Recipe>) { self.recipe = recipe }
    }

    /// Holds a recording against what is known of it.
    ///
    /// A stage is stale when the source changed, or the part of the recipe that this stage reads,
    /// or when its outputs are not what was written.
    /// - Complexity: O(outputs).
    package init(
        stamp: FileStamp, previous: PreviousWork?, names: OutputNames, policy: RebuildPolicy
    ) {
        self.init(
            stamp: stamp, previous: previous, previous?.entry.value, names: names, policy: policy)
    }

    /// Where the earlier work's entry is unpacked already: for a recording that is up to date
    /// nothing is allocated.
    init(
        stamp: FileStamp, previous: PreviousWork?, _ entry: ManifestEntry?, names: OutputNames,
        policy: RebuildPolicy
    ) {
        // A checksum that was recorded once is kept up.
        let hasChecksum = entry?.sourceSHA256 != nil
        let all: Stages = policy.wantsChecksums || hasChecksum ? [.all, .checksum] : .all
        guard let previous, let entry else {
            self = .stale(all, policy.wantsReasons ? [policy.redoesAll ? .forced : .new] : [])
            return
        }
        if policy.redoesAll {
            self = .stale(all, [.forced])
        } else if let reason = Staleness.sourceReason(stamp, entry) {
            self = .stale(all, [reason])
        } else if let failure = entry.failure {
            let isSettled =
                failure.liesInRecording && !policy.retriesFailed
                && (previous.recipe == policy.recipe || failure.reason == .decoderStuck)
            let changes = Staleness.recipeChanges(previous, policy)
            self =
                isSettled
                ? .stillFailed : .stale(all, [.failedBefore(failure)] + changes.map(\.reason))
        } else {
            self.init(previous, entry, names: names, policy: policy)
        }
    }

    private static func sourceReason(_ now: FileStamp, _ entry: ManifestEntry) -> StaleReason? {
        guard let before = entry.source, entry.failure != nil || entry.hasAllMeasurements else {
            return .sourceUnknown
        }
        return before == now ? nil : .sourceChanged(before: before, now: now)
    }

    /// Of a recording that is as it was, and was done.
    private init(
        _ previous: PreviousWork, _ entry: ManifestEntry, names: OutputNames, policy: RebuildPolicy
    ) {
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
            add(.waveform, .renamed(entry.waveforms?.first?.path ?? entry.name))
        }
        if !stages.contains(.trim), names.misnamesCopy(of: entry, recipe.trim) {
            add(.trim, .renamed(entry.trimmed?.path ?? entry.name))
        }
        if policy.wantsChecksums, entry.sourceSHA256 == nil { add(.checksum, .checksumWanted) }
        self = stages.isEmpty ? .upToDate : .stale(stages, reasons)
    }

    /// In what earlier work was asked for otherwise.
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
                (.waveform, .waveformRecipe(before: before.waveform, now: now.waveform)))
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
