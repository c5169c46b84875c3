public import HummingbirdCore
public import Logging
public import NIOCore
import Synchronization

/// HTTP/1 whose requests begin and end on the thread that reads their connection (docs/decisions/0026).
///
/// Whatever takes longer than a moment goes to Swift's pool by `onPool`, so that no connection waits for another's.
public struct HTTPOnLoops: ServerChildChannel {
    private let base: HTTP1Channel

    public init(_ responder: @escaping HTTPChannelHandler.Responder) { base = HTTP1Channel(responder: responder) }

    public static var builder: HTTPServerBuilder { HTTPServerBuilder { HTTPOnLoops($0) } }

    public func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        base.setup(channel: channel, logger: logger)
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
