import AsyncHTTPClient
import Dispatch
import FeatureKit
import Foundation
import NIOCore
import NIOHTTP1
import NIOSSL

/// Sends requests to an external service, with limits of time and size.
final class BoundedHTTP: Sendable {
    /// Bytes of an answer, and of a token in it.
    static let limit = 64 * 1024

    /// There was no whole answer in time.
    enum Fault: Error { case unreachable, tooLong }

    struct Answer: Sendable {
        let status: Int
        let cacheControl: String?
        let retryAfter: String?
        let body: Data

        /// Throws `IdentityFault.unreachable` for what nobody understands.
        func json<Value: Decodable>(_ type: Value.Type) throws -> Value {
            do {
                return try JSONDecoder().decode(type, from: body)
            } catch {
                throw IdentityFault.unreachable
            }
        }
    }

    private let client: HTTPClient
    private let patience: TimeInterval

    /// - Parameters:
    ///   - patience: seconds from asking to the answer's last byte.
    ///   - root: a certificate that is trusted beside the system's, for tests.
    init(patience: TimeInterval, trusting root: NIOSSLCertificate? = nil) {
        self.patience = patience
        var tls = TLSConfiguration.makeClientConfiguration()
        if let root { tls.additionalTrustRoots = [.certificates([root])] }
        // What is asked is where it says; a redirection would carry secrets elsewhere.
        client = HTTPClient(
            configuration: .init(tlsConfiguration: tls, redirectConfiguration: .disallow))
    }

    /// Connections close by themselves once nobody asks any more.
    deinit { client.shutdown { _ in } }

    /// - Parameter form: sent as a form's fields; without one it is a `GET`.
    func ask(_ address: String, form: [(String, String)]? = nil) async throws -> Answer {
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

    /// - Parameter limit: bytes of an answer.
    /// - Throws: `Fault`.
    func send(_ asked: HTTPClientRequest, limit: Int) async throws -> Answer {
        let (client, patience) = (client, patience)
        do {
            return try await withThrowingTaskGroup(of: Answer.self) { group in
                group.addTask {
                    let response = try await client.execute(
                        asked, timeout: .milliseconds(Int64(patience * 1000)))
                    let body = try await response.body.collect(upTo: limit)
                    return Answer(
                        status: Int(response.status.code),
                        cacheControl: response.headers.first(name: "Cache-Control"),
                        retryAfter: response.headers.first(name: "Retry-After"),
                        body: Data(body.readableBytesView))
                }
                // The client's own limit ends with the answer's head; a body may drip for ever.
                group.addTask {
                    try await Task.sleep(for: .seconds(patience))
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

    /// `application/x-www-form-urlencoded`.
    static func encode(_ fields: [(String, String)]) -> String {
        let allowed = CharacterSet(
            charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        return fields.map { name, value in
            "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: allowed) ?? "")"
        }.joined(separator: "&")
    }
}
