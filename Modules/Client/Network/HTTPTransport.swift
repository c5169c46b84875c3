import Domain
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// HTTP over URLSession, on Linux and Apple systems.
struct HTTPTransport: Sendable {
    let server: URL
    private let language: Language?
    private let session: URLSession

    /// - Parameters:
    ///   - language: The language of the server's sentences; `nil` for those of the device.
    ///   - timeout: The seconds without an answer after which a request fails.
    init(server: URL, language: Language? = nil, timeout: TimeInterval = 20) {
        self.server = server
        self.language = language
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = timeout
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        session = URLSession(configuration: configuration)
    }

    func urlRequest(_ request: APIRequest, token: String?) throws -> URLRequest {
        guard var parts = URLComponents(url: server, resolvingAgainstBaseURL: false) else {
            throw APIError.unreachable("\(server) is no address")
        }
        parts.path = request.path
        if !request.query.isEmpty {
            parts.queryItems = request.query.sorted { $0.key < $1.key }.map { URLQueryItem(name: $0, value: $1) }
        }
        guard let url = parts.url else { throw APIError.unreachable("\(request.path) is no path") }
        var found = URLRequest(url: url)
        found.httpMethod = request.method.rawValue
        found.httpBody = request.body
        if request.body != nil { found.setValue("application/json", forHTTPHeaderField: "Content-Type") }
        if let key = request.idempotencyKey {
            found.setValue(key.uuidString.lowercased(), forHTTPHeaderField: "Idempotency-Key")
        }
        if let token { found.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        let languages = language.map { [$0.rawValue] } ?? Locale.preferredLanguages
        found.setValue(languages.joined(separator: ", "), forHTTPHeaderField: "Accept-Language")
        return found
    }

    /// Sends a request and returns the body of a success. Throws `APIError`.
    func send(_ request: APIRequest, token: String?) async throws -> Data {
        try await exchange(request, token: token).body
    }

    /// Sends a request and returns a success with its headers. Throws `APIError`.
    func exchange(
        _ request: APIRequest, token: String?
    ) async throws -> (body: Data, response: HTTPURLResponse) {
        let found = try urlRequest(request, token: token)
        let holder = TaskHolder()
        let (data, response): (Data, HTTPURLResponse) = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let task = session.dataTask(with: found) { data, response, error in
                    if let response = response as? HTTPURLResponse {
                        continuation.resume(returning: (data ?? Data(), response))
                    } else {
                        continuation.resume(
                            throwing: APIError.unreachable(error?.localizedDescription ?? "no answer"))
                    }
                }
                holder.start(task)
            }
        } onCancel: {
            holder.cancel()
        }
        guard !(200..<300).contains(response.statusCode) else { return (data, response) }
        throw Self.error(response, data)
    }

    static func error(_ response: HTTPURLResponse, _ data: Data) -> APIError {
        let status = response.statusCode
        if status == 401 { return .signInNeeded }
        let seconds = response.value(forHTTPHeaderField: "Retry-After").flatMap { Int($0) }
        do {
            var refusal = try JSONDecoder().decode(Refusal.self, from: data)
            refusal.retryAfter = seconds
            return .refused(refusal)
        } catch {
            // A proxy's answer, not the server's: only its status means something, and only that it failed.
            if status >= 500 || status == 429 {
                return .refused(Refusal(status: status, code: "proxy", title: "", retryAfter: seconds))
            }
            return .malformed("status \(status)")
        }
    }
}

/// The task of a request, which a cancellation may meet before it began.
private final class TaskHolder: @unchecked Sendable {
    // Safe: both are used under the lock only.
    private let lock = NSLock()
    private var task: URLSessionTask?
    private var isCancelled = false

    func start(_ task: URLSessionTask) {
        lock.lock()
        self.task = task
        let isCancelled = isCancelled
        lock.unlock()
        task.resume()
        if isCancelled { task.cancel() }
    }

    func cancel() {
        lock.lock()
        isCancelled = true
        let task = task
        lock.unlock()
        task?.cancel()
    }
}
