/// The processing steps of a recording; a failure names the step that failed.
package enum Stage: String, Codable, Sendable, CaseIterable {
    case scan, decode, waveform, levels, silence, trim, manifest
}

/// Why a recording failed, as facts in the order a person would ask for them.
///
/// It is stored in state and manifest and never stops the batch. Reports turns it into text.
package struct RecordingFailure: Hashable, Codable, Sendable, Error {
    package enum Reason: String, Codable, Sendable, CaseIterable {
        /// The file has no bytes.
        case emptyFile
        /// A folder, pipe, socket or device has a recording's name.
        case notARegularFile
        /// The file's first bytes match no known container.
        case unrecognisedFormat
        /// The container is known, but its contents cannot be decoded.
        case unsupportedEncoding
        /// The file is valid but has no frames.
        case noAudio
        /// The header promises more frames than there are.
        case truncated
        /// The header was never finalised, so it does not describe the audio after it.
        case unfinished
        /// The decoder found invalid data.
        case corrupt
        /// Several chained streams; the decoder reads only the first.
        case chainedStreams
        /// The header claims far more audio than the file's bytes can hold.
        case implausibleLength
        /// The recording exceeds the length limit.
        case tooLong
        /// The decoder used much CPU time without producing frames.
        case decoderStuck
        /// The decoder helper ended, or gave no answer, while it decoded this recording.
        case decoderCrashed
        /// Only libav can decode this, and its libraries are not installed, or the helper that
        /// `detail` names.
        case needsLibav
        /// The sample rate changes within the file.
        case formatChanges
        case permissionDenied
        case vanished
        /// The file changed while it was being read.
        case changed
        /// Another program has the file open for writing.
        case beingWritten
        /// The requested folder is empty or missing although it has results: perhaps its disk or
        /// share is not mounted.
        case emptied
        /// A symlink has replaced the folder, or a folder above it.
        case linked
        /// The folder's output folder holds other files, usually through a symlink or a mount.
        case leadsElsewhere
        /// The output folder's path is not a folder, or the manifest's path is one.
        case placeTaken
        /// Something else in the output has the name of a result; `detail` names it.
        case nameTaken
        /// The output folder is missing or was replaced by another.
        case outputGone
        /// Another process works on the same shard by now.
        case takenOver
        /// The record of results cannot be read, because its file is damaged.
        case damagedRecord
        case noSpace
        case readOnly
        /// The file would exceed the file system's or the process's size limit.
        case tooLarge
        case nameTooLong
        case tooManyOpenFiles
        case inputOutput
        /// Temporarily impossible: device busy, out of memory, or a share that does not respond.
        case unavailable
        /// None of the above; `detail` quotes the library or the system.
        case other
    }

    package var stage: Stage
    package var reason: Reason
    /// The message of the decoder or the system.
    package var detail: String?
    /// `errno`, or the decoder's error number.
    package var code: Int?
    /// Frames decoded before the failure.
    package var frame: Int64?
    /// Expected frames or bytes; for some reasons, the number found.
    package var expected: Int64?
    /// For failures to decode, `Decoding.currentRevision` then; `nil` for versions before 2.
    package var decoding: Int?

    package init(
        stage: Stage, reason: Reason, detail: String? = nil, code: Int? = nil,
        frame: Int64? = nil, expected: Int64? = nil
    ) {
        self.stage = stage
        self.reason = reason
        self.detail = detail
        self.code = code
        self.frame = frame
        self.expected = expected
        decoding = stage == .decode ? Decoding.currentRevision : nil
    }

    /// Whether a version that could decode less than this one failed here, for the recording's
    /// format or contents.
    package var isOfLesserDecoder: Bool {
        let others: [Reason] = [.emptyFile, .notARegularFile, .implausibleLength, .decoderStuck]
        return stage == .decode && decoding ?? 1 < Decoding.currentRevision
            && !others.contains(reason)
    }
}
