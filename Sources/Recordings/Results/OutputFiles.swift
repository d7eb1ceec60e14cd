/// A waveform file that was written.
package struct WaveformFile: Hashable, Codable, Sendable {
    /// Its name in the output folder of the recording's folder.
    package var path: Pathname
    package var samplesPerPixel: Int
    package var bits: Int
    package var channels: Int
    /// The number of pixels.
    package var length: Int
    /// The file's length.
    package var bytes: Int64
    /// Hexadecimal SHA-256 of the file.
    package var sha256: String

    package init(
        path: Pathname, samplesPerPixel: Int, bits: Int, channels: Int, length: Int, bytes: Int64,
        sha256: String
    ) {
        self.path = path
        self.samplesPerPixel = samplesPerPixel
        self.bits = bits
        self.channels = channels
        self.length = length
        self.bytes = bytes
        self.sha256 = sha256
    }
}

/// A trimmed copy that was written.
package struct TrimmedFile: Hashable, Codable, Sendable {
    /// Its name in the output folder of the recording's folder.
    package var path: Pathname
    package var durationSeconds: Double
    /// The file's length.
    package var bytes: Int64
    /// Hexadecimal SHA-256 of the file.
    package var sha256: String
    /// The edit list, which maps the copy's times exactly to the source's.
    package var edits: [Edit]
    /// Drawn of the copy, in the order of the recipe's zooms; `nil` if none were asked for.
    package var waveforms: [WaveformFile]?
    /// The cue points that were in what was cut; `nil` if there were none.
    package var cuePointsCut: [CutCuePoint]?
    /// Names of chunks and tags that the copy does not have; `nil` if it has all.
    package var metadataLeftOff: [String]?

    package init(
        path: Pathname, durationSeconds: Double, bytes: Int64, sha256: String, edits: [Edit],
        waveforms: [WaveformFile]? = nil, loss: MetadataLoss = MetadataLoss()
    ) {
        self.path = path
        self.durationSeconds = durationSeconds
        self.bytes = bytes
        self.sha256 = sha256
        self.edits = edits
        self.waveforms = waveforms
        cuePointsCut = loss.cuePoints.isEmpty ? nil : loss.cuePoints
        metadataLeftOff = loss.leftOff.isEmpty ? nil : loss.leftOff
    }
}

/// What a copy does not have of its recording's metadata.
package struct MetadataLoss: Hashable, Sendable {
    package var cuePoints: [CutCuePoint]
    package var leftOff: [String]

    package init(cuePoints: [CutCuePoint] = [], leftOff: [String] = []) {
        (self.cuePoints, self.leftOff) = (cuePoints, leftOff)
    }
}

/// A cue point in what was cut.
package struct CutCuePoint: Hashable, Codable, Sendable {
    /// Its place in the recording.
    package var frame: Int64
    /// `nil` if it has none, or it is no text.
    package var label: String?

    package init(frame: Int64, label: String?) {
        (self.frame, self.label) = (frame, label)
    }
}

/// The properties that all output files of a recording share.
package struct OutputFile: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
        case waveform, copy
        /// A waveform of the copy.
        case copyWaveform
    }

    package var kind: Kind
    /// Its name in the output folder of the recording's folder.
    package var path: Pathname
    /// Its length.
    package var bytes: Int64
    /// Hexadecimal SHA-256.
    package var sha256: String

    /// Waveforms and trimmed copy of one run.
    fileprivate static func all(
        _ waveforms: [WaveformFile]?, _ trimmed: TrimmedFile?
    ) -> [OutputFile] {
        var files = (waveforms ?? []).map { OutputFile($0, .waveform) }
        if let trimmed {
            files.append(
                OutputFile(
                    kind: .copy, path: trimmed.path, bytes: trimmed.bytes,
                    sha256: trimmed.sha256))
            files += (trimmed.waveforms ?? []).map { OutputFile($0, .copyWaveform) }
        }
        return files
    }
}

extension OutputFile {
    private init(_ waveform: WaveformFile, _ kind: Kind) {
        self.init(
            kind: kind, path: waveform.path, bytes: waveform.bytes, sha256: waveform.sha256)
    }
}

extension ManifestEntry {
    /// The current outputs, without those of earlier runs.
    package var files: [OutputFile] { OutputFile.all(waveforms, trimmed) }

    /// The current output with this name.
    package func file(_ name: Pathname) -> OutputFile? { files.first { $0.path == name } }

    /// Names of the current outputs.
    package var made: [Pathname] { files.map(\.path) }

    /// Names of all outputs of this recording, earlier ones included.
    package var outputs: [Pathname] { made + (leftBehind ?? []) }
}

extension EarlierOutputs {
    package var files: [OutputFile] { OutputFile.all(waveforms, trimmed) }

    package var names: [Pathname] { files.map(\.path) }
}
