/// The steps a recording goes through; a failure names the one it happened in.
package enum Stage: String, Codable, Sendable, CaseIterable {
    case scan, decode, waveform, levels, silence, trim, manifest
}

/// Why a recording could not be done: facts, in the order a person would ask for them.
///
/// It lives in state and manifest and never stops the batch. Words for it are made elsewhere.
package struct RecordingFailure: Hashable, Codable, Sendable, Error {
    package enum Reason: String, Codable, Sendable, CaseIterable {
        /// The file has no bytes.
        case emptyFile
        /// A folder, pipe, socket or device bears a recording's name.
        case notARegularFile
        /// No known container begins like this.
        case unrecognisedFormat
        /// The container is known, what is in it cannot be decoded.
        case unsupportedEncoding
        /// The file is sound and holds no frames.
        case noAudio
        /// The header promises more frames than there are.
        case truncated
        /// The header was never completed: it says nothing of the sound that follows.
        case unfinished
        /// The decoder met bytes that cannot be sound.
        case corrupt
        /// Several streams in a row, of which the decoder reads only the first.
        case chainedStreams
        /// It claims far more sound than its bytes can hold.
        case implausibleLength
        /// It holds more sound than a recording may.
        case tooLong
        /// The decoder used the processor for long and delivered nothing.
        case decoderStuck
        case permissionDenied
        case vanished
        /// The file changed while it was being read.
        case changed
        /// Some program has it open for writing.
        case beingWritten
        /// The folder asked for is empty, or gone, though there are results of it: perhaps a disk
        /// or share that is not mounted.
        case emptied
        /// A link has taken the place of the folder, or of one above it.
        case linked
        /// The folder's place in the output holds other files, mostly as a link or a mount leads to
        /// them.
        case leadsElsewhere
        /// Something that is not a folder stands where the folder's results go, or a folder where
        /// their manifest goes.
        case placeTaken
        /// In the output something else bears the name of a result: `detail` says which.
        case nameTaken
        /// The output is gone, or another folder is in its place.
        case outputGone
        case noSpace
        case readOnly
        /// The file system, or a limit, allows no file of that length.
        case tooLarge
        case nameTooLong
        case tooManyOpenFiles
        case inputOutput
        /// The system could not do it just now: busy, out of memory, a share that does not answer.
        case unavailable
        /// None of the above; `detail` has the library's or system's own words.
        case other
    }

    package var stage: Stage
    package var reason: Reason
    /// The decoder's or the system's own words.
    package var detail: String?
    /// `errno`, or the decoder's error number.
    package var code: Int?
    /// Frames that had been decoded.
    package var frame: Int64?
    /// Frames or bytes promised, and where it matters how many were found.
    package var expected: Int64?

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
    }
}
