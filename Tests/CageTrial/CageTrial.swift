import CCage
import CDescriptors
import DecoderMessages
import Glibc

/// A decoder that does what a file tells it to, in the cage of `tapedeck-decoder`.
///
/// The file's first 8 bytes are any; then come a word and a zero byte. What became of it is the
/// text of a reply that the file could not be opened. The end of the program's name says what the
/// cage is made of: `-landlock`, `-seccomp`, `-none`, or else both.
@main
struct CageTrial {
    static func main() {
        let name = String(cString: CommandLine.unsafeArgv[0].unsafelyUnwrapped)
        let means: Int32 =
            name.hasSuffix("-seccomp")
            ? 2
            : name.hasSuffix("-landlock")
                ? 1
                : name.hasSuffix("-none") ? 0 : 3
        let memory = mmap(
            nil, DecoderHelperLayout.memoryBytes, PROT_READ | PROT_WRITE, MAP_SHARED,
            DecoderHelperLayout.memory, 0)
        var ready = DecoderReply(.ready)
        ready.cage = Int64(ccage_enter(3 << 30, means))
        send(ready)
        var request = DecoderRequest(.read)
        var descriptor: Int32 = -1
        while withUnsafeMutableBytes(
            of: &request,
            {
                receive_with_descriptor(
                    DecoderHelperLayout.socket, $0.baseAddress, $0.count, &descriptor)
            }) == MemoryLayout<DecoderRequest>.size
        {
            guard request.kind == DecoderRequest.Kind.open.rawValue else {
                send(DecoderReply(.block))
                continue
            }
            let text = Array(misdeed(in: descriptor).utf8) + [0]
            close(descriptor)
            memory?.copyMemory(from: text, byteCount: text.count)
            var reply = DecoderReply(.failed)
            reply.failure = DecoderReply.Failure.corrupt.rawValue
            reply.textBytes = Int64(text.count)
            send(reply)
        }
    }

    private static func send(_ reply: DecoderReply) {
        _ = withUnsafeBytes(of: reply) {
            Glibc.send(
                DecoderHelperLayout.socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
    }

    /// Does what the file says, and tells the error, or that it succeeded.
    private static func misdeed(in descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 64)
        pread(descriptor, &bytes, bytes.count - 1, 8)
        let word = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        errno = 0
        let isDone: Bool
        switch word {
        case "read": isDone = open("/etc/passwd", O_RDONLY) >= 0
        case "list": isDone = opendir("/") != nil
        case "create": isDone = open("/tmp/tapedeck-cage-trial", O_CREAT | O_WRONLY, 0o600) >= 0
        case "delete": isDone = unlink("/tmp/tapedeck-cage-victim") == 0
        case "write": isDone = write(descriptor, "x", 1) == 1
        case "tcp": isDone = connects(AF_INET, Int32(SOCK_STREAM.rawValue))
        case "udp": isDone = connects(AF_INET, Int32(SOCK_DGRAM.rawValue))
        case "unix": isDone = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0) >= 0
        case "fork":
            var child: pid_t = 0
            var words: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
            errno = posix_spawn(&child, "/bin/true", nil, nil, &words, environ)
            isDone = errno == 0
        case "exec": isDone = starts("/bin/true")
        case "signal": isDone = kill(getppid(), 0) == 0
        case "memory": isDone = takes(10 << 30)
        case "code":
            let page = mmap(
                nil, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
            isDone = page != MAP_FAILED
        case "grow": isDone = ftruncate(DecoderHelperLayout.memory, 1 << 32) == 0
        case "spin": while true {}
        case "beyond":
            // Past the end of the shared memory.
            let end = UnsafeMutableRawPointer(bitPattern: 8)
            end?.storeBytes(of: 1, as: UInt8.self)
            isDone = true
        default: return "unknown misdeed"
        }
        return isDone ? "\(word): done" : "\(word): \(String(cString: strerror(errno)))"
    }

    private static func connects(_ family: Int32, _ type: Int32) -> Bool {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(family)
        address.sin_port = UInt16(9).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let number = socket(family, type, 0)
        guard number >= 0 else { return false }
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        // Nobody listens there, but the kernel would have asked.
        return code == 0 || errno == ECONNREFUSED
    }

    private static func starts(_ program: String) -> Bool {
        var words: [UnsafeMutablePointer<CChar>?] = [strdup(program), nil]
        defer { free(words[0]) }
        return execv(program, &words) == 0
    }

    private static func takes(_ bytes: Int) -> Bool {
        guard let memory = malloc(bytes) else { return false }
        defer { free(memory) }
        for place in stride(from: 0, to: bytes, by: 4096) {
            memory.storeBytes(of: 1, toByteOffset: place, as: UInt8.self)
        }
        return true
    }
}
