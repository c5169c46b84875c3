import Client
import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import ResidenceModel
import TestKit
import Testing

/// The session of a gate whose renewals are lost, against the whole server with a clock of its own.
@Suite("The session of a gate")
struct GateSessionTests {
    private static let card = "CARD1000"

    /// A residence with a resident who has a card, and a gate that may be paired.
    private func allowGate(_ tower: Tower) async throws -> (code: String, founder: Tower.Person, pgId: String) {
        let sample = try await tower.sampleSchool()
        func run(_ path: String, _ body: [String: String]) async throws -> Answer {
            let answer = try await tower.post("/api/v1\(path)", body, as: sample.founder.bearer)
            try #require((200..<300).contains(answer.status.code), "\(path): \(answer.text)")
            return try answer.json()
        }
        let residence = try await run(
            "/residences", ["name": "Elm House", "schoolNightCurfew": "05:00", "weekendCurfew": "05:00"]
        ).text("id")
        let student = try await run(
            "/students", ["firstName": "Cem", "lastName": "Kaya", "classroomId": sample.classroomId]
        ).text("id")
        _ = try await run("/residences/\(residence)/students", ["studentId": student])
        _ = try await run("/residences/\(residence)/students/\(student)/tags", ["number": Self.card])
        _ = try await run("/residences/\(residence)/gates", ["name": "Main door", "pairingCode": "ABCD2345"])
        return ("ABCD2345", sample.founder, residence)
    }

    private struct Stored: Decodable { let refreshToken: String }

    @Test(
        "a gate whose renewal got no answer goes on, however late its network returns",
        arguments: [1800, 7 * 86_400] as [TimeInterval])
    func lostRenewal(_ gap: TimeInterval) async throws {
        try await Tower.with(live: true) { tower in
            let port = try #require(tower.client.port)
            let home = try await allowGate(tower)
            let folder = try TemporaryFolder()
            let gate = try await DoorDevice(URL(string: "http://127.0.0.1:\(port)"), folder.url, code: home.code)
            // The device renews its session, and the answer is dropped on the way: its file has the former token.
            let held = try JSONDecoder().decode(Stored.self, from: Data(contentsOf: DoorDevice.session(folder.url)))
            for _ in 0..<2 {
                tower.clock.advance(by: gap)
                let lost = try await tower.post("/api/v1/auth/refresh", ["refreshToken": held.refreshToken])
                #expect(lost.status == .ok)
            }
            tower.clock.advance(by: gap)
            try await gate.reads(Self.card)
            let passages = try await tower.get(
                "/api/v1/residences/\(home.pgId)/passages",
                as: tower.again(home.founder).bearer
            ).json()
            #expect(passages.list("items").count == 1)
            // The new tokens were used, so the former one is a copy.
            tower.clock.advance(by: 61)
            let copied = try await tower.post("/api/v1/auth/refresh", ["refreshToken": held.refreshToken])
            #expect(copied.status == .unauthorized)
            await gate.stop()
        }
    }

    @Test("a gate's page whose renewal got no answer goes on with its former cookies")
    func lostCookies() async throws {
        try await Tower.with { tower in
            let home = try await allowGate(tower)
            let paired = try await tower.post("/api/v1/gate/pair", ["pairingCode": home.code])
            let former = try cookies(paired)
            tower.clock.advance(by: 1800)
            // The access token is over: the server renews the session with this request, and the answer is dropped.
            #expect(try await list(tower, former).status == .ok)
            tower.clock.advance(by: 1800)
            let again = try await list(tower, former)
            #expect(again.status == .ok)
            let renewed = try cookies(again)
            #expect(try await list(tower, renewed).status == .ok)
            tower.clock.advance(by: 61)
            #expect(try await list(tower, former).status == .unauthorized, "the new cookies were used")
        }
    }

    private func cookies(_ response: TestResponse) throws -> String {
        let set = response.headers[values: .setCookie].compactMap {
            $0.split(separator: ";").first.map(String.init)
        }
        try #require(set.count >= 2, "\(response.headers)")
        return set.joined(separator: "; ")
    }

    private func list(_ tower: Tower, _ cookies: String) async throws -> TestResponse {
        try await tower.get("/api/v1/gate/list", as: .nobody, [.cookie: cookies, .secFetchSite: "same-origin"])
    }
}

/// A device at a door with the client library.
@MainActor
private struct DoorDevice {
    nonisolated static func session(_ folder: URL) -> URL { folder.appending(path: "session") }

    let store: GateStore

    init(_ address: URL?, _ folder: URL, code: String) async throws {
        let address = try #require(address)
        let clock = ServerClock()
        let auth = try LiveAuthManager(server: address, storage: SessionFile(Self.session(folder)), clock: clock)
        _ = try await auth.pairGate(code: code)
        store = try await GateStore.open(
            api: LiveAPIManager(server: address, auth: auth), auth: auth,
            storage: ClientStorage(folder: folder.appending(path: "gate")), clock: clock)
    }

    /// Loads the list and reads a card, whose passage is sent.
    func reads(_ card: String) async throws {
        await store.refresh()
        try #require(store.state.error == nil && !store.state.isOver)
        guard case .passage = try store.read(card) else {
            Issue.record("the card is not known")
            return
        }
        let start = ContinuousClock.now
        while store.syncSummary.unsent > 0, start.duration(to: .now) < .seconds(10) {
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(store.syncSummary.unsent == 0)
    }

    func stop() { store.stop() }
}
