import NIOHTTP1
import Testing

@testable import PageServer

/// Who may see the pages of a server.
@Suite struct ServerAccessTests {
    private static let token = "abcdefgh23456789"

    private func verdict(
        token: String?, _ uri: String = "/output/", _ headers: (String, String)...
    ) -> ServerAccess.Verdict {
        let head = HTTPRequestHead(
            version: .http1_1, method: .GET, uri: uri, headers: HTTPHeaders(headers))
        return ServerAccess(token: token, port: 8017).verdict(on: head)
    }

    private func isRefused(_ verdict: ServerAccess.Verdict) -> Bool {
        if case .refused = verdict { true } else { false }
    }

    @Test(arguments: [
        "localhost", "LOCALHOST:1", "127.0.0.1:8017", "127.1.2.3", "[::1]:8017", "[::1]",
    ])
    func namesOfThisMachineNeedNoToken(host: String) {
        #expect(verdict(token: nil, "/", ("Host", host)) == .allowed)
    }

    @Test(arguments: [
        "", "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "10.0.0.1",
    ])
    func otherNamesAreRefusedWithoutToken(host: String) {
        #expect(isRefused(verdict(token: nil, "/", ("Host", host))))
    }

    @Test func nameHasToBeThereOnce() {
        #expect(isRefused(verdict(token: nil)))
        #expect(isRefused(verdict(token: nil, "/", ("Host", "localhost"), ("Host", "localhost"))))
    }

    @Test func tokenInTheAddressBecomesACookie() {
        let welcome = verdict(token: Self.token, "/output/?a=b&token=\(Self.token)")
        guard case .welcome(let cookie) = welcome else {
            Issue.record("\(welcome)")
            return
        }
        let pair = String(cookie.prefix { $0 != ";" })
        #expect(verdict(token: Self.token, "/", ("Cookie", "a=b; \(pair); c=d")) == .allowed)
        #expect(
            verdict(token: Self.token, "/", ("Authorization", "Bearer \(Self.token)")) == .allowed)
    }

    @Test func everyOtherTokenIsRefused() {
        let digits = Array(Self.token)
        var wrong = ["", " ", Self.token + "a", String(Self.token.dropLast()), "null"]
        // Each with one letter exchanged, and with two, the last of them the same.
        for place in digits.indices {
            for letter in ["z", "A", "0"] {
                var other = digits
                other[place] = Character(letter)
                wrong.append(String(other))
                other[(place + 3) % digits.count] = Character(letter)
                wrong.append(String(other))
            }
        }
        for text in wrong {
            #expect(isRefused(verdict(token: Self.token, "/?token=\(text)")), "\(text)")
            #expect(isRefused(verdict(token: Self.token, "/", ("Cookie", "tapedeck-8017=\(text)"))))
            #expect(isRefused(verdict(token: Self.token, "/", ("Authorization", "Bearer \(text)"))))
        }
        #expect(isRefused(verdict(token: Self.token, "/", ("Host", "localhost"))))
        #expect(isRefused(verdict(token: Self.token, "/", ("Cookie", "tapedeck-1=\(Self.token)"))))
    }

    @Test func newTokensAreLongAndDiffer() {
        let tokens = Set((0..<100).map { _ in ServerAccess.newToken() })
        #expect(tokens.count == 100)
        #expect(tokens.allSatisfy { $0.count == 26 && $0.allSatisfy(\.isLetter) == false })
    }

    @Test(arguments: [
        ("127.0.0.1:8017", "127.0.0.1:8017", true), (":8018", "127.0.0.1:8018", true),
        ("localhost:0", "127.0.0.1:0", true), ("[::1]:80", "[::1]:80", true),
        ("0.0.0.0:8017", "0.0.0.0:8017", false), ("[::]:8017", "[::]:8017", false),
        ("192.168.1.2:1", "192.168.1.2:1", false),
    ])
    func addressIsAnIPAddressAndAPort(text: String, shown: String, isLoopback: Bool) {
        let address = ServerAddress(text)
        #expect(address?.text == shown)
        #expect(address?.isLoopback == isLoopback)
    }

    @Test(arguments: [
        "", "8017", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "::1:80", "[::1]",
        "example.org:80", "[127.0.0.1]:80", "127.0.0:80", "http://127.0.0.1:80", "127.0.0.1:80 ",
    ])
    func anythingElseIsNone(text: String) {
        #expect(ServerAddress(text) == nil)
    }
}
