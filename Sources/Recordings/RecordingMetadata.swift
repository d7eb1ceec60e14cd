/// What a recording says of itself in its headers and tags.
package struct RecordingMetadata: Hashable, Codable, Sendable {
    /// Where a time of recording was read, in the order in which they are believed.
    package enum Origin: String, Codable, Sendable, CaseIterable {
        /// GUANO, as AudioMoth, Song Meter and bat detectors write it.
        case guano
        /// The chunk of Wildlife Acoustics' recorders.
        case wamd
        /// The comment of an AudioMoth.
        case comment
        /// The broadcast extension of WAV files (EBU Tech 3285).
        case bext
        /// iXML, as field recorders for film write it.
        case ixml
        /// RIFF INFO.
        case info
        /// ID3, Vorbis comments, or the tags of m4a.
        case tag
    }

    /// A date, or a date and time, with the zone if it is known: `2026-05-01T05:30:00+01:00`,
    /// `2026-05-01T05:30:00`, `2026-05-01`, `2026-05`, `2026`; `nil` if the recording does not say.
    package var recordedAt: String?
    package var recordedAtFrom: Origin?
    package var title: String?
    /// The device or program, with its serial number.
    package var recorder: String?
    package var description: String?
    /// Further tags by their names.
    package var tags: [String: String]?

    package init() {}

    /// The texts by their names in a manifest, without further tags.
    package var texts: [(name: String, text: String?)] {
        [
            ("recordedAt", recordedAt), ("title", title), ("recorder", recorder),
            ("description", description),
        ]
    }

    /// Takes over what is not known yet, and tags up to `mostTags`.
    package mutating func add(_ other: RecordingMetadata) {
        if recordedAt == nil {
            (recordedAt, recordedAtFrom) = (other.recordedAt, other.recordedAtFrom)
        }
        title = title ?? other.title
        recorder = recorder ?? other.recorder
        description = description ?? other.description
        for (name, value) in (other.tags ?? [:]).sorted(by: { $0.key < $1.key }) {
            guard tags?[name] == nil, (tags?.count ?? 0) < RecordingMetadata.mostTags else {
                continue
            }
            tags = (tags ?? [:]).merging([name: value]) { old, _ in old }
        }
    }

    /// More than any recorder writes; a file may have millions.
    package static let mostTags = 64

    private enum CodingKeys: String, CodingKey {
        case recordedAt, recordedAtFrom, title, recorder, description, tags
    }

    /// `recordedAt` is there in any case: `null` tells that the recording does not say.
    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(recordedAt, forKey: .recordedAt)
        try members.encodeIfPresent(recordedAtFrom, forKey: .recordedAtFrom)
        try members.encodeIfPresent(title, forKey: .title)
        try members.encodeIfPresent(recorder, forKey: .recorder)
        try members.encodeIfPresent(description, forKey: .description)
        try members.encodeIfPresent(tags, forKey: .tags)
    }
}
