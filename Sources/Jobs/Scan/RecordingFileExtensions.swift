import Recordings

extension Pathname {
    /// Whether a scan treats a file of this name as a recording.
    ///
    /// Formats that cannot be decoded yet are included: every recording must be accounted for, and
    /// its owner would never notice one that was skipped silently.
    package var isRecordingName: Bool {
        !isHidden
            && (Pathname.decodableExtensions.contains(fileExtension) || isOfUndecodableFormat)
    }

    /// Whether the extension is that of a format that recorders write but the decoder cannot read.
    package var isOfUndecodableFormat: Bool {
        Pathname.undecodableExtensions.contains(fileExtension)
    }

    private static let decodableExtensions: Set<String> = [
        "wav", "wave", "bwf", "rf64", "w64", "aif", "aiff", "aifc", "afc", "caf", "au", "snd",
        "flac", "ogg", "oga", "opus", "mp3", "mp2", "mp1", "mpga", "wav49", "voc", "avr", "sf",
        "ircam", "nist",
        "sph", "svx", "8svx", "iff", "paf", "htk", "sds", "mat5", "pvf", "xi",
    ]

    private static let undecodableExtensions: Set<String> = [
        "m4a", "m4b", "aac", "amr", "awb", "3ga", "wma", "ape", "wv", "mka", "weba", "spx", "dss",
        "ds2", "qta", "tta", "mpc", "3gp", "ac3", "dsf", "dff", "sd2", "gsm", "qcp", "dvf",
        "msv", "ra", "sln", "sln16", "ul", "ulaw", "al", "alaw", "g722", "g729", "vox", "pcm",
    ]
}
