import Recordings
import ReducerKit

/// What decisions need to know of a recording's result; the record holds the whole entry.
///
/// A folder may have very many: what is rare is boxed, and what is mostly the same is shared.
package struct SettledEntry: Hashable, Codable, Sendable {
    /// An output file that was made.
    package struct Output: Hashable, Codable, Sendable {
        /// Its name in the output folder of the recording's folder.
        package var path: Pathname
        package var bytes: Int64

        package init(path: Pathname, bytes: Int64) {
            self.path = path
            self.bytes = bytes
        }
    }

    package var name: Pathname
    package var status: ManifestEntry.Status
    /// `nil` if the file's metadata could not be read.
    package var source: FileStamp?
    /// Hexadecimal SHA-256 of the source file; only if checksums were requested.
    package var sourceSHA256: String?
    /// `nil` if nothing was decoded.
    package var format: AudioFormat?
    package var sharedDecoding: Boxed<Decoding>?
    package var warnings: [RecordingWarning]?
    private var boxedFailure: Boxed<RecordingFailure>?
    /// Whether the decoder printed something.
    package var hasDecoderMessage = false
    /// Whether levels and silence were measured, and waveforms drawn.
    package var isMeasured = false
    /// Whether all of it is silence.
    package var isSilent = false
    /// Ascending by name.
    package var waveforms: [Output] = []
    /// The trimmed copy.
    package var copy: Output?
    /// Those of the trimmed copy; ascending by name.
    package var copyWaveforms: [Output] = []
    /// Duration of the trimmed copy.
    package var copySeconds: Double?
    /// Outputs of earlier runs that are retained, ascending.
    package var leftBehind: [Pathname] = []

    package init(name: Pathname, status: ManifestEntry.Status) {
        self.name = name
        self.status = status
    }

    package init(_ entry: ManifestEntry) {
        self.init(name: entry.name, status: entry.status)
        source = entry.source
        sourceSHA256 = entry.sourceSHA256
        format = entry.format
        decoding = entry.decoding
        warnings = entry.warnings
        failure = entry.failure
        hasDecoderMessage = entry.decoderMessage != nil
        isMeasured = entry.hasAllMeasurements
        isSilent = entry.silence?.silent == true
        waveforms = SettledEntry.outputs(entry.waveforms)
        copyWaveforms = SettledEntry.outputs(entry.trimmed?.waveforms)
        copy = entry.trimmed.map { Output(path: $0.path, bytes: $0.bytes) }
        copySeconds = entry.trimmed?.durationSeconds
        leftBehind = (entry.leftBehind ?? []).sorted()
    }

    private static func outputs(_ waveforms: [WaveformFile]?) -> [Output] {
        (waveforms ?? []).map { Output(path: $0.path, bytes: $0.bytes) }
            .sorted { $0.path < $1.path }
    }

    package var decoding: Decoding? {
        get { sharedDecoding?.value }
        set { sharedDecoding = newValue.map { Boxed($0) } }
    }

    package var failure: RecordingFailure? {
        get { boxedFailure?.value }
        set { boxedFailure = newValue.map { Boxed($0) } }
    }

    /// Names of the current outputs.
    package var made: [Pathname] {
        waveforms.map(\.path) + (copy.map { [$0.path] } ?? []) + copyWaveforms.map(\.path)
    }

    /// Names of all outputs of this recording, earlier ones included.
    package var outputs: [Pathname] { made + leftBehind }

    /// Takes in that this version decodes it like the earlier one that decoded it.
    package mutating func confirm(_ decoding: Decoding) {
        self.decoding = decoding
        // Not yet a warning then.
        if hasDecoderMessage, warnings == nil { warnings = [RecordingWarning(.decoderMessage)] }
    }

    /// Whether all its outputs are its own, in its folder.
    ///
    /// Otherwise it is not to be believed: they will be removed when they are obsolete.
    package var ownsItsOutputs: Bool {
        outputs.allSatisfy { $0.mayBeOutput(of: name) }
    }
}

/// Where the record has an entry.
package struct RecordedPlace: Hashable, Codable, Sendable {
    /// Relative to the root.
    package var folder: Pathname
    package var name: Pathname

    package init(folder: Pathname, name: Pathname) {
        self.folder = folder
        self.name = name
    }
}
