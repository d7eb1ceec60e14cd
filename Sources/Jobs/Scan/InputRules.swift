import Recordings

/// Which files of a folder are recordings, and how those without a header are stored.
package struct InputRules: Hashable, Codable, Sendable {
    /// The format of headerless files whose names match a pattern.
    package struct Raw: Hashable, Codable, Sendable {
        /// A file name with `*` for any characters and `?` for one byte, in any case.
        package var pattern: Pathname
        package var format: RawFormat

        package init(pattern: Pathname, format: RawFormat) {
            self.pattern = pattern
            self.format = format
        }
    }

    /// Whether the first audio track of videos is processed.
    package var includesVideo = false
    /// The first that matches counts.
    package var raw: [Raw] = []
    package var filter = PathFilter()

    package init() {}

    /// Whether a scan treats a file of this name as a recording.
    ///
    /// Formats that nothing can decode are included: every recording must be accounted for, and its
    /// owner would never notice one that was skipped silently.
    package func isRecording(_ name: Pathname) -> Bool {
        guard !name.isHidden else { return false }
        return name.isRecordingName || includesVideo && name.isVideoName
            || !raw.isEmpty && rawFormat(of: name) != nil
    }

    /// The format that a rule gives for a file without a header; `nil` if there is none.
    package func rawFormat(of name: Pathname) -> RawFormat? {
        raw.first { name.matches($0.pattern) }?.format
    }

    /// The same, or the usual format of such a name.
    package func storage(of name: Pathname) -> RawFormat? {
        rawFormat(of: name) ?? name.headerlessFormat
    }
}

extension Pathname {
    /// Whether the extension is that of a sound file.
    package var isRecordingName: Bool {
        !isHidden && Pathname.recordingExtensions.contains(fileExtension)
    }

    /// Whether the extension is that of a video, of which only the sound can be processed.
    package var isVideoName: Bool {
        !isHidden && Pathname.videoExtensions.contains(fileExtension)
    }

    private static let recordingExtensions = Set<String>([
        // Decoded by libsndfile.
        "wav", "wave", "bwf", "rf64", "w64", "aif", "aiff", "aifc", "afc", "caf", "au", "snd",
        "flac", "ogg", "oga", "opus", "mp3", "mp2", "mp1", "mpga", "wav49", "voc", "avr", "sf",
        "ircam", "nist",
        "sph", "svx", "8svx", "iff", "paf", "htk", "sds", "mat5", "pvf", "xi",
        // Decoded by libav.
        "m4a", "m4b", "aac", "amr", "awb", "3ga", "3gp", "wma", "ape", "wv", "mka", "weba", "spx",
        "qta", "tta", "mpc", "ac3", "qcp", "ra", "dss",
        // Decoded by nothing yet.
        "ds2", "dsf", "dff", "sd2", "dvf", "msv", "g729", "pcm",
    ]).union(Pathname.headerlessExtensions)

    private static let videoExtensions: Set<String> = [
        "mp4", "m4v", "mov", "qt", "3g2", "mkv", "webm", "avi", "wmv", "asf", "flv", "mpg", "mpeg",
        "vob", "ts", "mts", "m2ts", "ogv",
    ]

    /// Whether `*` (any bytes) and `?` (one byte) in `pattern` can stand for parts of this name,
    /// whatever the case of its letters.
    package func matches(_ pattern: Pathname) -> Bool {
        let (name, pattern) = (
            bytes.map(Pathname.lowercased), pattern.bytes.map(Pathname.lowercased)
        )
        return Wildcards.match(
            name.count, pattern.count, isAny: { pattern[$0] == UInt8(ascii: "*") },
            step: { place, next in
                pattern[next] == name[place] || pattern[next] == UInt8(ascii: "?")
                    ? (place + 1, next + 1) : nil
            })
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte + 32 : byte
    }
}
