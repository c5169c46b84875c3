public import Domain
public import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An auth manager whose tokens can be renewed before their time.
@MainActor
public protocol RenewingAuthManager: AuthManager {
    /// Renews the access token of an account, such as after the server refused it.
    ///
    /// - Parameter token: The refused token. If it was renewed already, the new one is returned.
    func renew(_ token: String, for account: UUID) async throws -> String
}

/// The connection to a real server, over URLSession.
public struct LiveAPIManager: APIManager {
    private let transport: HTTPTransport
    private let auth: any RenewingAuthManager

    /// - Parameters:
    ///   - server: The address of the server, such as `https://school.example`.
    ///   - auth: The tokens of the requests.
    ///   - language: The language of the server's sentences; `nil` for those of the device.
    public init(server: URL, auth: any RenewingAuthManager, language: Language? = nil) {
        transport = HTTPTransport(server: server, language: language)
        self.auth = auth
    }

    public func send(_ request: APIRequest) async throws -> Data {
        try await authorized(request) { try await transport.send(request, token: $0) }
    }

    public func answer(_ request: APIRequest) async throws -> APIAnswer {
        try await authorized(request) { try await transport.answer(request, token: $0) }
    }

    public func download(_ request: APIRequest, to file: URL) async throws -> APIAnswer {
        try await authorized(request) { try await transport.answer(request, token: $0, into: file) }
    }

    public func webPage(at address: String, for account: UUID) async throws -> WebPage {
        let url = try transport.url(of: address)
        guard let page = WebPage(url, token: try await auth.accessToken(for: account)) else {
            throw APIError.malformed("\(url) has no cookies")
        }
        return page
    }

    /// Runs a request with the token of its account, once more with a new token if the server refuses the first.
    private func authorized<Answer: Sendable>(
        _ request: APIRequest, _ run: (String?) async throws -> Answer
    ) async throws -> Answer {
        guard let account = request.account else { return try await run(nil) }
        let token = try await auth.accessToken(for: account)
        do {
            return try await run(token)
        } catch APIError.signInNeeded {
            return try await run(try await auth.renew(token, for: account))
        }
    }

    public func events(after seq: Int64?, for account: UUID) -> AsyncThrowingStream<LiveItem, any Error> {
        let (transport, auth) = (transport, auth)
        return AsyncThrowingStream { continuation in
            let opening = Task {
                do {
                    let token = try await auth.accessToken(for: account)
                    let request = APIRequest(
                        .get, "/api/v1/live", query: seq.map { ["after": String($0)] } ?? [:], account: account)
                    try Task.checkCancellation()
                    EventConnection.open(try transport.urlRequest(request, token: token), into: continuation)
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in opening.cancel() }
        }
    }
}
