import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdHTTP2
import Logging
import NIOCore
import NIOSSL
import Synchronization

/// Detects whether a request came over HTTP/2.
private struct StreamContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let isStream: Bool

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        isStream = "\(type(of: source.channel))".contains("HTTP2")
    }
}

/// A stand-in for Apple's push service, over TLS and HTTP/2.
final class StandInAPNs: Sendable {
    struct Asked: Sendable {
        let path: String
        /// Whether it came over HTTP/2.
        let isStream: Bool
        /// Header fields by lower-case name.
        let fields: [String: String]
        let body: Data
    }
    struct Reply: Sendable {
        var status = 200
        var body = ""
        var retryAfter: String?
    }

    private let state = Mutex<(asked: [Asked], replies: [Reply])>(([], []))

    /// The requests so far, in order.
    var asked: [Asked] { state.withLock { $0.asked } }

    init(_ replies: [Reply] = []) { state.withLock { $0.replies = replies } }

    /// Serves while `work` runs with the address.
    static func with(
        _ replies: [Reply] = [], _ work: @escaping @Sendable (StandInAPNs, String) async throws -> Void
    ) async throws {
        let service = StandInAPNs(replies)
        let (ports, open) = AsyncStream.makeStream(of: Int.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await service.serve { open.yield($0) } }
            defer { group.cancelAll() }
            for await port in ports {
                try await work(service, "https://localhost:\(port)")
                break
            }
        }
    }

    private func take(_ asked: Asked) -> Reply {
        state.withLock { state in
            state.asked.append(asked)
            return state.replies.isEmpty ? Reply() : state.replies.removeFirst()
        }
    }

    private func serve(_ onReady: @escaping @Sendable (Int) -> Void) async throws {
        let router = Router(context: StreamContext.self)
        router.post("/3/device/:token") { [self] request, context -> Response in
            let body = try await request.body.collect(upTo: 8192)
            let fields = request.headers.map { ($0.name.canonicalName, $0.value) }
            let reply = take(
                Asked(
                    path: request.uri.path, isStream: context.isStream,
                    fields: Dictionary(fields, uniquingKeysWith: { first, _ in first }),
                    body: Data(body.readableBytesView)))
            var headers: HTTPFields = [:]
            headers[.retryAfter] = reply.retryAfter
            return Response(
                status: .init(code: reply.status), headers: headers,
                body: .init(byteBuffer: ByteBuffer(string: reply.body)))
        }
        var logger = Logger(label: "stand-in")
        logger.logLevel = .critical
        let application = Application(
            router: router,
            server: try .http2Upgrade(
                tlsConfiguration: .makeServerConfiguration(
                    certificateChain: NIOSSLCertificate.fromPEMBytes(Array(Self.certificate.utf8))
                        .map { .certificate($0) },
                    privateKey: .privateKey(NIOSSLPrivateKey(bytes: Array(Self.key.utf8), format: .pem)))),
            configuration: .init(address: .hostname("localhost", port: 0)),
            onServerRunning: { channel in onReady(channel.localAddress?.port ?? 0) }, logger: logger)
        try await application.run()
    }

    /// A certificate of localhost, for tests only: its key is public.
    static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBlDCCATugAwIBAgIUfXgAP5u5cC3hm+pcOnEU+rOLHPIwCgYIKoZIzj0EAwIw
        FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMjE3MDIwMVoYDzIxMjYxMDI5
        MTcwMjAxWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
        PQMBBwNCAAQGxGJdV8sO7tH99ztWch559P4IhflRtzkpxv6q1jgzGRHpFS6TRBM/
        BqDwmrTZda65GQ/iIENl0cq0LHNwMjJmo2kwZzAdBgNVHQ4EFgQU5Ji8APuYaga8
        y5KC8Sn9MJ4Au28wHwYDVR0jBBgwFoAU5Ji8APuYaga8y5KC8Sn9MJ4Au28wDwYD
        VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
        RwAwRAIgcJ/rmuVPsZLXxH9pYxi/1rLcLkY91I1Oy2iArT2GXkYCIBVNyiaYoMiz
        RrDGZCnGnOIZjvKM7BccuxhE14Mh3iMp
        -----END CERTIFICATE-----
        """

    private static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQguhmMbQNwUuekwY5W
        C+79v6fv3IXECdRZl6n+VpjU2B6hRANCAAQGxGJdV8sO7tH99ztWch559P4IhflR
        tzkpxv6q1jgzGRHpFS6TRBM/BqDwmrTZda65GQ/iIENl0cq0LHNwMjJm
        -----END PRIVATE KEY-----
        """
}
