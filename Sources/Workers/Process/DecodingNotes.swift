import Audio
import Glibc
import Recordings
import Synchronization

/// Which recordings are being decoded, in a file that is still there if that ends the process.
///
/// A recording that was under way when a process ended, or whose decoder has hung or crashed, is
/// decoded in a process of its own from then on. The file is written without waiting for the disk:
/// a crash of the process leaves it as it is.
final class DecodingNotes: Sendable {
    /// How a recording is decoded.
    enum Way: Equatable {
        case here
        /// In a process of its own; if that cannot be, here: it was under way when a process ended,
        /// for whatever reason.
        case apartIfPossible
        /// In a process of its own only.
        case apart
    }

    static let name: Pathname = ".tapedeck.decoding"
    /// A path, and zeros behind it.
    private static let slotBytes = 4608
    /// More than any run decodes at once.
    private static let mostSlots = 64

    private struct State {
        /// The recordings by their slots in the file; `nil` if a slot is free.
        var slots: [Pathname?] = []
        /// Those of this process.
        var busy: Set<Int> = []
        /// Of the file, once something was written to it; -1 if it cannot be.
        var descriptor: Int32 = -2
        /// What an earlier process was decoding when it ended, or could not decode; not `here`.
        var suspects: [Pathname: Way] = [:]
    }

    private let path: Pathname
    private let state: Mutex<State>

    /// - Parameter failed: the recordings whose decoder has hung or crashed.
    init(in catalogue: Pathname, failed: [Pathname]) {
        path = catalogue.appending(DecodingNotes.name)
        var state = State()
        let descriptor = DecodingNotes.open(path, O_RDONLY)
        if descriptor >= 0 {
            state.slots = DecodingNotes.paths(in: descriptor)
            close(descriptor)
        }
        for case .some(let path) in state.slots { state.suspects[path] = .apartIfPossible }
        for path in failed { state.suspects[path] = .apart }
        self.state = Mutex(state)
    }

    deinit {
        state.withLock { if $0.descriptor >= 0 { close($0.descriptor) } }
    }

    /// Opens the file; -1 if it is not there, or is another, which somebody may have planted.
    private static func open(_ path: Pathname, _ flags: Int32) -> Int32 {
        let all = flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
        let opened = path.withCString { Glibc.open($0, all, 0o600) }
        var info = stat()
        let isOwn =
            opened >= 0 && fstat(opened, &info) == 0 && info.st_mode & S_IFMT == S_IFREG
            && info.st_nlink == 1
        if !isOwn, opened >= 0 { close(opened) }
        return isOwn ? opened : -1
    }

    private static func paths(in descriptor: Int32) -> [Pathname?] {
        (0..<mostSlots).map { slot in
            var bytes = [UInt8](repeating: 0, count: slotBytes)
            let count = pread(descriptor, &bytes, slotBytes, off_t(slot * slotBytes))
            let path = Array(bytes.prefix(max(0, count)).prefix { $0 != 0 })
            return path.isEmpty ? nil : Pathname(bytes: path)
        }
    }

    /// Notes that a recording is being decoded; calls `work` with the way to do it.
    func during<Result>(_ recording: Pathname, _ work: (Way) -> Result) -> Result {
        guard recording.bytes.count < DecodingNotes.slotBytes else { return work(.here) }
        let (slot, way) = state.withLock { state in
            let free = state.slots.firstIndex(of: recording) ?? state.slots.firstIndex(of: nil)
            let slot = free ?? state.slots.count
            if free == nil { state.slots.append(nil) }
            state.slots[slot] = recording
            state.busy.insert(slot)
            if state.descriptor == -2 {
                state.descriptor = DecodingNotes.open(path, O_RDWR | O_CREAT)
            }
            put(recording.bytes, in: slot, of: state.descriptor)
            return (slot, state.suspects[recording] ?? .here)
        }
        defer {
            state.withLock {
                put([], in: slot, of: $0.descriptor)
                $0.slots[slot] = nil
                $0.busy.remove(slot)
            }
        }
        return work(way)
    }

    private func put(_ path: [UInt8], in slot: Int, of descriptor: Int32) {
        guard descriptor >= 0, slot < DecodingNotes.mostSlots else { return }
        let zeros = path.isEmpty ? 1 : DecodingNotes.slotBytes - path.count
        let bytes = path + [UInt8](repeating: 0, count: zeros)
        // Without it, a recording that ends the process is decoded in this process once more.
        _ = pwrite(descriptor, bytes, bytes.count, off_t(slot * DecodingNotes.slotBytes))
    }

    /// Removes the file at the end of a run.
    /// - Parameter isWhole: whether the run came to its end, so that what an earlier one was
    ///   decoding is decoded, or gone.
    func finish(isWhole: Bool) {
        let isOver = state.withLock { state in
            isWhole ? state.busy.isEmpty : state.slots.allSatisfy { $0 == nil }
        }
        if isOver { _ = path.withCString { unlink($0) } }
    }
}

extension DecodingNotes.Way {
    /// Opens a recording in this way.
    /// - Parameter open: called with whether to decode in a process of its own.
    func open<Opened: ~Copyable>(
        _ open: (_ isIsolated: Bool) throws(AudioFileError) -> Opened
    ) throws(AudioFileError) -> Opened {
        guard self != .here else { return try open(false) }
        do throws(AudioFileError) { return try open(true) } catch {
            // There is no helper.
            guard error.reason == .needsLibav else { throw error }
            if self == .apartIfPossible { return try open(false) }
            throw AudioFileError(
                activity: .opening, path: error.path, reason: .decoderCrashed)
        }
    }
}
