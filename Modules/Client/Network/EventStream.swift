import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Reads an event stream (WHATWG HTML section 9.2) piece by piece.
struct EventStreamParser {
    private var rest = Data()
    private var data: [String] = []

    /// Takes in the next bytes and returns the items that are complete.
    mutating func take(_ bytes: Data) -> [LiveItem] {
        rest.append(bytes)
        var items: [LiveItem] = []
        while let end = rest.firstIndex(of: 0x0A) {
            var line = String(decoding: rest[rest.startIndex..<end], as: UTF8.self)
            if line.hasSuffix("\r") { line.removeLast() }
            rest = Data(rest[rest.index(after: end)...])
            if let item = take(line) { items.append(item) }
        }
        return items
    }

    private mutating func take(_ line: String) -> LiveItem? {
        if line.isEmpty {
            defer { data = [] }
            guard !data.isEmpty else { return nil }
            do {
                return .event(
                    try JSONDecoder().decode(LiveEvent.self, from: Data(data.joined(separator: "\n").utf8)))
            } catch {
                // An event of a later server that this version does not understand.
                return nil
            }
        }
        if line.hasPrefix(":") { return .heartbeat }
        if line.hasPrefix("data:") {
            let value = line.dropFirst(5)
            data.append(String(value.first == " " ? value.dropFirst() : value))
        }
        return nil
    }
}

/// One connection to the event stream.
final class EventConnection: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    // Safe: URLSession calls the delegate on one serial queue, and only the delegate uses the parser.
    private var parser = EventStreamParser()
    private let continuation: AsyncThrowingStream<LiveItem, any Error>.Continuation

    init(_ continuation: AsyncThrowingStream<LiveItem, any Error>.Continuation) {
        self.continuation = continuation
    }

    /// Opens the stream. It ends with the continuation's consumer.
    static func open(
        _ request: URLRequest, into continuation: AsyncThrowingStream<LiveItem, any Error>.Continuation
    ) {
        let configuration = URLSessionConfiguration.ephemeral
        // Two heartbeats of the server may be late.
        configuration.timeoutIntervalForRequest = 45
        configuration.timeoutIntervalForResource = 7 * 86_400
        let session = URLSession(
            configuration: configuration, delegate: EventConnection(continuation), delegateQueue: nil)
        let task = session.dataTask(with: request)
        continuation.onTermination = { _ in
            task.cancel()
            session.finishTasksAndInvalidate()
        }
        task.resume()
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        if let response = response as? HTTPURLResponse, response.statusCode != 200 {
            continuation.finish(throwing: HTTPTransport.error(response, Data()))
            return completionHandler(.cancel)
        }
        continuation.yield(.opened)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        for item in parser.take(data) { continuation.yield(item) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        continuation.finish(throwing: APIError.unreachable(error?.localizedDescription ?? "the stream ended"))
    }
}
