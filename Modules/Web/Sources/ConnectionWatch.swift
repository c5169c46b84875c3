import NIOCore
import NIOHTTP1
import Synchronization

/// Counts open connections, all together and those of each network end.
final class ConnectionCount: Sendable {
    private struct Counts {
        var all = 0
        var ends: [String: Int] = [:]
    }
    private let limits: ServerLimits
    private let counts = Mutex(Counts())

    init(_ limits: ServerLimits) { self.limits = limits }

    /// Whether there is room for one more, which then counts until `close`.
    /// - Parameter end: `nil` where connections of one end are not limited.
    func open(_ end: String?) -> Bool {
        counts.withLock { counts in
            guard counts.all < limits.connections else { return false }
            if let end {
                guard counts.ends[end, default: 0] < limits.connectionsPerEnd else { return false }
                counts.ends[end, default: 0] += 1
            }
            counts.all += 1
            return true
        }
    }

    func close(_ end: String?) {
        counts.withLock { counts in
            counts.all -= 1
            guard let end, let count = counts.ends[end] else { return }
            counts.ends[end] = count > 1 ? count - 1 : nil
        }
    }
}

/// Closes a connection that is one too many, or whose client keeps the server waiting for longer than `ServerLimits` allow.
///
/// A command that has arrived is never cut off: while it runs, nobody waits for the client. Event streams and slow
/// downloads go on as long as the client takes something now and then.
final class ConnectionWatch: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let limits: ServerLimits
    private let count: ConnectionCount
    private let countsEnds: Bool
    /// The network end under which the connection counts; `nil` before it counts and where ends do not.
    private var end: String?
    private var isCounted = false
    private var check: RepeatedTask?

    /// Requests whose answer has not ended.
    private var unanswered = 0
    /// Whether an answer has begun and not ended.
    private var isAnswering = false
    /// Whether a request's head has come and its end has not.
    private var isReceiving = false
    /// Whether the server waits for the next bytes; it stops while it has not dealt with the last ones.
    private var isAsking = false
    private var hasAnswered = false
    /// When the connection began, or its last answer ended.
    private var idleSince = NIODeadline.now()
    /// When the last `leastBytes` of a body had come, without the time for which the server did not ask.
    private var progressAt = NIODeadline.now()
    private var bytesSince = 0
    private var lastPartAt = NIODeadline.now()
    /// What was written, and what of it waited for the client, when it last took something.
    private var written = 0
    private var seenWritten = 0
    private var seenWaiting = 0
    private var takenAt = NIODeadline.now()
    private var stoppedAt: NIODeadline?

    init(_ limits: ServerLimits, _ count: ConnectionCount, countsEnds: Bool) {
        self.limits = limits
        self.count = count
        self.countsEnds = countsEnds
    }

    // MARK: - The connection

    func channelActive(context: ChannelHandlerContext) {
        end = countsEnds ? (context.channel.remoteAddress?.ipAddress).map(NetworkEnd.name) : nil
        guard count.open(end) else {
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
        leave()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { leave() }

    private func leave() {
        check?.cancel()
        check = nil
        if isCounted { count.close(end) }
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
            // A request whose head could not be read is answered too.
            unanswered = max(0, unanswered - 1)
            idleSince = .now()
            // From here on the rest of a body counts.
            if isReceiving { (progressAt, bytesSince) = (idleSince, 0) }
        }
        context.write(data, promise: promise)
    }

    // MARK: - Time

    private func isOverdue(_ context: ChannelHandlerContext) -> Bool {
        let now = NIODeadline.now()
        func isOver(_ limit: Duration, since start: NIODeadline) -> Bool { now - start >= TimeAmount(limit) }
        // Whatever still waits for the client when the server has to stop; a command that runs does not.
        if let stoppedAt, isReceiving || isAnswering || unanswered == 0, isOver(limits.stop, since: stoppedAt) {
            return true
        }
        if !takesItsAnswer(context, now), isOver(limits.answer, since: takenAt) { return true }
        switch (isReceiving, unanswered) {
        case (true, 0):
            return isOver(limits.rest, since: idleSince) || isOver(limits.restProgress, since: progressAt)
        case (true, _): return isAsking && isOver(limits.body, since: progressAt)
        case (false, 0): return isOver(hasAnswered ? limits.keepAlive : limits.head, since: idleSince)
        case (false, _): return false
        }
    }

    /// Whether nothing waits for the client, or it has taken something since the last look.
    private func takesItsAnswer(_ context: ChannelHandlerContext, _ now: NIODeadline) -> Bool {
        let waiting: Int
        do {
            waiting = try context.channel.syncOptions?.getOption(.bufferedWritableBytes) ?? 0
        } catch {
            // A channel that has no options any more is closed.
            return true
        }
        defer { (seenWritten, seenWaiting) = (written, waiting) }
        // An answer that is still on its way has not ended for its client.
        if waiting > 0, unanswered == 0, !isReceiving { idleSince = now }
        guard waiting > 0, written == seenWritten, waiting >= seenWaiting else {
            takenAt = now
            return true
        }
        return false
    }
}
