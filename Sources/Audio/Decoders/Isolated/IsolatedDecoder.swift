import CLibraryOutput
import DecoderMessages
import Recordings

/// Decodes in a process of its own, with whatever library the recording takes: the library's bytes
/// and faults stay there.
final class IsolatedDecoder: Decoder {
    private let helper: any HelperLink
    private let path: Pathname
    private let channels: Int
    /// The declared frames; 0 if none are.
    private let declaredFrames: Int64
    let speakers: UInt32
    private var state: DecoderReply.State = []
    private(set) var errorNumber: Int32 = 0
    private(set) var complaint: (refusal: LibraryRefusal?, frame: Int64?)?
    private(set) var troubleAtEnd: RecordingFailure.Reason?
    private var isOver = false
    /// The frame behind the last that was read.
    private var position: Int64 = 0
    /// What the helper has decoded ahead; `nil` if it is to be asked.
    private var ahead: Ahead?

    /// Frames in the shared memory, and what the helper says after the last step of them.
    private struct Ahead {
        /// The place of the first that has not been read.
        var first = 0
        let frames: Int
        /// The frames before the last step.
        let earlier: Int
        /// Whether the last step has fewer frames than were asked for.
        let endsShort: Bool
        let reply: DecoderReply
        let texts: [String]
    }

    /// - Parameter reply: the reply that a file is open.
    init(_ helper: any HelperLink, _ reply: DecoderReply, _ path: Pathname) {
        (self.helper, self.path) = (helper, path)
        channels = Int(reply.channels)
        declaredFrames = reply.frames
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
            let step = min(count - done, most)
            guard var held = ahead ?? decodeAhead(step, wanted.carrier, most) else { break }
            let isEarlier = held.first < held.earlier
            let frames = min(step, (isEarlier ? held.earlier : held.frames) - held.first)
            // There is room for `count` frames, and for all that is held in the shared memory.
            UnsafeMutableRawBufferPointer(
                start: samples + done * frameBytes, count: frames * frameBytes
            ).copyMemory(
                from: UnsafeRawBufferPointer(
                    start: helper.memory + DecoderHelperLayout.mostTextBytes
                        + held.first * frameBytes,
                    count: frames * frameBytes))
            done += frames
            held.first += frames
            ahead = held
            // The last step may have no frames; what is said counts from behind it.
            guard !isEarlier, held.first == held.frames else { continue }
            ahead = nil
            note(held.reply, held.texts)
            if held.endsShort { break }
        }
        position += Int64(done)
        return done
    }

    func seek(to frame: Int64) -> Bool {
        var request = DecoderRequest(.seekAny)
        request.frames = frame
        ahead = nil
        guard let (reply, texts) = ask(request) else { return false }
        note(reply, texts)
        position = frame
        return reply.frames == 1
    }

    /// Has the helper decode the next frames, in steps of `step` and `most` in all.
    private func decodeAhead(
        _ step: Int, _ carrier: DecoderReply.Carrier, _ most: Int
    ) -> Ahead? {
        var request = DecoderRequest(.readAny)
        (request.frames, request.carrier) = (Int64(step), carrier.rawValue)
        // Whatever follows the last frame is not decoded, and nothing behind a part of a block.
        let left = declaredFrames > 0 ? declaredFrames - position : Int64(most)
        let isBlock = step == AudioFileReader.recommendedBlockFrames
        request.mostFrames = isBlock ? max(Int64(step), min(Int64(most), left)) : Int64(step)
        guard let (reply, texts) = ask(request) else { return nil }
        let (frames, stepFrames) = (reply.frames, reply.stepFrames)
        guard (0...request.mostFrames).contains(frames), (0...frames).contains(stepFrames) else {
            lose(helper.distrust())
            return nil
        }
        return Ahead(
            frames: Int(frames), earlier: Int(frames - stepFrames),
            endsShort: stepFrames < Int64(step), reply: reply, texts: texts)
    }

    /// The picture that libav finds, which is read before any frame.
    var picture: Picture? {
        guard let reply = try? helper.ask(DecoderRequest(.picture)),
            reply.kind == DecoderReply.Kind.picture.rawValue,
            let bytes = try? helper.bytes(of: reply), !bytes.isEmpty
        else { return nil }
        return Picture(block: bytes)
    }

    /// Sends a request; `nil` if the helper is lost.
    private func ask(_ request: DecoderRequest) -> (DecoderReply, [String])? {
        guard !isOver else { return nil }
        do throws(HelperError) {
            let reply = try helper.ask(request)
            guard reply.kind == DecoderReply.Kind.blockAny.rawValue, reply.frames >= 0 else {
                throw helper.distrust()
            }
            return (reply, try helper.texts(of: reply))
        } catch {
            lose(error)
            return nil
        }
    }

    /// Takes over what the decoder says after a call.
    private func note(_ reply: DecoderReply, _ texts: [String]) {
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
    }

    /// Ends decoding, as the helper did.
    private func lose(_ error: HelperError) {
        isOver = true
        troubleAtEnd = AudioFileError(.reading, path, error).reason
    }
}
