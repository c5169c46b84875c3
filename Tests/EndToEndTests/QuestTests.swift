import Domain
import FeatureKit
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Persistence
import ServerApp
import TestKit
import Testing

@Suite("A child's tablet in the whole server")
struct QuestTests {
    /// A browser with its cookies.
    private final class Browser {
        let tower: Tower
        var cookies: [String: String] = [:]

        init(_ tower: Tower) { self.tower = tower }

        private var headers: HTTPFields {
            [
                .cookie: cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; "),
                .secFetchSite: "same-origin", .accept: "text/html",
            ]
        }

        func get(_ path: String) async throws -> TestResponse { take(try await tower.get(path, headers)) }

        func form(_ path: String, _ fields: [(String, String)] = []) async throws -> TestResponse {
            take(try await tower.form(path, fields, headers))
        }

        /// The address to which it was redirected.
        func goes(_ path: String) async throws -> String? { try await get(path).headers[.location] }

        private func take(_ response: TestResponse) -> TestResponse {
            // A removed cookie comes empty, and is not sent again.
            cookies = cookies.merging(response.cookies) { $1 }.filter { !$0.value.isEmpty }
            return response
        }
    }

    @Test(
        "a tablet is paired, plays, is opened with its code for a while, and is signed out from another device",
        .requirement(
            "TQ-0.01.a", "TQ-0.01.b", "TQ-2.02.a", "TQ-2.02.b", "TQ-2.02.c", "TQ-2.06.a", "TQ-2.06.c", "TQ-2.11.b"))
    func tablet() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let allowed = try await tower.post(
                "/api/v1/quest/pairings", ["pairingCode": "ABCD2345", "code": "4321", "again": "4321"],
                as: sample.founder.bearer)
            #expect(allowed.status == .ok, "\(allowed.text)")
            let tablet = Browser(tower)
            #expect(try await tablet.get("/play/pair/ABCD2345").status == .ok)
            let paired = try await tablet.form("/api/v1/quest/pair", [("pairingCode", "ABCD2345")])
            #expect(paired.status == .seeOther && paired.headers[.location] == "/play")
            let play = try await tablet.get("/play")
            #expect(play.status == .ok && play.text.contains("Mia"))
            #expect(!play.text.contains("data-seq"), "its page asks for no stream, which it would be refused")
            // Nothing else of the account can be reached from it.
            for path in ["/", "/quest", "/settings", "/classrooms/\(sample.classroomId)", "/search"] {
                #expect(try await tablet.goes(path) == "/play", "\(path)")
            }
            #expect(try await tablet.get("/sign-in").status == .ok)
            for path in [
                "/api/v1/students/\(sample.studentId)/observations", "/api/v1/auth/devices", "/api/v1/live",
            ] {
                #expect(try await tablet.get(path).status == .forbidden, "\(path)")
            }
            let wrong = try await tablet.form("/api/v1/quest/gate", [("code", "0000")])
            #expect(wrong.status == .unprocessableContent, "\(wrong.text)")
            #expect(try await tablet.goes("/quest") == "/play")
            #expect(try await tablet.form("/api/v1/quest/gate", [("code", "4321")]).headers[.location] == "/quest")
            let setup = try await tablet.get("/quest")
            #expect(setup.status == .ok && setup.text.contains("Morning"))
            #expect(!setup.text.contains("/settings\"") && !setup.text.contains("/notifications"))
            #expect(try await tablet.goes("/") == "/play", "a launch begins with the player")
            #expect(try await tablet.goes("/settings") == "/play")
            #expect(try await tablet.form("/api/v1/quest/gate/close").headers[.location] == "/play")
            #expect(try await tablet.goes("/quest") == "/play")
            // It closes by itself after a quarter of an hour.
            _ = try await tablet.form("/api/v1/quest/gate", [("code", "4321")])
            #expect(try await tablet.get("/quest").status == .ok)
            tower.clock.advance(by: 14 * 60)
            #expect(try await tablet.get("/quest").status == .ok)
            tower.clock.advance(by: 2 * 60)
            #expect(try await tablet.goes("/quest") == "/play")
            // It is in the list of devices and can be signed out there.
            let founder = try await tower.post(
                "/api/v1/auth/sign-in", ["email": sample.founder.email, "password": Tower.password]
            ).json().text("accessToken")
            let devices = try await tower.get("/api/v1/auth/devices", as: .bearer(founder)).json()
            let narrow = devices.list("items").compactMap { $0 as? [String: Any] }.filter {
                $0["isNarrow"] as? Bool == true
            }
            #expect(narrow.count == 1)
            let id = try #require(narrow.first?["id"] as? String)
            _ = try await tower.post("/api/v1/auth/devices/\(id)/end", [String: String](), as: .bearer(founder))
            #expect(try await tablet.goes("/play")?.hasPrefix("/sign-in") == true)
        }
    }

    @Test(
        "wrong codes lock the keypad for increasing times, and signing in still opens it", .requirement("TQ-2.07"))
    func locksOut() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            _ = try await tower.post(
                "/api/v1/quest/pairings", ["pairingCode": "ABCD2345", "code": "4321", "again": "4321"],
                as: sample.founder.bearer)
            let tablet = Browser(tower)
            _ = try await tablet.form("/api/v1/quest/pair", [("pairingCode", "ABCD2345")])
            for _ in 0..<5 {
                let wrong = try await tablet.form("/api/v1/quest/gate", [("code", "0000")])
                #expect(wrong.status == .unprocessableContent, "\(wrong.headers) \(wrong.text.prefix(3000))")
            }
            let locked = try await tablet.form("/api/v1/quest/gate", [("code", "4321")])
            #expect(locked.status == .tooManyRequests, "\(locked.headers) \(locked.text)")
            let wait = try #require(Int(locked.headers[.retryAfter] ?? ""))
            #expect((1...30).contains(wait))
            let signedIn = try await tablet.form(
                "/api/v1/auth/sign-in", [("email", sample.founder.email), ("password", Tower.password)])
            #expect(signedIn.status == .seeOther)
            #expect(try await tablet.get("/quest").status == .ok)
            #expect(try await tablet.get("/settings").status == .ok)
        }
    }

    @Test("the code of each device is stored as scrypt with its own salt", .requirement("TQ-2.05.b"))
    func codeHashes() async throws {
        try await Tower.with({ $0.weakPasswordHash = false }) { tower in
            let parent = try await tower.signUp()
            _ = try await tower.post(
                "/api/v1/organizations", ["name": "Maple", "timeZone": "America/Toronto"], as: parent.bearer)
            for pairing in ["ABCD2345", "EFGH6789"] {
                let allowed = try await tower.post(
                    "/api/v1/quest/pairings", ["pairingCode": pairing, "code": "4321", "again": "4321"],
                    as: parent.bearer)
                #expect(allowed.status == .ok, "\(allowed.text)")
                let paired = try await Browser(tower).form("/api/v1/quest/pair", [("pairingCode", pairing)])
                #expect(paired.status == .seeOther, "\(paired.text)")
            }
            let hashes: [String] = try await tower.composition.directory.read { sql in
                try sql.rows("SELECT code_hash FROM gate_codes").map { try $0.get("code_hash") }
            }
            #expect(hashes.count == 2 && Set(hashes).count == 2)
            #expect(hashes.allSatisfy { $0.hasPrefix("scrypt$") && !$0.contains("4321") })
            // Algorithm and cost are the same, the salts differ.
            #expect(Set(hashes.compactMap { $0.split(separator: "$").first }).count == 1)
        }
    }

    @Test(
        "a server with only sign-in and quests leads from the sign-up to play, and no family reaches another's data"
    )
    func standsAlone() async throws {
        try await Tower.with({ settings in
            settings.features = ["Auth", "Quest"]
        }) { tower in
            #expect(try await tower.page("/", as: .nobody).headers[.location] == "/sign-in")
            let ana = try await tower.signUp()
            #expect(try await tower.page("/", as: ana.browser).headers[.location] == "/quest")
            #expect(try await tower.page("/play", as: ana.browser).headers[.location] == "/quest")
            let player = try await tower.post("/api/v1/quest/players", ["name": "Mia"], as: ana.bearer)
            #expect(player.status == .created)
            let id = try player.json().text("id")
            #expect(try await tower.page("/quest", as: ana.browser).text.contains("Mia"))
            #expect(try await tower.page("/play", as: ana.browser).status == .ok)
            let luz = try await tower.signUp("Luz Ruiz")
            #expect(try await tower.page("/quest/players/\(id)", as: luz.browser).status == .notFound)
            #expect(!(try await tower.page("/quest", as: luz.browser).text.contains("Mia")))
        }
    }
}
