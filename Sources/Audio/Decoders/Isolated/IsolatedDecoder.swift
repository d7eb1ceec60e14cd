import CLibraryOutput
import DecoderMessages
import Recordings

/// Decodes in a process of its own, with whatever library the recording takes: the library's bytes
/// and faults stay there.
final class IsolatedDecoder: Decoder {
    private let helper: any HelperLink
    private let path: Pathname
    private let channels: Int
    let speakers: UInt32
    private var state: DecoderReply.State = []
    private(set) var errorNumber: Int32 = 0
    private(set) var complaint: (refusal: LibraryRefusal?, frame: Int64?)?
    private(set) var troubleAtEnd: RecordingFailure.Reason?
    private var isOver = false

    /// - Parameter reply: the reply that a file is open.
    init(_ helper: any HelperLink, _ reply: DecoderReply, _ path: Pathname) {
        (self.helper, self.path) = (helper, path)
        channels = Int(reply.channels)
        speakers = UInt32(truncatingIfNeeded: reply.speakers)
    }

    deinit { HelperPool.giveBack(helper) }

    var isReadToItsEnd: Bool { state.contains(.isReadToItsEnd) }
    var lacksFramesWithinAlone: Bool { state.contains(.lacksFramesWithinAlone) }

    func read(
        _ count: Int, as wanted: SampleType, into samples: UnsafeMutableRawPointer
    ) -> Int {
        let frameBytes = wanted.carrier.bytes * channels
        let most = DecoderHelperLayout.mostSampleBytes / frameBytes
        var done = 0
        while done < count, !isOver {
            let part = min(count - done, most)
            var request = DecoderRequest(.readAny)
            (request.frames, request.carrier) = (Int64(part), wanted.carrier.rawValue)
            let frames = ask(request)
            guard frames <= part else {
                lose(helper.distrust())
                break
            }
            // There is room for `count` frames, and for `part` in the shared memory.
            UnsafeMutableRawBufferPointer(
                start: samples + done * frameBytes, count: frames * frameBytes
            ).copyMemory(
                from: UnsafeRawBufferPointer(
                    start: helper.memory + DecoderHelperLayout.mostTextBytes,
                    count: frames * frameBytes))
            done += frames
            if frames < part { break }
        }
        return done
    }

    func seek(to frame: Int64) -> Bool {
        var request = DecoderRequest(.seekAny)
        request.frames = frame
        return ask(request) == 1
    }

    /// The picture that libav finds, which is read before any frame.
    var picture: Picture? {
        guard let reply = try? helper.ask(DecoderRequest(.picture)),
            reply.kind == DecoderReply.Kind.picture.rawValue,
            let bytes = try? helper.bytes(of: reply), !bytes.isEmpty
        else { return nil }
        return Picture(block: bytes)
    }

    /// Sends a request and notes what the decoder says; the frames of the reply.
    private func ask(_ request: DecoderRequest) -> Int {
        guard !isOver else { return 0 }
        do throws(HelperError) {
            let reply = try helper.ask(request)
            guard reply.kind == DecoderReply.Kind.blockAny.rawValue, reply.frames >= 0 else {
                throw helper.distrust()
            }
            let texts = try helper.texts(of: reply)
            state = DecoderReply.State(rawValue: reply.state)
            errorNumber = Int32(clamping: reply.errorNumber)
            if texts.count == 3 {
                HelperPool.repeatPrinted(texts[0])
                troubleAtEnd = RecordingFailure.Reason(rawValue: texts[1])
            }
            if state.contains(.complains), complaint == nil {
                let refusal = LibraryRefusal(
                    code: Int(reply.code),
                    detail: texts.count == 3 ? LibraryOutput.message(of: texts[2]) ?? "" : "")
                complaint = (
                    state.contains(.hasCode) ? refusal : nil,
                    state.contains(.hasFrame) ? max(0, reply.damagedFrame) : nil
                )
            }
            return Int(clamping: reply.frames)
        } catch {
            lose(error)
            return 0
        }
    }

    /// Ends decoding, as the helper did.
    private func lose(_ error: HelperError) {
        isOver = true
        troubleAtEnd = AudioFileError(.reading, path, error).reason
    }
}

// MARK: - Opening

extension DecodableFile {
    /// Opens a file in a process of its own.
    init(
        isolating source: SourceFile, withoutHeaderAs raw: RawFormat?
    ) throws(AudioFileError) {
        let (helper, reply): (any HelperLink, DecoderReply)
        let texts: [String]
        do throws(HelperError) {
            (helper, reply) = try HelperPool.open(
                DecoderRequest(.openAny), descriptor: source.descriptor, text: raw?.text ?? "")
            texts = try helper.texts(of: reply)
        } catch {
            throw AudioFileError(.opening, source.path, error)
        }
        HelperPool.repeatPrinted(texts.first ?? "")
        let facts = IsolatedFacts(reply, texts)
        guard let facts else {
            let error = AudioFileError(isolated: reply, texts, source.path)
            let isInvalid = error == nil ? helper.distrust() : nil
            HelperPool.giveBack(helper)
            throw error ?? AudioFileError(.opening, source.path, isInvalid ?? .invalid)
        }
        // As the decoder has done on its side.
        if !DecoderReply.State(rawValue: reply.state).contains(.isStream) { source.passOverTags() }
        self.init(source, IsolatedDecoder(helper, reply, source.path), reply, facts)
    }

    private init(
        _ source: SourceFile, _ decoder: IsolatedDecoder, _ reply: DecoderReply,
        _ facts: IsolatedFacts
    ) {
        let state = DecoderReply.State(rawValue: reply.state)
        (self.source, self.decoder) = (source, decoder)
        (format, view, decoding) = (facts.format, facts.view, facts.decoding)
        (verdict, tags) = (facts.verdict, facts.tags)
        sndfileFormat = state.contains(.hasFormat) ? Int32(clamping: reply.format) : nil
        streamStart = state.contains(.isStream) ? reply.start : nil
        isSeekable = state.contains(.isSeekable)
    }
}

/// What the helper says of a file that it has opened.
private struct IsolatedFacts {
    let format: AudioFormat
    let view: SampleView
    let decoding: Decoding
    let verdict: ContainerVerdict?
    let tags: [String: String]

    /// `nil` if it makes no sense, or the file was not opened.
    init?(_ reply: DecoderReply, _ texts: [String]) {
        let isOpen = reply.kind == DecoderReply.Kind.openedAny.rawValue
        let hasFormat =
            (1...Int64(DecoderHelperLayout.mostChannels)).contains(reply.channels)
            && DecodableFile.isPossible(
                rateHertz: Int(reply.rateHertz), channels: Int(reply.channels))
            && reply.frames >= 0
        guard isOpen, hasFormat, texts.count >= 8,
            let container = AudioContainer(rawValue: texts[1]),
            let encoding = SampleEncoding(rawValue: texts[2]),
            let view = SampleView(rawValue: texts[3]),
            let library = Decoding.Library(rawValue: texts[4])
        else { return nil }
        format = AudioFormat(
            container: container, encoding: encoding, sampleRateHertz: Int(reply.rateHertz),
            channels: Int(reply.channels), frames: reply.frames)
        self.view = view
        decoding = Decoding(
            by: library, because: Decoding.Reason(rawValue: texts[5]),
            raw: texts[6].isEmpty ? nil : texts[6])
        verdict = ContainerVerdict(text: texts[7])
        let pairs = stride(from: 8, to: texts.count - 1, by: 2).compactMap { index in
            TagText.plain(texts[index + 1]).map { (texts[index], $0) }
        }
        tags = Dictionary(pairs) { first, _ in first }
    }
}

extension AudioFileError {
    /// The error for which the helper did not open a file; `nil` if it makes no sense.
    fileprivate init?(isolated reply: DecoderReply, _ texts: [String], _ path: Pathname) {
        let state = DecoderReply.State(rawValue: reply.state)
        guard reply.kind == DecoderReply.Kind.failedAny.rawValue, texts.count == 4,
            let activity = Activity(rawValue: texts[1]),
            let reason = RecordingFailure.Reason(rawValue: texts[2])
        else { return nil }
        self.init(
            activity: activity, path: path, reason: reason,
            code: state.contains(.hasCode) ? Int(reply.code) : nil,
            detail: LibraryOutput.message(of: texts[3]),
            frame: state.contains(.hasFrame) ? max(0, reply.damagedFrame) : nil,
            expected: state.contains(.hasFrames) ? reply.frames : nil)
    }
}

extension ContainerVerdict {
    /// The verdict as a text for another process.
    var text: String {
        switch self {
        case .whole: "whole"
        case .unjudged: "unjudged"
        case .lengthUnknown: "lengthUnknown"
        case .truncated(let bytes): "truncated " + (bytes.map(String.init) ?? "")
        case .short(let found, let expected): "short \(found) \(expected)"
        case .unfinished: "unfinished"
        case .outgrown: "outgrown"
        case .chained: "chained"
        case .damaged(let frame): "damaged \(frame)"
        }
    }

    init?(text: String) {
        let words = text.split(separator: " ")
        let numbers = words.dropFirst().compactMap { Int64($0) }
        switch (words.first, numbers.count) {
        case ("whole", 0): self = .whole
        case ("unjudged", 0): self = .unjudged
        case ("lengthUnknown", 0): self = .lengthUnknown
        case ("truncated", 0...1): self = .truncated(expectedBytes: numbers.first)
        case ("short", 2): self = .short(foundFrames: numbers[0], expectedFrames: numbers[1])
        case ("unfinished", 0): self = .unfinished
        case ("outgrown", 0): self = .outgrown
        case ("chained", 0): self = .chained
        case ("damaged", 1): self = .damaged(frame: numbers[0])
        default: return nil
        }
    }
}
