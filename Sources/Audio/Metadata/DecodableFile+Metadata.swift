import CSndfile
import Recordings

extension DecodableFile {
    var metadata: RecordingMetadata {
        let chunks = ChunkMetadata(of: source)
        var metadata = chunks?.metadata ?? RecordingMetadata()
        metadata.add(RecordingMetadata(fields))
        // Those of FLAC and Ogg are the fields once more.
        let isOfChunks = chunks != nil && format.container != .flac
        if isOfChunks || isStream || isLibav { metadata.add(RecordingMetadata(tags: tags)) }
        return metadata
    }
}

extension SoundFile {
    /// The texts that libsndfile finds: of AIFF, CAF, and at the end of MP3.
    var tags: [String: String] {
        let names = [
            (SF_STR_TITLE, "title"), (SF_STR_DATE, "date"), (SF_STR_ARTIST, "artist"),
            (SF_STR_ALBUM, "album"), (SF_STR_COMMENT, "comment"), (SF_STR_COPYRIGHT, "copyright"),
            (SF_STR_GENRE, "genre"), (SF_STR_SOFTWARE, "software"),
            (SF_STR_TRACKNUMBER, "track"),
        ]
        let pairs = names.compactMap { kind, name in
            sf_get_string(handle, Int32(kind)).flatMap { TagText.plain(String(cString: $0)) }
                .map { (name, $0) }
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }
}

extension RecordingMetadata {
    /// What texts say that a library finds in a file.
    fileprivate init(tags all: [String: String]) {
        self.init()
        var tags = all.filter { !$0.key.hasPrefix("chapter") }
        title = tags.removeValue(forKey: "title")
        description = tags.removeValue(forKey: "description")
        // When an iPhone says it, it has a zone.
        let dates = ["com.apple.quicktime.creationdate", "date", "creation_time"]
        let times = dates.compactMap { tags.removeValue(forKey: $0) }.compactMap(RecordedTime.parse)
        // A year is less than a time.
        recordedAt = times.max { $0.count < $1.count }
        recordedAtFrom = recordedAt == nil ? nil : .tag
        let device = ["com.apple.quicktime.make", "com.apple.quicktime.model"]
            .compactMap { tags.removeValue(forKey: $0) }
        recorder = device.isEmpty ? nil : device.joined(separator: " ")
        for name in ["major_brand", "minor_version", "compatible_brands", "itunsmpb"] {
            tags[name] = nil
        }
        self.tags = tags.isEmpty ? nil : tags
    }
}
