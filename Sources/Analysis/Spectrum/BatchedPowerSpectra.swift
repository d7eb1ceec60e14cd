import CLanes

/// The power spectra of sixteen stretches of sound at once, two real signals by each transform.
///
/// The two are stretches themselves, or, where there are several channels, two channels of one.
/// The spectrum of a real signal is its own mirror image but for the sign of the imaginary parts,
/// so half the sum of a bin and of its mirror image's conjugate belongs to the one signal, and half
/// the difference to the other (Cooley, Lewis and Welch, Journal of Sound and Vibration 12, 1970).
final class BatchedPowerSpectra {
    /// Stretches that are looked at at once.
    static let stretches = Int(LANES_SPECTRA)

    /// Samples that go in of each channel of a stretch; even.
    let count: Int
    /// Powers, of `count / 2` bins a row each, in which every stretch has its lane.
    ///
    /// To be read while the object lives.
    var powers: UnsafePointer<Float> { UnsafePointer(columns.start) }

    private let channels: Int
    private let transform: FourierTransform
    private let window: [Float]
    private let scale: Float
    /// The powers of each stretch, `room` numbers apart; and turned, so that those of each bin are
    /// side by side.
    private let rows: AlignedNumbers<Float>
    private let columns: AlignedNumbers<Float>
    private let room: Int

    /// Spectra of stretches of so many channels and of so many samples as the window has, times
    /// `scale`.
    init(window: [Float], channels: Int, scale: Float) {
        precondition(window.count.isMultiple(of: 2), "half of the bins mirror the others")
        precondition(channels > 0, "there is sound")
        count = window.count
        self.channels = channels
        self.window = window
        self.scale = scale
        transform = FourierTransform(count: count)
        // Rows are turned four numbers at a time. A line of the cache more, and sixteen rows do not
        // all want the same few lines.
        room = (count / 2 + 15) / 16 * 16 + 16
        rows = AlignedNumbers(repeating: 0, count: BatchedPowerSpectra.stretches * room)
        columns = AlignedNumbers(repeating: 0, count: BatchedPowerSpectra.stretches * room)
    }

    /// Brings the powers of stretches, those of all channels added up, into `powers`.
    ///
    /// They begin at so many frames behind `frames`, at least one and sixteen at the most; what
    /// stands in the lanes of those that lack means nothing.
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
            // The last of an odd number stands alone, which is half of it twice.
            let next = min(channel + 1, channels - 1)
            transform(frames + channel, frames + next)
            lanes_add_joint_powers(
                transform.bins, count, next == channel ? scale / 2 : scale, row)
        }
    }

    /// Transforms two signals under the window.
    private func transform(_ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>) {
        lanes_window_pairs(first, second, channels, window, count, transform.numbers)
        transform.run()
    }
}
