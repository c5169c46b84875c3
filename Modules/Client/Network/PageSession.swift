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

    /// Sends a request and returns whatever is answered. Throws `URLError`, or the error of a file.
    ///
    /// - Parameters:
    ///   - body: The file with the body of the request; `nil` for the body that it has.
    ///   - file: The file that takes the body of a success piece by piece; `nil` for a body in memory.
    func exchange(
        _ request: URLRequest, sending body: URL? = nil, into file: URL? = nil
    ) async throws -> (body: Data, response: HTTPURLResponse) {
        let output = try file.map { file in
            guard
                FileManager.default.createFile(
                    atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o600])
            else { throw CocoaError(.fileWriteUnknown) }
            return try FileHandle(forWritingTo: file)
        }
        let task =
            body.map { session.uploadTask(with: request, fromFile: $0) } ?? session.dataTask(with: request)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                exchanges.begin(task.taskIdentifier, continuation, output)
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
        /// The file that takes the body of a success.
        let output: FileHandle?
        var body = Data()
        /// The error of the file, such as on a full disk.
        var fault: (any Error)?

        mutating func take(_ data: Data, isSuccess: Bool) {
            guard let output, isSuccess else { return body.append(data) }
            do { try output.write(contentsOf: data) } catch { fault = error }
        }
    }

    // Safe: it is used under the lock only.
    private var running: [Int: Exchange] = [:]
    private let lock = NSLock()

    func begin(_ id: Int, _ continuation: Continuation, _ output: FileHandle?) {
        lock.withLock { running[id] = Exchange(continuation: continuation, output: output) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        // The redirect itself is the answer.
        completionHandler(nil)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let status = (dataTask.response as? HTTPURLResponse)?.statusCode ?? 0
        let isBroken = lock.withLock {
            running[dataTask.taskIdentifier]?.take(data, isSuccess: (200..<300).contains(status))
            return running[dataTask.taskIdentifier]?.fault != nil
        }
        if isBroken { dataTask.cancel() }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let exchange = lock.withLock({ running.removeValue(forKey: task.taskIdentifier) }) else { return }
        do { try exchange.output?.close() } catch { return exchange.continuation.resume(throwing: error) }
        if let fault = exchange.fault {
            exchange.continuation.resume(throwing: fault)
        } else if error == nil, let response = task.response as? HTTPURLResponse {
            exchange.continuation.resume(returning: (exchange.body, response))
        } else {
            exchange.continuation.resume(throwing: error ?? URLError(.badServerResponse))
        }
    }
}
