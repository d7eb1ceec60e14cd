import CDescriptors
import DecoderMessages
import Glibc

/// Descriptors from here on never collide with those that the helper gets.
private let firstDescriptor: Int32 = 10

/// Moves a descriptor out of the way of the helper's; negative on failure.
private func moved(_ descriptor: Int32) -> Int32 {
    guard descriptor >= 0 else { return -1 }
    defer { close(descriptor) }
    return fcntl(descriptor, F_DUPFD_CLOEXEC, firstDescriptor)
}

/// The two ends of a socket that keeps packets apart.
struct SocketPair {
    let ours: Int32
    let theirs: Int32

    init?() {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
        (ours, theirs) = (moved(ends[0]), moved(ends[1]))
        guard ours >= 0, theirs >= 0 else {
            close()
            return nil
        }
    }

    func close() {
        for end in [ours, theirs] where end >= 0 { Glibc.close(end) }
    }
}

/// Memory that can be passed on as a descriptor.
struct SharedMemory {
    let descriptor: Int32
    let memory: UnsafeMutableRawPointer

    init?() {
        let bytes = DecoderHelperLayout.memoryBytes
        let file = moved(memfd_create("tapedeck-decoder", MFD_CLOEXEC))
        guard file >= 0 else { return nil }
        let mapped =
            ftruncate(file, off_t(bytes)) == 0
            ? mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED
        guard let mapped, mapped != MAP_FAILED else {
            close(file)
            return nil
        }
        (descriptor, memory) = (file, mapped)
    }

    func unmap() {
        munmap(memory, DecoderHelperLayout.memoryBytes)
        close(descriptor)
    }
}
