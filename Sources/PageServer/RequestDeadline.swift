import NIOCore
import NIOHTTP1

/// Closes connections of clients that take too long to ask, or to take what they are sent.
///
/// While an answer is being made, nobody waits for the client, and it may take any time.
final class RequestDeadline: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// For a whole request, from the end of the one before.
    private let askingPatience: TimeAmount
    /// For any part of what is sent.
    private let takingPatience: TimeAmount
    private var asking: Scheduled<Void>?
    private var taking: Scheduled<Void>?
    /// Parts that are sent and not taken.
    private var outstanding = 0
    /// Whether an answer is sent to its end, and the next request is waited for once it is taken.
    private var isAnswered = false

    init(asking: TimeAmount, taking: TimeAmount) {
        (askingPatience, takingPatience) = (asking, taking)
    }

    func channelActive(context: ChannelHandlerContext) {
        asking = close(context.channel, in: askingPatience)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        asking?.cancel()
        taking?.cancel()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .end = unwrapInboundIn(data) { asking?.cancel() }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let channel = context.channel
        switch unwrapOutboundIn(data) {
        case .head: isAnswered = false
        case .body: break
        case .end: isAnswered = true
        }
        let promise = promise ?? context.eventLoop.makePromise()
        if outstanding == 0 { taking = close(channel, in: takingPatience) }
        outstanding += 1
        promise.futureResult.assumeIsolated().whenComplete { [self] _ in
            outstanding -= 1
            taking?.cancel()
            if outstanding > 0 {
                taking = close(channel, in: takingPatience)
            } else if isAnswered {
                asking?.cancel()
                asking = close(channel, in: askingPatience)
            }
        }
        context.write(data, promise: promise)
    }

    private func close(_ channel: any Channel, in time: TimeAmount) -> Scheduled<Void> {
        channel.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
    }
}
