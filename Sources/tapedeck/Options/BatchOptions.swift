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
        help: "Choose what waveforms are drawn of: recordings, copies or both. (default: source)")
    var waveformOf: SubjectList?

    @Option(
        "Set the waveform zoom; several make one file each. (default: 256)", in: "count,...")
    var samplesPerPixel: NumberList?

    @Option("Set the waveform zoom by the sample rate instead.", in: "count")
    var pixelsPerSecond: Int?

    @Option("Draw each recording in at most this many pixels instead.", in: "count")
    var points: Int?

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
        if waveformFormat == .floatJSON, waveformBits == 8 {
            throw ValidationError(
                "--waveform-bits is about dat and json; --waveform-format float-json has 16 always")
        }
        if let samplesPerPixel { try validateZooms(samplesPerPixel) }
        try requireCount("--pixels-per-second", pixelsPerSecond, 1...1_000_000, "such as 100")
        try requireCount("--points", points, 1...100_000, "such as 1000")
        var settings = Settings()
        apply(to: &settings)
        let zooms = settings.zoomOptions
        guard zooms.count < 2 else {
            throw ValidationError(
                "\(zooms.joined(separator: " and ")) both set the zoom; give one of them")
        }
    }

    private func requireCount(
        _ option: String, _ value: Int?, _ range: ClosedRange<Int>, _ hint: String
    ) throws {
        guard let value, !range.contains(value) else { return }
        throw ValidationError(
            "\(option) takes \(range.lowerBound) to \(range.upperBound), \(hint), not \(value)")
    }

    private func validateZooms(_ list: NumberList) throws {
        let zooms = list.numbers
        // The range that the waveform formats support.
        let range = WaveformRecipe.leastSamplesPerPixel...Int(Int32.max)
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
        settings.waveformOf = waveformOf?.subjects
        settings.samplesPerPixel = samplesPerPixel?.numbers
        settings.pixelsPerSecond = pixelsPerSecond
        settings.points = points
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

/// What waveforms are drawn of, as in `source,trimmed`; `both` is the same.
struct SubjectList: ExpressibleByArgument, Hashable {
    let subjects: [WaveformRecipe.Subject]

    init?(argument: String) {
        let all = WaveformRecipe.Subject.allCases
        let names =
            argument == "both"
            ? all.map(\.rawValue)
            : argument.split(
                separator: ",", omittingEmptySubsequences: false
            ).map(String.init)
        let known = Set(names.compactMap(WaveformRecipe.Subject.init))
        guard known.count == names.count else { return nil }
        subjects = all.filter(known.contains)
    }

    static var allValueStrings: [String] { ["source", "trimmed", "both"] }
}

extension TrimRecipe.Format: ExpressibleByArgument {}
extension WaveformRecipe.Format: ExpressibleByArgument {}
