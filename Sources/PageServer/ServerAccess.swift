import NIOHTTP1
import Workers

/// Who may see the pages: with a token, whoever has it; without one, who is on this machine.
struct ServerAccess: Sendable {
    enum Verdict: Equatable {
        case allowed
        /// The token was in the address: it is kept as a cookie, and the address opened without.
        case welcome(cookie: String)
        case refused(String)
    }

    /// `nil` if none is needed.
    let token: String?
    /// A machine's cookies are shared by all its ports.
    private let cookie: String

    init(token: String?, port: Int) {
        self.token = token
        cookie = "tapedeck-\(port)"
    }

    func verdict(on head: HTTPRequestHead) -> Verdict {
        guard let token else {
            // A page from elsewhere whose name leads to this machine would be asked for that name.
            return isOfThisMachine(head.headers["host"])
                ? .allowed : .refused("this server is asked by the names of this machine only")
        }
        if let given = ServedTarget.query(of: head.uri)["token"] {
            guard isEqual(given, token) else { return .refused("the token is wrong") }
            return .welcome(cookie: "\(cookie)=\(token); Path=/; HttpOnly; SameSite=Lax")
        }
        let given = head.headers["cookie"].flatMap { $0.split(separator: ";") }
            .map { $0.trimmingPrefix(" ") }
            .filter { $0.hasPrefix(cookie + "=") }
            .map { String($0.dropFirst(cookie.utf8.count + 1)) }
        let bearer = head.headers["authorization"].filter { $0.hasPrefix("Bearer ") }
            .map { String($0.dropFirst(7)) }
        return (given + bearer).contains { isEqual($0, token) }
            ? .allowed : .refused("add ?token= and the token of this server to the address")
    }

    private func isOfThisMachine(_ hosts: [String]) -> Bool {
        guard hosts.count == 1 else { return false }
        var host = hosts[0]
        if host.hasPrefix("["), let end = host.firstIndex(of: "]") {
            host = String(host[host.index(after: host.startIndex)..<end])
        } else if let colon = host.firstIndex(of: ":") {
            host = String(host[..<colon])
        }
        return ServerAddress.isLoopback(host.lowercased())
    }

    /// In a time that does not depend on where they differ.
    private func isEqual(_ one: String, _ other: String) -> Bool {
        let (one, other) = (Array(one.utf8), Array(other.utf8))
        guard one.count == other.count else { return false }
        return zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// A token that nobody guesses.
    static func newToken() -> String {
        var random = SystemRandomNumberGenerator()
        let digits = Array("abcdefghijkmnpqrstuvwxyz23456789")
        return String((0..<26).map { _ in digits[Int(random.next(upperBound: UInt(32)))] })
    }
}
