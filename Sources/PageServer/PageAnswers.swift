import Dispatch
import NIOCore
import NIOHTTP1
import Recordings
import Reports
import Synchronization
import Workers

/// Answers the requests of all connections.
final class PageAnswers: Sendable {
    typealias Connection = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>

    let hub: EventHub
    private let output: ServedOutput
    private let access: ServerAccess
    private let mostConnections: Int
    private let connections = Mutex(0)
    private let sounds = Mutex(0)
    /// Pages are made here, one at a time; so is what a recording has to be decoded for.
    private let pages = DispatchQueue(label: "tapedeck.pages")
    private let decoding = DispatchQueue(label: "tapedeck.pages.decoding")
    /// A file that the disk does not give is waited for here, without others.
    private let files = DispatchQueue(label: "tapedeck.pages.files", attributes: .concurrent)

    /// Recordings that are decoded for listeners at once, at most.
    private static let mostSounds = 4
    private static let chunkBytes = 128 << 10

    init(_ feed: ServedFeed, _ access: ServerAccess, mostConnections: Int) {
        (hub, output, self.access) = (EventHub(feed), feed.output, access)
        self.mostConnections = mostConnections
    }

    /// Answers the requests of a connection, one after the other, until either side ends it.
    func serve(_ connection: Connection) async {
        let isWelcome = connections.withLock { count in
            count += 1
            return count <= mostConnections
        }
        defer { connections.withLock { $0 -= 1 } }
        try? await connection.executeThenClose { requests, _ in
            guard isWelcome else { return }
            var asked: HTTPRequestHead?
            for try await part in requests {
                switch part {
                case .head(let head): asked = head
                case .body:
                    let writer = ResponseWriter(channel: connection.channel, head: asked)
                    try await writer.refuse(.payloadTooLarge, "a request has no body")
                    return
                case .end:
                    guard let head = asked else { return }
                    try await answer(
                        head, ResponseWriter(channel: connection.channel, head: head))
                    // What is asked to become another protocol is not read any further.
                    guard head.isKeepAlive, !head.headers.contains(name: "upgrade") else { return }
                }
            }
        }
    }

    private func answer(_ head: HTTPRequestHead, _ writer: ResponseWriter) async throws {
        guard head.method == .GET || head.method == .HEAD else {
            return try await writer.refuse(
                .methodNotAllowed, "only GET and HEAD are answered", ["Allow": "GET, HEAD"])
        }
        switch access.verdict(on: head) {
        case .refused(let reason):
            return try await writer.refuse(.forbidden, reason)
        case .welcome(let cookie):
            let path = head.uri.prefix { $0 != "?" }
            return try await writer.redirect(
                to: path.hasPrefix("//") ? "/" : String(path), ["Set-Cookie": cookie])
        case .allowed: break
        }
        switch head.uri.prefix(while: { $0 != "?" }) {
        case "/", "/output": return try await writer.redirect(to: "output/")
        case "/favicon.ico":
            return try await writer.begin(.noContent, [:], isAll: true)
        default: break
        }
        guard let target = ServedTarget(head.uri) else {
            return try await writer.refuse(
                .badRequest, "the address leads to no recording or output")
        }
        if target.place == .output, target.path.lastComponent == ReportPage.events {
            return try await sendEvents(target, head, writer)
        }
        let body = await queue(for: target).answer { [output] in
            Result { () throws(ServedRefusal) in try output.body(for: target) }
        }
        switch body {
        case .success(let body): try await send(body, head, writer)
        case .failure(let refusal): try await writer.refuse(refusal)
        }
    }

    /// Where a body is made or opened: what waits for a disk or a decoder delays only its like.
    private func queue(for target: ServedTarget) -> DispatchQueue {
        if target.place == .recordings { return files }
        return target.isSlow ? decoding : pages
    }

    // MARK: - Bodies

    private func send(
        _ body: any ServedBody, _ head: HTTPRequestHead, _ writer: ResponseWriter
    ) async throws {
        var headers: HTTPHeaders = [
            "Content-Type": body.type, "ETag": body.tag, "Accept-Ranges": "bytes",
            "Cache-Control": "private, no-cache",
        ]
        let known = head.headers[canonicalForm: "if-none-match"]
        if known.contains("*") || known.contains(where: { $0 == body.tag || $0 == "W/" + body.tag })
        {
            return try await writer.begin(.notModified, headers, isAll: true)
        }
        var part = 0..<body.length
        var status = HTTPResponseStatus.ok
        let isWanted = head.method == .GET
        switch ByteRange(head.headers, tag: body.tag, length: body.length) {
        case _ where !isWanted, .whole: break
        case .unsatisfiable:
            headers.add(name: "Content-Range", value: "bytes */\(body.length)")
            return try await writer.refuse(
                .rangeNotSatisfiable, "the range begins after the end", headers)
        case .part(let range):
            (part, status) = (range, .partialContent)
            let text = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(body.length)"
            headers.add(name: "Content-Range", value: text)
        }
        headers.add(name: "Content-Length", value: String(part.count))
        if !isWanted {
            return try await writer.begin(status, headers, isAll: true)
        }
        let isSound = body is ServedSound
        guard !isSound || takeSound() else {
            return try await writer.refuse(
                .serviceUnavailable, "too many recordings are being decoded", ["Retry-After": "1"])
        }
        defer { if isSound { sounds.withLock { $0 -= 1 } } }
        try await writer.begin(status, headers)
        try await sendBytes(of: body, part, writer)
        try await writer.write(.end(nil))
    }

    private func takeSound() -> Bool {
        sounds.withLock { count in
            guard count < PageAnswers.mostSounds else { return false }
            count += 1
            return true
        }
    }

    /// Sends a part, as fast as the client takes it.
    private func sendBytes(
        of body: any ServedBody, _ part: Range<Int64>, _ writer: ResponseWriter
    ) async throws {
        var place = part.lowerBound
        while place < part.upperBound {
            let count = Int(min(part.upperBound - place, Int64(PageAnswers.chunkBytes)))
            let start = place
            let bytes = await files.answer { body.read(at: start, count: count) }
            // Less than was promised can only be told by closing the connection.
            guard !bytes.isEmpty else { throw ChannelError.inappropriateOperationForState }
            try await writer.write(.body(.byteBuffer(ByteBuffer(bytes: bytes))))
            place += Int64(bytes.count)
        }
    }

    private func sendEvents(
        _ target: ServedTarget, _ head: HTTPRequestHead, _ writer: ResponseWriter
    ) async throws {
        let headers: HTTPHeaders = [
            "Content-Type": "text/event-stream", "Cache-Control": "no-store",
            "X-Accel-Buffering": "no",
        ]
        guard head.method == .GET else {
            return try await writer.refuse(
                .methodNotAllowed, "events have no end to tell the length of", ["Allow": "GET"])
        }
        let since = target.query["since"].flatMap { Int64($0) } ?? 0
        let (id, messages) = await hub.listen(to: target.path.parent, since: since)
        defer { hub.leave(id) }
        try await writer.begin(.ok, headers)
        for await message in messages {
            try await writer.write(.body(.byteBuffer(message)))
        }
        try await writer.write(.end(nil))
    }
}
