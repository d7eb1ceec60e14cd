import Recordings
import ReducerKit

// Writing manifests, and ending the run.

extension JobStore.State {
    /// Writes a folder's manifest once all its recordings are settled; a watch updates it instead.
    mutating func writeManifestIfSettled(_ id: FolderID, _ order: Order) {
        guard watch == nil else { return updateManifest(of: id, order) }
        guard folders[id].unsettled == 0 else { return }
        writeManifestIfNeeded(id, order)
        folders[id].rest()
    }

    func needsManifest(_ id: FolderID) -> Bool {
        folders[id].needsManifest && !configuration.isDryRun && !manifestsInFlight.contains(id)
    }

    /// Whether no manifest write of this folder has failed; a failed one is retried now and then,
    /// and blocks nothing, because the record holds the same results.
    func canBeWritten(_ id: FolderID) -> Bool { !unwritten.contains(id) }

    mutating func writeManifestIfNeeded(_ id: FolderID, _ order: Order) {
        guard needsManifest(id) else { return }
        var manifest = folders[id].manifestOrder(recipe: configuration.recipes[folders[id].path])
        manifest.isLast = folders[id].isEmpty && scan.folders[id].isGone
        folders[id].manifestSeconds = pace.nowSeconds
        manifestsInFlight.insert(id)
        order(.writeManifest(id, manifest))
    }

    mutating func takeManifest(_ id: FolderID, _ order: Order) {
        manifestsInFlight.remove(id)
        exports?.resultsChanged()
        if unwritten.remove(id) != nil { summary.manifestsFailed -= 1 }
        // Its recordings may have turned up in other folders since.
        if watch == nil, case .running = phase, folders.contains(id) {
            writeManifestIfSettled(id, order)
        }
    }

    mutating func failManifest(_ id: FolderID, _ failure: RecordingFailure, _ order: Order) {
        manifestsInFlight.remove(id)
        exports?.resultsChanged()
        let isNews = unwritten.insert(id).inserted
        if isNews { summary.manifestsFailed += 1 }
        // A failure that ends the run is announced once, however many manifests it affects.
        switch phase {
        case .running where failure.endsRun:
            stop(.trouble(failure), order)
        case .stopping(.trouble) where failure.endsRun,
            .closing(.trouble?) where failure.endsRun:
            break
        default:
            guard isNews else { return }
            order(.announce(.manifestFailed(folder: scan.folders[id].path, failure)))
        }
    }

    /// Ends the run once every manifest is written.
    mutating func close(_ order: Order) {
        guard manifestsInFlight.isEmpty, case .closing(let reason) = phase,
            !writeLastExports(reason, order)
        else { return }
        finish(reason, order)
    }

    private mutating func finish(_ reason: StopReason?, _ order: Order) {
        summary.awaited = watch?.incomplete.all ?? 0
        phase = .finished(reason)
        order(.finish)
    }
}
