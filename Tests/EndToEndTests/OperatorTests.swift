import Domain
import Foundation
import HTTPTypes
import HummingbirdTesting
import ServerApp
import TestKit
import Testing

/// Who can read the mails that the server has not sent.
@Suite("The operator of a server")
struct OperatorTests {
    private static let outbox = "/settings/outbox"

    /// Whether the page exists and Settings links to it; both or neither.
    private func reads(_ person: Tower.Person, _ tower: Tower) async throws -> Bool {
        let page = try await tower.page(Self.outbox, as: person.browser)
        let letter = try await tower.page("\(Self.outbox)/none", as: person.browser)
        #expect(letter.status == .notFound)
        let settings = try await tower.page("/settings", as: person.browser).text
        #expect(settings.contains(Self.outbox) == (page.status == .ok))
        #expect(page.status == .ok || page.status == .notFound)
        return page.status == .ok
    }

    private func leave(_ person: Tower.Person, _ tower: Tower) async throws {
        struct Body: Encodable {
            let password = Tower.password
            let understands = true
        }
        let gone = try await tower.post("/api/v1/auth/account/delete", Body(), as: person.bearer)
        try #require(gone.status == .ok, "\(gone.text)")
    }

    @Test(
        "after the operator has left, nobody can read the emails until the command line names another operator"
    )
    func leaves() async throws {
        let folder = try TemporaryFolder()
        try await Tower.with(in: folder) { tower in
            let first = try await tower.sampleSchool()
            let second = try await tower.sampleSchool("Birch School")
            #expect(try await reads(first.founder, tower))
            #expect(try await !reads(second.founder, tower), "a super admin of another school")
            _ = try await tower.post("/api/v1/auth/reset-request", ["email": first.member.email])
            // With a second super admin the founder may leave.
            let heir = try await tower.member(.superAdmin, of: first)
            try await leave(first.founder, tower)
            for person in [heir, second.founder] { #expect(try await !reads(person, tower)) }

            // Another process names the operator, as the command line does.
            let settings = Tower.settings(in: folder)
            #expect(try await serverOperator(nil, settings).hasPrefix("Nobody is named"))
            await #expect(throws: TaskRefused.self) { try await serverOperator("nobody@maple.example", settings) }
            #expect(try await serverOperator(second.founder.email, settings).hasPrefix(second.founder.email))
            #expect(try await serverOperator(nil, settings).hasPrefix(second.founder.email))
            try await tower.composition.refreshCaches()
            #expect(try await reads(second.founder, tower))
            #expect(try await !reads(heir, tower))
        }
        // The name is stored, so a restart does not change it.
        let settings = Tower.settings(in: folder)
        #expect(try await serverOperator(nil, settings).contains("is the operator"))
    }
}
