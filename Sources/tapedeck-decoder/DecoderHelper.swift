import Audio
import CCage
import CDescriptors
import CLibav
import DecoderMessages
import Glibc

/// The helper of `tapedeck` that links libav: it decodes what libsndfile cannot, and all if that is
/// wanted.
///
/// A process of its own, so that a crash costs one recording, and `tapedeck` starts without loading
/// 135 libraries. It ends when the other end of its socket is closed. It gets open descriptors and
/// no paths, and gives up all that decoding does not take before it reads a byte of a file.
@main
struct DecoderHelper {
    private let memory: UnsafeMutableRawPointer
    /// What is open with libav, and with any library.
    private let libav: LibavFiles
    private var any: IsolatedFile?

    /// Enough for any codec; a damaged header must not take the machine's memory.
    private static let mostBytes: UInt = 3 << 30

    static func main() {
        LibavLog.begin()
        let bytes = DecoderHelperLayout.memoryBytes
        let mapped = mmap(
            nil, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, DecoderHelperLayout.memory, 0)
        guard let mapped, mapped != MAP_FAILED else {
            writeUsage()
            exit(64)
        }
        var helper = DecoderHelper(memory: mapped, libav: LibavFiles(memory: mapped))
        // Recordings that any library may decode come to libav through memory of this process.
        HelperPool.local = LibavFiles(
            memory: UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64))
        let cage = ccage_enter(mostBytes)
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
        switch DecoderRequest.Kind(rawValue: request.kind) {
        case .openAny:
            any = nil
            let count = min(max(0, Int(request.textBytes)), DecoderHelperLayout.mostTextBytes)
            let raw = [String].texts(of: UnsafeRawBufferPointer(start: memory, count: count)).first
            let opened = IsolatedFile.open(descriptor ?? -1, withoutHeaderAs: raw)
            any = opened.0
            return reply(opened.1, opened.2)
        case .readAny:
            let place = memory + DecoderHelperLayout.mostTextBytes
            let read = any?.read(request, into: place, bytes: DecoderHelperLayout.mostSampleBytes)
            return read.map { reply($0.0, $0.1) } ?? DecoderReply(.failed)
        case .seekAny:
            return any.map { $0.seek(to: request.frames) }.map { reply($0.0, $0.1) }
                ?? DecoderReply(.failed)
        case .picture where any != nil:
            var reply = DecoderReply(.picture)
            reply.textBytes = put(any?.picture ?? [], DecoderHelperLayout.memoryBytes)
            return reply
        case .close:
            any = nil
            return libav.reply(to: request, descriptor)
        default: return libav.reply(to: request, descriptor)
        }
    }

    private func reply(_ reply: DecoderReply, _ texts: [String]) -> DecoderReply {
        var reply = reply
        reply.textBytes = put(texts.asMessage, DecoderHelperLayout.mostTextBytes)
        return reply
    }

    private func put(_ bytes: [UInt8], _ most: Int) -> Int64 {
        guard bytes.count <= most else { return 0 }
        UnsafeMutableRawBufferPointer(start: memory, count: most).copyBytes(from: bytes)
        return Int64(bytes.count)
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
