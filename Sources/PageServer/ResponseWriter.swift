import NIOCore
import NIOHTTP1
import Workers

/// Sends the answer to a request, part by part, each when the client has taken those before.
///
/// The writer of `NIOAsyncChannel` takes megabytes before it notices that nobody reads.
struct ResponseWriter {
    let channel: any Channel
    /// `nil` if it could not be read to its end.
    let head: HTTPRequestHead?

    func write(_ parts: HTTPServerResponsePart...) async throws {
        for part in parts.dropLast() { channel.write(part, promise: nil) }
        if let last = parts.last { try await channel.writeAndFlush(last).get() }
    }

    func begin(
        _ status: HTTPResponseStatus, _ headers: HTTPHeaders, with text: ByteBuffer? = nil,
        isAll: Bool = false
    ) async throws {
        var all = headers
        // Pages of others may neither frame these nor play what they play.
        all.add(name: "Content-Security-Policy", value: "frame-ancestors 'none'")
        all.add(name: "Cross-Origin-Resource-Policy", value: "same-origin")
        all.add(name: "X-Content-Type-Options", value: "nosniff")
        all.add(name: "Referrer-Policy", value: "no-referrer")
        let answer = HTTPServerResponsePart.head(
            HTTPResponseHead(version: head?.version ?? .http1_1, status: status, headers: all))
        if let text {
            try await write(answer, .body(.byteBuffer(text)), .end(nil))
        } else if isAll {
            try await write(answer, .end(nil))
        } else {
            try await write(answer)
        }
    }

    func redirect(
        to place: String, _ more: HTTPHeaders = [:]
    ) async throws {
        var headers = more
        headers.add(name: "Location", value: place)
        headers.add(name: "Content-Length", value: "0")
        headers.add(name: "Cache-Control", value: "no-store")
        try await begin(.seeOther, headers, isAll: true)
    }

    func refuse(
        _ refusal: ServedRefusal
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
        try await refuse(status, sentence)
    }

    func refuse(
        _ status: HTTPResponseStatus, _ sentence: String, _ more: HTTPHeaders = [:]
    ) async throws {
        let text = ByteBuffer(string: "\(status.code) \(status.reasonPhrase): \(sentence)\n")
        var headers = more
        headers.replaceOrAdd(name: "Content-Type", value: "text/plain; charset=utf-8")
        headers.replaceOrAdd(name: "Content-Length", value: String(text.readableBytes))
        headers.replaceOrAdd(name: "Cache-Control", value: "no-store")
        headers.remove(name: "ETag")
        try await begin(
            status, headers, with: head?.method == .HEAD ? nil : text, isAll: true)
    }
}
