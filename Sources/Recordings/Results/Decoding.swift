/// The way in which a recording was decoded.
package struct Decoding: Hashable, Codable, Sendable {
    package enum Library: String, Codable, Sendable, CaseIterable {
        case libsndfile, libFLAC, libav
    }

    /// Why the file was not simply read as libsndfile finds it.
    package enum Reason: String, Codable, Sendable, CaseIterable {
        /// libsndfile does not open it.
        case notOpened
        /// libsndfile knows the container, but not the encoding.
        case unsupportedEncoding
        /// libsndfile reads only the first of several streams.
        case chainedStreams
        /// libsndfile reads only what has the format of the beginning.
        case formatChanges
        /// libsndfile disagrees with the container about the place, number or encoding of samples.
        case contradiction
        /// There is no header.
        case noHeader
    }

    package var library: Library
    /// `nil` if libsndfile, or libFLAC for FLAC, was the first choice.
    package var because: Reason?
    /// The format that was assumed for a file without a header: `RawFormat.text`.
    package var raw: String?
    /// The revision of the way in which Tapedeck reads files.
    package var revision: Int

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        library = try values.decode(Library.self, forKey: .library)
        because = try values.decodeIfPresent(Reason.self, forKey: .because)
        raw = try values.decodeIfPresent(String.self, forKey: .raw)
        // The first version did not say it.
        revision = try values.decodeIfPresent(Int.self, forKey: .revision) ?? 1
    }

    /// Counts up whenever files of some kind are read otherwise than before: more of them, or more
    /// correctly.
    ///
    /// Failures of a lesser revision are retried, and results of a lesser one are checked against
    /// the files once, without decoding. Before 2, libsndfile alone decoded.
    package static let currentRevision = 2

    package init(
        by library: Library, because reason: Reason? = nil, raw: String? = nil,
        revision: Int = currentRevision
    ) {
        self.library = library
        because = reason
        self.raw = raw
        self.revision = revision
    }
}
