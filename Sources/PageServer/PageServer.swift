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
    private let group: MultiThreadedEventLoopGroup
    private let answers: PageAnswers

    private static let mostWaiting: Int32 = 64
    private static let patience = TimeAmount.seconds(20)
    /// How long a client may take nothing of what it is sent.
    private static let stallPatience = TimeAmount.seconds(60)

    /// Starts to listen.
    /// - Parameter token: `nil` to make one if the address is not the loopback's.
    package init(
        _ feed: ServedFeed, at address: ServerAddress, token: String?
    ) throws(Refusal) {
        group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        self.token = token ?? (address.isLoopback ? nil : ServerAccess.newToken())
        let access = ServerAccess(token: self.token, port: address.port)
        answers = PageAnswers(feed, access)
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: PageServer.mostWaiting)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { [answers] in PageServer.accept($0, answers) }
        do {
            let channel = try bootstrap.bind(host: address.host, port: address.port).wait()
            self.address = address.with(port: channel.localAddress?.port ?? address.port)
        } catch {
            try? group.syncShutdownGracefully()
            let reason = (error as? IOError).map { String(cString: strerror($0.errnoCode)) }
            throw .notBound(address, detail: reason ?? "\(error)")
        }
    }

    /// Closes all connections, and waits until they are.
    package func stop() {
        answers.hub.finish()
        try? group.syncShutdownGracefully()
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
            try pipeline.addHandler(IdleStateHandler(writeTimeout: stallPatience))
            try pipeline.configureHTTPServerPipeline(
                withEncoderConfiguration: .init(), withDecoderLimitConfiguration: limits)
            try pipeline.addHandler(RequestDeadline(patience: patience))
            let connection = try PageAnswers.Connection(wrappingChannelSynchronously: channel)
            Task { await answers.serve(connection) }
        }
    }
}
