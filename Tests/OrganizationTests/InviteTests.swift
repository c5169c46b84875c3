import AuthInterface
import DesignSystem
import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import OrganizationInterface
import OrganizationTesting
import ScreenKit
import TestKit
import Testing

@testable import Organization

@Suite("Invites")
struct InviteTests {
    let org: OrganizationFixture
    let ana: Caller
    var clock: FixedClock { org.environment.clock }

    init() async throws {
        org = try await OrganizationFixture()
        ana = try await org.founder()
    }

    func fault(_ code: String, as account: SignedInAccount) async throws -> Fault? {
        let refusal = try await problem { try await org.redeem(code, as: account) }
        #expect(refusal?.status == 422)
        #expect(refusal?.faults.count == 1)
        return refusal?.faults.first
    }

    @Test(
        "an invite gives the guide role by default, is listed, and can be revoked",
        .requirement("PT-2M.03.a", "PT-2M.03.b", "PT-2M.08.a", "PT-2M.08.b", "PT-2M.08.c", "PT-2M.08.d"))
    func service() async throws {
        let invite = try await org.environment.execute(CreateInvite.self, as: ana)
        #expect(invite.role == .guide)
        #expect(invite.code.wholeMatch(of: /[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}/) != nil)
        #expect(invite.orgId == ana.membership?.organization.id)
        #expect(invite.createdByGuideId == ana.membership?.personId)
        #expect(invite.createdAt == clock.now)
        #expect(invite.expiresAt == clock.now.addingTimeInterval(14 * 86_400))
        #expect(invite.redeemedAt == nil)
        let other = try await org.invite(.admin, by: ana)
        #expect(try await org.environment.answer(ListInvites.self, as: ana).items == [other, invite])
        try await org.environment.execute(RevokeInvite.self, ["inviteId": .id(invite.id)], as: ana)
        #expect(try await org.environment.answer(ListInvites.self, as: ana).items == [other])
        #expect(
            try await problem {
                try await org.environment.execute(RevokeInvite.self, ["inviteId": .id(invite.id)], as: ana)
            } == .notFound)
        let ben = org.account("Ben Ito")
        let membership = try await org.redeem(other.code, as: ben)
        #expect(membership.role == .admin)
        #expect(membership.orgId == other.orgId)
        #expect(try await org.environment.answer(ListInvites.self, as: ana).items.isEmpty)
    }

    @Test("an invite for an unknown person of the school is refused")
    func unknownPerson() async throws {
        let other = try await org.founder()
        for stranger in [UUID(), try #require(other.membership).personId] {
            #expect(
                try await problem {
                    try await org.environment.execute(CreateInvite.self, ["personId": .id(stranger)], as: ana)
                } == .notFound)
        }
        #expect(try await org.environment.answer(ListInvites.self, as: ana).items.isEmpty)
    }

    @Test(
        "an unknown, revoked, expired or used code is refused, each with its own sentence at the field",
        .requirement("PT-2M.09.b"))
    func refusals() async throws {
        let ben = org.account("Ben Ito")
        #expect(try await fault("no-such-code", as: ben) == Fault("code", "code.unknown"))
        let revoked = try await org.invite(by: ana)
        try await org.environment.execute(RevokeInvite.self, ["inviteId": .id(revoked.id)], as: ana)
        #expect(try await fault(revoked.code, as: ben) == Fault("code", "code.revoked"))
        let expired = try await org.invite(by: ana)
        clock.advance(by: 14 * 86_400)
        #expect(try await fault(expired.code, as: ben) == Fault("code", "code.expired"))
        let used = try await org.invite(by: ana)
        try await org.redeem(used.code, as: org.account("Cleo"))
        #expect(try await fault(used.code, as: ben) == Fault("code", "code.used"))
        #expect(try await org.caller(ben).membership == nil)
        let words = try org.environment.words()
        let sentences = Set(
            ["unknown", "revoked", "expired", "used"].map { Fault("code", "code.\($0)").sentence(words) })
        #expect(sentences.count == 4)
    }

    @Test(
        "redeeming an invite marks it as used, gives its role, and makes its school active",
        .requirement("PT-2M.09.a", "PT-2M.18.f", "PT-2M.20.b", "PT-3.17.a"))
    func redeems() async throws {
        let invite = try await org.invite(.warden, by: ana)
        let ben = org.account("Ben Ito")
        clock.advance(by: 3600)
        let outcome = try await org.environment.execute(
            "invites.redeem", ["code": .text(invite.code)], as: org.caller(ben))
        #expect(outcome.feedback == Feedback(.burst, "Welcome to your school"))
        let caller = try await org.caller(ben)
        #expect(caller.membership?.organization.id == invite.orgId)
        #expect(caller.membership?.roles == [.warden])
        let stamped = try await org.environment.directory.read {
            try InviteRepository.invite(code: invite.code, in: $0)
        }
        #expect(stamped?.redeemedAt == clock.now)
        #expect(try await org.environment.answer(ListOrganizations.self, as: caller).items.count == 1)
    }

    @Test("a code is accepted in lower case, with spaces, without its hyphen, and as the whole link")
    func spellings() async throws {
        for spell in [
            { $0 }, { "  \($0)\n" }, { $0.lowercased() }, { $0.replacing("-", with: " ") },
            { $0.replacing("-", with: "") }, { $0.replacing("0", with: "o").replacing("1", with: "l") },
            { "https://tower.example/join/\($0)" },
        ] as [(String) -> String] {
            let invite = try await org.invite(.parent, by: ana)
            let redeemed = try await org.redeem(spell(invite.code), as: org.account("Ben Ito"))
            #expect(redeemed.role == .parent)
        }
    }

    @Test("a long code from before there were short ones still works")
    func longCodes() async throws {
        let invite = try await org.invite(.guide, by: ana)
        let long = "0f8fad5b-d9cb-469f-a165-70867728950e"
        try await org.environment.directory.write { sql in
            try sql.execute("UPDATE invites SET code = \(long) WHERE id = \(invite.id)")
        }
        #expect(try await org.redeem(" \(long.uppercased())\n", as: org.account("Ben Ito")).role == .guide)
    }

    @Test("a guide who joins is in the classrooms that the invite names, by code or by email")
    func classrooms() async throws {
        let (birch, cedar) = (org.classrooms.birch, org.classrooms.cedar)
        let invite = try await org.environment.execute(
            CreateInvite.self, ["role": "guide", "classroomIds": .list([.id(birch.id), .id(cedar.id)])], as: ana)
        #expect(invite.classroomIds == [birch.id, cedar.id])
        #expect(try await org.environment.outline("/settings/invites", as: ana).contains("· Birch · Cedar"))
        let ben = try await org.redeem(invite.code, as: org.account("Ben Ito")).guideId
        #expect(org.classrooms.placed == [ben: [birch.id, cedar.id]])
        try await org.environment.execute(
            SendInvites.self, ["emails": "cleo@a.example", "classroomIds": .list([.id(cedar.id)])], as: ana)
        let link = try #require(
            org.mails.last?.text.split(separator: "\n").first { $0.hasPrefix("https://tower.example/join/") })
        let cleo = try await org.redeem(String(link), as: org.account("Cleo")).guideId
        #expect(org.classrooms.placed[cleo] == [cedar.id])
        let page = try await org.environment.outline("/settings/invites", as: ana)
        #expect(page.contains("Classrooms") && page.contains("Birch"))
    }

    @Test("an invite can name only classrooms of this school and only for guides, and a refused code adds nobody")
    func refusedClassrooms() async throws {
        let birch = org.classrooms.birch.id
        #expect(
            try await problem {
                try await org.environment.execute(
                    CreateInvite.self, ["classroomIds": .list([.id(UUID())])], as: ana)
            } == .notFound)
        #expect(
            try await problem {
                try await org.environment.execute(
                    CreateInvite.self, ["role": "parent", "classroomIds": .list([.id(birch)])], as: ana)
            } == .invalid("classroomIds", "invites.classrooms"))
        let invite = try await org.environment.execute(
            CreateInvite.self, ["classroomIds": .list([.id(birch)])], as: ana)
        try await org.redeem(invite.code, as: org.account("Ben Ito"))
        let placed = org.classrooms.placed
        _ = try await fault(invite.code, as: org.account("Late"))
        #expect(org.classrooms.placed == placed)
    }

    @Test("of twenty people who use one code at the same time, one joins", .requirement("PT-2M.09.b"))
    func atOnce() async throws {
        let invite = try await org.invite(.guide, by: ana)
        let org = org
        let accounts = (0..<20).map { org.account("Caller \($0)") }
        let joined = await withTaskGroup(of: Bool.self) { group in
            for account in accounts {
                group.addTask {
                    do {
                        try await org.redeem(invite.code, as: account)
                        return true
                    } catch let problem as Problem {
                        // The limit per network may refuse the last requests.
                        #expect(problem.faults == [Fault("code", "code.used")] || problem.status == 429)
                        return false
                    } catch {
                        Issue.record(error)
                        return false
                    }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(joined == 1)
        #expect(try await org.environment.answer(ListMembers.self, as: ana).items.count == 2)
    }

    @Test("one person who taps ten times joins once")
    func sameTwice() async throws {
        let invite = try await org.invite(.guide, by: ana)
        let ben = try await org.caller(org.account("Ben Ito"))
        let org = org
        let answers = try await withThrowingTaskGroup(of: Data.self) { group in
            for _ in 0..<10 {
                group.addTask {
                    try await org.environment.execute(
                        "invites.redeem", ["code": .text(invite.code)], as: ben, key: "one-tap-of-ben"
                    ).body
                }
            }
            return try await group.reduce(into: Set<Data>()) { $0.insert($1) }
        }
        #expect(answers.count == 1)
        let people: Int? = try await org.environment.schools.school(invite.orgId).read {
            try $0.value("SELECT COUNT(*) FROM people")
        }
        #expect(people == 2)
    }

    @Test("an invite raises a staff role and never lowers one", .requirement("PT-2M.02.c"))
    func neverLowers() async throws {
        let ben = org.account("Ben Ito")
        try await org.redeem(org.invite(.guide, by: ana).code, as: ben)
        try await org.redeem(org.invite(.admin, by: ana).code, as: ben)
        #expect(try await org.caller(ben).membership?.roles == [.admin])
        let unchanged = try await org.redeem(org.invite(.guide, by: ana).code, as: ben)
        #expect(unchanged.role == .admin)
        #expect(try await org.caller(ben).membership?.roles == [.admin])
        let founder = try #require(ana.account)
        try await org.redeem(org.invite(.guide, by: ana).code, as: founder)
        #expect(try await org.again(ana).membership?.roles == [.superAdmin])
    }

    @Test("an invite for a person whom the school knows links the account to that person")
    func importedPerson() async throws {
        let orgId = try #require(ana.membership?.organization.id)
        let personId = org.environment.ids.id(at: clock.now)
        let created = clock.now
        try await org.environment.schools.school(orgId).write { sql in
            try PeopleRepository.insert(
                Person(
                    id: personId, orgId: orgId, name: PersonName(given: "山田", family: "花子"), email: nil,
                    avatarTint: .sky, createdAt: created), externalId: "oneroster-77", accountId: nil, in: sql)
        }
        try await org.memberships.give(.guide, to: [personId], in: orgId)
        let page = try await org.environment.outline("/settings/members/\(personId.text)", as: ana)
        #expect(page.contains("[Create invite code] -> POST /api/v1/invites"))
        let invite = try await org.invite(.guide, person: personId, by: ana)
        let hanako = org.account("Hanako Yamada")
        let membership = try await org.redeem(invite.code, as: hanako)
        #expect(membership.guideId == personId)
        let caller = try await org.caller(hanako)
        #expect(caller.membership?.personId == personId)
        #expect(caller.membership?.roles == [.guide])
        let members = try await org.environment.answer(ListMembers.self, as: ana).items
        #expect(members.count == 2, "nobody stands there twice")
        #expect(members.first { $0.id == personId }?.name == "山田 花子")
        #expect(members.first { $0.id == personId }?.hasSignedIn == true)
        // A second code for the same person does not link the person to another account.
        let second = try await org.invite(.guide, person: personId, by: ana)
        let other = try await org.redeem(second.code, as: org.account("Somebody Else"))
        #expect(other.guideId != personId)
    }

    @Test("ten wrong codes lock the entry of codes for five minutes")
    func limit() async throws {
        let ben = org.account("Ben Ito")
        let invite = try await org.invite(by: ana)
        for _ in 0..<10 { _ = try await fault("wrong", as: ben) }
        let closed = try await problem { try await org.redeem(invite.code, as: ben) }
        #expect(closed?.status == 429)
        #expect(closed?.retryAfter == 300)
        clock.advance(by: 300)
        try await org.redeem(invite.code, as: ben)
    }

    // MARK: - Pages

    @Test(
        "pending invites show the code as text and as a QR picture of its link, and can be revoked",
        .requirement("PT-2M.18.e", "PT-2M.19.a", "PT-2M.19.d"))
    func page() async throws {
        let empty = try await org.environment.outline("/settings/invites", as: ana)
        #expect(empty.contains("! empty: No open invites · A code lets one person join your school;"))
        #expect(empty.contains("[Create invite] -> sheet new-invite"))
        let invite = try await org.invite(.admin, by: ana)
        let outline = try await org.environment.outline("/settings/invites", as: ana)
        let link = "https://tower.example/join/\(invite.code)"
        #expect(
            outline.lines.contains {
                $0.hasPrefix("code ") && $0.contains(invite.code) && $0.contains("Valid until")
            })
        #expect(outline.contains("(QR code)"))
        #expect(outline.contains(link))
        #expect(org.qr.texts == [link])
        #expect(outline.contains("-> POST /api/v1/invites/\(invite.id.text)/revoke (asks: Cancel this invite?)"))
        #expect(outline.contains("form create-invite -> /api/v1/invites"))
        let french = try await org.environment.outline("/settings/invites", as: ana, language: .french)
        #expect(french.contains("Annuler l’invitation"))
        let made = try await org.environment.execute("invites.create", as: ana)
        #expect(made.feedback == Feedback(.toast, "Invite created"))
    }

    @Test("only super admins are offered the super admin's role")
    func offeredRoles() async throws {
        let admin = try await org.member(.admin, of: ana)
        #expect(try await org.environment.outline("/settings/invites", as: ana).contains("( ) Super admin"))
        #expect(try await !org.environment.outline("/settings/invites", as: admin).contains("Super admin"))
    }

    @Test(
        "joining asks for one code, which the link fills in", .requirement("PT-2M.20.a", "PT-3.37.a"))
    func joinPage() async throws {
        let ben = try await org.caller(org.account("Ben Ito"))
        let outline = try await org.environment.outline("/join", as: ben)
        #expect(
            outline.lines == [
                "# Join a school · Enter the code from your school.",
                "[Back] -> /",
                "form join -> /api/v1/invites/redeem",
                "  <Code: code*>",
                "  [Join]",
            ])
        #expect(try await org.environment.outline("/join/abc-123", as: ben).contains("<Code: code* = abc-123>"))
        #expect(
            try await org.environment.outline("/join", as: ben, query: ["code": "abc"]).contains(
                "<Code: code* = abc>"))
        #expect(try await org.environment.outline("/settings/join", as: ana).contains("form join"))
        let refused = RefusedForm(
            command: "/api/v1/invites/redeem", typed: ["code": "wrong"],
            problem: .invalid("code", "code.unknown"))
        let again = try await org.environment.outline("/join", as: ben, refused: refused)
        #expect(again.contains("<Code: code* = wrong>"))
        #expect(again.contains("! This code does not exist."))
        let french = try await org.environment.outline("/join", as: ben, language: .french)
        #expect(french.lines.first == "# Rejoindre une école · Saisissez le code que votre école vous a remis.")
    }
}
