import ArgumentParser
import Recordings

/// The options that shape outputs, as typed; `recipe` is what they mean.
struct BatchOptions: ParsableArguments {
    @OptionGroup var cuts: CutOptions

    @Option(
        help: ArgumentHelp(
            "Container of trimmed copies; auto keeps that of lossless sources and makes FLAC of"
                + " lossy ones. What FLAC cannot hold, 32 bits and floating point, keeps its own."
                + " (default: auto)"))
    var trimFormat: TrimRecipe.Format?

    @Option(
        "Zoom of the waveform; several, separated by commas, make a file each.", in: "count,...")
    var samplesPerPixel = NumberList(numbers: [256])

    @Option("Resolution of the waveform: 8 or 16.", in: "bits")
    var waveformBits = 8

    @Option(help: "File format of the waveform.")
    var waveformFormat = WaveformRecipe.Format.dat

    @Flag(help: "Draw each channel by itself instead of their mix.")
    var splitChannels = false

    func validate() throws {
        guard [8, 16].contains(waveformBits) else {
            throw ValidationError("--waveform-bits is 8 or 16, not \(waveformBits)")
        }
        try validateZooms(samplesPerPixel.numbers)
        try cuts.requireTrimming("--trim-format", trimFormat != nil)
    }

    private func validateZooms(_ zooms: [Int]) throws {
        // What the waveform formats can hold.
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

    var recipe: Recipe {
        var recipe = Recipe()
        recipe.waveform.samplesPerPixel = samplesPerPixel.numbers
        recipe.waveform.bits = waveformBits
        recipe.waveform.format = waveformFormat
        recipe.waveform.splitChannels = splitChannels
        cuts.apply(to: &recipe)
        recipe.trim.format = trimFormat ?? TrimRecipe().format
        return recipe
    }
}

/// Whole numbers, separated by commas, as in `256,1024`.
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
