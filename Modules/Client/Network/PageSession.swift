import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A URLSession that returns redirects instead of following them.
final class PageSession: Sendable {
    private let session: URLSession
    private let exchanges: Exchanges

    init(_ configuration: URLSessionConfiguration) {
        exchanges = Exchanges()
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
    }

    deinit { session.finishTasksAndInvalidate() }

    /// Sends a request and returns whatever is answered. Throws `APIError.unreachable`.
    func exchange(_ request: URLRequest) async throws -> (body: Data, response: HTTPURLResponse) {
        let task = session.dataTask(with: request)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                exchanges.begin(task.taskIdentifier, continuation)
                task.resume()
            }
        } onCancel: {
            task.cancel()
        }
    }
}

/// The answers that a session is receiving.
private final class Exchanges: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    typealias Continuation = CheckedContinuation<(body: Data, response: HTTPURLResponse), any Error>

    private struct Exchange {
        let continuation: Continuation
        var body = Data()
    }

    // Safe: it is used under the lock only.
    private var running: [Int: Exchange] = [:]
    private let lock = NSLock()

    func begin(_ id: Int, _ continuation: Continuation) {
        lock.withLock { running[id] = Exchange(continuation: continuation) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        // The redirect itself is the answer.
        completionHandler(nil)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        lock.withLock { running[dataTask.taskIdentifier]?.body.append(data) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let exchange = lock.withLock({ running.removeValue(forKey: task.taskIdentifier) }) else { return }
        if error == nil, let response = task.response as? HTTPURLResponse {
            exchange.continuation.resume(returning: (exchange.body, response))
        } else {
            exchange.continuation.resume(
                throwing: APIError.unreachable(error?.localizedDescription ?? "no answer"))
        }
    }
}
