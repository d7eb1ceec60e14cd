import DecoderMessages
import Recordings

/// Decodes with libav, in a helper process, from the first frame to the last; it does not seek.
///
/// libavcodec leaves out the delay and padding that a container declares.
final class LibavDecoder: Decoder {
    /// The format of the first decoded frame; `frames` is 0 if the container does not declare them.
    let format: AudioFormat
    /// The frames of a packet of HE-AAC: the last packet may lack, as decoders fill up its end.
    static let mostPacketFrames: Int64 = 2048
    let view: SampleView

    private let helper: any HelperLink
    private let carrier: DecoderReply.Carrier
    private let path: Pathname
    /// The file's tags by name; texts without control characters.
    let tags: [String: String]
    /// The bits of `WAVEFORMATEXTENSIBLE`; 0 if unknown.
    let speakers: UInt32
    /// The bytes in the shared memory that have not been read.
    private var held = 0..<0
    private var isOver = false
    private var framesRead: Int64 = 0
    private(set) var errorNumber: Int32 = 0
    private(set) var complaint: (refusal: LibraryRefusal?, frame: Int64?)?
    /// The error that ended decoding, beside those of the system.
    private(set) var troubleAtEnd: RecordingFailure.Reason?

    /// Opens `source`, and decodes its first frame.
    init(
        reading source: SourceFile, as syntax: DecoderRequest.Input = .container
    ) throws(AudioFileError) {
        path = source.path
        let reply: DecoderReply
        let texts: [String]
        do throws(HelperError) {
            (helper, reply) = try HelperPool.open(
                DecoderRequest(.open, syntax, from: source.start),
                descriptor: source.descriptor)
            texts = try helper.texts(of: reply)
            guard LibavDecoder.makesSense(reply) else { throw helper.distrust() }
        } catch {
            throw AudioFileError(.opening, source.path, error)
        }
        guard reply.kind == DecoderReply.Kind.opened.rawValue, texts.count > 1,
            let carrier = DecoderReply.Carrier(rawValue: reply.carrier)
        else {
            HelperPool.giveBack(helper)
            throw AudioFileError(.opening, source.path, reply, texts.first)
        }
        let encoding = SampleEncoding(libav: texts[1], carrier, bits: Int(reply.bits))
        format = AudioFormat(
            container: syntax == .container ? AudioContainer(libav: texts[0]) : .raw,
            encoding: encoding,
            sampleRateHertz: Int(reply.rateHertz), channels: Int(reply.channels),
            frames: LibavDecoder.declaredFrames(of: source, reply))
        view =
            switch carrier {
            case .int16: .short
            case .int32: .wide
            case .float32, .float64: encoding.isLossless ? .floating : .lossy
            }
        self.carrier = carrier
        speakers = UInt32(truncatingIfNeeded: reply.speakers)
        let pairs = stride(from: 2, to: texts.count - 1, by: 2).compactMap { index in
            TagText.name(texts[index]).flatMap { name in
                TagText.plain(texts[index + 1]).map { (name.lowercased(), $0) }
            }
        }
        // The file's own come before the track's.
        tags = Dictionary(pairs) { first, _ in first }
        if reply.damagedFrame >= 0 { complaint = (nil, 0) }
    }

    deinit { HelperPool.giveBack(helper) }

    /// The frames that the container declares; 0 if it does not declare them exactly.
    private static func declaredFrames(of source: SourceFile, _ reply: DecoderReply) -> Int64 {
        guard MP4Movie.begins(source), let movie = MP4Movie(of: source) else { return 0 }
        if !movie.hasEdits, reply.frames > 0 { return reply.frames }
        return movie.frames(atRate: Int(reply.rateHertz)) ?? 0
    }

    /// Whether numbers in a reply lie within what any recording has.
    private static func makesSense(_ reply: DecoderReply) -> Bool {
        let kinds: [DecoderReply.Kind] = [.opened, .failed]
        guard let kind = DecoderReply.Kind(rawValue: reply.kind), kinds.contains(kind) else {
            return false
        }
        return kind == .failed
            || (1...Int64(DecoderHelperLayout.mostChannels)).contains(reply.channels)
                && (1...Int64(Int32.max)).contains(reply.rateHertz) && reply.frames >= 0
                && DecoderReply.Carrier(rawValue: reply.carrier) != nil
    }

    var isReadToItsEnd: Bool { isOver }
    var lacksFramesWithinAlone: Bool { complaint?.frame.map { $0 < framesRead } ?? false }

    private var frameBytes: Int { format.channels * carrier.bytes }

    func read(
        _ count: Int, as wanted: SampleType, into samples: UnsafeMutableRawPointer
    ) -> Int {
        precondition(wanted == view.carrier, "samples are read as they are decoded")
        var done = 0
        while done < count, !isOver {
            if held.isEmpty { receive() }
            let bytes = held.prefix((count - done) * frameBytes)
            // There is room for `count` frames, and for all of `held` in the shared memory.
            UnsafeMutableRawBufferPointer(
                start: samples + done * frameBytes, count: bytes.count
            ).copyMemory(
                from: UnsafeRawBufferPointer(
                    start: helper.memory + bytes.lowerBound, count: bytes.count))
            held = bytes.upperBound..<held.upperBound
            done += bytes.count / frameBytes
        }
        framesRead += Int64(done)
        return done
    }

    /// The file's picture, which is read before any frame; `nil` if there is none.
    var picture: Picture? {
        guard let reply = try? helper.ask(DecoderRequest(.picture)),
            reply.kind == DecoderReply.Kind.picture.rawValue,
            let bytes = try? helper.bytes(of: reply), !bytes.isEmpty
        else { return nil }
        let media = bytes.prefix { $0 != 0 }
        // 3 is the front cover.
        return Picture(kind: 3, media: media, name: [], data: bytes.dropFirst(media.count + 1))
    }

    /// AAC and WMA are never decoded alike from the middle.
    func seek(to frame: Int64) -> Bool { false }

    /// Has the helper decode the next frames; sets `isOver` when there are none.
    private func receive() {
        do throws(HelperError) {
            let reply = try helper.ask(DecoderRequest(.read))
            if reply.damagedFrame >= 0, complaint == nil { complaint = (nil, reply.damagedFrame) }
            let most = Int64(DecoderHelperLayout.mostSampleBytes / frameBytes)
            switch DecoderReply.Kind(rawValue: reply.kind) {
            case .block where (0...most).contains(reply.frames):
                let said = try helper.texts(of: reply, from: DecoderHelperLayout.mostSampleBytes)
                for line in said { HelperPool.repeatPrinted(line) }
                held = 0..<Int(reply.frames) * frameBytes
                isOver = reply.frames == 0
            case .failed:
                isOver = true
                let error = AudioFileError(.reading, path, reply, try helper.texts(of: reply).first)
                troubleAtEnd = error.reason
                errorNumber = Int32(clamping: reply.errorNumber)
            default:
                throw helper.distrust()
            }
        } catch {
            isOver = true
            troubleAtEnd = AudioFileError(.reading, path, error).reason
        }
    }
}

// MARK: - Errors

extension AudioFileError {
    /// A helper that did not answer.
    init(_ activity: Activity, _ path: Pathname, _ error: HelperError) {
        let reason: RecordingFailure.Reason =
            switch error {
            case .missing, .notBuilt: .needsLibav
            // A stalled helper is ended, so it does not hold up the run as a stuck thread would.
            case .died, .invalid, .stalled: .decoderCrashed
            }
        let detail = error == .notBuilt ? "tapedeck-decoder" : nil
        self.init(activity: activity, path: path, reason: reason, detail: detail)
    }

    /// The helper's reply that it could not decode.
    fileprivate init(
        _ activity: Activity, _ path: Pathname, _ reply: DecoderReply, _ text: String?
    ) {
        if reply.errorNumber != 0 {
            self.init(activity, path, errno: Int32(clamping: reply.errorNumber))
            return
        }
        let reason: RecordingFailure.Reason =
            switch DecoderReply.Failure(rawValue: reply.failure) {
            case .unrecognised: .unrecognisedFormat
            case .unsupported: .unsupportedEncoding
            case .noTrack: .noAudio
            case .rateChanges: .formatChanges
            case .corrupt, nil: .corrupt
            }
        let detail = text.flatMap { $0.isEmpty ? nil : LibraryOutput.message(of: $0) }
        self.init(activity: activity, path: path, reason: reason, detail: detail)
    }
}
