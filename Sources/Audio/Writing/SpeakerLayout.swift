import CSndfile
import Recordings

/// What the channels of a recording are, if it says so.
enum SpeakerLayout: Hashable {
    /// Loudspeakers by the bits of `WAVEFORMATEXTENSIBLE`.
    case speakers(UInt32)
    /// What so many channels usually are; the recording does not say it, but its container does.
    case usual
    /// Ambisonic B-format.
    case ambisonic

    /// What so many channels are in FLAC files that do not say it (RFC 9639, 9.1.3), and in Vorbis
    /// files.
    static let usualBits: [Int: UInt32] = [
        1: 0x4, 2: 0x3, 3: 0x7, 4: 0x33, 5: 0x37, 6: 0x3F, 7: 0x70F, 8: 0x63F,
    ]
    /// The field by which FLAC files say another.
    static let field = "WAVEFORMATEXTENSIBLE_CHANNEL_MASK"

    /// The bits for so many channels; `nil` for ambisonic ones.
    func mask(of channels: Int) -> UInt32? {
        switch self {
        case .speakers(let mask): mask
        case .usual: SpeakerLayout.usualBits[channels] ?? 0
        case .ambisonic: nil
        }
    }

    /// Says it in the header of a file that is written.
    func tell(_ file: SoundFile) {
        guard let mask = mask(of: Int(file.info.channels)) else {
            sf_command(
                file.handle, Int32(SFC_WAVEX_SET_AMBISONIC), nil, Int32(SF_AMBISONIC_B_FORMAT))
            return
        }
        var map = SpeakerLayout.bits.enumerated().filter { mask >> $0.offset & 1 == 1 }
            .map { Int32($0.element) }
        guard map.count == file.info.channels else { return }
        let bytes = Int32(map.count * MemoryLayout<Int32>.size)
        sf_command(file.handle, Int32(SFC_SET_CHANNEL_MAP_INFO), &map, bytes)
    }

    /// libsndfile's names of the bits.
    private static let bits = [
        SF_CHANNEL_MAP_LEFT, SF_CHANNEL_MAP_RIGHT, SF_CHANNEL_MAP_CENTER, SF_CHANNEL_MAP_LFE,
        SF_CHANNEL_MAP_REAR_LEFT, SF_CHANNEL_MAP_REAR_RIGHT, SF_CHANNEL_MAP_FRONT_LEFT_OF_CENTER,
        SF_CHANNEL_MAP_FRONT_RIGHT_OF_CENTER, SF_CHANNEL_MAP_REAR_CENTER,
        SF_CHANNEL_MAP_SIDE_LEFT, SF_CHANNEL_MAP_SIDE_RIGHT, SF_CHANNEL_MAP_TOP_CENTER,
        SF_CHANNEL_MAP_TOP_FRONT_LEFT, SF_CHANNEL_MAP_TOP_FRONT_CENTER,
        SF_CHANNEL_MAP_TOP_FRONT_RIGHT, SF_CHANNEL_MAP_TOP_REAR_LEFT,
        SF_CHANNEL_MAP_TOP_REAR_CENTER, SF_CHANNEL_MAP_TOP_REAR_RIGHT,
    ]
}

extension DecodableFile {
    /// The layout of the channels; `nil` if the recording has none, such as a WAV file of four
    /// microphones.
    var speakers: SpeakerLayout? {
        let grammar = ChunkGrammar(beginning: source.bytes(at: 0, count: 16))
        if let grammar { return grammar.family == .riff ? extensibleLayout(grammar) : nil }
        let own = fields.first { $0.name == SpeakerLayout.field }?.text
        if let own, own.hasPrefix("0x"), let mask = UInt32(own.dropFirst(2), radix: 16) {
            return .speakers(mask)
        }
        if isLibav { return decoder.speakers > 0 ? .speakers(decoder.speakers) : nil }
        guard let mask = SpeakerLayout.usualBits[format.channels] else { return nil }
        return channelOrderOfCopies == nil ? .usual : .speakers(mask)
    }

    /// Whether the channels are ambisonic, which WAV alone says.
    var isAmbisonic: Bool {
        guard format.channels > 2, [.wav, .rf64].contains(format.container) else { return false }
        return speakers == .ambisonic
    }

    /// That of an extensible format chunk.
    private func extensibleLayout(_ grammar: ChunkGrammar) -> SpeakerLayout? {
        guard let chunk = grammar.chunk("fmt ", in: source) else { return nil }
        let bytes = source.bytes(at: chunk.body, count: 40)
        guard bytes.count == 40, integer(bytes[..<2], bigEndian: grammar.bigEndian) == 0xFFFE else {
            return nil
        }
        if bytes[28..<40].elementsEqual(SpeakerLayout.ambisonicIdentifier) { return .ambisonic }
        return .speakers(UInt32(integer(bytes[20..<24], bigEndian: grammar.bigEndian)))
    }
}

extension SpeakerLayout {
    /// The end of the identifiers of samples in extensible WAV files, of loudspeakers and of
    /// B-format; the encoding's number comes first.
    static let plainIdentifier: [UInt8] = [
        0x00, 0x00, 0x10, 0x00, 0x80, 0x00, 0x00, 0xAA, 0x00, 0x38, 0x9B, 0x71,
    ]
    static let ambisonicIdentifier: [UInt8] = [
        0x21, 0x07, 0xD3, 0x11, 0x86, 0x44, 0xC8, 0xC1, 0xCA, 0x00, 0x00, 0x00,
    ]
}
