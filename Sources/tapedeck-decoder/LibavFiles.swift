import Audio
import CLibav
import DecoderMessages
import Glibc

/// Carries out requests for files that libav decodes, one at a time.
///
/// - Note: `@unchecked Sendable` holds because the helper has one thread that decodes.
final class LibavFiles: HelperLink, @unchecked Sendable {
    let memory: UnsafeMutableRawPointer
    let isBroken = false
    private var file: MediaFile?

    /// - Parameter memory: where samples and texts go, `DecoderHelperLayout.memoryBytes` long.
    init(memory: UnsafeMutableRawPointer) { self.memory = memory }

    func distrust() -> HelperError { .invalid }

    /// As from another process, which keeps its descriptor.
    func ask(_ request: DecoderRequest, descriptor: Int32) throws(HelperError) -> DecoderReply {
        reply(to: request, descriptor >= 0 ? dup(descriptor) : nil)
    }

    func reply(to request: DecoderRequest, _ descriptor: Int32?) -> DecoderReply {
        do throws(MediaError) {
            switch DecoderRequest.Kind(rawValue: request.kind) {
            case .open:
                file = nil
                _ = LibavLog.take()
                guard let descriptor, descriptor >= 0,
                    let syntax = DecoderRequest.Input(rawValue: request.input)
                else { throw MediaError(.unsupported) }
                let input = FileInput(descriptor: descriptor, from: max(0, request.start))
                let opened = try MediaFile(reading: input, as: syntax)
                file = opened
                return describe(opened)
            case .read:
                guard let file else { throw MediaError(.unsupported) }
                return try read(file)
            case .close:
                file = nil
                return DecoderReply(.block)
            case .picture:
                var reply = DecoderReply(.picture)
                let picture = file?.demuxer.picture ?? []
                if picture.count <= DecoderHelperLayout.memoryBytes {
                    write(picture, to: &reply)
                }
                return reply
            default: throw MediaError(.unsupported)
            }
        } catch {
            return failed(error)
        }
    }

    private func describe(_ file: MediaFile) -> DecoderReply {
        var reply = DecoderReply(.opened)
        reply.rateHertz = Int64(file.rateHertz)
        reply.channels = Int64(file.channels)
        reply.speakers = file.speakers
        reply.carrier = file.carrier.rawValue
        reply.bits = Int64(file.bits)
        reply.frames = file.demuxer.commentedFrames
        reply.damagedFrame = file.damagedFrame
        write([file.demuxer.name, file.codecName] + file.tags, to: &reply)
        return reply
    }

    private func read(_ file: MediaFile) throws(MediaError) -> DecoderReply {
        var reply = DecoderReply(.block)
        let room = DecoderHelperLayout.mostSampleBytes / (file.channels * file.carrier.bytes)
        reply.frames = Int64(
            try file.read(min(room, DecoderHelperLayout.mostFramesAtOnce), into: memory))
        reply.damagedFrame = file.damagedFrame
        write(
            LibavLog.take().asMessage, to: &reply, at: DecoderHelperLayout.mostSampleBytes)
        return reply
    }

    private func failed(_ error: MediaError) -> DecoderReply {
        var reply = DecoderReply(.failed)
        reply.failure = error.failure.rawValue
        reply.errorNumber = Int64(error.systemNumber)
        let said = LibavLog.take()
        write([said.isEmpty ? error.text : said.joined(separator: "; ")], to: &reply)
        return reply
    }

    private func write(_ texts: [String], to reply: inout DecoderReply) {
        write(texts.asMessage, to: &reply)
    }

    private func write(_ bytes: [UInt8], to reply: inout DecoderReply, at start: Int = 0) {
        UnsafeMutableRawBufferPointer(start: memory, count: DecoderHelperLayout.memoryBytes)
            .dropFirst(start).copyBytes(from: bytes)
        reply.textBytes = Int64(bytes.count)
    }
}
