import Recordings

extension Pathname {
    /// Whether a file of this name is taken for a recording when a folder is scanned.
    ///
    /// Formats that cannot be decoded yet are among them: a folder's recordings are to be accounted
    /// for, and one that is passed over in silence would be lost to its owner.
    package var isRecordingName: Bool {
        !isHidden && Pathname.recordingExtensions.contains(fileExtension)
    }

    private static let recordingExtensions: Set<String> = [
        // Decodable.
        "wav", "wave", "bwf", "rf64", "w64", "aif", "aiff", "aifc", "afc", "caf", "au", "snd",
        "flac", "ogg", "oga", "opus", "mp3", "mp2", "mpga", "voc", "avr", "sf", "ircam", "nist",
        "sph", "svx", "8svx", "iff", "paf", "htk", "sds", "mat5", "pvf", "xi",
        // Known recorders' formats that the decoder does not read.
        "m4a", "m4b", "aac", "amr", "awb", "3ga", "wma", "ape", "wv", "mka", "weba", "spx", "dss",
        "ds2", "qta", "tta", "mpc",
    ]
}
