import Recordings

// What is read of manifests, journals and records may have been edited by anybody.

extension ManifestEntry {
    /// Whether what somebody may have edited is safe to go on with: names that do not lead out of
    /// the folder, and numbers that can be counted with.
    var isPlausible: Bool {
        let names = [name] + outputs + (earlier ?? []).flatMap(\.names)
        let formats = [format] + (earlier ?? []).map(\.format)
        return names.allSatisfy(\.isSingleName) && formats.allSatisfy { $0?.isPlausible ?? true }
            && silence?.isPlausible ?? true
    }
}

extension AudioFormat {
    var isPlausible: Bool {
        // More frames than any disk holds, and few enough to be counted with.
        (1...1_000_000_000).contains(sampleRateHertz) && (1...65_535).contains(channels)
            && (0...1_000_000_000_000_000).contains(frames)
    }
}

extension SilenceMap {
    /// Pairs in order, and no longer than a century.
    fileprivate var isPlausible: Bool {
        let segments = (segments ?? []).map { [$0.startSeconds, $0.endSeconds] }
        return (intervalsSeconds + segments).allSatisfy {
            $0.count == 2 && 0 <= $0[0] && $0[0] <= $0[1] && $0[1] < 4e9
        }
    }
}
