import AuthInterface
import DesignSystem
import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import OrganizationInterface
import OrganizationTesting
import TestKit
import Testing

@testable import Organization

@Suite("Schools: founding, switching, renaming")
struct FoundingTests {
    let org: OrganizationFixture

    init() async throws { org = try await OrganizationFixture() }

    @Test(
        "founding a school makes the founder its super admin and the school active, in one step",
        .requirement("PT-2M.01", "PT-2M.02.a", "PT-2M.10.a"))
    func founding() async throws {
        let account = org.account()
        #expect(try await org.caller(account).membership == nil)
        let organization = try await org.found("Maple Montessori", by: account)
        #expect(organization.name == "Maple Montessori")
        #expect(organization.createdAt == org.environment.clock.now)
        let membership = try #require(try await org.caller(account).membership)
        #expect(membership.organization == organization)
        #expect(membership.roles == [.superAdmin])
        let rows = try await org.environment.directory.read {
            try MembershipRepository.memberships(of: organization.id, in: $0)
        }
        #expect(rows.count == 1)
        #expect(rows.first?.guideId == membership.personId)
        #expect(rows.first?.orgId == organization.id)
        #expect(rows.first?.createdAt == org.environment.clock.now)
        let name = try await org.environment.schools.school(organization.id).read {
            try PeopleRepository.people([membership.personId], of: organization.id, in: $0).values.first?.name
                .display
        }
        #expect(name == "Ana Kovač")
    }

    @Test("an account without a school can read nothing of any school")
    func withoutSchool() async throws {
        _ = try await org.founder()
        let alone = try await org.caller(org.account("Nobody Yet"))
        for query in org.feature.endpoints.queries {
            guard case .member = query.contract.access else { continue }
            #expect(
                try await problem { _ = try await org.environment.answer(query.contract.name, as: alone) }
                    == .notFound,
                "\(query.contract.name)")
        }
        for command in org.feature.endpoints.commands {
            guard case .member = command.contract.access else { continue }
            #expect(
                try await problem { try await org.environment.execute(command.contract.name, as: alone) }
                    == .notFound,
                "\(command.contract.name)")
        }
        #expect(try await org.environment.answer(ListOrganizations.self, as: alone).items.isEmpty)
    }

    @Test(
        "organizations are created, listed for their people, renamed, and made active",
        .requirement("PT-2M.06.a", "PT-2M.06.b", "PT-2M.06.c"))
    func service() async throws {
        let ana = org.account()
        let maple = try await org.found("Maple", by: ana)
        org.environment.clock.advance(by: 60)
        let birch = try await org.found("Birch", by: ana)
        _ = try await org.founder("Somebody Else's")
        let inBirch = try await org.caller(ana)
        #expect(inBirch.membership?.organization.id == birch.id)
        #expect(try await org.environment.answer(ListOrganizations.self, as: inBirch).items == [maple, birch])
        let renamed = try await org.environment.execute(
            RenameOrganization.self, ["name": "Birch Lane", "timeZone": "Europe/Paris"], as: inBirch)
        #expect(renamed.id == birch.id && renamed.name == "Birch Lane" && renamed.timeZone == "Europe/Paris")
        #expect(try await org.caller(ana).membership?.organization == renamed)
        try await org.environment.execute(
            SetActiveOrganization.self, ["organizationId": .id(maple.id)], as: inBirch)
        #expect(try await org.caller(ana).membership?.organization == maple)
    }

    @Test("the faults of a school's name, tint and time zone are reported together")
    func faults() async throws {
        let refusal = try await problem {
            try await org.environment.execute(
                "organization.create", ["name": "", "avatarTint": "pink", "timeZone": "Mars/Olympus"],
                as: Caller(account: org.account(), membership: nil))
        }
        #expect(refusal?.faults.map(\.field).sorted() == ["avatarTint", "name", "timeZone"])
        #expect(refusal?.faults.first { $0.field == "timeZone" }?.code == "organization.timeZone")
    }

    // MARK: - Which one is active

    @Test(
        "the school last used on this device is active, and on a new device the one last used on any",
        .requirement("PT-2M.11.a", "PT-2M.11.c"))
    func perDevice() async throws {
        let phone = org.account()
        let maple = try await org.found("Maple", by: phone)
        org.environment.clock.advance(by: 60)
        let tablet = org.on(org.environment.ids.id(at: org.environment.clock.now), phone)
        let birch = try await org.found("Birch", by: tablet)
        #expect(try await org.caller(phone).membership?.organization == maple)
        #expect(try await org.caller(tablet).membership?.organization == birch)
        let browser = org.on(org.environment.ids.id(at: org.environment.clock.now), phone)
        #expect(try await org.caller(browser).membership?.organization == birch)
        org.environment.clock.advance(by: 60)
        try await org.environment.execute(
            SetActiveOrganization.self, ["organizationId": .id(birch.id)], as: org.caller(phone))
        #expect(try await org.caller(phone).membership?.organization == birch)
    }

    @Test(
        "an account with several schools that has used none has no active school and sees the list",
        .requirement("PT-2M.11.b", "PT-2M.16.a", "PT-2M.16.b"))
    func noneActive() async throws {
        let founders = [
            try await org.founder("Maple"), try await org.founder("Birch"), try await org.founder("École Érable"),
        ]
        let ben = org.account("Ben Ito")
        for founder in founders { try await org.redeem(org.invite(by: founder).code, as: ben) }
        // As after an import into the directory, there are memberships, and no school was ever opened.
        try await org.environment.directory.write { try $0.execute("DELETE FROM active_organizations") }
        org.memberships.forgetActive()
        let caller = try await org.caller(ben)
        #expect(caller.membership == nil)
        let all = try await org.environment.outline("/organizations", as: caller)
        #expect(all.lines.first == "# Your schools · Choose the school to open.")
        #expect(all.lines.count { $0.hasPrefix("- ") } == 3)
        let found = try await org.environment.outline("/organizations", as: caller, query: ["q": "ecole erable"])
        #expect(found.lines.count { $0.hasPrefix("- ") } == 1)
        let maple = try #require(founders[0].membership?.organization)
        #expect(all.contains("- Maple -> POST /api/v1/organizations/\(maple.id.text)/activate"))
        #expect(
            try await org.environment.outline("/organizations", as: caller, query: ["q": "zzz"]).contains(
                "! empty: No schools yet"))
        let outcome = try await org.environment.execute(
            "organization.setActive", ["organizationId": .id(maple.id)], as: caller)
        #expect(outcome.destination == "/")
        #expect(try await org.caller(ben).membership?.organization == maple)
        let marked = try await org.environment.outline("/organizations", as: org.caller(ben))
        #expect(marked.contains("- Maple · Current school *"))
        let french = try await org.environment.outline("/organizations", as: caller, language: .french)
        #expect(french.lines.first == "# Vos écoles · Choisissez l’école à ouvrir.")
    }

    @Test("nobody makes a school active that they do not belong to")
    func foreignSchool() async throws {
        let ana = try await org.founder("Maple")
        let other = try #require(try await org.founder("Birch").membership)
        #expect(
            try await problem {
                try await org.environment.execute(
                    SetActiveOrganization.self, ["organizationId": .id(other.organization.id)], as: ana)
            } == .notFound)
        #expect(try await org.again(ana).membership == ana.membership)
    }

    @Test(
        "one account holds different roles in different schools",
        .requirement("BY-1.16.a", "BY-1.16.b", "PT-2M.02.b", "PT-2M.12"))
    func effectiveRole() async throws {
        let account = org.account()
        let maple = try await org.found("Maple", by: account)
        let birch = try await org.founder("Birch", "Ben Ito")
        try await org.redeem(org.invite(.guide, by: birch).code, as: account)
        let asGuide = try await org.caller(account)
        #expect(asGuide.membership?.roles == [.guide])
        #expect(
            try await problem { _ = try await org.environment.answer(ListMembers.self, as: asGuide) } == .notAllowed
        )
        try await org.redeem(org.invite(.parent, by: birch).code, as: account)
        #expect(try await org.caller(account).membership?.roles == [.guide, .parent])
        try await org.environment.execute(
            SetActiveOrganization.self, ["organizationId": .id(maple.id)], as: asGuide)
        let asFounder = try await org.caller(account)
        #expect(asFounder.membership?.roles == [.superAdmin])
        #expect(try await org.environment.answer(ListMembers.self, as: asFounder).items.count == 1)
    }

    @Test("switching the school shows its members and invites at once", .requirement("PT-2M.21.a"))
    func refilters() async throws {
        let account = org.account()
        let maple = try await org.found("Maple", by: account)
        let inMaple = try await org.caller(account)
        _ = try await org.member(.guide, of: inMaple, "Mia Maple")
        let openInMaple = try await org.invite(by: inMaple)
        try await org.found("Birch", by: account)
        let inBirch = try await org.caller(account)
        #expect(try await org.environment.answer(ListMembers.self, as: inBirch).items.map(\.name) == ["Ana Kovač"])
        #expect(try await org.environment.answer(ListInvites.self, as: inBirch).items.isEmpty)
        try await org.environment.execute(
            SetActiveOrganization.self, ["organizationId": .id(maple.id)], as: inBirch)
        let back = try await org.caller(account)
        #expect(
            try await org.environment.answer(ListMembers.self, as: back).items.map(\.name) == [
                "Ana Kovač", "Mia Maple",
            ])
        #expect(try await org.environment.answer(ListInvites.self, as: back).items == [openInMaple])
    }

    // MARK: - Pages

    @Test(
        "the profile shows the switcher only to people with several schools, and the name's field only to super admins",
        .requirement("PT-1.18.c", "PT-2M.17.b"))
    func profile() async throws {
        let ana = try await org.founder("Maple")
        let one = try await org.environment.outline("/settings/organization", as: ana)
        #expect(one.contains("form rename-organization -> /api/v1/organization/rename"))
        #expect(one.contains("<School name: text* = Maple>"))
        #expect(!one.contains("Switch school"))
        let ben = try await org.member(.admin, of: ana)
        let asAdmin = try await org.environment.outline("/settings/organization", as: ben)
        #expect(!asAdmin.contains("rename-organization"))
        #expect(asAdmin.contains("School name: Maple"))
        #expect(
            try await problem {
                try await org.environment.execute(RenameOrganization.self, ["name": "Mine"], as: ben)
            } == .notAllowed)
        let account = try #require(ben.account)
        try await org.found("Birch", by: account)
        let two = try await org.environment.outline("/settings/organization", as: org.caller(account))
        #expect(two.contains("## Switch school"))
        #expect(two.contains("- Maple -> POST /api/v1/organizations/"))
        #expect(two.contains("- Birch · Current school *"))
        let french = try await org.environment.outline(
            "/settings/organization", as: org.caller(account), language: .french)
        #expect(french.contains("## Changer d’école"))
    }

    @Test(
        "founding a school asks only for its name, and is celebrated",
        .requirement("PT-3.17.a", "PT-3.36.a", "PT-3.36.b"))
    func createPage() async throws {
        let caller = try await org.caller(org.account())
        let outline = try await org.environment.outline("/organizations/new", as: caller)
        #expect(
            outline.lines == [
                "# What is your school called? · Families and guides will see this name.",
                "[Back] -> /organizations",
                "form create-organization -> /api/v1/organizations",
                "  <School name: text*>",
                "  [Create school]",
            ])
        let outcome = try await org.environment.execute(
            "organization.create", ["name": "École des Érables"], as: caller, isForm: true, language: .french)
        #expect(outcome.feedback?.style == .burst)
        #expect(outcome.feedback?.text.hasPrefix("École des Érables") == true)
        #expect(outcome.feedback?.text.hasSuffix("école créée") == true)
        #expect(outcome.destination == "/")
    }

    // MARK: - Underneath

    @Test("a membership that is read while it is removed is not cached")
    func removedMeanwhile() async throws {
        let ana = try await org.founder()
        let ben = try await org.member(.guide, of: ana)
        let account = try #require(ben.account)
        let personId = try #require(ben.membership?.personId)
        org.memberships.forgetActive()
        let fixture = org.environment
        org.directory.afterNextRead {
            try await fixture.execute(RemoveMember.self, ["personId": .id(personId)], as: ana)
        }
        _ = try await org.caller(account)
        #expect(try await org.caller(account).membership == nil)
    }

    @Test("the queries of every request scan no whole table")
    func indexed() async throws {
        let id = org.environment.ids.id(at: org.environment.clock.now)
        try await org.environment.expectIndexed(
            "SELECT * FROM memberships WHERE account_id = \(id) AND org_id = \(id)")
        try await org.environment.expectIndexed(
            "SELECT * FROM memberships WHERE org_id = \(id) AND person_id = \(id)")
        try await org.environment.expectIndexed("SELECT * FROM invites WHERE code = \("code")")
    }

    @Test("the block's people service and its substitute in tests fulfil the same contract")
    func peopleContract() async throws {
        let real = try await TestSchool([org.feature])
        let fake = try await TestSchool([TestPeople.feature()])
        for (school, service) in [(real, SQLPeopleService() as any PeopleService), (fake, TestPeople())] {
            let context = try await school.context(of: school.makeCaller(.superAdmin))
            let faults = try await school.database.write { sql in
                try PeopleContract.faults(
                    of: service,
                    in: CommandContext(
                        caller: context.caller, now: context.now, ids: context.ids, words: context.words, sql: sql))
            }
            #expect(faults == [])
        }
        func table(_ school: TestSchool) async throws -> [String] {
            try await school.database.read { sql in
                try sql.rows("SELECT * FROM people WHERE 1 = 1").first?.columns ?? []
            }
        }
        try await TestPeople.insert(real.ids.id(at: real.clock.now), "Ana Ruiz", into: real.database)
        try await TestPeople.insert(fake.ids.id(at: fake.clock.now), "Ana Ruiz", into: fake.database)
        #expect(try await table(real) == table(fake))
        #expect(try await table(fake).count == 14)
    }
}
