import Analysis
import Audio
import Jobs
import Recordings

/// What a worker heard of one section of a recording.
struct HeardSection: Sendable {
    private(set) var waveform: WaveformBuilder?
    private(set) var levels: LevelMeter?
    private(set) var spectrum: SpectrumRows?
    /// What it sounds like from its lead on, and from the next one's lead on.
    private(set) var beginning = SoundPrint(least: 0)
    private(set) var continuation = SoundPrint(least: 0)
    /// Where in the file the decoder was once it had the first frame of its lead, and of the next
    /// one's lead.
    private(set) var beginningPlace: Int64?
    private(set) var continuationPlace: Int64?
    /// What was decoded in all, once the last section has come to its end.
    private(set) var decodedFormat: AudioFormat?

    /// Listens to a section; `nil` when told to stop, or where it ends too early.
    ///
    /// Throws for whatever is not as it should be.
    init?(
        _ section: RecordingSection, of order: ListeningOrder, in reader: inout AudioFileReader,
        while goesOn: () -> Bool
    ) throws(AudioFileError) {
        let format = reader.format
        let first = section.frames.lowerBound
        if order.stages.contains(.waveform) {
            waveform = WaveformBuilder(
                samplesPerPixel: order.waveform.samplesPerPixel, channels: format.channels,
                splitChannels: order.waveform.splitChannels, firstFrame: first)
        }
        if order.stages.contains(.levels) {
            levels = LevelMeter(
                channels: format.channels, encoding: format.encoding, section: first)
        }
        var spectrum =
            order.stages.contains(.silence)
            ? SpectrumSection(
                section, sampleRateHertz: format.sampleRateHertz, channels: format.channels) : nil
        if !reader.hasFramesOfOneSize {
            // Beyond the end of those that hold the joint, wherever that is.
            beginning = SoundPrint(least: reader.mostFramesTogether + 64)
        }
        continuation = beginning
        try reader.seek(to: Int64(section.lead.lowerBound))
        beginningPlace = reader.streamPlace
        if !section.lead.isEmpty {
            let lead = try reader.block(of: section.lead.count)
            guard lead.frames == section.lead.count else { return nil }
            spectrum?.lead(lead)
            beginning.extend(by: lead)
        }
        guard try listen(to: section, &spectrum, &reader, goesOn) else { return nil }
        self.spectrum = spectrum?.finish()
    }

    private mutating func listen(
        to section: RecordingSection, _ spectrum: inout SpectrumSection?,
        _ reader: inout AudioFileReader, _ goesOn: () -> Bool
    ) throws(AudioFileError) -> Bool {
        let next = Int64(section.nextLead.lowerBound)
        let own = section.isLast ? [nil] : [next, next + 1, Int64(section.frames.upperBound)]
        for (part, end) in own.enumerated() {
            let isThrough = try reader.forEachBlock(upTo: end, while: goesOn) {
                waveform?.consume($0)
                levels?.consume($0)
                spectrum?.consume($0)
                beginning.extend(by: $0)
                if part > 0 { continuation.extend(by: $0) }
            }
            guard isThrough else { return false }
            if part == 1 { continuationPlace = reader.streamPlace }
        }
        if section.isLast {
            decodedFormat = reader.decodedFormat
            try reader.verifyEnd()
            return true
        }
        let hasTail = try reader.forEachBlock(
            upTo: Int64(section.tail.upperBound), while: goesOn
        ) {
            spectrum?.consume($0)
            continuation.extend(by: $0)
        }
        guard hasTail else { return false }
        while !continuation.isWhole {
            let block = try reader.block(of: AudioFileReader.recommendedBlockFrames)
            if block.frames == 0 { break }
            continuation.extend(by: block)
        }
        return goesOn()
    }
}

/// What something sounds like at its beginning: so many frames, and for as long as they are nothing
/// but a constant, more.
struct SoundPrint: Hashable, Sendable {
    /// Frames that are looked at, and where it is given up if they are all the same.
    private let least: Int
    private let most: Int
    private var frames = 0
    private var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    private var firstFrame: [Float] = []
    /// Whether all frames are the same.
    private(set) var isConstant = true

    /// - Parameter least: 0 where nobody asks what it sounds like.
    init(least: Int) {
        self.least = least
        most = least * 64
    }

    /// Whether nothing more is looked at.
    var isWhole: Bool { frames >= (isConstant ? most : least) }

    /// Takes in the next block, as far as it is looked at.
    mutating func extend(by block: borrowing AudioBlock) {
        if isWhole { return }
        let channels = block.channels
        if frames == 0 { firstFrame = Array(block.samples[..<channels]) }
        block.samples.withUnsafeBufferPointer { samples in
            for frame in 0..<block.frames where !isWhole {
                for channel in 0..<channels {
                    let sample = samples[frame * channels + channel]
                    // FNV-1a, a sample at a time.
                    hash = (hash ^ UInt64(sample.bitPattern)) &* 0x100_0000_01b3
                    if sample != firstFrame[channel] { isConstant = false }
                }
                frames += 1
            }
        }
    }
}
