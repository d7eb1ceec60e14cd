import ArgumentParser
import Jobs
import Recordings

/// Options that affect outputs, as typed.
struct BatchOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Choose the container of copies: the source's, or FLAC for lossy sources; WAV; FLAC."
                + " (default: auto)"))
    var trimFormat: TrimRecipe.Format?

    @Option(
        "Set the waveform zoom; several make one file each. (default: 256)", in: "count,...")
    var samplesPerPixel: NumberList?

    @Option("Set the waveform resolution: 8 or 16. (default: 8)", in: "bits")
    var waveformBits: Int?

    @Option(help: "Choose the waveform format. (default: dat)")
    var waveformFormat: WaveformRecipe.Format?

    @Flag(inversion: .prefixedNo, help: "Draw each channel instead of their mix.")
    var splitChannels: Bool?

    func validate() throws {
        if let waveformBits, ![8, 16].contains(waveformBits) {
            throw ValidationError("--waveform-bits is 8 or 16, not \(waveformBits)")
        }
        if let samplesPerPixel { try validateZooms(samplesPerPixel) }
    }

    private func validateZooms(_ list: NumberList) throws {
        let zooms = list.numbers
        // The range that the waveform formats support.
        let range = 2...Int(Int32.max)
        if let wrong = zooms.first(where: { !range.contains($0) }) {
            throw ValidationError(
                "--samples-per-pixel takes \(range.lowerBound) to \(range.upperBound), such as 256,"
                    + " not \(wrong)")
        }
        guard !list.hasRepeats else {
            throw ValidationError("--samples-per-pixel names a zoom twice; name each once")
        }
        guard zooms.count <= 16 else {
            throw ValidationError(
                "--samples-per-pixel takes at most 16 zooms, not \(zooms.count)")
        }
    }

    /// Copies the given options into settings.
    func apply(to settings: inout Settings) {
        settings.trimFormat = trimFormat
        settings.samplesPerPixel = samplesPerPixel?.numbers
        settings.waveformBits = waveformBits
        settings.waveformFormat = waveformFormat
        settings.splitChannels = splitChannels
    }
}

/// Comma-separated integers, as in `256,1024`.
struct NumberList: ExpressibleByArgument, Hashable {
    let numbers: [Int]

    var defaultValueDescription: String {
        numbers.map(String.init).joined(separator: ",")
    }

    var hasRepeats: Bool { Set(numbers).count < numbers.count }
}

extension NumberList {
    init?(argument: String) {
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
        numbers = parts.compactMap { Int($0) }
        guard numbers.count == parts.count else { return nil }
    }
}

extension TrimRecipe.Format: ExpressibleByArgument {}
extension WaveformRecipe.Format: ExpressibleByArgument {}
