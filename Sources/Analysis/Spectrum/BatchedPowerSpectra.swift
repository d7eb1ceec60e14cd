import CLanes

/// Computes the power spectra of sixteen stretches of sound at once, two real signals per FFT.
///
/// The two signals are two stretches, or two channels of one stretch if there are several. A real
/// signal's spectrum is conjugate-symmetric. So half the sum of a bin and its mirror bin's
/// conjugate belongs to one signal, and half the difference to the other (Cooley, Lewis and Welch,
/// Journal of Sound and Vibration 12, 1970).
final class BatchedPowerSpectra {
    /// Stretches per batch.
    static let stretches = Int(LANES_SPECTRA)

    /// Samples per channel of a stretch; even.
    let count: Int
    /// The powers: a row for each of `count / 2` bins, with a lane for each stretch.
    ///
    /// Valid while the object lives.
    var powers: UnsafePointer<Float> { UnsafePointer(columns.start) }

    private let channels: Int
    private let transform: FourierTransform
    private let window: [Float]
    private let scale: Float
    /// The powers of each stretch, `room` numbers apart; and transposed, so that the powers of a
    /// bin are adjacent.
    private let rows: AlignedNumbers<Float>
    private let columns: AlignedNumbers<Float>
    private let room: Int

    /// For stretches as long as the window, with that many channels; powers are multiplied by
    /// `scale`.
    init(window: [Float], channels: Int, scale: Float) {
        precondition(window.count.isMultiple(of: 2), "half of the bins mirror the others")
        precondition(channels > 0, "there is sound")
        count = window.count
        self.channels = channels
        self.window = window
        self.scale = scale
        transform = FourierTransform(count: count)
        // Transposing works on four numbers at a time. One extra cache line keeps the sixteen rows
        // from competing for the same cache sets.
        room = (count / 2 + 15) / 16 * 16 + 16
        rows = AlignedNumbers(repeating: 0, count: BatchedPowerSpectra.stretches * room)
        columns = AlignedNumbers(repeating: 0, count: BatchedPowerSpectra.stretches * room)
    }

    /// Computes the powers of stretches, summed over channels, into `powers`.
    ///
    /// `starts` are offsets in `frames`, one to sixteen of them; unused lanes are undefined.
    func measure(_ frames: UnsafePointer<Float>, starts: [Int]) {
        precondition(
            !starts.isEmpty && starts.count <= BatchedPowerSpectra.stretches,
            "there are lanes for all")
        if channels == 1 {
            for stretch in stride(from: 0, to: starts.count, by: 2) {
                let next = min(stretch + 1, starts.count - 1)
                transform(frames + starts[stretch], frames + starts[next])
                let row = rows.start + stretch * room
                lanes_twin_powers(transform.bins, count, scale, row, row + room)
            }
        } else {
            rows.start.update(repeating: 0, count: starts.count * room)
            for (stretch, start) in starts.enumerated() {
                addPowers(frames + start * channels, to: rows.start + stretch * room)
            }
        }
        lanes_turn_rows(rows.start, room, (count / 2 + 3) / 4 * 4, columns.start)
    }

    /// Adds the powers of all channels of a stretch to a row.
    private func addPowers(_ frames: UnsafePointer<Float>, to row: UnsafeMutablePointer<Float>) {
        for channel in stride(from: 0, to: channels, by: 2) {
            // The last channel of an odd number is paired with itself: half of twice its power.
            let next = min(channel + 1, channels - 1)
            transform(frames + channel, frames + next)
            lanes_add_joint_powers(
                transform.bins, count, next == channel ? scale / 2 : scale, row)
        }
    }

    /// Transforms two windowed signals.
    private func transform(_ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>) {
        lanes_window_pairs(first, second, channels, window, count, transform.numbers)
        transform.run()
    }
}
