import CDescriptors
import DecoderMessages
import Glibc
import Recordings

/// Why the decoder helper did not answer.
package enum HelperError: Error {
    /// The helper is not beside this program.
    case notBuilt
    /// The helper does not start: a library that it needs is not installed.
    case missing
    /// It ended, or was killed.
    case died
    /// It gave no answer within the time limit.
    case stalled
    /// Its answer makes no sense.
    case invalid
}

/// A running `tapedeck-decoder`, which decodes one file at a time.
///
/// - Note: `@unchecked Sendable` holds because `HelperPool` hands a helper to one thread at a time.
final class HelperProcess: HelperLink, @unchecked Sendable {
    private let process: pid_t
    private let socket: Int32
    /// The shared memory, `DecoderHelperLayout.memoryBytes` long.
    package let memory: UnsafeMutableRawPointer
    /// What keeps it from anything but decoding.
    private(set) var cage: DecoderReply.Cage = []
    /// Whether the helper failed to answer once, so that it is not used again.
    package private(set) var isBroken = false

    /// The time limit for an answer; waiting for a disk does not count.
    static let usualSeconds = 60
    private let mostSeconds: Int

    /// Starts the program at `path`.
    init(starting path: Pathname, mostSeconds: Int = usualSeconds) throws(HelperError) {
        guard let ends = SocketPair() else { throw .missing }
        guard let shared = SharedMemory() else {
            ends.close()
            throw .missing
        }
        guard let process = HelperProcess.spawn(path, ends.theirs, shared.descriptor) else {
            ends.close()
            shared.unmap()
            throw .missing
        }
        (self.process, self.mostSeconds) = (process, mostSeconds)
        (socket, memory) = (ends.ours, shared.memory)
        Glibc.close(ends.theirs)
        Glibc.close(shared.descriptor)
        do throws(HelperError) {
            let reply = try receive()
            guard reply.kind == DecoderReply.Kind.ready.rawValue else { throw .invalid }
            cage = DecoderReply.Cage(rawValue: reply.cage)
        } catch {
            // Without a library, the dynamic linker ends the helper before it says anything.
            throw error == .died ? .missing : error
        }
    }

    deinit {
        close(socket)
        // It may be stopped, or in a loop.
        kill(process, SIGKILL)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        munmap(memory, DecoderHelperLayout.memoryBytes)
    }

    /// Sends a request and waits for its reply; `descriptor` goes with it unless it is negative.
    package func ask(
        _ request: DecoderRequest, descriptor: Int32
    ) throws(HelperError) -> DecoderReply { try ask(request, descriptor: descriptor, text: "") }

    func ask(
        _ request: DecoderRequest, descriptor: Int32, text: String
    ) throws(HelperError) -> DecoderReply {
        var request = request
        if !text.isEmpty {
            let bytes = [text].asMessage
            UnsafeMutableRawBufferPointer(start: memory, count: DecoderHelperLayout.memoryBytes)
                .copyBytes(from: bytes)
            request.textBytes = Int64(bytes.count)
        }
        let sent = withUnsafeBytes(of: request) {
            send_with_descriptor(socket, $0.baseAddress, $0.count, descriptor)
        }
        guard sent == MemoryLayout<DecoderRequest>.size else {
            isBroken = true
            throw .died
        }
        return try receive()
    }

    /// Notes that a reply makes no sense.
    package func distrust() -> HelperError {
        isBroken = true
        return .invalid
    }

    private func receive() throws(HelperError) -> DecoderReply {
        var reply = DecoderReply(.failed)
        do throws(HelperError) {
            try wait()
            let count = withUnsafeMutableBytes(of: &reply) {
                recv(socket, $0.baseAddress, $0.count, 0)
            }
            guard count > 0 else { throw .died }
            guard count == MemoryLayout<DecoderReply>.size else { throw .invalid }
        } catch {
            isBroken = true
            throw error
        }
        return reply
    }

    /// Waits for a packet, or for the end of the helper.
    private func wait() throws(HelperError) {
        var seconds = 0
        while true {
            var polled = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            let count = poll(&polled, 1, 1000)
            if count > 0 { return }
            if count < 0, errno == EINTR { continue }
            if !isWaitingForDisk { seconds += 1 }
            guard seconds < mostSeconds else { throw .stalled }
        }
    }

    /// Whether the kernel has the helper wait for a device (proc(5), state `D`).
    private var isWaitingForDisk: Bool {
        let file = open("/proc/\(process)/stat", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(file, &bytes, bytes.count)
        // The state is the word behind the name in brackets.
        guard count > 0, let bracket = bytes.lastIndex(of: UInt8(ascii: ")")) else { return false }
        return bytes.dropFirst(bracket + 2).first == UInt8(ascii: "D")
    }
}

// MARK: - Starting

extension HelperProcess {
    /// Starts the program with its ends of socket and memory; `nil` if that fails.
    ///
    /// Signals that ask `tapedeck` to stop are blocked in the helper, so that the recording in
    /// progress can be finished. The helper exits when `tapedeck` does.
    private static func spawn(_ path: Pathname, _ socket: Int32, _ memory: Int32) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, socket, DecoderHelperLayout.socket)
        posix_spawn_file_actions_adddup2(&actions, memory, DecoderHelperLayout.memory)
        // It must not hold open what others in this process wait to see closed.
        posix_spawn_file_actions_addclosefrom_np(&actions, DecoderHelperLayout.memory + 1)
        var blocked = sigset_t()
        sigemptyset(&blocked)
        for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] { sigaddset(&blocked, signal) }
        posix_spawnattr_setsigmask(&attributes, &blocked)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var process: pid_t = 0
        let number = path.withCString { program in
            var arguments = [strdup(program), nil]
            defer { free(arguments[0]) }
            return posix_spawn(&process, program, &actions, &attributes, &arguments, environ)
        }
        return number == 0 ? process : nil
    }
}
