import CLibav
import DecoderMessages
import Glibc

/// A container opened by libavformat, and its first audio track.
final class Demuxer {
    /// The demuxers that may open a file: containers of sound, and none that opens further files.
    private static let allowed = [
        "3gp", "aac", "ac3", "aiff", "amr", "amrnb", "amrwb", "ape", "asf", "au", "avi", "caf",
        "dss", "dts", "eac3", "flac", "flv", "g722", "gsm", "iff", "ircam", "matroska", "mov",
        "mp3",
        "mpc", "mpc8", "mpeg", "mpegts", "nistsphere", "ogg", "oma", "qcp", "rm", "shn", "tak",
        "tta", "voc", "w64", "wav", "wv", "xwma",
    ]
    /// A file that matches a demuxer no better than this is not taken for its format: text
    /// resembles some.
    private static let leastScore = AVPROBE_SCORE_EXTENSION / 2

    let input: FileInput
    let context: UnsafeMutablePointer<AVFormatContext>

    /// Recognises the container by its contents.
    init(reading input: FileInput, as syntax: DecoderRequest.Input) throws(MediaError) {
        self.input = input
        let demuxer: UnsafePointer<AVInputFormat>? =
            switch syntax {
            case .container: nil
            case .g722: av_find_input_format("g722")
            }
        var context = avformat_alloc_context()
        context?.pointee.pb = input.context
        var options: OpaquePointer?
        av_dict_set(&options, "format_whitelist", Demuxer.allowed.joined(separator: ","), 0)
        defer { av_dict_free(&options) }
        // Frees the context if it fails.
        let number = avformat_open_input(&context, nil, demuxer, &options)
        guard number >= 0, let context else {
            // A format that is not allowed is an invalid argument.
            throw input.errorNumber == 0 && [libav_error_invalid_data, -EINVAL].contains(number)
                ? MediaError(.unrecognised) : MediaError(number, reading: input)
        }
        self.context = context
        let isCertain = demuxer != nil || context.pointee.probe_score >= Demuxer.leastScore
        guard isCertain else { throw MediaError(.unrecognised) }
        let found = avformat_find_stream_info(context, nil)
        guard found >= 0 else { throw MediaError(found, reading: input) }
    }

    deinit {
        var closed: UnsafeMutablePointer<AVFormatContext>? = context
        avformat_close_input(&closed)
    }

    /// The name of the container, as libavformat has it.
    var name: String { context.pointee.iformat?.pointee.name.map { String(cString: $0) } ?? "" }

    /// Whether the container has a time for each packet, so that a gap shows.
    var keepsTime: Bool { ["matroska", "asf", "mov"].contains { name.hasPrefix($0) } }

    /// The length of a container with one track; `nil` if it does not declare it.
    var seconds: Double? {
        let length = context.pointee.duration
        guard keepsTime, context.pointee.nb_streams == 1, length != libav_no_time else {
            return nil
        }
        return Double(length) / Double(AV_TIME_BASE)
    }

    /// The first audio track with a decoder; all other tracks are skipped from here on.
    func audioTrack() throws(MediaError) -> UnsafeMutablePointer<AVStream> {
        let streams = UnsafeBufferPointer(
            start: context.pointee.streams, count: Int(context.pointee.nb_streams)
        ).compactMap(\.self)
        let tracks = streams.filter { $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO }
        let audio = tracks.first {
            avcodec_find_decoder($0.pointee.codecpar.pointee.codec_id) != nil
        }
        guard let audio else { throw MediaError(tracks.isEmpty ? .noTrack : .unsupported) }
        for stream in streams where stream != audio { stream.pointee.discard = AVDISCARD_ALL }
        return audio
    }

    /// The frames without padding, from the fourth number of iTunes' comment `iTunSMPB`; 0 if there
    /// is none.
    var commentedFrames: Int64 {
        guard let comment = av_dict_get(context.pointee.metadata, "iTunSMPB", nil, 0) else {
            return 0
        }
        let words = String(cString: comment.pointee.value).split(separator: " ")
        return words.count > 3 ? max(0, Int64(words[3], radix: 16) ?? 0) : 0
    }

    /// Reads the next packet of the track; libav's error number, negative at the end.
    func read(
        _ packet: UnsafeMutablePointer<AVPacket>, of track: UnsafeMutablePointer<AVStream>
    ) -> Int32 {
        while true {
            let number = av_read_frame(context, packet)
            let isSound = packet.pointee.stream_index == track.pointee.index
            if number < 0 || isSound && !Demuxer.isHeader(packet.pointee) { return number }
            av_packet_unref(packet)
        }
    }

    /// Whether this is the header of a further link of a chained Opus stream, which libavformat
    /// returns like sound.
    private static func isHeader(_ packet: AVPacket) -> Bool {
        let start = UnsafeBufferPointer(start: packet.data, count: min(8, Int(packet.size)))
        return start.elementsEqual("OpusHead".utf8) || start.elementsEqual("OpusTags".utf8)
    }
}

// MARK: - What it tells

extension Demuxer {
    /// The most chapters that are told.
    private static let mostChapters = 500

    /// Names and values of fields by which FLAC and Ogg files have chapters.
    var chapters: [String] {
        let all = UnsafeBufferPointer(
            start: context.pointee.chapters, count: Int(context.pointee.nb_chapters))
        var fields: [String] = []
        for (index, chapter) in all.prefix(Demuxer.mostChapters).enumerated() {
            guard let chapter = chapter?.pointee, chapter.time_base.den > 0 else { continue }
            let unit = Double(chapter.time_base.num) / Double(chapter.time_base.den)
            let seconds = Double(chapter.start) * unit
            guard (0..<1e7).contains(seconds) else { continue }
            // Hours may be more than two digits, and the rest is seconds.
            fields += ["CHAPTER\(index + 1)", "0:0:\(seconds)"]
            guard let title = av_dict_get(chapter.metadata, "title", nil, 0) else { continue }
            fields += ["CHAPTER\(index + 1)NAME", String(cString: title.pointee.value)]
        }
        return fields
    }

    /// The media type of the first picture, a zero, and the picture; empty if there is none.
    var picture: [UInt8] {
        let streams = UnsafeBufferPointer(
            start: context.pointee.streams, count: Int(context.pointee.nb_streams))
        for case .some(let stream) in streams
        where stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0 {
            let packet = stream.pointee.attached_pic
            let kind = stream.pointee.codecpar.pointee.codec_id
            guard let data = packet.data, packet.size > 0, let media = Demuxer.media[kind.rawValue]
            else { continue }
            return Array(media.utf8) + [0]
                + UnsafeBufferPointer(start: data, count: Int(packet.size))
        }
        return []
    }

    private static let media = [
        AV_CODEC_ID_MJPEG.rawValue: "image/jpeg", AV_CODEC_ID_PNG.rawValue: "image/png",
        AV_CODEC_ID_GIF.rawValue: "image/gif", AV_CODEC_ID_BMP.rawValue: "image/bmp",
        AV_CODEC_ID_WEBP.rawValue: "image/webp",
    ]
}
