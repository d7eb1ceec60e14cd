import Recordings

extension Pathname {
    /// Whether a scan treats a file of this name as a recording.
    ///
    /// Formats that nothing can decode are included: every recording must be accounted for, and its
    /// owner would never notice one that was skipped silently.
    package var isRecordingName: Bool {
        !isHidden && Pathname.recordingExtensions.contains(fileExtension)
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
}
