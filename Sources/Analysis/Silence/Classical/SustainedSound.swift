/// Detects sound that lasts so long that its floor has risen to it, such as a machine.
///
/// Memory: four bytes per tenth of a second; while computing, eight more, and 600 kB.
struct SustainedSound {
    /// For each tenth of a second, the rise of the band floors above their lowest in the
    /// surrounding ten minutes: the power mean, as for a frame's bands.
    private let rises: [Float]

    /// Noise and weather move floors by less than this.
    private static let leastRise: Float = 5
    /// Tenths of a second on either side; sound lasting longer than the window counts as usual.
    private static let reach = 3000
    /// The percentile of floors that counts as the lowest.
    private static let share: Float = 0.1
    /// The same as for a frame's bands.
    private static let exponent: Float = 0.7
    private static let highestRise: Float = 40

    /// - Complexity: O(frames).
    init(_ track: ActivityTrack) {
        let bands = track.reachedBands
        let count = bands > 0 ? track.bandFloors.count / bands : 0
        let tenths = (0..<count).filter { !SustainedSound.isSilent(track, $0) }
        let reach = SustainedSound.reach
        var window = SlidingPercentiles(lanes: bands, stride: BandRow.count)
        var (first, end) = (0, 0)
        rises = (0..<count).map { tenth in
            while end < tenths.count, tenths[end] <= tenth + reach {
                window.insert(
                    BandRow { $0 < bands ? SustainedSound.floor(track, tenths[end], $0) : 0 })
                end += 1
            }
            while first < end, tenths[first] < tenth - reach {
                window.removeFirst()
                first += 1
            }
            let lowest = window.values(atShare: SustainedSound.share)
            return lowest.map { SustainedSound.rise(track, tenth, over: $0) } ?? 0
        }
    }

    /// The power mean of the rise of the band floors above `lowest`.
    private static func rise(
        _ track: ActivityTrack, _ tenth: Int, over lowest: BandRow
    ) -> Float {
        let bands = track.reachedBands
        var sum: Float = 0
        for band in 0..<bands {
            let rise = floor(track, tenth, band) - lowest[band]
            sum += Decibels.power(exponent * max(0, min(highestRise, rise)))
        }
        return Decibels.ofPower(sum / Float(bands)) / exponent
    }

    /// The rise of a frame's floor above the usual one.
    func rise(at frame: Int) -> Float { rises[frame / ActivityTrack.framesPerFloor] }

    /// The runs of frames where the floor has risen too far to be a floor.
    func runs(in track: ActivityTrack) -> [Range<Int>] {
        track.runs { rise(at: $0) > SustainedSound.leastRise }
    }

    private static func floor(_ track: ActivityTrack, _ tenth: Int, _ band: Int) -> Float {
        ActivityTrack.lowestFloorDBFS
            + Float(track.bandFloors[tenth * track.reachedBands + band])
    }

    /// Whether a tenth of a second is digital silence, which has no floor.
    private static func isSilent(_ track: ActivityTrack, _ tenth: Int) -> Bool {
        let length = ActivityTrack.framesPerFloor
        let frames = (tenth * length)..<min(track.frames, (tenth + 1) * length)
        return frames.allSatisfy { track.isDigitalSilence(at: $0) }
    }
}
