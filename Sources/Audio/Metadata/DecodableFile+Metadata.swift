import CSndfile
import Recordings

extension DecodableFile {
    var metadata: RecordingMetadata {
        let chunks = ChunkMetadata(of: source)
        var metadata = chunks?.metadata ?? RecordingMetadata()
        metadata.add(RecordingMetadata(fields))
        if chunks != nil || stream != nil, let sound { metadata.add(sound.metadata) }
        if let libav { metadata.add(libav.metadata) }
        return metadata
    }
}

extension SoundFile {
    /// The texts that libsndfile finds: those of AIFF, CAF, and at the end of MP3.
    fileprivate var metadata: RecordingMetadata {
        func text(_ kind: Int) -> String? {
            sf_get_string(handle, Int32(kind)).flatMap { TagText.plain(String(cString: $0)) }
        }
        var metadata = RecordingMetadata()
        metadata.title = text(SF_STR_TITLE)
        metadata.recordedAt = text(SF_STR_DATE).flatMap(RecordedTime.parse)
        metadata.recordedAtFrom = metadata.recordedAt == nil ? nil : .tag
        let names = [
            (SF_STR_ARTIST, "artist"), (SF_STR_ALBUM, "album"), (SF_STR_COMMENT, "comment"),
            (SF_STR_COPYRIGHT, "copyright"), (SF_STR_GENRE, "genre"),
            (SF_STR_SOFTWARE, "software"), (SF_STR_TRACKNUMBER, "track"),
        ]
        let pairs = names.compactMap { kind, name in text(Int(kind)).map { (name, $0) } }
        metadata.tags = pairs.isEmpty ? nil : Dictionary(uniqueKeysWithValues: pairs)
        return metadata
    }
}

extension LibavDecoder {
    /// The tags that libav finds: of m4a, Matroska, WMA and others.
    fileprivate var metadata: RecordingMetadata {
        var tags = self.tags.filter { !$0.key.hasPrefix("chapter") }
        var metadata = RecordingMetadata()
        metadata.title = tags.removeValue(forKey: "title")
        metadata.description = tags.removeValue(forKey: "description")
        // When an iPhone says it, it has a zone.
        let dates = ["com.apple.quicktime.creationdate", "date", "creation_time"]
        let times = dates.compactMap { tags.removeValue(forKey: $0) }.compactMap(RecordedTime.parse)
        // A year is less than a time.
        metadata.recordedAt = times.max { $0.count < $1.count }
        metadata.recordedAtFrom = metadata.recordedAt == nil ? nil : .tag
        let device = ["com.apple.quicktime.make", "com.apple.quicktime.model"]
            .compactMap { tags.removeValue(forKey: $0) }
        metadata.recorder = device.isEmpty ? nil : device.joined(separator: " ")
        for name in ["major_brand", "minor_version", "compatible_brands", "itunsmpb"] {
            tags[name] = nil
        }
        metadata.tags = tags.isEmpty ? nil : tags
        return metadata
    }
}
