import Exports
import Glibc
import NIOCore
import Recordings

/// Where a server listens: an IP address and a port.
package struct ServerAddress: Hashable, Sendable {
    /// Without the brackets of IPv6.
    package let host: String
    package let port: Int

    package static let standard = ServerAddress("127.0.0.1", 8017)

    private init(_ host: String, _ port: Int) { (self.host, self.port) = (host, port) }

    /// - Parameter text: `127.0.0.1:8017`, `[::1]:8017`, `localhost:8017` or `:8017`, on which
    ///   it is the loopback address; port 0 is any that is free.
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"),
            let port = UInt16(text[text.index(after: colon)...])
        else { return nil }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
            guard host.contains(":") else { return nil }
        } else if host.contains(":") {
            return nil
        }
        if host.isEmpty || host == "localhost" { host = ServerAddress.standard.host }
        guard (try? SocketAddress(ipAddress: host, port: Int(port))) != nil else { return nil }
        self.init(host, Int(port))
    }

    func with(port: Int) -> ServerAddress { ServerAddress(host, port) }

    /// Whether only programs of this machine reach it.
    package var isLoopback: Bool { ServerAddress.isLoopback(host) }

    static func isLoopback(_ host: String) -> Bool {
        host == "::1" || host == "localhost" || (host.hasPrefix("127.") && isIPv4(host))
    }

    private static func isIPv4(_ host: String) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
    }

    package var text: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }

    /// The address of a page.
    /// - Parameter token: what opens it; `nil` if nothing is needed.
    package func url(of folder: Pathname, token: String?) -> String {
        let page = folder.isEmpty ? "" : "output/\(ExportValue.reference(folder))/"
        // What stands for every address of this machine leads nowhere from another.
        let isAny = ["0.0.0.0", "::"].contains(host)
        let place = isAny ? "\(ServerAddress.nameOfMachine):\(port)" : text
        return "http://\(place)/\(page)" + (token.map { "?token=\($0)" } ?? "")
    }

    private static var nameOfMachine: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "localhost" }
        return String(
            decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
