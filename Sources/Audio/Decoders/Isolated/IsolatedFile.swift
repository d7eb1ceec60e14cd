import DecoderMessages
import Recordings

/// A recording that the helper has open for `tapedeck`, with whatever library decodes it.
///
/// The far side of `IsolatedDecoder`.
package final class IsolatedFile {
    private let file: DecodableFile

    private init(_ file: DecodableFile) { self.file = file }

    /// Takes over the descriptor, and opens the file as `tapedeck` would.
    /// - Parameter raw: `RawFormat.text`, or nothing.
    /// - Returns: the file if it could be opened, the reply and its texts.
    package static func open(
        _ descriptor: Int32, withoutHeaderAs raw: String?
    ) -> (IsolatedFile?, DecoderReply, [String]) {
        let (result, printed) = LibraryOutput.capture {
            () -> Result<DecodableFile, AudioFileError> in
            do throws(AudioFileError) {
                let source = try SourceFile(descriptor, "")
                let raw = raw.flatMap { RawFormat(text: $0) }
                return .success(try DecodableFile(source, withoutHeaderAs: raw))
            } catch {
                return .failure(error)
            }
        }
        switch result {
        case .success(let file):
            let (reply, texts) = describe(file, printed ?? "")
            return (IsolatedFile(file), reply, texts)
        case .failure(let error):
            let (reply, texts) = describe(error, printed ?? "")
            return (nil, reply, texts)
        }
    }

    private static func describe(
        _ file: DecodableFile, _ printed: String
    ) -> (DecoderReply, [String]) {
        var reply = DecoderReply(.openedAny)
        var state: DecoderReply.State = []
        reply.rateHertz = Int64(file.format.sampleRateHertz)
        reply.channels = Int64(file.format.channels)
        reply.frames = file.format.frames
        reply.speakers = Int64(file.decoder.speakers)
        if let format = file.sndfileFormat {
            reply.format = Int64(format)
            state.insert(.hasFormat)
        }
        if let start = file.streamStart {
            reply.start = start
            state.insert(.isStream)
        }
        if file.isSeekable { state.insert(.isSeekable) }
        reply.state = state.rawValue
        var texts = [
            printed, file.format.container.rawValue, file.format.encoding.rawValue,
            file.view.rawValue, file.decoding.library.rawValue,
            file.decoding.because?.rawValue ?? "", file.decoding.raw ?? "",
            file.verdict?.text ?? "",
        ]
        for (name, value) in file.tags.sorted(by: { $0.key < $1.key }) { texts += [name, value] }
        return (reply, texts)
    }

    private static func describe(
        _ error: AudioFileError, _ printed: String
    ) -> (DecoderReply, [String]) {
        var reply = DecoderReply(.failedAny)
        var state: DecoderReply.State = []
        if let code = error.code {
            reply.code = Int64(code)
            state.insert(.hasCode)
        }
        if let frame = error.frame {
            reply.damagedFrame = frame
            state.insert(.hasFrame)
        }
        if let expected = error.expected {
            reply.frames = expected
            state.insert(.hasFrames)
        }
        reply.state = state.rawValue
        let texts = [
            printed, error.activity.rawValue, error.reason.rawValue, error.detail ?? "",
        ]
        return (reply, texts)
    }

    package var picture: [UInt8] { file.decoder.picture?.block ?? [] }

    /// Decodes the next frames into `memory`, which has room for `bytes`.
    ///
    /// Goes on step by step while there is room and a step changes nothing but the place, so that
    /// the other process learns of each change behind the same frame as if it decoded itself.
    package func read(
        _ request: DecoderRequest, into memory: UnsafeMutableRawPointer, bytes: Int
    ) -> (DecoderReply, [String]) {
        guard let carrier = DecoderReply.Carrier(rawValue: request.carrier) else {
            return reply(0, "")
        }
        let frameBytes = carrier.bytes * file.format.channels
        let most = Int(min(max(0, request.mostFrames), Int64(bytes / frameBytes)))
        let step = Int(min(max(0, request.frames), Int64(most)))
        let before = reply(0, "")
        var done = 0
        while true {
            let (frames, printed) = LibraryOutput.capture {
                file.decoder.read(
                    step, as: SampleType(carrier), into: memory + done * frameBytes)
            }
            done += frames
            var (reply, texts) = reply(done, printed ?? "")
            reply.stepFrames = Int64(frames)
            let isSame =
                frames == step && texts == before.1 && reply.state == before.0.state
                && reply.errorNumber == before.0.errorNumber
            if !isSame || step == 0 || done + step > most { return (reply, texts) }
        }
    }

    /// Moves to a frame; the reply has one frame if it could be reached.
    package func seek(to frame: Int64) -> (DecoderReply, [String]) {
        let (isThere, printed) = LibraryOutput.capture { file.decoder.seek(to: frame) }
        return reply(isThere ? 1 : 0, printed ?? "")
    }

    /// What the decoder says after a call.
    private func reply(_ frames: Int, _ printed: String) -> (DecoderReply, [String]) {
        var reply = DecoderReply(.blockAny)
        var state: DecoderReply.State = []
        reply.frames = Int64(frames)
        reply.errorNumber = Int64(file.decoder.errorNumber)
        var message = ""
        if let complaint = file.decoder.complaint {
            state.insert(.complains)
            if let refusal = complaint.refusal {
                state.insert(.hasCode)
                reply.code = Int64(refusal.code)
                message = refusal.detail
            }
            if let frame = complaint.frame {
                state.insert(.hasFrame)
                reply.damagedFrame = frame
            }
        }
        if file.decoder.isReadToItsEnd { state.insert(.isReadToItsEnd) }
        if file.decoder.lacksFramesWithinAlone { state.insert(.lacksFramesWithinAlone) }
        reply.state = state.rawValue
        let trouble = file.decoder.troubleAtEnd?.rawValue ?? ""
        let texts = [printed, trouble, message]
        return (reply, texts.allSatisfy(\.isEmpty) ? [] : texts)
    }
}

extension SampleType {
    init(_ carrier: DecoderReply.Carrier) {
        self =
            switch carrier {
            case .int16: .int16
            case .int32: .int32
            case .float32: .float32
            case .float64: .float64
            }
    }

    var carrier: DecoderReply.Carrier {
        switch self {
        case .int16: .int16
        case .int32: .int32
        case .float32: .float32
        case .float64: .float64
        }
    }
}
