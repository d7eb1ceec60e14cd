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
    typealias Writer = NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>

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
        try? await connection.executeThenClose { requests, writer in
            guard isWelcome else { return }
            var asked: HTTPRequestHead?
            for try await part in requests {
                switch part {
                case .head(let head): asked = head
                case .body:
                    try await refuse(.payloadTooLarge, "a request has no body", nil, writer)
                    return
                case .end:
                    guard let head = asked else { return }
                    try await answer(head, writer)
                    // What is asked to become another protocol is not read any further.
                    guard head.isKeepAlive, !head.headers.contains(name: "upgrade") else { return }
                }
            }
        }
    }

    private func answer(_ head: HTTPRequestHead, _ writer: Writer) async throws {
        guard head.method == .GET || head.method == .HEAD else {
            return try await refuse(
                .methodNotAllowed, "only GET and HEAD are answered", head, writer,
                ["Allow": "GET, HEAD"])
        }
        switch access.verdict(on: head) {
        case .refused(let reason):
            return try await refuse(.forbidden, reason, head, writer)
        case .welcome(let cookie):
            let path = head.uri.prefix { $0 != "?" }
            return try await redirect(
                to: path.hasPrefix("//") ? "/" : String(path), head, writer,
                ["Set-Cookie": cookie])
        case .allowed: break
        }
        switch head.uri.prefix(while: { $0 != "?" }) {
        case "/", "/output": return try await redirect(to: "output/", head, writer)
        case "/favicon.ico":
            return try await begin(.noContent, [:], head, writer, then: .end(nil))
        default: break
        }
        guard let target = ServedTarget(head.uri) else {
            return try await refuse(
                .badRequest, "the address leads to no recording or output", head, writer)
        }
        if target.place == .output, target.path.lastComponent == ReportPage.events {
            return try await sendEvents(target, head, writer)
        }
        let body = await queue(for: target).answer { [output] in
            Result { () throws(ServedRefusal) in try output.body(for: target) }
        }
        switch body {
        case .success(let body): try await send(body, head, writer)
        case .failure(let refusal): try await refuse(refusal, head, writer)
        }
    }

    /// Where a body is made or opened: what waits for a disk or a decoder delays only its like.
    private func queue(for target: ServedTarget) -> DispatchQueue {
        if target.place == .recordings { return files }
        return target.isSlow ? decoding : pages
    }

    // MARK: - Bodies

    private func send(
        _ body: any ServedBody, _ head: HTTPRequestHead, _ writer: Writer
    ) async throws {
        var headers: HTTPHeaders = [
            "Content-Type": body.type, "ETag": body.tag, "Accept-Ranges": "bytes",
            "Cache-Control": "private, no-cache",
        ]
        let known = head.headers[canonicalForm: "if-none-match"]
        if known.contains("*") || known.contains(where: { $0 == body.tag || $0 == "W/" + body.tag })
        {
            return try await begin(.notModified, headers, head, writer, then: .end(nil))
        }
        var part = 0..<body.length
        var status = HTTPResponseStatus.ok
        let isWanted = head.method == .GET
        switch ByteRange(head.headers, tag: body.tag, length: body.length) {
        case _ where !isWanted, .whole: break
        case .unsatisfiable:
            headers.add(name: "Content-Range", value: "bytes */\(body.length)")
            return try await refuse(
                .rangeNotSatisfiable, "the range begins after the end", head, writer, headers)
        case .part(let range):
            (part, status) = (range, .partialContent)
            let text = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(body.length)"
            headers.add(name: "Content-Range", value: text)
        }
        headers.add(name: "Content-Length", value: String(part.count))
        if !isWanted {
            return try await begin(status, headers, head, writer, then: .end(nil))
        }
        let isSound = body is ServedSound
        guard !isSound || takeSound() else {
            return try await refuse(
                .serviceUnavailable, "too many recordings are being decoded", head, writer,
                ["Retry-After": "1"])
        }
        defer { if isSound { sounds.withLock { $0 -= 1 } } }
        try await begin(status, headers, head, writer)
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
        of body: any ServedBody, _ part: Range<Int64>, _ writer: Writer
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
        _ target: ServedTarget, _ head: HTTPRequestHead, _ writer: Writer
    ) async throws {
        let headers: HTTPHeaders = [
            "Content-Type": "text/event-stream", "Cache-Control": "no-store",
            "X-Accel-Buffering": "no",
        ]
        guard head.method == .GET else {
            return try await refuse(
                .methodNotAllowed, "events have no end to tell the length of", head, writer,
                ["Allow": "GET"])
        }
        let since = target.query["since"].flatMap { Int64($0) } ?? 0
        let (id, messages) = await hub.listen(to: target.path.parent, since: since)
        defer { hub.leave(id) }
        try await begin(.ok, headers, head, writer)
        for await message in messages {
            try await writer.write(.body(.byteBuffer(message)))
        }
        try await writer.write(.end(nil))
    }

    // MARK: - Heads

    private func begin(
        _ status: HTTPResponseStatus, _ headers: HTTPHeaders, _ head: HTTPRequestHead?,
        _ writer: Writer, then more: HTTPServerResponsePart?...
    ) async throws {
        var all = headers
        // Pages of others may neither frame these nor play what they play.
        all.add(name: "Content-Security-Policy", value: "frame-ancestors 'none'")
        all.add(name: "Cross-Origin-Resource-Policy", value: "same-origin")
        all.add(name: "X-Content-Type-Options", value: "nosniff")
        all.add(name: "Referrer-Policy", value: "no-referrer")
        let answer = HTTPResponseHead(
            version: head?.version ?? .http1_1, status: status, headers: all)
        try await writer.write(contentsOf: [.head(answer)] + more.compactMap(\.self))
    }

    private func redirect(
        to place: String, _ head: HTTPRequestHead, _ writer: Writer, _ more: HTTPHeaders = [:]
    ) async throws {
        var headers = more
        headers.add(name: "Location", value: place)
        headers.add(name: "Content-Length", value: "0")
        headers.add(name: "Cache-Control", value: "no-store")
        try await begin(.seeOther, headers, head, writer, then: .end(nil))
    }

    private func refuse(
        _ refusal: ServedRefusal, _ head: HTTPRequestHead, _ writer: Writer
    ) async throws {
        let (status, sentence): (HTTPResponseStatus, String) =
            switch refusal {
            case .notFound: (.notFound, "no page, recording or copy is there")
            case .outside:
                (
                    .forbidden,
                    "it is a link that leads out of the recordings or the output, or an absolute one"
                )
            case .changed:
                (.conflict, "the recording has changed, or cannot be decoded any more")
            case .gone: (.notFound, "the output is gone")
            case .unreadable(let detail):
                (.internalServerError, "it cannot be read: \(detail)")
            }
        try await refuse(status, sentence, head, writer)
    }

    private func refuse(
        _ status: HTTPResponseStatus, _ sentence: String, _ head: HTTPRequestHead?,
        _ writer: Writer, _ more: HTTPHeaders = [:]
    ) async throws {
        let text = ByteBuffer(string: "\(status.code) \(status.reasonPhrase): \(sentence)\n")
        var headers = more
        headers.replaceOrAdd(name: "Content-Type", value: "text/plain; charset=utf-8")
        headers.replaceOrAdd(name: "Content-Length", value: String(text.readableBytes))
        headers.replaceOrAdd(name: "Cache-Control", value: "no-store")
        headers.remove(name: "ETag")
        let isBare = head?.method == .HEAD
        try await begin(
            status, headers, head, writer,
            then: isBare ? .end(nil) : .body(.byteBuffer(text)), isBare ? nil : .end(nil))
    }
}
