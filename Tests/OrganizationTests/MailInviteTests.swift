import DesignSystem
import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import OrganizationInterface
import TestKit
import Testing

@testable import Organization

@Suite("Invites by email")
struct MailInviteTests {
    let org: OrganizationFixture
    let ana: Caller
    var clock: FixedClock { org.environment.clock }

    init() async throws {
        org = try await OrganizationFixture()
        ana = try await org.founder()
    }

    private func send(_ emails: String, role: Role = .guide, by caller: Caller? = nil) async throws {
        try await org.environment.execute(
            SendInvites.self, ["emails": .text(emails), "role": .text(role.rawValue)], as: caller ?? ana)
    }

    private func all() async throws -> [MailInvite] {
        try await org.environment.answer(ListMailInvites.self, as: ana).items
    }

    /// Returns the token in the link of the latest mail to an address.
    private func token(to email: String) throws -> String {
        let mail = try #require(org.mails.last { $0.to == email })
        let line = try #require(
            mail.text.split(separator: "\n").first { $0.hasPrefix("https://tower.example/join/") })
        return String(line.split(separator: "/").last ?? "")
    }

    @Test(
        "a pasted list is read in the forms that people write, each address once",
        arguments: [
            ("ben@a.example", ["ben@a.example"], []),
            (
                "Ben@A.example, c@b.example; ben@a.example\n\n d@c.example",
                ["ben@a.example", "c@b.example", "d@c.example"], []
            ),
            ("Ben Ito <ben@a.example>, “Côté, Xi” <xi@a.example>", ["ben@a.example", "xi@a.example"], []),
            ("a@b.example c@d.example", ["a@b.example", "c@d.example"], []), ("ben", [], ["ben"]),
        ])
    func lists(text: String, found: [String], wrong: [String]) {
        let read = SendInvites.addresses(in: text)
        #expect(read.found == found && read.wrong == wrong)
    }

    @Test(
        "each address gets its own link, of which the directory has only the fingerprint",
        .requirement("PT-2M.24.a", "PT-2M.24.c"))
    func sends() async throws {
        try await send("ben@a.example\nxi@a.example", role: .admin)
        #expect(org.mails.map(\.to) == ["ben@a.example", "xi@a.example"])
        #expect(org.mails.allSatisfy { $0.text.contains("Ana Kovač") && $0.subject.contains("Maple Montessori") })
        let (first, second) = (try token(to: "ben@a.example"), try token(to: "xi@a.example"))
        #expect(first != second)
        let codes = try await org.environment.directory.read { sql in
            try sql.rows("SELECT code FROM invites").map { try $0.get("code", as: String.self) }
        }
        #expect(codes.allSatisfy { $0.hasPrefix("sha256:") && !$0.contains(first) && !$0.contains(second) })
        #expect(try await org.environment.answer(ListInvites.self, as: ana).items.isEmpty, "codes are listed apart")
        let refusal = try await problem { try await org.redeem(codes[0], as: org.account("Thief")) }
        #expect(refusal?.faults.map(\.code) == ["code.unknown"], "a fingerprint opens nothing")
    }

    @Test(
        "a link lets one person join once, and every device sees who used it and when",
        .requirement("PT-2M.24.b", "PT-2M.25.a"))
    func accepts() async throws {
        try await send("ben@a.example", role: .admin)
        let link = "https://tower.example/join/\(try token(to: "ben@a.example").uppercased())"
        let ben = org.account("Ben Ito")
        clock.advance(by: 3600)
        let membership = try await org.redeem(link, as: ben)
        #expect(membership.role == .admin)
        let invite = try #require(try await all().first)
        #expect(invite.state == .accepted && invite.acceptedBy == membership.guideId)
        #expect(invite.acceptedAt == clock.now && invite.sentAt == clock.now.addingTimeInterval(-3600))
        let refusal = try await problem { try await org.redeem(link, as: org.account("Late")) }
        #expect(refusal?.faults.map(\.code) == ["code.used"])
        let joined = try await org.changes(in: ana).last
        #expect(joined?.change.kind == "members.joined" && joined?.change.topics.contains("invites") == true)
    }

    @Test("a link stops working when it expires, when it is revoked, and when the address gets a newer one")
    func ends() async throws {
        try await send("ben@a.example")
        let first = try token(to: "ben@a.example")
        try await org.environment.execute(
            ResendInvite.self, ["inviteId": .id(try #require(try await all().first).id)], as: ana)
        let second = try token(to: "ben@a.example")
        #expect(try await all().map(\.sendings) == [2])
        func fault(_ code: String) async throws -> String? {
            try await problem { try await org.redeem(code, as: org.account()) }?.faults.first?.code
        }
        #expect(try await fault(first) == "code.unknown")
        try await send("ben@a.example")
        #expect(try await fault(second) == "code.revoked")
        #expect(try await all().map(\.state) == [.sent, .revoked])
        let third = try token(to: "ben@a.example")
        clock.advance(by: 15 * 86_400)
        #expect(try await fault(third) == "code.expired")
        #expect(try await all().map(\.state) == [.expired, .revoked])
        let id = try #require(try await all().first).id
        try await org.environment.execute(ResendInvite.self, ["inviteId": .id(id)], as: ana)
        try await org.environment.execute(RevokeInvite.self, ["inviteId": .id(id)], as: ana)
        #expect(try await fault(try token(to: "ben@a.example")) == "code.revoked")
        let closed = try await problem {
            try await org.environment.execute(ResendInvite.self, ["inviteId": .id(id)], as: ana)
        }
        #expect(closed?.code == "invites.closed")
    }

    @Test("the answer is the same for a member's address, another account's, and an unknown one")
    func leaksNothing() async throws {
        let member = try await org.member(.guide, of: ana)
        let known = org.account("Known")
        var answers: [Data] = []
        for email in [member.account?.email ?? "", known.email, "nobody@a.example"] {
            answers.append(
                try await org.environment.execute("invites.send", ["emails": .text(email)], as: ana).body)
        }
        #expect(Set(answers).count == 1)
        #expect(org.mails.count == 3)
    }

    @Test("a list with faults is refused as a whole, and all faults are named")
    func faults() async throws {
        let refusal = try await problem { try await send("ben@a.example\nnot one\nnor@this") }
        #expect(refusal?.faults.map(\.code) == ["invites.address", "invites.address"])
        let many = (0...50).map { "p\($0)@a.example" }.joined(separator: ",")
        #expect(try await problem { try await send(many) }?.faults.map(\.code) == ["invites.tooMany"])
        #expect(org.mails.isEmpty)
        #expect(try await all().isEmpty)
        let admin = try await org.member(.admin, of: ana)
        #expect(try await problem { try await send("x@a.example", role: .superAdmin, by: admin) } == .notAllowed)
    }

    @Test("an invite of another school is not found, and an invite can be sent five times")
    func limits() async throws {
        try await send("ben@a.example")
        let id = try #require(try await all().first).id
        let other = try await org.founder("Birch Lane", "Hana Mori")
        func again(_ caller: Caller) async throws -> Problem? {
            try await problem {
                try await org.environment.execute(ResendInvite.self, ["inviteId": .id(id)], as: caller)
            }
        }
        #expect(try await again(other) == .notFound)
        for _ in 0..<4 { #expect(try await again(ana) == nil) }
        #expect(try await again(ana)?.code == "invites.sentOften")
        #expect(try await org.environment.answer(ListMailInvites.self, as: other).items.isEmpty)
    }
}
