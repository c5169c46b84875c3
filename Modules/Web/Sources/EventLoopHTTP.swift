public import HummingbirdCore
public import Logging
public import NIOCore
import NIOHTTP1
import Synchronization

/// An HTTP/1 channel that handles requests on the event loop of their connection (docs/decisions/0026).
///
/// Longer work moves to Swift's pool with `onPool`, so that connections do not wait for each other.
public struct EventLoopHTTP: ServerChildChannel {
    private let base: HTTP1Channel
    private let limits: ServerLimits
    private let count: ConnectionCount
    private let countsNetworks: Bool

    private init(_ responder: @escaping HTTPChannelHandler.Responder, _ settings: WebSettings) {
        let head = HTTP1Channel.Configuration.DecoderConfiguration(
            maxHeaderFieldSize: settings.limits.headBytes, maxHeaderListSize: settings.limits.headBytes,
            maxHeaderFieldCount: 200)
        base = HTTP1Channel(responder: responder, configuration: .init(httpDecoderConfiguration: head))
        limits = settings.limits
        count = ConnectionCount(settings.limits)
        countsNetworks = !settings.trustsProxy
    }

    /// Builds an HTTP server that limits its clients as the settings say.
    public static func builder(_ settings: WebSettings) -> HTTPServerBuilder {
        HTTPServerBuilder { EventLoopHTTP($0, settings) }
    }

    public func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        do {
            // Limits the unsent bytes in the kernel, so that a slow client is seen to read. The kernel asks for more at
            // half of it: at 128 KB a page of 113 KB cost 7 % more processor time.
            try channel.syncOptions?.setOption(
                ChannelOptions.Types.SocketOption(level: .tcp, name: Self.unsentLimit), value: 256 << 10)
            // Ten or more buffers may wait for a handler, even for a body that it refuses, so they must be small.
            try channel.syncOptions?.setOption(
                .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 2048, maximum: 8192))
        } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
        return base.setup(channel: channel, logger: logger).assumeIsolated().flatMapThrowing { value in
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(
                ConnectionWatch(limits, count, countsNetworks: countsNetworks),
                position: .after(pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)))
            return value
        }.nonisolated()
    }

    /// The socket option `TCP_NOTSENT_LOWAT` (tcp(7)), which NIO does not name.
    private static var unsentLimit: NIOBSDSocket.Option {
        #if canImport(Darwin)
            NIOBSDSocket.Option(rawValue: 0x201)
        #else
            NIOBSDSocket.Option(rawValue: 25)
        #endif
    }

    public func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await withTaskExecutorPreference(LoopExecutor.of(value.channel.eventLoop)) {
            await base.handle(value: value, logger: logger)
        }
    }
}

/// Runs the work on Swift's concurrent pool.
func onPool<Value>(_ work: () async throws -> Value) async throws -> Value {
    try await withTaskExecutorPreference(globalConcurrentExecutor, operation: work)
}

/// An event loop as a task executor.
private final class LoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    private init(_ loop: any EventLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// The executor of a loop. Each is created once, since loops live as long as the process.
    static func of(_ loop: any EventLoop) -> LoopExecutor {
        all.withLock { all in
            if let known = all[ObjectIdentifier(loop)] { return known }
            let made = LoopExecutor(loop)
            all[ObjectIdentifier(loop)] = made
            return made
        }
    }
    private static let all = Mutex<[ObjectIdentifier: LoopExecutor]>([:])
}
