extension Folder {
    /// What is to be done about a folder.
    package enum Need: Hashable, Sendable {
        case nothing, manifest
        /// All that is known of it is in its manifest, for whoever asks again.
        case rest
    }

    /// What there is to do now.
    ///
    /// A manifest is written at once where nothing else is about to change in the folder, and else
    /// now and then, so that a burst does not write it again and again.
    package func need(nowSeconds: Double) -> Need {
        let isSettled = unsettled == 0
        let pause = WatchPolicy.manifestPauseSeconds(entries: entries.count)
        if needsManifest || (isSettled && hasSuperfluous) {
            let last = manifestSeconds ?? (isSettled ? -pause : loadedSeconds)
            return nowSeconds - last >= pause ? .manifest : .nothing
        }
        guard isSettled, holds == 0, nowSeconds - (manifestSeconds ?? -pause) >= pause else {
            return .nothing
        }
        return .rest
    }
}
