import Recordings

extension AudioFormat {
    /// "mono, 16000 Hz, pcm16 in flac".
    var words: String {
        let channels =
            switch channels {
            case 1: "mono"
            case 2: "stereo"
            default: "\(channels) \(ambisonic == true ? "ambisonic channels" : "channels")"
            }
        return "\(channels), \(sampleRateHertz) Hz, \(encoding.rawValue) in \(container.rawValue)"
    }
}
