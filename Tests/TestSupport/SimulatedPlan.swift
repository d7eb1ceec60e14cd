import Jobs
import Recordings
import ReducerKit

/// What a run is asked for, and what is to befall it.
struct SimulatedPlan: CustomStringConvertible, Sendable {
    enum Crash: Sendable {
        /// Only what was synced is left for certain.
        case powerLoss
        /// All that was done is left.
        case kill
    }

    var configuration = JobStore.Configuration()
    /// `nil` for some choice.
    var targets: [FolderScan.Target]?
    /// What happens around it, if it is watched.
    var watching = SimulatedWatching()
    /// Whether the disk with the recordings is there.
    var mount = SimulatedSources.Mount.there
    /// How often something goes wrong that can go wrong.
    var faultPercent = 0
    var crash: Crash?
    var stepsUntilCrash = 0
    /// The action at which the run is asked to stop.
    var stopAt: Int?

    var description: String {
        let recipe = configuration.recipes.usual.value
        return "\(recipe.trim.mode) \(recipe.trim.format) \(recipe.waveform.samplesPerPixel)"
            + " of \(recipe.waveform.subjects.map(\.rawValue))"
            + (configuration.recipes.own.isEmpty ? "" : " another in sub")
            + " \(configuration.jobLimit) jobs"
            + (configuration.isDryRun ? " dry" : "") + (configuration.redoesAll ? " force" : "")
            + (configuration.retriesFailed ? " retry" : "")
            + (configuration.wantsChecksums ? " checksums" : "")
            + (configuration.prunesMissing ? " prune" : "")
            + (configuration.watch.map { " \($0) \(watching)" } ?? "")
            + (mount == .there ? "" : " \(mount)")
    }

    /// Those of a world, but for the last.
    static func plans(using random: inout SeededGenerator) -> [SimulatedPlan] {
        let recipes = [recipe(using: &random), recipe(using: &random)]
        let keepsRecipe = random.chance(percent: 50)
        return (0..<Int.random(in: 1...5, using: &random)).map { index in
            var plan = SimulatedPlan()
            let recipe = keepsRecipe ? recipes[0] : random.pick(recipes)
            plan.configuration = JobStore.Configuration(
                recipe: recipe, jobLimit: Int.random(in: 1...4, using: &random),
                isDryRun: random.chance(percent: 7), redoesAll: random.chance(percent: 10),
                showsProgress: random.chance(percent: 10))
            // Every third run has another recipe for one folder.
            if index % 3 == 1 { plan.configuration.recipes.own = ["sub": Boxed(recipes[1])] }
            plan.configuration.retriesFailed = random.chance(percent: 15)
            plan.configuration.looksForMoved = random.chance(percent: 85)
            plan.configuration.wantsChecksums = random.chance(percent: 15)
            plan.configuration.explains = random.chance(percent: 10)
            plan.configuration.prunesMissing = random.chance(percent: 20)
            if random.chance(percent: 5) { plan.mount = random.pick([.bare, .gone]) }
            plan.faultPercent = random.pick([0, 1, 3, 10])
            if random.chance(percent: 65) {
                plan.crash = random.chance(percent: 50) ? .powerLoss : .kill
                let reach = random.pick([15, 60, 200])
                plan.stepsUntilCrash = Int.random(in: 0...reach, using: &random)
            }
            if random.chance(percent: 20) {
                plan.stopAt = Int.random(in: 1...40, using: &random)
            }
            return plan
        }
    }

    /// The run that nobody disturbs.
    static func last(
        after plans: [SimulatedPlan], targets: [FolderScan.Target],
        using random: inout SeededGenerator
    ) -> SimulatedPlan {
        var plan = SimulatedPlan()
        // Proof: there is at least one.
        plan.configuration.recipes = random.pick(plans).configuration.recipes
        plan.configuration.jobLimit = Int.random(in: 1...4, using: &random)
        // What failed for want of luck, and was given up, is done only by somebody's word.
        plan.configuration.retriesFailed = true
        plan.configuration.prunesMissing = random.chance(percent: 50)
        // Digests that are known stay.
        plan.configuration.wantsChecksums = plans.contains(where: \.configuration.wantsChecksums)
        plan.configuration.looksForMoved = true
        plan.targets = targets
        return plan
    }

    private static func recipe(using random: inout SeededGenerator) -> Recipe {
        var recipe = Recipe()
        recipe.waveform.samplesPerPixel = random.pick([[256], [256, 64], [64]])
        recipe.waveform.bits = random.pick([8, 16])
        recipe.waveform.subjects = random.pick([[.source], [.source, .trimmed], [.trimmed]])
        recipe.silence.minimumSeconds = random.pick([0.5, 1])
        recipe.trim.mode = random.pick(TrimRecipe.Mode.allCases)
        recipe.trim.format = random.pick(TrimRecipe.Format.allCases)
        recipe.trim.fadeMilliseconds = random.pick([5, 10])
        return recipe
    }
}

/// What can happen in a simulated world; each must, in enough of them.
package enum SimulatedEvent: String, CaseIterable, Sendable {
    case powerLoss, kill, signal, dryRun, strayAnswer, cancelled
    case rolledForward
    case brokenRecording, transient, retry, noSpace, writingFailed, changed, vanished
    case syncFailed, recordFailed, misplaced, manifestFailed
    case folderGone, folderLost, missing, pruned, back, unmounted
    case listingFailed, moveFailed, unreadable, disturbedOutput, disturbedSource
    case upToDate, done, stillFailed, unfinished, recalled, exportFailed
    // Only in watched worlds:
    case noticeLost, fileMade, fileOverwritten, brokenOff, fileMovedIn, fileTouched, fileDeleted
    case fileRenamed, fileReplaced, identified, folderMade, folderRemoved, folderRenamed, mounted
    case beingWritten, truncated, adopted, adoptionFailed, moved, awaited, decodedAgain, polled
    case workNotTold

    /// Those that can only happen while a tree is watched.
    package static let ofWatchedWorlds: Set<SimulatedEvent> = [
        .noticeLost, .fileMade, .fileOverwritten, .brokenOff, .fileMovedIn, .fileTouched,
        .fileDeleted, .fileRenamed, .fileReplaced, .identified, .folderMade, .folderRemoved,
        .folderRenamed, .mounted,
        .beingWritten, .truncated, .adopted, .adoptionFailed, .moved, .awaited, .decodedAgain,
        .polled, .workNotTold,
    ]
}

/// Where a command is carried out.
enum SimulatedQueue {
    case scanning, sound, keeping, exporting
}

extension JobStore.Command {
    var queue: SimulatedQueue {
        switch self {
        case .scan: .scanning
        case .job: .sound
        case .export: .exporting
        case .commit, .writeManifest, .cancelWork, .announce, .finish: .keeping
        }
    }
}
