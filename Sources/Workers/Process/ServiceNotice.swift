import Glibc
import Recordings

/// Sends status notifications to a service manager such as systemd (`Type=notify`).
package enum ServiceNotice {
    /// The service manager's socket; `nil` if there is none.
    package static var address: Pathname? {
        guard let address = getenv("NOTIFY_SOCKET") else { return nil }
        return Pathname(cString: address)
    }

    /// Sends states such as `READY=1`, `STOPPING=1` or `STATUS=…`, one per line.
    ///
    /// Does nothing without a manager. Gives up after one second if the manager does not receive.
    /// - Parameter address: an absolute path, or `@` and the name of an abstract socket.
    package static func send(_ state: String, to address: Pathname? = address) {
        guard let address, let place = socketAddress(address) else { return }
        let descriptor = socket(
            AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var patience = timeval(tv_sec: 1, tv_usec: 0)
        let patienceBytes = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, patienceBytes)
        let text = Array(state.utf8)
        withUnsafePointer(to: place.address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                _ = sendto(
                    descriptor, text, text.count, Int32(MSG_NOSIGNAL), pointer,
                    place.bytes)
            }
        }
    }

    /// The socket address and its length; `nil` if the address is invalid.
    static func socketAddress(
        _ address: Pathname
    ) -> (address: sockaddr_un, bytes: socklen_t)? {
        let isFile = address.isAbsolute
        guard isFile || address.bytes.first == UInt8(ascii: "@") else { return nil }
        var result = sockaddr_un()
        result.sun_family = sa_family_t(AF_UNIX)
        // An abstract name begins with a zero instead of "@" and has no terminator. A path ends
        // with a zero.
        let name = isFile ? address.bytes + [0] : [0] + address.bytes.dropFirst()
        let fits = withUnsafeMutableBytes(of: &result.sun_path) { room in
            guard name.count <= room.count else { return false }
            room.copyBytes(from: name)
            return true
        }
        let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 0
        return fits ? (result, socklen_t(start + name.count)) : nil
    }
}
