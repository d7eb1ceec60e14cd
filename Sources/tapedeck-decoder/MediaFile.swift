import CLibav
import DecoderMessages

/// The first audio track of a file, decoded from its first frame to its last.
///
/// libavcodec leaves out the delay and padding that a container declares. The format is that of the
/// first decoded frame: a header of HE-AAC may state half the rate and one channel.
final class MediaFile {
    let demuxer: Demuxer
    let track: UnsafeMutablePointer<AVStream>
    private let codec: CodecContext
    /// Frames of the decoder's last output that have been taken.
    private var taken = 0
    private var isDrained = false
    /// The error that ended decoding.
    private var trouble: MediaError?

    /// Interleaved frames delivered so far.
    private(set) var framesRead: Int64 = 0
    /// The frame before which the first undecodable packet stood; -1 if there was none.
    private(set) var damagedFrame: Int64 = -1

    /// The time at which the last decoded frame ends, by the container.
    private var endSeconds: Double?

    let rateHertz: Int
    let channels: Int
    let carrier: DecoderReply.Carrier
    /// The bits of `WAVEFORMATEXTENSIBLE`, which libav shares; 0 if there are others, or unknown.
    let speakers: Int64

    /// Opens a file and decodes its first frame.
    init(reading input: FileInput, as syntax: DecoderRequest.Input) throws(MediaError) {
        let demuxer = try Demuxer(reading: input, as: syntax)
        let track = try demuxer.audioTrack()
        let codec = try CodecContext(decoding: track)
        (self.demuxer, self.track, self.codec) = (demuxer, track, codec)
        var failed = 0
        while true {
            let number = codec.decodeNext(of: track, from: demuxer)
            if number >= 0 { break }
            failed += 1
            guard number == libav_error_invalid_data, failed < MediaFile.mostFailures else {
                throw failed > 1 || number == libav_error_eof
                    ? MediaError(.corrupt) : MediaError(number, reading: demuxer.input)
            }
            damagedFrame = 0
        }
        let first = codec.frame.pointee
        guard let carrier = DecoderReply.Carrier(libav: first.format), first.sample_rate > 0,
            (1...DecoderHelperLayout.mostChannels).contains(Int(first.ch_layout.nb_channels))
        else { throw MediaError(.unsupported) }
        rateHertz = Int(first.sample_rate)
        channels = Int(first.ch_layout.nb_channels)
        self.carrier = carrier
        let layout = first.ch_layout
        let isKnown = layout.order == AV_CHANNEL_ORDER_NATIVE && layout.u.mask < 1 << 18
        speakers = isKnown ? Int64(layout.u.mask) : 0
    }

    /// Packets that may fail one after another before the first frame.
    private static let mostFailures = 1000

    /// Bits of a sample that are used; 0 if the codec does not say.
    var bits: Int { Int(codec.context.pointee.bits_per_raw_sample) }
    /// The names and values of tags: of the file, then of the track, where Ogg has them.
    var tags: [String] {
        [demuxer.context.pointee.metadata, track.pointee.metadata].flatMap { list in
            var tags: [String] = []
            var tag = av_dict_get(list, "", nil, AV_DICT_IGNORE_SUFFIX)
            while let next = tag, tags.count < MediaFile.mostTags * 2 {
                tags += [String(cString: next.pointee.key), String(cString: next.pointee.value)]
                tag = av_dict_get(list, "", next, AV_DICT_IGNORE_SUFFIX)
            }
            return tags
        } + demuxer.chapters
    }
    private static let mostTags = 64

    var codecName: String { String(cString: avcodec_get_name(codec.context.pointee.codec_id)) }

    /// Writes up to `count` next frames to `memory`, interleaved; returns how many, 0 at the end.
    func read(_ count: Int, into memory: UnsafeMutableRawPointer) throws(MediaError) -> Int {
        var done = 0
        while done < count {
            let held = Int(codec.frame.pointee.nb_samples)
            if taken < held {
                let part = min(count - done, held - taken)
                let place = memory + done * channels * carrier.bytes
                codec.frame.interleave(taken..<taken + part, channels, into: place)
                taken += part
                done += part
                framesRead += Int64(part)
                continue
            }
            guard !isDrained else { break }
            do throws(MediaError) {
                try decode()
            } catch {
                trouble = error
            }
        }
        // What came before is delivered first.
        if done == 0, let trouble { throw trouble }
        return done
    }

    /// Decodes the next frame, past packets that cannot be decoded.
    private func decode() throws(MediaError) {
        taken = 0
        while true {
            let number = codec.decodeNext(of: track, from: demuxer)
            if number == libav_error_eof || demuxer.input.errorNumber != 0 {
                isDrained = true
                guard demuxer.input.errorNumber == 0 else {
                    throw MediaError(number, reading: demuxer.input)
                }
                noteMissingEnd()
                return
            }
            if number >= 0 { break }
            if damagedFrame < 0 { damagedFrame = framesRead }
        }
        let frame = codec.frame.pointee
        noteGap(before: frame)
        guard Int(frame.sample_rate) == rateHertz,
            DecoderReply.Carrier(libav: frame.format) == carrier
        else {
            isDrained = true
            codec.dropFrame()
            throw MediaError(.rateChanges)
        }
    }
}

extension MediaFile {
    /// Sound missing within the file, in seconds: more than the 0.4 s left out between frames of
    /// Opus where nobody speaks (DTX).
    private static let shortestGap = 0.5

    /// Notes a jump of time, where the demuxer has skipped damaged parts of the container.
    private func noteGap(before frame: AVFrame) {
        let time = frame.best_effort_timestamp
        guard demuxer.keepsTime, time != libav_no_time else { return }
        let base = track.pointee.time_base
        let seconds = Double(time) * Double(base.num) / Double(max(1, base.den))
        if let end = endSeconds, seconds - end > MediaFile.shortestGap, damagedFrame < 0 {
            damagedFrame = framesRead
        }
        endSeconds = seconds + Double(frame.nb_samples) / Double(rateHertz)
    }

    /// Notes that the sound ends before the container does, which has nothing else in it.
    private func noteMissingEnd() {
        guard let length = demuxer.seconds, let end = endSeconds, damagedFrame < 0 else { return }
        if length - end > MediaFile.shortestGap { damagedFrame = framesRead }
    }
}

/// A decoder of libavcodec, with the buffers of its input and output.
private final class CodecContext {
    let context: UnsafeMutablePointer<AVCodecContext>
    let frame: UnsafeMutablePointer<AVFrame>
    private let packet: UnsafeMutablePointer<AVPacket>
    private var isFlushing = false

    init(decoding track: UnsafeMutablePointer<AVStream>) throws(MediaError) {
        let parameters = track.pointee.codecpar
        guard let decoder = avcodec_find_decoder(track.pointee.codecpar.pointee.codec_id),
            let context = avcodec_alloc_context3(decoder), let frame = av_frame_alloc(),
            let packet = av_packet_alloc()
        else { throw MediaError(.unsupported) }
        (self.context, self.frame, self.packet) = (context, frame, packet)
        avcodec_parameters_to_context(context, parameters)
        context.pointee.pkt_timebase = track.pointee.time_base
        context.pointee.thread_count = 1
        guard avcodec_open2(context, decoder, nil) >= 0 else { throw MediaError(.unsupported) }
    }

    deinit {
        var (context, frame, packet) = (
            Optional(self.context), Optional(self.frame), Optional(self.packet)
        )
        avcodec_free_context(&context)
        av_frame_free(&frame)
        av_packet_free(&packet)
    }

    func dropFrame() { av_frame_unref(frame) }

    /// Decodes the next frame into `frame`; libav's error number, negative at the end or where a
    /// packet is damaged.
    func decodeNext(of track: UnsafeMutablePointer<AVStream>, from demuxer: Demuxer) -> Int32 {
        while true {
            let received = avcodec_receive_frame(context, frame)
            if received != -EAGAIN { return received }
            guard !isFlushing else { return libav_error_eof }
            let read = demuxer.read(packet, of: track)
            // A damaged container is like a damaged packet, unless no more can be read.
            if read < 0 { isFlushing = true }
            let sent = avcodec_send_packet(context, read < 0 ? nil : packet)
            av_packet_unref(packet)
            if sent < 0, sent != -EAGAIN { return isFlushing ? libav_error_eof : sent }
        }
    }
}
