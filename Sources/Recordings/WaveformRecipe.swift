/// How waveforms are drawn, and of what.
package struct WaveformRecipe: Hashable, Sendable {
    package enum Format: String, Codable, Sendable, CaseIterable {
        case dat, json
        /// What wavesurfer.js takes.
        case floatJSON = "float-json"
    }

    /// What waveforms are drawn of.
    package enum Subject: String, Codable, Sendable, CaseIterable {
        case source
        /// The trimmed copy, if there is one.
        case trimmed
    }

    /// One file is written per value; any order, no duplicates.
    ///
    /// Not used if `pixelsPerSecond` or `points` sets the zoom.
    package var samplesPerPixel = WaveformRecipe.usualZooms
    /// The zoom by the sample rate; `nil` if it is given otherwise.
    package var pixelsPerSecond: Int?
    /// The most pixels of a recording, however long; `nil` if the zoom is given otherwise.
    package var points: Int?
    /// 8 or 16.
    package var bits = 8
    package var format = Format.dat
    /// Keep channels apart instead of mixing them down.
    package var splitChannels = false
    /// In the order of `allCases`, no duplicates.
    package var subjects = WaveformRecipe.usualSubjects

    package static let usualZooms = [256]
    package static let usualSubjects = [Subject.source]

    /// Readers of the formats accept no fewer.
    package static let leastSamplesPerPixel = 2

    package init() {}
}

extension WaveformRecipe {
    /// How many frames a pixel of one file stands for.
    package enum Zoom: Hashable, Sendable {
        case samplesPerPixel(Int)
        /// As few as let the whole recording fit in this many pixels.
        case points(Int)
    }

    /// One per file.
    package func zooms(atRate sampleRateHertz: Int) -> [Zoom] {
        if let points { return [.points(max(1, points))] }
        if let pixelsPerSecond {
            let samples = sampleRateHertz / max(1, pixelsPerSecond)
            return [.samplesPerPixel(max(WaveformRecipe.leastSamplesPerPixel, samples))]
        }
        return samplesPerPixel.map { .samplesPerPixel($0) }
    }

    /// Whether `samplesPerPixel` gives the zooms.
    package var hasFixedZooms: Bool { pixelsPerSecond == nil && points == nil }

    package func draws(_ subject: Subject) -> Bool { subjects.contains(subject) }

    /// Whether the waveforms of a subject differ by this recipe and another.
    package func differs(from other: WaveformRecipe, in subject: Subject) -> Bool {
        guard draws(subject), other.draws(subject) else {
            return draws(subject) != other.draws(subject)
        }
        var same = other
        same.subjects = subjects
        return self != same
    }
}

extension WaveformRecipe: Codable {
    private enum CodingKeys: String, CodingKey {
        case samplesPerPixel, pixelsPerSecond, points, bits, format, splitChannels
        case subjects = "of"
    }

    /// What an earlier version did not know has its default.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        pixelsPerSecond = try values.decodeIfPresent(Int.self, forKey: .pixelsPerSecond)
        points = try values.decodeIfPresent(Int.self, forKey: .points)
        if hasFixedZooms {
            samplesPerPixel = try values.decode([Int].self, forKey: .samplesPerPixel)
        }
        bits = try values.decode(Int.self, forKey: .bits)
        format = try values.decode(Format.self, forKey: .format)
        splitChannels = try values.decode(Bool.self, forKey: .splitChannels)
        subjects = try values.decodeIfPresent([Subject].self, forKey: .subjects) ?? subjects
    }

    /// What an earlier version did not know is left out unless it was chosen, so that manifests
    /// and recorded recipes keep their bytes.
    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        if hasFixedZooms { try values.encode(samplesPerPixel, forKey: .samplesPerPixel) }
        try values.encodeIfPresent(pixelsPerSecond, forKey: .pixelsPerSecond)
        try values.encodeIfPresent(points, forKey: .points)
        try values.encode(bits, forKey: .bits)
        try values.encode(format, forKey: .format)
        try values.encode(splitChannels, forKey: .splitChannels)
        if subjects != WaveformRecipe.usualSubjects {
            try values.encode(subjects, forKey: .subjects)
        }
    }
}
