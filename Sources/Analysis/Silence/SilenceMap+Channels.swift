import Glibc
import Recordings

extension SilenceMap {
    /// The map of a recording by those of its channels: silent where all are; `nil` if there are
    /// none, and the map itself if there is one.
    ///
    /// A channel in which sound and noise cannot be told apart counts as sound throughout.
    /// - Complexity: O(silences) for each channel.
    package init?(
        whereAllAreSilent maps: [SilenceMap], _ format: AudioFormat, _ recipe: SilenceRecipe
    ) {
        guard var common = maps.first else { return nil }
        guard maps.count > 1 else {
            self = common
            return
        }
        for map in maps.dropFirst() {
            common.intervalsSeconds = SilenceMap.common(
                common.intervalsSeconds, map.intervalsSeconds)
        }
        common.intervalsSeconds.removeAll { $0[1] - $0[0] < recipe.minimumSeconds }
        common.silent = maps.allSatisfy(\.silent)
        common.separable =
            maps.allSatisfy { $0.separable || $0.silent }
            && (common.silent ? maps[0].separable : true)
        let floors = maps.compactMap { $0.noiseFloorDBFS.map { pow(10, $0 / 10) } }
        common.noiseFloorDBFS =
            floors.isEmpty
            ? nil : (10 * log10(floors.reduce(0, +) / Double(floors.count))).rounded(toDecimals: 1)
        common.signalToNoiseDecibels = maps.compactMap(\.signalToNoiseDecibels).max()
        common.thresholdDecibels = maps.compactMap(\.thresholdDecibels).max()
        common.confidence = maps.compactMap(\.confidence).min()
        common.segments = SilenceMap.segments(
            common.sounds(durationSeconds: format.durationSeconds), of: maps)
        common.channels = maps
        self = common
    }

    /// What two ascending lists of silences have in common.
    private static func common(_ one: [[Double]], _ other: [[Double]]) -> [[Double]] {
        var common: [[Double]] = []
        var (first, second) = (one[...], other[...])
        while let a = first.first, let b = second.first {
            let (start, end) = (max(a[0], b[0]), min(a[1], b[1]))
            if start < end { common.append([start, end]) }
            if a[1] <= b[1] { first.removeFirst() }
            if b[1] <= a[1] { second.removeFirst() }
        }
        return common
    }

    /// The segments of the whole recording, each with the figures of the loudest in its channels.
    private static func segments(_ whole: [SoundSegment], of maps: [SilenceMap]) -> [SoundSegment] {
        // Each of these lies in one of the others.
        let parts = maps.flatMap { $0.segments ?? [] }
            .sorted { $0.startSeconds < $1.startSeconds }
        var rest = parts[...]
        return whole.map { segment in
            let own = rest.prefix { $0.startSeconds < segment.endSeconds }
            rest = rest.dropFirst(own.count)
            let loudest = own.max {
                ($0.levelDBFS ?? -.infinity) < ($1.levelDBFS ?? -.infinity)
            }
            var measured = segment
            measured.levelDBFS = loudest?.levelDBFS
            measured.signalToNoiseDecibels = loudest?.signalToNoiseDecibels
            measured.confidence = loudest?.confidence
            return measured
        }
    }
}
