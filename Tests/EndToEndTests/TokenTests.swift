import Foundation
import HTTPTypes
import HummingbirdTesting
import TestKit
import Testing

/// A personal API token with the whole server: its scopes, its person, and its end.
@Suite("API tokens")
struct TokenTests {
    private struct NewToken: Encodable {
        var name = "Library system"
        var secret =
            "pt_"
            + String((0..<43).map { _ in "abcdefghijklmnopqrstuvwxyz0123456789-_".randomElement() ?? "x" })
        var scopes: [String]
        var days = 30
    }

    @Test("a token gives what its scopes and its person's role allow, and nothing else", .requirement("BY-1.21.d"))
    func scopes() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let new = NewToken(scopes: ["students:read", "attendance:read"])
            let made = try await tower.post("/api/v1/auth/tokens", new, as: sample.founder.bearer)
            #expect(made.status == .created)
            #expect(!made.text.contains(new.secret))
            let token = Tower.As.bearer(new.secret)
            let roster = "/api/v1/classrooms/\(sample.classroomId)/roster"
            #expect(try await tower.get(roster, as: token).status == .ok)
            #expect(try await tower.get("/api/v1/auth/me", as: token).status == .ok)

            let mark = try await tower.post(
                "/api/v1/classrooms/\(sample.classroomId)/attendance", ["studentId": "x"], as: token)
            #expect(mark.status == .forbidden)
            #expect(mark.text.contains("attendance:write"))
            #expect(try await tower.get("/api/v1/members", as: token).status == .forbidden)
            #expect(try await tower.get("/api/v1/auth/devices", as: token).status == .forbidden)
            #expect(
                try await tower.post("/api/v1/auth/tokens", NewToken(scopes: ["students:write"]), as: token).status
                    == .forbidden)
            #expect(try await tower.get("/settings", as: token).status == .forbidden)
            #expect(try await tower.get("/api/v1/live", as: token).status == .forbidden)
        }
    }

    @Test("a token ends when it is revoked, on its last day, and with a new password")
    func ends() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            func make() async throws -> (NewToken, String) {
                let new = NewToken(scopes: ["students:read"])
                let made = try await tower.post("/api/v1/auth/tokens", new, as: sample.founder.bearer)
                return (new, try made.json().text("id"))
            }
            func works(_ token: NewToken) async throws -> Bool {
                try await tower.get("/api/v1/auth/me", as: .bearer(token.secret)).status == .ok
            }
            let (first, id) = try await make()
            let (second, _) = try await make()
            let both = try await (works(first), works(second))
            #expect(both == (true, true))
            #expect(
                try await tower.post(
                    "/api/v1/auth/devices/\(id)/end", [String: String](), as: sample.founder.bearer
                )
                .status == .ok)
            #expect(try await !works(first))
            #expect(try await works(second))
            let changed = try await tower.post(
                "/api/v1/auth/password", ["currentPassword": Tower.password, "password": "another few words"],
                as: sample.founder.bearer)
            #expect(changed.status == .ok)
            #expect(try await !works(second))
            let (third, _) = try await make()
            tower.clock.advance(by: 30 * 86_400 + 1)
            #expect(try await !works(third))
        }
    }

    @Test("the OpenAPI document lists exactly the scopes that a token may have, one alone or all together")
    func documentedScopes() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let text = try await tower.get("/openapi.json").text
            let document = try #require(
                JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
            let paths = try #require(document["paths"] as? [String: [String: [String: Any]]])
            let schemes = paths.values.flatMap(\.values).flatMap { $0["security"] as? [[String: [String]]] ?? [] }
            let named = Set(schemes.flatMap { $0["token"] ?? [] })
            #expect(named.count > 20)
            for scope in named.sorted() {
                let made = try await tower.post(
                    "/api/v1/auth/tokens", NewToken(scopes: [scope]), as: sample.founder.bearer)
                #expect(made.status == .created, "\(scope): \(made.text)")
            }
            let all = try await tower.post(
                "/api/v1/auth/tokens", NewToken(scopes: named.sorted()), as: sample.founder.bearer)
            #expect(all.status == .created, "all \(named.count) together: \(all.text)")
            let form = try await tower.page("/settings/tokens/new", as: sample.founder.browser).text
            let offered = Set(form.matches(of: /value="([A-Za-z]+:(?:read|write))"/).map { String($0.1) })
            #expect(offered == named)
            #expect(named.isDisjoint(with: ["auth:read", "auth:write", "tokens:write", "preferences:write"]))
            #expect(named.contains("audit:read"), "the block that is built last is there too")
        }
    }

    @Test("the form lists the permissions by the names of their areas, seeing before changing")
    func order() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let form = try await tower.page("/settings/tokens/new", as: sample.founder.browser).text
            let offered = form.matches(of: />See (and change )?([^<]+)</).map { (name: $0.2, changes: $0.1 != nil) }
            #expect(offered.count > 20)
            for (one, next) in zip(offered, offered.dropFirst()) {
                let order = one.name.localizedStandardCompare(next.name)
                #expect(
                    order == .orderedAscending || order == .orderedSame && !one.changes && next.changes,
                    "\(one) before \(next)")
            }
        }
    }

    @Test("a token with a short, malformed or used secret, or with an unavailable scope, is refused")
    func refused() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            for new in [
                NewToken(secret: "pt_short", scopes: ["students:read"]),
                NewToken(secret: "pt_" + String(repeating: "é", count: 43), scopes: ["students:read"]),
                NewToken(scopes: []), NewToken(scopes: ["students"]), NewToken(scopes: ["auth:write"]),
                NewToken(scopes: ["tokens:write"]), NewToken(scopes: ["students:read"], days: 4000),
            ] {
                let answer = try await tower.post("/api/v1/auth/tokens", new, as: sample.founder.bearer)
                #expect(answer.status == .unprocessableContent, "\(new)")
            }
            let good = NewToken(scopes: ["students:read"])
            #expect(try await tower.post("/api/v1/auth/tokens", good, as: sample.founder.bearer).status == .created)
            #expect(
                try await tower.post("/api/v1/auth/tokens", good, as: sample.founder.bearer).status == .conflict)
        }
    }
}
