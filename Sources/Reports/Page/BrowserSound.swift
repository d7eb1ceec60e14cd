import Recordings

/// What browsers play: tried with Chromium, and the same in what Firefox and Safari document.
enum BrowserSound {
    static func plays(_ format: AudioFormat) -> Bool {
        switch (format.container, format.encoding) {
        case (.wav, .pcmU8), (.wav, .pcm16), (.wav, .pcm24), (.wav, .pcm32), (.wav, .float32),
            (.wav, .aLaw), (.wav, .muLaw), (.rf64, .pcm16), (.rf64, .pcm24), (.rf64, .float32):
            true
        case (.flac, _), (.mp3, _), (.adts, _): true
        case (.ogg, .vorbis), (.ogg, .opus), (.matroska, .vorbis), (.matroska, .opus): true
        case (.mp4, .aac): true
        default: false
        }
    }
}
