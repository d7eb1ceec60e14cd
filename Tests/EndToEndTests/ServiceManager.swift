import Foundation
import Recordings

/// Listens where a service manager would.
final class ServiceManager {
    let path: Pathname
    private let descriptor: Int32

    init(at path: Pathname) {
        self.path = path
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { room in
            precondition(path.bytes.count < room.count, "the path of a socket is short")
            room.copyBytes(from: path.bytes)
        }
        let bytes = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, bytes)
            }
        }
        precondition(result == 0, "nobody can listen at \(path)")
    }

    deinit {
        close(descriptor)
    }

    /// What was told since the last look, in order.
    func told() -> [String] {
        var told: [String] = []
        var room = [UInt8](repeating: 0, count: 4096)
        while case let count = recv(descriptor, &room, room.count, 0), count >= 0 {
            told.append(String(decoding: room[..<count], as: UTF8.self))
        }
        return told
    }
}
