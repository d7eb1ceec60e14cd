import Jobs
import Recordings
import ReducerKit

// The values of our own in a record's columns.

extension Row {
    func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }

    /// `nil` if the first of the two columns is.
    func stamp(_ column: Int32) -> FileStamp? {
        isNull(column)
            ? nil
            : FileStamp(bytes: integer(column), modifiedNanoseconds: integer(column + 1))
    }

    func identity(_ column: Int32) -> UInt64? {
        isNull(column) ? nil : UInt64(bitPattern: integer(column))
    }

    /// A value that is stored as JSON; `nil` if there is none, or somebody has changed it to
    /// nonsense.
    func json<Value: Decodable>(_ type: Value.Type, _ column: Int32) -> Value? {
        isNull(column) ? nil : JSONLine.read(type, from: bytes(column))
    }

    /// An entry, without its recipe.
    func entry(_ column: Int32) -> ManifestEntry? {
        json(ManifestEntry.self, column).flatMap { $0.isPlausible ? $0 : nil }
    }

    func raw<Value: RawRepresentable<String>>(_ column: Int32) -> Value? {
        isNull(column) ? nil : Value(rawValue: text(column))
    }
}

// MARK: - Entries without what only their outcome needs

extension SettledEntry {
    /// The columns of `init(_:)`, and those of one of its files.
    static let columns = """
        e.name, e.recipe, status, e.bytes, e.modifiedNanoseconds, e.sha256,
        \(AudioFormat.columns), silent, isMeasured, hasMessage, trimmedSeconds,
        decoding, warnings, failure, f.name, f.state, f.kind, f.bytes
        """

    /// - Parameter decodings: those that were read before; of very many, few are different.
    init?(_ row: Row, _ decodings: inout [[UInt8]: Boxed<Decoding>]) {
        guard let status: ManifestEntry.Status = row.raw(2) else { return nil }
        self.init(name: row.path(0), status: status)
        source = row.stamp(3)
        if !row.isNull(5) { sourceSHA256 = row.text(5) }
        format = AudioFormat(row, at: 6)
        isSilent = row.integer(12) != 0
        isMeasured = format != nil && !row.isNull(12) && row.integer(13) != 0
        hasDecoderMessage = row.integer(14) != 0
        if !row.isNull(15) { copySeconds = row.real(15) }
        if !row.isNull(16) {
            let text = row.bytes(16)
            sharedDecoding =
                decodings[text] ?? row.json(Decoding.self, 16).map { Boxed($0) }
            decodings[text] = sharedDecoding
        }
        warnings = row.json([RecordingWarning].self, 17)
        failure = row.json(RecordingFailure.self, 18)
    }

    /// Adds the row's file.
    mutating func addFile(_ row: Row) {
        guard let state: RecordedFile.State = row.raw(20) else { return }
        let output = Output(path: row.path(19), bytes: row.integer(22))
        switch (state, row.raw(21) ?? OutputFile.Kind.waveform) {
        case (.current, .waveform):
            let place = waveforms.partitioningIndex { $0.path > output.path }
            waveforms.insert(output, at: place)
        case (.current, .copyWaveform):
            let place = copyWaveforms.partitioningIndex { $0.path > output.path }
            copyWaveforms.insert(output, at: place)
        case (.current, .copy): copy = output
        case (.kept, _):
            let place = leftBehind.partitioningIndex { $0 > output.path }
            leftBehind.insert(output.path, at: place)
        case (.obsolete, _): break
        }
    }
}

extension AudioFormat {
    /// The columns of `init(_:at:)`; few recordings have so many channels that these may be
    /// ambisonic.
    static let columns = """
        container, encoding, sampleRateHertz, channels, frames,
        CASE WHEN channels > 2 THEN entry -> '$.format.ambisonic' END
        """

    /// - Parameter column: the first of these.
    init?(_ row: Row, at column: Int32) {
        guard let container: AudioContainer = row.raw(column),
            let encoding: SampleEncoding = row.raw(column + 1)
        else { return nil }
        self.init(
            container: container, encoding: encoding,
            sampleRateHertz: Int(row.integer(column + 2)),
            channels: Int(row.integer(column + 3)), frames: row.integer(column + 4))
        ambisonic = row.json(Bool.self, column + 5)
        guard isPlausible else { return nil }
    }
}
