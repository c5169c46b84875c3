public import HummingbirdCore
public import Logging
public import NIOCore
import NIOHTTP1
import Synchronization

/// HTTP/1 whose requests begin and end on the thread that reads their connection (docs/decisions/0026).
///
/// Whatever takes longer than a moment goes to Swift's pool by `onPool`, so that no connection waits for another's.
public struct HTTPOnLoops: ServerChildChannel {
    private let base: HTTP1Channel
    private let limits: ServerLimits
    private let count: ConnectionCount
    private let countsEnds: Bool

    private init(_ responder: @escaping HTTPChannelHandler.Responder, _ settings: WebSettings) {
        let head = HTTP1Channel.Configuration.DecoderConfiguration(
            maxHeaderFieldSize: settings.limits.headBytes, maxHeaderListSize: settings.limits.headBytes,
            maxHeaderFieldCount: 200)
        base = HTTP1Channel(responder: responder, configuration: .init(httpDecoderConfiguration: head))
        limits = settings.limits
        count = ConnectionCount(settings.limits)
        countsEnds = !settings.trustsProxy
    }

    /// Builds a server whose clients are limited as the settings say.
    public static func builder(_ settings: WebSettings) -> HTTPServerBuilder {
        HTTPServerBuilder { HTTPOnLoops($0, settings) }
    }

    public func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        do {
            // Nothing more of an answer than this waits in the system's buffers, so that a slow client is seen to take some.
            // Below half of it the system asks for more: at 128 KB a page of 113 KB cost 7 % more processor time.
            try channel.syncOptions?.setOption(
                ChannelOptions.Types.SocketOption(level: .tcp, name: Self.unsentLimit), value: 256 << 10)
            // Ten reads and more wait for a request's code, also of a body that it will refuse: they must be small.
            try channel.syncOptions?.setOption(
                .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 2048, maximum: 8192))
        } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
        return base.setup(channel: channel, logger: logger).assumeIsolated().flatMapThrowing { value in
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(
                ConnectionWatch(limits, count, countsEnds: countsEnds),
                position: .after(pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)))
            return value
        }.nonisolated()
    }

    /// `TCP_NOTSENT_LOWAT` (tcp(7)); NIO has no name for it.
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

/// Runs the work on Swift's pool, whichever thread asks.
func onPool<Value>(_ work: () async throws -> Value) async throws -> Value {
    try await withTaskExecutorPreference(globalConcurrentExecutor, operation: work)
}

/// An event loop as a place where tasks run.
private final class LoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    private init(_ loop: any EventLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// One for each loop, made once: loops live as long as the process.
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
