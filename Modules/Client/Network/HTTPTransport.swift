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
    private let pages: PageSession

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
        pages = PageSession(configuration)
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
        return urlRequest(request, at: url, token: token)
    }

    private func urlRequest(_ request: APIRequest, at url: URL, token: String?) -> URLRequest {
        var found = URLRequest(url: url)
        found.httpMethod = request.method.rawValue
        found.httpBody = request.body
        if request.body != nil || request.bodyFile != nil {
            found.setValue(request.contentType ?? "application/json", forHTTPHeaderField: "Content-Type")
        }
        for (name, value) in request.headers { found.setValue(value, forHTTPHeaderField: name) }
        if let accept = request.accept { found.setValue(accept, forHTTPHeaderField: "Accept") }
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
        let (data, response) = try await answered(found, again: request.mayRepeat) { try await fetch($0) }
        guard !(200..<300).contains(response.statusCode) else { return (data, response) }
        throw Self.error(response, data)
    }

    /// Sends a request and returns whatever is answered. Throws `URLError` without an answer.
    private func fetch(_ request: URLRequest) async throws -> (body: Data, response: HTTPURLResponse) {
        let holder = TaskHolder()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let task = session.dataTask(with: request) { data, response, error in
                    if let response = response as? HTTPURLResponse {
                        continuation.resume(returning: (data ?? Data(), response))
                    } else {
                        continuation.resume(throwing: error ?? URLError(.badServerResponse))
                    }
                }
                holder.start(task)
            }
        } onCancel: {
            holder.cancel()
        }
    }

    /// The seconds without an answer after which a request that may repeat is sent a second time on Linux.
    private static let firstTimeout: TimeInterval = 5

    /// The time between the end of the first attempt and the second one.
    private static let pause = Duration.milliseconds(250)

    /// Runs an exchange, and throws `APIError.unreachable` if it ends without an answer.
    ///
    /// URLSession on Linux sometimes opens a connection and sends nothing on it, when the processors are busy. Therefore
    /// a request that may repeat is sent a second time there.
    private func answered<Answer>(
        _ request: URLRequest, again mayRepeat: Bool, _ exchange: (URLRequest) async throws -> Answer
    ) async throws -> Answer {
        do {
            #if canImport(FoundationNetworking)
                if mayRepeat {
                    var first = request
                    first.timeoutInterval = min(Self.firstTimeout, session.configuration.timeoutIntervalForRequest)
                    do {
                        return try await exchange(first)
                    } catch let error as URLError where error.code == .timedOut {
                        // URLSession may still be closing the connection, whose descriptor a new one would get: 2 of 72
                        // requests that were sent again at once had the same fault.
                        try await Task.sleep(for: Self.pause)
                    }
                }
            #endif
            return try await exchange(request)
        } catch let error as URLError {
            throw APIError.unreachable(error.localizedDescription)
        }
    }

    /// The redirects that are followed for one page.
    private static let redirects = 5

    /// Sends the request for a page or a page's command, and follows redirects. Throws `APIError`.
    ///
    /// A redirect is followed here and not by URLSession, so that the token goes to no other server.
    ///
    /// - Parameter file: the file that takes the body of a success; `nil` for a body in memory.
    func answer(_ request: APIRequest, token: String?, into file: URL? = nil) async throws -> APIAnswer {
        var address = request.path
        for step in 0...Self.redirects {
            let url = try url(of: address)
            var found = urlRequest(request, at: url, token: token)
            found.setValue("app", forHTTPHeaderField: "X-PinkTower")
            if step > 0 {
                // RFC 9110 section 15.4.4: what follows is read with GET.
                found.httpMethod = APIRequest.Method.get.rawValue
                found.httpBody = nil
            }
            let body = step == 0 ? request.bodyFile : nil
            let mayRepeat = file == nil && (step > 0 || request.mayRepeat)
            let (data, response) = try await answered(found, again: mayRepeat) {
                try await pages.exchange($0, sending: body, into: file)
            }
            switch response.statusCode {
            case 200..<300:
                return APIAnswer(body: data, address: address, headers: Self.headers(of: response))
            case 301, 302, 303, 307, 308:
                guard let next = response.value(forHTTPHeaderField: "Location") else {
                    throw APIError.malformed("a redirect to nowhere")
                }
                address = next
            default: throw Self.error(response, data)
            }
        }
        throw APIError.malformed("more than \(Self.redirects) redirects")
    }

    /// Returns the URL of an address on this server. Throws `APIError` for the address of another server.
    func url(of address: String) throws -> URL {
        let path = String(address.prefix { $0 != "#" })
        guard path.hasPrefix("/"), !path.hasPrefix("//"), !path.contains("\\"),
            let url = URL(string: path, relativeTo: server)?.absoluteURL, url.host == server.host,
            url.port == server.port, url.scheme == server.scheme
        else { throw APIError.malformed("\(address) is not a page of the server") }
        return url
    }

    private static func headers(of response: HTTPURLResponse) -> [String: String] {
        response.allHeaderFields.reduce(into: [:]) { headers, field in
            guard let name = field.key as? String, let value = field.value as? String else { return }
            headers[name.lowercased()] = value
        }
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
