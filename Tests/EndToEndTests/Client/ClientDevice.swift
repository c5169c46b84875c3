import Client
import Domain
import Foundation
import ResidenceModel
import ServerProcess
import TestKit
import Testing

/// A device with the client library, behind a network of its own.
@MainActor
struct ClientDevice {
    let proxy: FaultyProxy
    let auth: LiveAuthManager
    let store: AppStore
    let pgId: UUID

    init(
        _ name: String, _ server: RealServer, in folder: TemporaryFolder, email: String = "ana@maple.example"
    ) async throws {
        proxy = try FaultyProxy(to: server.port)
        let home = folder.url.appending(path: name)
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        auth = try LiveAuthManager(server: try proxy.url, storage: SessionFile(home.appending(path: "session")))
        let result = try await auth.signIn(email: email, password: Tower.password)
        try #require(result == .signedIn)
        pgId = try #require(auth.currentPgId)
        store = try await AppStore.open(
            api: LiveAPIManager(server: try proxy.url, auth: auth), auth: auth,
            storage: ClientStorage(folder: home),
            environment: ClientEnvironment(
                backoff: Backoff(first: 0.05, longest: 0.5), timeZone: RealServer.daytime))
        await store.refresh()
        store.start()
    }

    var pg: PGStore { store.pgStore }
    var numbers: [String] { pg.state.rooms(of: pgId).map(\.number).sorted() }

    func end() {
        store.stop()
        proxy.close()
    }
}

/// Waits until a condition holds, at most a minute. The caller checks the result.
@MainActor
func settled(_ isSo: @MainActor () -> Bool) async throws {
    let start = ContinuousClock.now
    while !isSo(), start.duration(to: .now) < .seconds(60) { try await Task.sleep(for: .milliseconds(5)) }
}

extension Wire {
    /// The elements of a list.
    func items(_ path: String, as bearer: String) async throws -> [[String: Any]] {
        let answer = try await get(path, as: bearer)
        return Answer(value: try JSONSerialization.jsonObject(with: Data(answer.body.utf8))).list("items")
            .compactMap { $0 as? [String: Any] }
    }

    func get(
        _ path: String, as bearer: String
    ) async throws -> (status: Int, headers: [String: String], body: String) {
        try await onQueue { [self] in
            try send("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer \(bearer)\r\n\r\n")
        }
        return try await answer()
    }
}
