import ArgumentParser
import PageServer
import Recordings
import Reports
import Workers

extension ServerAddress: CustomStringConvertible {
    package var description: String { text }

    /// An address as typed.
    @Sendable static func parse(_ argument: String) throws -> ServerAddress {
        if let address = ServerAddress(argument) { return address }
        throw ValidationError(
            "give an IP address and a port, such as 127.0.0.1:8017 or [::1]:8017")
    }
}

/// What commands that serve pages have in common.
struct ServerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Ask for the token in this file; without it, none on loopback addresses, and a new one on others.",
            valueName: "file"))
    var tokenFile: Pathname?

    func validate() throws {
        try requirePath(tokenFile)
        guard let tokenFile else { return }
        do throws(FileSystemError) {
            guard try ServerToken.read(tokenFile) == nil else { return }
        } catch {
            throw ValidationError("cannot read \(tokenFile.displayText): \(error.detail)")
        }
        throw ValidationError(
            "\(tokenFile.displayText) holds no token: 16 to 128 letters and digits in one line")
    }
}

/// A server that is wanted.
struct ServerOrder {
    let address: ServerAddress
    let options: ServerOptions

    /// Starts to serve pages; `nil` once it was said why not.
    func start(_ output: ServedOutput) -> Serving? {
        let token = options.tokenFile.flatMap { try? ServerToken.read($0) }
        // Whoever asks for a token gets no server without one.
        if let file = options.tokenFile, token == nil {
            StandardStream.complain("cannot read the token in \(file.displayText) any more")
            return nil
        }
        let feed = ServedFeed(output)
        do throws(PageServer.Refusal) {
            let server = try PageServer(
                feed, at: address, token: token,
                connections: OpenFileLimit.connections(free: OpenFileLimit.raise()))
            return Serving(server: server, feed: feed, tokenFile: options.tokenFile)
        } catch {
            guard case .notBound(let address, let detail) = error else { return nil }
            StandardStream.complain(ServerText.notBound(address.text, detail: detail))
            return nil
        }
    }
}

/// A server that has begun.
struct Serving {
    let server: PageServer
    let feed: ServedFeed
    let tokenFile: Pathname?

    /// The address of a folder's page; a token that the user has stays unsaid.
    func url(of folder: Pathname = .empty) -> String {
        server.address.url(of: folder, token: tokenFile == nil ? server.token : nil)
    }

    /// Where the page of a folder is, and what opens it.
    func line(of folder: Pathname = .empty) -> String {
        ServerText.line(url(of: folder), tokenFile: tokenFile)
    }

    func stop() {
        server.stop()
        feed.output.close()
    }
}
