import CLibraryOutput
import DecoderMessages
import Recordings

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
