import AsyncHTTPClient
import Dispatch
import FeatureKit
import Foundation
import NIOCore
import NIOHTTP1
import NIOSSL

/// Sends requests to an external service, with limits on time and size.
final class BoundedHTTP: Sendable {
    /// The largest response, and the largest token in one, in bytes.
    static let limit = 64 * 1024

    /// The reasons why there is no complete response.
    enum Fault: Error { case unreachable, tooLong }

    /// The status, the relevant headers and the body of a response.
    struct Response: Sendable {
        let status: Int
        let cacheControl: String?
        let retryAfter: String?
        let body: Data

        /// Decodes the body. Throws `IdentityFault.unreachable` if it is not the expected JSON.
        func json<Value: Decodable>(_ type: Value.Type) throws -> Value {
            do {
                return try JSONDecoder().decode(type, from: body)
            } catch {
                throw IdentityFault.unreachable
            }
        }
    }

    private let client: HTTPClient
    private let timeout: TimeInterval

    /// Creates a client with its own connections.
    ///
    /// - Parameters:
    ///   - timeout: Seconds from the request to the last byte of the response.
    ///   - root: A certificate to trust besides the system's, for tests.
    init(timeout: TimeInterval, trusting root: NIOSSLCertificate? = nil) {
        self.timeout = timeout
        var tls = TLSConfiguration.makeClientConfiguration()
        if let root { tls.additionalTrustRoots = [.certificates([root])] }
        // Redirects are refused: following one would send secrets to another server.
        client = HTTPClient(
            configuration: .init(tlsConfiguration: tls, redirectConfiguration: .disallow))
    }

    /// Idle connections are closed by the client.
    deinit { client.shutdown { _ in } }

    /// Sends a request and returns the response. Throws `IdentityFault.unreachable` if there is none.
    ///
    /// - Parameter form: The fields of a form to `POST`; without them the request is a `GET`.
    func fetch(_ address: String, form: [(String, String)]? = nil) async throws -> Response {
        var request = HTTPClientRequest(url: address)
        request.headers.add(name: "Accept", value: "application/json")
        if let form {
            request.method = .POST
            request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
            request.body = .bytes(ByteBuffer(string: Self.encode(form)))
        }
        do {
            return try await send(request, limit: Self.limit)
        } catch {
            throw IdentityFault.unreachable
        }
    }

    /// Sends a request and returns the response.
    ///
    /// - Parameter limit: The largest body, in bytes.
    /// - Throws: `Fault`.
    func send(_ asked: HTTPClientRequest, limit: Int) async throws -> Response {
        let (client, timeout) = (client, timeout)
        do {
            return try await withThrowingTaskGroup(of: Response.self) { group in
                group.addTask {
                    let response = try await client.execute(
                        asked, timeout: .milliseconds(Int64(timeout * 1000)))
                    let body = try await response.body.collect(upTo: limit)
                    return Response(
                        status: Int(response.status.code),
                        cacheControl: response.headers.first(name: "Cache-Control"),
                        retryAfter: response.headers.first(name: "Retry-After"),
                        body: Data(body.readableBytesView))
                }
                // The client's own timeout covers the response head only; a body could drip forever.
                group.addTask {
                    try await Task.sleep(for: .seconds(timeout))
                    throw Fault.unreachable
                }
                defer { group.cancelAll() }
                guard let first = try await group.next() else { throw Fault.unreachable }
                return first
            }
        } catch is NIOTooManyBytesError {
            throw Fault.tooLong
        } catch {
            throw Fault.unreachable
        }
    }

    /// Encodes fields as `application/x-www-form-urlencoded`.
    static func encode(_ fields: [(String, String)]) -> String {
        let allowed = CharacterSet(
            charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        return fields.map { name, value in
            "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: allowed) ?? "")"
        }.joined(separator: "&")
    }
}
