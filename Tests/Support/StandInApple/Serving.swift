import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

extension StandInApple {
    /// Serves on loopback while `work` runs.
    static func with<Value: Sendable>(
        clock: @escaping @Sendable () -> Date = { Date() },
        _ work: @escaping @Sendable (StandInApple) async throws -> Value
    ) async throws -> Value {
        let standIn = try StandInApple(clock: clock)
        let (ports, open) = AsyncStream.makeStream(of: Int.self)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await standIn.serve { open.yield($0) } }
            defer { group.cancelAll() }
            for await port in ports {
                standIn.change { $0.address = "http://127.0.0.1:\(port)" }
                break
            }
            return try await work(standIn)
        }
    }

    /// Serves on a free port until the task is canceled.
    func serve(_ onReady: @escaping @Sendable (Int) -> Void) async throws {
        var logger = Logger(label: "stand-in")
        logger.logLevel = .critical
        let application = Application(
            router: router(), configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in onReady(channel.localAddress?.port ?? 0) }, logger: logger)
        do {
            try await application.run()
        } catch is CancellationError {
            // The test has ended.
        }
    }

    private func router() -> Router<BasicRequestContext> {
        let router = Router()
        router.get("auth/authorize") { [self] request, _ in
            do {
                return Self.html(try page(request.uri.string))
            } catch let refused as Refused {
                return Self.html(refused.description, status: .badRequest)
            }
        }
        router.get("auth/keys") { [self] _, _ in
            let (keys, cacheControl) = (try keySet(), state.cacheControl)
            return try await answer("/auth/keys") {
                var response = Self.json(200, keys)
                if let cacheControl { response.headers[.cacheControl] = cacheControl }
                return response
            }
        }
        router.post("auth/token") { [self] request, _ in
            let fields = try await Self.fields(request)
            return try await answer("/auth/token") {
                let (status, json) = try exchange(fields)
                return Self.json(status, json)
            }
        }
        router.post("auth/revoke") { [self] request, _ in
            let fields = try await Self.fields(request)
            return try await answer("/auth/revoke") {
                let (status, json) = revoke(fields)
                return Self.json(status, json)
            }
        }
        // For tests in another process: sets the current person.
        router.post("stand-in/person") { [self] request, _ in
            let fields = try await Self.fields(request)
            change { state in
                state.person = Person(
                    subject: fields["subject"] ?? "", email: fields["email"],
                    isVerified: fields["verified"] != "no", firstName: fields["first"] ?? "",
                    lastName: fields["last"] ?? "")
            }
            return Response(status: .noContent)
        }
        return router
    }

    /// The parts of Apple's page that tests use.
    private func page(_ address: String) throws -> String {
        func form(_ answer: Answer, _ button: String) -> String {
            let inputs = answer.fields.map { name, value in
                let safe = value.replacingOccurrences(of: "&", with: "&amp;")
                    .replacingOccurrences(of: "\"", with: "&quot;")
                return "<input type=\"hidden\" name=\"\(name)\" value=\"\(safe)\">"
            }
            return "<form method=\"post\" action=\"\(answer.returnAddress)\">\(inputs.joined())"
                + "<button>\(button)</button></form>"
        }
        return
            "<!doctype html><html lang=\"en\"><title>Stand-in</title><link rel=\"icon\" href=\"data:,\"><h1>Stand-in for Apple</h1>"
            + form(try agree(to: address), "Continue") + form(try cancel(address), "Cancel")
    }

    private func answer(_ path: String, _ fine: () throws -> Response) async throws -> Response {
        let mood = change { state in
            state.asked[path, default: 0] += 1
            return state.moods[path] ?? .fine
        }
        switch mood {
        case .fine: return try fine()
        case .failing: return Self.json(503, "{}")
        case .nonsense: return Self.json(200, "<html>Down for maintenance</html>")
        case .huge: return Self.json(200, "{\"keys\":[\"\(String(repeating: "a", count: 2_000_000))\"]}")
        case .redirecting: return Response(status: .temporaryRedirect, headers: [.location: "\(path)/elsewhere"])
        case .silent:
            try await Task.sleep(for: .seconds(3600))
            return Self.json(200, "{}")
        case .dripping:
            return Response(
                status: .ok,
                body: ResponseBody { writer in
                    while !Task.isCancelled {
                        try await writer.write(ByteBuffer(string: " "))
                        try await Task.sleep(for: .milliseconds(20))
                    }
                    try await writer.finish(nil)
                })
        }
    }

    private static func fields(_ request: Request) async throws -> [String: String] {
        let body = String(buffer: try await request.body.collect(upTo: 100_000))
        var parts = URLComponents()
        parts.percentEncodedQuery = body.replacingOccurrences(of: "+", with: "%20")
        return Dictionary((parts.queryItems ?? []).map { ($0.name, $0.value ?? "") }) { first, _ in first }
    }

    private static func json(_ status: Int, _ text: String) -> Response {
        Response(
            status: .init(code: status), headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    private static func html(_ text: String, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "text/html; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}
