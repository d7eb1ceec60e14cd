import Recordings

/// What happens to existing results when settings change: numbers of recordings, counted before
/// any work starts.
package struct ChangedResults: Hashable, Codable, Sendable {
    /// Trimmed copies that are made again.
    package var copiesRemade = 0
    /// Recordings that get their first trimmed copy.
    package var copiesAdded = 0
    package var copiesRemoved = 0
    package var copiesKept = 0
    /// Recordings in which silence is detected again.
    package var redetected = 0
    /// Trimmed copies of these, which are made again, or removed if nothing is to be cut any more.
    package var copiesOfRedetected = 0
    package var waveformsRemade = 0
    /// Recordings of which no waveforms are drawn any more.
    package var waveformsRemoved = 0
    package var waveformsKept = 0
    package var checksumsAdded = 0
    /// Recordings that failed before.
    package var retried = 0
    /// Recordings with warnings, which are failures now; their results are kept.
    package var failing = 0
    /// Deleted recordings whose results are removed.
    package var pruned = 0
    /// Recordings without results.
    package var new = 0

    package init() {}
}

extension ChangedResults {
    /// Counts a recording that is up to date.
    package mutating func keep(_ entry: SettledEntry) {
        guard entry.failure == nil else { return }
        if entry.copy != nil { copiesKept += 1 }
        if !entry.waveforms.isEmpty { waveformsKept += 1 }
    }

    /// Counts a recording that will be processed.
    /// - Parameters:
    ///   - before: its earlier results; `nil` if it is new.
    ///   - stages: as a dry run announces them.
    package mutating func plan(
        _ before: ManifestEntry?, in folder: Pathname, _ stages: Stages,
        _ configuration: JobStore.Configuration
    ) {
        guard let before else { return new += 1 }
        guard before.failure == nil, let silence = before.silence, let format = before.format
        else { return retried += 1 }
        if configuration.isStrict, before.warnings?.faults.isEmpty == false {
            failing += 1
            return keep(SettledEntry(before))
        }
        if stages.contains(.checksum), before.sourceSHA256 == nil { checksumsAdded += 1 }
        let hasWaveforms = before.waveforms?.isEmpty == false
        let recipe = configuration.recipes[folder].value
        if stages.contains(.waveform), recipe.waveform.draws(.source) {
            waveformsRemade += 1
        } else if hasWaveforms {
            if stages.contains(.waveform) { waveformsRemoved += 1 } else { waveformsKept += 1 }
        }
        let hasCopy = before.trimmed != nil
        if stages.contains(.silence) { redetected += 1 }
        if recipe.trim.mode == .off {
            if hasCopy { copiesRemoved += 1 }
        } else if stages.contains(.silence) {
            if hasCopy { copiesOfRedetected += 1 }
        } else if stages.contains(.trim) {
            switch CutPlanner.plan(silence: silence, format: format, recipe: recipe.trim) {
            case .cut where hasCopy: copiesRemade += 1
            case .cut: copiesAdded += 1
            case .keepWhole: if hasCopy { copiesRemoved += 1 }
            }
        } else if hasCopy {
            copiesKept += 1
        }
    }
}
