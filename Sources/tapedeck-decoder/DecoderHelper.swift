import CCage
import CDescriptors
import CLibav
import DecoderMessages
import Glibc

/// The helper of `tapedeck` that links libav: it decodes what libsndfile cannot.
///
/// A process of its own, so that a crash costs one recording, and `tapedeck` starts without loading
/// 135 libraries. It ends when the other end of its socket is closed. It gets open descriptors and
/// no paths, and gives up all that decoding does not take before it reads a byte of a file.
@main
struct DecoderHelper {
    private let memory: UnsafeMutableRawPointer
    private var file: MediaFile?

    /// Enough for any codec; a damaged header must not take the machine's memory.
    private static let mostBytes: UInt = 3 << 30

    static func main() {
        av_log_set_level(AV_LOG_QUIET)
        let bytes = DecoderHelperLayout.memoryBytes
        let mapped = mmap(
            nil, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, DecoderHelperLayout.memory, 0)
        guard let mapped, mapped != MAP_FAILED else {
            writeUsage()
            exit(64)
        }
        var helper = DecoderHelper(memory: mapped)
        let cage = ccage_enter(mostBytes, Int32(ccage_landlock | ccage_seccomp))
        var ready = DecoderReply(.ready)
        ready.cage = Int64(cage)
        guard helper.send(ready) else { return }
        while let (request, descriptor) = helper.receive() {
            guard helper.send(helper.reply(to: request, descriptor)) else { return }
        }
    }

    private static func writeUsage() {
        let text = "tapedeck-decoder is started by tapedeck; it does nothing by itself\n"
        _ = text.withCString { Glibc.write(STDERR_FILENO, $0, strlen($0)) }
    }

    private mutating func reply(to request: DecoderRequest, _ descriptor: Int32?) -> DecoderReply {
        do throws(MediaError) {
            switch DecoderRequest.Kind(rawValue: request.kind) {
            case .open:
                file = nil
                guard let descriptor, let syntax = DecoderRequest.Input(rawValue: request.input)
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
            case nil: throw MediaError(.unsupported)
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
        let room = DecoderHelperLayout.memoryBytes / (file.channels * file.carrier.bytes)
        reply.frames = Int64(
            try file.read(min(room, DecoderHelperLayout.mostFramesAtOnce), into: memory))
        reply.damagedFrame = file.damagedFrame
        return reply
    }

    private func failed(_ error: MediaError) -> DecoderReply {
        var reply = DecoderReply(.failed)
        reply.failure = error.failure.rawValue
        reply.errorNumber = Int64(error.systemNumber)
        write([error.text], to: &reply)
        return reply
    }

    /// Writes strings to the shared memory, each with a zero behind it, as far as there is room.
    private func write(_ texts: [String], to reply: inout DecoderReply) {
        var bytes: [UInt8] = []
        for text in texts {
            let own = Array(text.utf8) + [0]
            guard bytes.count + own.count <= DecoderHelperLayout.mostTextBytes else { break }
            bytes += own
        }
        write(bytes, to: &reply)
    }

    private func write(_ bytes: [UInt8], to reply: inout DecoderReply) {
        UnsafeMutableRawBufferPointer(start: memory, count: DecoderHelperLayout.memoryBytes)
            .copyBytes(from: bytes)
        reply.textBytes = Int64(bytes.count)
    }
}

// MARK: - The socket

extension DecoderHelper {
    /// The next request, with the descriptor that came with it; `nil` once the other end is closed.
    private func receive() -> (DecoderRequest, Int32?)? {
        var request = DecoderRequest(.read)
        let size = MemoryLayout<DecoderRequest>.size
        var descriptor: Int32 = -1
        let count = withUnsafeMutableBytes(of: &request) {
            receive_with_descriptor(
                DecoderHelperLayout.socket, $0.baseAddress, $0.count, &descriptor)
        }
        guard count == size else { return nil }
        return (request, descriptor >= 0 ? descriptor : nil)
    }

    private func send(_ reply: DecoderReply) -> Bool {
        withUnsafeBytes(of: reply) {
            Glibc.send(
                DecoderHelperLayout.socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                == $0.count
        }
    }
}
