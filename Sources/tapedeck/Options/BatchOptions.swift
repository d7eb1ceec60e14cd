import ArgumentParser
import Recordings

/// Options that affect outputs, as typed; `apply(to:)` gives their meaning.
struct BatchOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Choose the container of copies: the source's, or FLAC for lossy sources; WAV; FLAC."
                + " (default: auto)"))
    var trimFormat: TrimRecipe.Format?

    @Option(
        "Set the waveform zoom; several make one file each.", in: "count,...")
    var samplesPerPixel = NumberList(numbers: [256])

    @Option("Set the waveform resolution: 8 or 16.", in: "bits")
    var waveformBits = 8

    @Option(help: "Choose the waveform format.")
    var waveformFormat = WaveformRecipe.Format.dat

    @Flag(help: "Draw each channel instead of their mix.")
    var splitChannels = false

    func validate() throws {
        guard [8, 16].contains(waveformBits) else {
            throw ValidationError("--waveform-bits is 8 or 16, not \(waveformBits)")
        }
        try validateZooms(samplesPerPixel.numbers)
    }

    private func validateZooms(_ zooms: [Int]) throws {
        // The range that the waveform formats support.
        let range = 2...Int(Int32.max)
        if let wrong = zooms.first(where: { !range.contains($0) }) {
            throw ValidationError(
                "--samples-per-pixel takes \(range.lowerBound) to \(range.upperBound), such as 256,"
                    + " not \(wrong)")
        }
        guard !samplesPerPixel.hasRepeats else {
            throw ValidationError("--samples-per-pixel names a zoom twice; name each once")
        }
        guard zooms.count <= 16 else {
            throw ValidationError(
                "--samples-per-pixel takes at most 16 zooms, not \(zooms.count)")
        }
    }

    /// Copies the options into a recipe.
    func apply(to recipe: inout Recipe) {
        recipe.waveform.samplesPerPixel = samplesPerPixel.numbers
        recipe.waveform.bits = waveformBits
        recipe.waveform.format = waveformFormat
        recipe.waveform.splitChannels = splitChannels
        recipe.trim.format = trimFormat ?? TrimRecipe().format
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
