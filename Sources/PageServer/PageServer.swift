import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import Workers

/// Serves the pages of an output over HTTP/1.1, read-only.
///
/// One thread waits for all clients; what blocks on the disk is done on queues. Connections, heads
/// of requests, and what waits to be sent are bounded, and a client that does not get on is left.
package final class PageServer: Sendable {
    /// Why there is no server.
    package enum Refusal: Error {
        /// With the system's reason.
        case notBound(ServerAddress, detail: String)
    }

    /// Where it listens.
    package let address: ServerAddress
    /// What opens its pages; `nil` if nothing is needed.
    package let token: String?
    private let channel: any Channel
    private let hub: EventHub

    private static let mostWaiting: Int32 = 64
    private static let sendBytes: SocketOptionValue = 256 << 10
    private static let askingPatience = TimeAmount.seconds(20)
    private static let takingPatience = TimeAmount.seconds(60)

    /// Starts to listen.
    /// - Parameters:
    ///   - token: `nil` to make one if the address is not the loopback's.
    ///   - connections: that are served at once, at most.
    package init(
        _ feed: ServedFeed, at address: ServerAddress, token: String?, connections: Int
    ) throws(Refusal) {
        // One thread, which lives as long as the process: connections may outlast the server.
        NIOSingletons.groupLoopCountSuggestion = 1
        self.token = token ?? (address.isLoopback ? nil : ServerAccess.newToken())
        let access = ServerAccess(token: self.token, port: address.port)
        let answers = PageAnswers(feed, access, mostConnections: connections)
        hub = answers.hub
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: PageServer.mostWaiting)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            // The system would hold megabytes for each client that takes nothing.
            .childChannelOption(.socketOption(.so_sndbuf), value: PageServer.sendBytes)
            .childChannelInitializer { PageServer.accept($0, answers) }
        do {
            channel = try bootstrap.bind(host: address.host, port: address.port).wait()
            self.address = address.with(port: channel.localAddress?.port ?? address.port)
        } catch {
            let reason = (error as? IOError).map { String(cString: strerror($0.errnoCode)) }
            throw .notBound(address, detail: reason ?? "\(error)")
        }
    }

    /// Takes no more connections, and ends what open pages listen to.
    package func stop() {
        hub.finish()
        try? channel.close().wait()
    }

    /// Makes an accepted connection one of HTTP, answered by a task of its own.
    private static func accept(
        _ channel: any Channel, _ answers: PageAnswers
    ) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            var limits = NIOHTTPDecoderLimitConfiguration()
            limits.maxHeaderFieldSize = 16 << 10
            limits.maxHeaderListSize = 32 << 10
            limits.maxHeaderFieldCount = 64
            let pipeline = channel.pipeline.syncOperations
            try pipeline.configureHTTPServerPipeline(
                withEncoderConfiguration: .init(), withDecoderLimitConfiguration: limits)
            try pipeline.addHandler(
                RequestDeadline(asking: askingPatience, taking: takingPatience))
            let connection = try PageAnswers.Connection(wrappingChannelSynchronously: channel)
            Task { await answers.serve(connection) }
        }
    }
}
