/// Sound that lasts for so long that the floor of the seconds around has risen to it, such as a
/// machine.
///
/// Memory: four bytes for each tenth of a second; meanwhile eight more, and 600 kB.
struct SustainedSound {
    /// By tenth of a second, how far the floors of the bands stand above their lowest of the ten
    /// minutes around: their power mean, as for the bands of a frame.
    private let rises: [Float]

    /// What noise and weather move a floor by is less.
    private static let leastRise: Float = 5
    /// Tenths of a second on either side: what lasts longer than all of them is what is usual.
    private static let reach = 3000
    /// Of so many the lowest share of floors is the lowest.
    private static let share: Float = 0.1
    /// As for the bands of a frame.
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

    /// The power mean of how far the floors of the bands stand above others.
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

    /// How far the floor around a frame stands above what is usual.
    func rise(at frame: Int) -> Float { rises[frame / ActivityTrack.framesPerFloor] }

    /// The stretches of frames where it stands too high for a floor.
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
