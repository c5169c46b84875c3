import NIOCore
import NIOHTTP1
import Synchronization

/// Counts open connections, in total and per client network.
final class ConnectionCount: Sendable {
    private struct Counts {
        var all = 0
        var networks: [String: Int] = [:]
    }
    private let limits: ServerLimits
    private let counts = Mutex(Counts())

    init(_ limits: ServerLimits) { self.limits = limits }

    /// Counts a connection until `close`; returns `false` at a limit.
    /// - Parameter network: `nil` when networks are not limited.
    func open(_ network: String?) -> Bool {
        counts.withLock { counts in
            guard counts.all < limits.connections else { return false }
            if let network {
                guard counts.networks[network, default: 0] < limits.connectionsPerNetwork else { return false }
                counts.networks[network, default: 0] += 1
            }
            counts.all += 1
            return true
        }
    }

    func close(_ network: String?) {
        counts.withLock { counts in
            counts.all -= 1
            guard let network, let count = counts.networks[network] else { return }
            counts.networks[network] = count > 1 ? count - 1 : nil
        }
    }
}

/// Closes connections over the limit and those whose client is slower than `ServerLimits` allow.
///
/// A running command is never cut off, since the server does not wait for the client then. Event streams and slow
/// downloads continue as long as the client reads now and then.
final class ConnectionWatch: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let limits: ServerLimits
    private let count: ConnectionCount
    private let countsNetworks: Bool
    /// The network that the connection counts for; `nil` before it counts and when networks are not limited.
    private var network: String?
    private var isCounted = false
    private var check: RepeatedTask?

    /// The number of requests whose response has not ended.
    private var unanswered = 0
    /// Whether a response has begun and not ended.
    private var isAnswering = false
    /// Whether a request's head has arrived and its end has not.
    private var isReceiving = false
    /// Whether the server waits for the next bytes; `false` while it processes the last ones.
    private var isAsking = false
    private var hasAnswered = false
    /// When the connection opened, or its last response ended.
    private var idleSince = NIODeadline.now()
    /// When the last `leastBytes` of a body had arrived, not counting the time in which the server did not read.
    private var progressAt = NIODeadline.now()
    private var bytesSince = 0
    private var lastPartAt = NIODeadline.now()
    /// The number of writes, and the bytes that waited for the client when it last read some.
    private var written = 0
    private var seenWritten = 0
    private var seenWaiting = 0
    private var takenAt = NIODeadline.now()
    private var stoppedAt: NIODeadline?

    init(_ limits: ServerLimits, _ count: ConnectionCount, countsNetworks: Bool) {
        self.limits = limits
        self.count = count
        self.countsNetworks = countsNetworks
    }

    // MARK: - The connection

    func channelActive(context: ChannelHandlerContext) {
        network = countsNetworks ? (context.channel.remoteAddress?.ipAddress).map(ClientNetwork.name) : nil
        guard count.open(network) else {
            context.close(promise: nil)
            return
        }
        isCounted = true
        idleSince = .now()
        let step = TimeAmount(limits.step)
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        check = context.eventLoop.scheduleRepeatedTask(initialDelay: step, delay: step) { _ in
            let (watch, context) = bound.value
            if watch.isOverdue(context) { context.close(promise: nil) }
        }
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        stop()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { stop() }

    private func stop() {
        check?.cancel()
        check = nil
        if isCounted { count.close(network) }
        isCounted = false
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent, stoppedAt == nil { stoppedAt = .now() }
        context.fireUserInboundEventTriggered(event)
    }

    // MARK: - Requests and answers

    func read(context: ChannelHandlerContext) {
        if isReceiving, !isAsking { progressAt = progressAt + (NIODeadline.now() - lastPartAt) }
        isAsking = true
        context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isAsking = false
        switch unwrapInboundIn(data) {
        case .head:
            unanswered += 1
            isReceiving = true
            lastPartAt = .now()
            progressAt = lastPartAt
            bytesSince = 0
        case .body(let bytes):
            lastPartAt = .now()
            bytesSince += bytes.readableBytes
            if bytesSince >= limits.leastBytes {
                progressAt = lastPartAt
                bytesSince = 0
            }
        case .end:
            isReceiving = false
            if unanswered == 0 { idleSince = .now() }
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        written &+= 1
        switch unwrapOutboundIn(data) {
        case .head: isAnswering = true
        case .body: break
        case .end:
            isAnswering = false
            hasAnswered = true
            // A malformed head gets a response too, without a counted request.
            unanswered = max(0, unanswered - 1)
            idleSince = .now()
            // From now on the limits for the rest of the body apply.
            if isReceiving { (progressAt, bytesSince) = (idleSince, 0) }
        }
        context.write(data, promise: promise)
    }

    // MARK: - Time

    private func isOverdue(_ context: ChannelHandlerContext) -> Bool {
        let now = NIODeadline.now()
        func isOver(_ limit: Duration, since start: NIODeadline) -> Bool { now - start >= TimeAmount(limit) }
        // At shutdown, connections that wait for the client are closed; running commands finish.
        if let stoppedAt, isReceiving || isAnswering || unanswered == 0, isOver(limits.stop, since: stoppedAt) {
            return true
        }
        if !isReading(context, now), isOver(limits.answer, since: takenAt) { return true }
        switch (isReceiving, unanswered) {
        case (true, 0):
            return isOver(limits.rest, since: idleSince) || isOver(limits.restProgress, since: progressAt)
        case (true, _): return isAsking && isOver(limits.body, since: progressAt)
        case (false, 0): return isOver(hasAnswered ? limits.keepAlive : limits.head, since: idleSince)
        case (false, _): return false
        }
    }

    /// Whether no bytes wait for the client, or it has read some since the last check.
    private func isReading(_ context: ChannelHandlerContext, _ now: NIODeadline) -> Bool {
        let waiting: Int
        do {
            waiting = try context.channel.syncOptions?.getOption(.bufferedWritableBytes) ?? 0
        } catch {
            // A channel without options is closed.
            return true
        }
        defer { (seenWritten, seenWaiting) = (written, waiting) }
        // The response has not ended for a client that still reads it.
        if waiting > 0, unanswered == 0, !isReceiving { idleSince = now }
        guard waiting > 0, written == seenWritten, waiting >= seenWaiting else {
            takenAt = now
            return true
        }
        return false
    }
}
