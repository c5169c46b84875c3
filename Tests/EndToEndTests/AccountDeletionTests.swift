import Domain
import FeatureKit
import Foundation
import HTTPTypes
import HummingbirdTesting
import Persistence
import ServerApp
import TestKit
import Testing

/// The deletion of an account by its holder, through the whole server.
@Suite("Deletion of accounts")
struct AccountDeletionTests {
    private func delete(
        _ person: Tower.Person, _ tower: Tower, password: String = Tower.password, understands: Bool = true
    ) async throws -> TestResponse {
        struct Body: Encodable {
            let password: String
            let understands: Bool
        }
        return try await tower.post(
            "/api/v1/auth/account/delete", Body(password: password, understands: understands), as: person.bearer)
    }

    private func accountId(_ person: Tower.Person, _ tower: Tower) async throws -> String {
        try await tower.get("/api/v1/auth/me", as: person.bearer).json().text("userId")
    }

    /// Returns every text of every table of a database.
    private func content(_ database: any Database) async throws -> String {
        try await database.read { sql in
            try sql.rows("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
                .map { try $0.get("name", as: String.self) }
                .map { table in
                    try sql.rows("SELECT * FROM \(SQL(stringLiteral: table))").map { row in
                        "\(table): " + row.values.map { "\($0)" }.joined(separator: "|")
                    }.joined(separator: "\n")
                }.joined(separator: "\n")
        }
    }

    @Test(
        "an account can be deleted while its school is closed, and the school erases the person when it opens again",
        .requirement("WW-8.06.b"))
    func closedSchool() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let closed = try await tower.post(
                "/api/v1/organization/delete", ["name": "Maple School"], as: sample.founder.bearer)
            #expect(closed.status == .ok)
            let gone = try await delete(sample.member, tower)
            #expect(gone.status == .ok, "\(gone.text)")
            await tower.composition.runJobs()
            let back = try await tower.post(
                "/api/v1/organization/call-back", [:] as [String: String], as: sample.founder.bearer)
            #expect(back.status == .ok, "\(back.text)")
            tower.clock.advance(by: 3_601)
            await tower.composition.runJobs()
            let school = try await tower.composition.schools.school(try #require(UUID(text: sample.orgId)))
            let text = try await content(school)
            #expect(!text.contains(sample.member.email) && text.contains("Removed person"))
        }
    }

    @Test(
        "nothing about a deleted account's holder is left in the directory, and the school has a removed person",
        .requirement("WW-8.06.a", "WW-8.06.b"))
    func everything() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let member = sample.member
            let id = try await accountId(member, tower)
            for (path, body) in [
                ("/api/v1/preferences/display", ["theme": "pinktower"]), ("/api/v1/onboarding/start", [:]),
                ("/api/v1/auth/gate-code", ["code": "4711"]),
                ("/api/v1/auth/authenticator", ["password": Tower.password]),
            ] as [(String, [String: String])] {
                let answer = try await tower.post(path, body, as: member.bearer)
                #expect((200..<300).contains(answer.status.code), "\(path): \(answer.text)")
            }
            #expect(try await content(tower.composition.directory).contains(id))
            let page = try await tower.page("/settings/account/delete", as: member.browser)
            #expect(page.text.contains("Maple School") && page.text.contains("without your name"))
            _ = try await tower.post("/api/v1/auth/reset-request", ["email": member.email])
            let mails = try await tower.page("/settings/outbox", as: sample.founder.browser)
            #expect(mails.text.contains(member.email))

            let gone = try await delete(member, tower)
            #expect(gone.status == .ok, "\(gone.text)")
            let directory = try await content(tower.composition.directory)
            #expect(!directory.contains(id) && !directory.contains(member.email) && !directory.contains("Ben Ito"))
            #expect(!directory.contains("person_erasures"))
            let mailsLeft = try await tower.page("/settings/outbox", as: sample.founder.browser)
            #expect(mailsLeft.status == .ok && !mailsLeft.text.contains(member.email))
            #expect(try await tower.get("/api/v1/auth/me", as: member.bearer).status == .unauthorized)
            let again = try await tower.post(
                "/api/v1/auth/sign-in", ["email": member.email, "password": Tower.password])
            #expect(again.status == .unauthorized)
            let orgId = try #require(UUID(text: sample.orgId))
            let school = try await tower.composition.schools.school(orgId)
            let people = try await school.read {
                try $0.rows("SELECT given_name, family_name, email, account_id FROM people").map {
                    $0.values.map { "\($0)" }.joined(separator: " ")
                }
            }
            #expect(!people.contains { $0.contains("Ito") || $0.contains(member.email) || $0.contains(id) })
            let log = try await school.read {
                try ChangeLog.latest(kinds: ["records.accountDeleted"], limit: 5, in: $0)
            }
            #expect(log.map(\.change.payload) == [["person": sample.memberId]])
            let members = try await tower.get("/api/v1/members", as: sample.founder.bearer)
            #expect(!members.text.contains(sample.memberId))
        }
    }

    @Test("a school is never left without a super admin, and the refusal changes nothing and says what to do")
    func lastSuperAdmin() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let page = try await tower.page("/settings/account/delete", as: sample.founder.browser)
            #expect(page.text.contains("only super admin") && !page.text.contains("name=\"understands\""))
            let before = try await content(tower.composition.directory)
            let refused = try await delete(sample.founder, tower)
            #expect(refused.status == .conflict && refused.text.contains("Maple School"))
            #expect(try await content(tower.composition.directory) == before)
            // With a second super admin she may leave.
            _ = try await tower.member(.superAdmin, of: sample)
            #expect(try await delete(sample.founder, tower).status == .ok)
        }
    }

    @Test("the school keeps a student's record when the student's account is deleted")
    func student() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let student = try await tower.member(.student, of: sample)
            let id = try await accountId(student, tower)
            #expect(try await delete(student, tower).status == .ok)
            let school = try await tower.composition.schools.school(#require(UUID(text: sample.orgId)))
            let all = try await content(school)
            #expect(all.contains("student") && !all.contains(id))
            let names = try await school.read {
                try $0.rows("SELECT given_name FROM people WHERE account_id IS NULL").map(\.values)
            }
            #expect(names.contains([.text("A")]))
        }
    }

    @Test("a wrong password or a missing confirmation deletes nothing")
    func refusals() async throws {
        try await Tower.with { tower in
            let person = try await tower.signUp()
            let wrong = try await delete(person, tower, password: "another one altogether")
            #expect(try wrong.status == .unprocessableContent && wrong.json().faultyFields == ["password"])
            let off = try await delete(person, tower, understands: false)
            #expect(try off.status == .unprocessableContent && off.json().faultyFields == ["understands"])
            #expect(try await tower.get("/api/v1/auth/me", as: person.bearer).status == .ok)
        }
    }

    @Test("a server that stopped during a deletion completes it after its next start")
    func interrupted() async throws {
        try await Tower.with { tower in
            let sample = try await tower.sampleSchool()
            let (orgId, personId) = try (#require(UUID(text: sample.orgId)), #require(UUID(text: sample.memberId)))
            let now = tower.clock.now
            try await tower.composition.directory.write { sql in
                for school in [orgId, UUID()] {
                    try sql.execute(
                        """
                        INSERT INTO person_erasures (org_id, person_id, is_erased, placeholder, noted_at)
                        VALUES (\(school), \(personId), \(true), \("Removed person"), \(now))
                        """)
                }
            }
            await tower.composition.runJobs()
            let school = try await tower.composition.schools.school(orgId)
            let name = try await school.read {
                try $0.value("SELECT given_name FROM people WHERE id = \(personId)", as: String.self)
            }
            #expect(name == "Removed person")
            // The pending erasures of a deleted school are removed too.
            #expect(
                try await tower.composition.directory.read { try !$0.exists("SELECT 1 FROM person_erasures") })
        }
    }
}
