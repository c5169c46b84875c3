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

@Suite("Members and rights")
struct MemberTests {
    let org: OrganizationFixture

    init() async throws { org = try await OrganizationFixture() }

    /// The permissions of each role as the ledger lists them. A role has no others.
    static let table: [String: Set<Role>] = [
        "members.view": [.superAdmin, .admin],
        "members.edit": [.superAdmin, .admin],
        "members.changeRole": [.superAdmin],
        "members.remove": [.superAdmin],
        "organization.rename": [.superAdmin],
        "organization.secondFactor": [.superAdmin, .admin],
        "organization.schoolDays": [.superAdmin, .admin],
        "organization.delete": [.superAdmin],
        "invites.manage": [.superAdmin, .admin],
        "people.import": [.superAdmin, .admin],
        "school.belong": Set(Role.allCases),
    ]

    @Test(
        "each role can do with members what the table of roles says",
        .requirement("PT-1.18.a", "PT-2M.13.a", "PT-2M.13.b", "PT-2M.14.b", "PT-2M.14.c", "PT-2M.26.b"),
        arguments: Role.allCases)
    func cells(_ role: Role) async throws {
        let founder = try #require(try await org.founder().membership)
        let caller = Caller(
            account: org.account(),
            membership: ActiveMembership(
                organization: founder.organization, personId: founder.personId, roles: [role]))
        #expect(Set(org.feature.access.permissions.map(\.name)) == Set(Self.table.keys))
        for permission in org.feature.access.permissions {
            let isGiven = Self.table[permission.name]?.contains(role) ?? false
            #expect(caller.may(permission) == isGiven, "\(role) and \(permission.name)")
        }
        // The table decides for every endpoint, before any part of the endpoint runs.
        let contracts =
            org.feature.endpoints.commands.map(\.contract) + org.feature.endpoints.queries.map(\.contract)
        for contract in contracts {
            guard case .member(let permission) = contract.access else { continue }
            let isGiven = Self.table[permission.name]?.contains(role) ?? false
            let refusal = try await problem {
                if org.feature.endpoints.commands.contains(where: { $0.contract.name == contract.name }) {
                    try await org.environment.execute(contract.name, as: caller)
                } else {
                    _ = try await org.environment.answer(contract.name, as: caller)
                }
            }
            #expect(
                (refusal == .notAllowed) == !isGiven, "\(role) and \(contract.name): \(String(describing: refusal))"
            )
        }
    }

    @Test("there are three guide roles among the six roles", .requirement("PT-1.08.b"))
    func guideRoles() {
        #expect(Role.guideRoles == [.superAdmin, .admin, .guide])
        #expect(
            Set(Role.allCases.map(\.rawValue)) == ["superAdmin", "admin", "guide", "student", "parent", "warden"])
        #expect(Role.allCases.filter(\.isGuideRole) == Role.guideRoles)
    }

    @Test(
        "members are added, listed with name, email and role, changed, and removed",
        .requirement("PT-1.09.a", "PT-1.16.a", "PT-1.16.b", "PT-2M.07.a", "PT-2M.07.b", "PT-2M.07.c"))
    func service() async throws {
        let ana = try await org.founder()
        let orgId = try #require(ana.membership?.organization.id)
        let ben = try await org.member(.guide, of: ana, "Ben Ito")
        let benId = try #require(ben.membership?.personId)
        let listed = try await org.environment.answer(ListMembers.self, as: ana).items
        #expect(listed.map(\.name) == ["Ana Kovač", "Ben Ito"])
        #expect(listed.map(\.roles) == [[.superAdmin], [.guide]])
        #expect(listed.last?.email == ben.account?.email)
        let guides = try await org.memberships.guides(of: orgId)
        #expect(guides.map(\.fullName) == ["Ana Kovač", "Ben Ito"])
        #expect(guides.map(\.role) == [.superAdmin, .guide])
        #expect(guides.allSatisfy { $0.orgId == orgId })
        let email = try #require(ben.account?.email)
        #expect(guides.last == Guide(id: benId, orgId: orgId, fullName: "Ben Ito", email: email, role: .guide))

        try await org.environment.execute(
            ChangeMemberRole.self, ["personId": .id(benId), "role": "admin"], as: ana)
        #expect(try await org.memberships.roles(of: benId, in: orgId) == [.admin])
        #expect(try await org.again(ben).membership?.roles == [.admin], "in force with the next request")
        try await org.environment.execute(RemoveMember.self, ["personId": .id(benId)], as: ana)
        #expect(try await org.again(ben).membership == nil)
        #expect(try await org.memberships.roles(of: benId, in: orgId).isEmpty)
        #expect(try await org.environment.answer(ListMembers.self, as: ana).items.map(\.name) == ["Ana Kovač"])
    }

    @Test(
        "guides are unchanged after the directory and the school are reopened",
        .requirement("PT-1.12.b"))
    func durable() async throws {
        let ana = try await org.founder()
        let orgId = try #require(ana.membership?.organization.id)
        _ = try await org.member(.guide, of: ana, "Ben Ito")
        _ = try await org.member(.admin, of: ana, "Ada Admin")
        let before = try await org.memberships.guides(of: orgId)
        #expect(before.count == 3)
        try await org.environment.close()
        let again = try await TestEnvironment(org.environment.features, folder: org.environment.folder)
        let memberships = DirectoryMembershipService(
            directory: again.directory, accounts: org.accounts, schools: again.schools, clock: again.clock,
            ids: again.ids)
        #expect(try await memberships.guides(of: orgId) == before)
        try await again.close()
    }

    @Test(
        "an admin changes the name of a guide, and the address of one without an account", .requirement("PT-1.16.c")
    )
    func rename() async throws {
        let ana = try await org.founder()
        let orgId = try #require(ana.membership?.organization.id)
        let admin = try await org.member(.admin, of: ana, "Ada Admin")
        let ben = try await org.member(.guide, of: ana, "Ben Ito")
        let benId = try #require(ben.membership?.personId)
        let account = try #require(ben.account)
        try await org.environment.execute(
            UpdateMember.self,
            ["personId": .id(benId), "firstName": "Benjamin", "lastName": "Itō", "email": "other@maple.example"],
            as: admin)
        let guide = try #require(try await org.memberships.guides(of: orgId).first { $0.id == benId })
        #expect(guide.fullName == "Benjamin Itō")
        #expect(guide.email == account.email, "who has an account has its address")
        #expect(try await org.changes(in: ana).last?.change.kind == "members.updated")
        let page = try await org.environment.outline("/settings/members/\(benId.text)", as: admin)
        #expect(page.contains("form member -> /api/v1/members/\(benId.text)"), "\(page)")

        let imported = org.environment.ids.id(at: org.environment.clock.now)
        let person = Person(
            id: imported, orgId: orgId, name: PersonName(fullName: "Cleo Fox"), email: nil, avatarTint: .sky,
            createdAt: org.environment.clock.now)
        try await org.environment.schools.school(orgId).write { sql in
            try PeopleRepository.insert(person, externalId: nil, accountId: nil, in: sql)
        }
        try await org.memberships.give(.guide, to: [imported], in: orgId)
        try await org.environment.execute(
            UpdateMember.self,
            ["personId": .id(imported), "firstName": "Cleo", "email": "cleo@maple.example"], as: admin)
        let cleo = try #require(try await org.memberships.guides(of: orgId).first { $0.id == imported })
        #expect(cleo.fullName == "Cleo" && cleo.email == "cleo@maple.example")
        let nameless = try await problem {
            try await org.environment.execute(
                UpdateMember.self, ["personId": .id(imported), "firstName": " "], as: admin)
        }
        #expect(nameless?.faults.map(\.field) == ["firstName"])
    }

    @Test("an admin asks for another address of a guide's account", .requirement("PT-1.16.c"))
    func address() async throws {
        let ana = try await org.founder()
        let admin = try await org.member(.admin, of: ana, "Ada Admin")
        let ben = try await org.member(.guide, of: ana, "Ben Ito")
        let benId = try #require(ben.membership?.personId)
        let input: InputValue = ["personId": .id(benId), "email": "ben@new.example"]
        let mailed = try await org.environment.execute("members.changeAddress", input, as: admin)
        #expect(org.addresses.noted == [try #require(ben.account?.id): "ben@new.example"])
        #expect(mailed.feedback?.text.contains("ben@new.example") == true)
        #expect(try await org.changes(in: ana).last?.change.kind == "members.addressAsked")
        org.addresses.answer(.done)
        let done = try await org.environment.execute("members.changeAddress", input, as: admin)
        #expect(done.feedback == Feedback(.toast, "Email changed"))
        #expect(try await org.changes(in: ana).last?.change.kind == "members.addressChanged")
        let page = try await org.environment.outline("/settings/members/\(benId.text)", as: admin)
        #expect(page.contains("form address -> /api/v1/members/\(benId.text)/address"), "\(page)")
    }

    @Test("a school cannot change the address of a higher role, or of an account with another school")
    func addressLimits() async throws {
        let ana = try await org.founder()
        let anaId = try #require(ana.membership?.personId)
        let admin = try await org.member(.admin, of: ana, "Ada Admin")
        let ben = try await org.member(.guide, of: ana, "Ben Ito")
        let benId = try #require(ben.membership?.personId)
        let own = Problem(409, "members.addressOwn")
        func change(_ id: UUID, as caller: Caller) async throws {
            try await org.environment.execute(
                ChangeMemberAddress.self, ["personId": .id(id), "email": "eve@evil.example"], as: caller)
        }
        #expect(try await problem { try await change(anaId, as: admin) } == own)
        try await org.found("Birch", by: try #require(ben.account))
        #expect(try await problem { try await change(benId, as: ana) } == own)
        let page = try await org.environment.outline("/settings/members/\(benId.text)", as: ana)
        #expect(!page.contains("form address") && page.contains("Only Ben Ito can change"), "\(page)")
        let other = try await org.founder("Cedar", "Eve Foreign")
        #expect(try await problem { try await change(benId, as: other) } == .notFound)
        #expect(try await problem { try await change(anaId, as: ben) } == .notAllowed)
        #expect(org.addresses.noted.isEmpty)
    }

    @Test("the name of a student can only be changed on the student's page")
    func studentName() async throws {
        let ana = try await org.founder()
        let bea = try #require(try await org.member(.student, of: ana, "Bea Student").membership?.personId)
        let refused = try await problem {
            try await org.environment.execute(
                UpdateMember.self, ["personId": .id(bea), "firstName": "B"], as: ana)
        }
        #expect(refused == Problem(409, "members.studentName"))
        let page = try await org.environment.outline("/settings/members/\(bea.text)", as: ana)
        #expect(!page.contains("form member"))
    }

    @Test(
        "a guide's default classroom comes from the block that has classrooms", .requirement("PT-1.09.b")
    )
    func defaultClassroom() async throws {
        struct Chosen: DefaultClassrooms {
            let all: [UUID: UUID]
            func defaultClassrooms(of personIds: [UUID], in sql: any SQLReading) throws -> [UUID: UUID] {
                all.filter { personIds.contains($0.key) }
            }
        }
        let ana = try await org.founder()
        let orgId = try #require(ana.membership?.organization.id)
        let anaId = try #require(ana.membership?.personId)
        _ = try await org.member(.guide, of: ana, "Ben Ito")
        let maple = org.environment.ids.id(at: org.environment.clock.now)
        let memberships = DirectoryMembershipService(
            directory: org.environment.directory, accounts: org.accounts, schools: org.environment.schools,
            clock: org.environment.clock, ids: org.environment.ids, defaults: Chosen(all: [anaId: maple]))
        let guides = try await memberships.guides(of: orgId)
        #expect(guides.map(\.defaultClassroomId) == [maple, nil])
        #expect(try await org.memberships.guides(of: orgId).allSatisfy { $0.defaultClassroomId == nil })
    }

    @Test(
        "a person's own picture is shown in the profile and among the members, and can be removed",
        .requirement("PT-1.09.c"))
    func picture() async throws {
        let ana = try await org.founder()
        let orgId = try #require(ana.membership?.organization.id)
        let ben = try await org.member(.guide, of: ana, "Ben Ito")
        let benId = try #require(ben.membership?.personId)
        let photo = InputValue.file(
            UploadedFile(name: "ben.jpg", contentType: "image/jpeg", bytes: TestPictures.photo))
        try await org.environment.execute(SetOwnPicture.self, ["picture": photo], as: ben)
        let guide = try #require(try await org.memberships.guides(of: orgId).first { $0.id == benId })
        let address = try #require(guide.avatarURL)
        #expect(address.hasPrefix("/people/\(benId.text)/picture/"))
        #expect(try await org.environment.answer(ListMembers.self, as: ana).items.last?.avatarURL == address)
        #expect("\(try await org.environment.screen("/settings/members", as: ana))".contains(address))
        let menu = try #require(org.feature.pages.accountPicture)
        let context = try await org.environment.context(of: ben)
        #expect(try await context.school.read { try menu(context, $0) } == address)

        let route = try #require(org.feature.endpoints.downloads.first { $0.path.hasPrefix("/people/") })
        func fetch(_ address: String, as caller: Caller) async throws -> DownloadedFile {
            let parts = address.split(separator: "/").map(String.init)
            return try await route.file(
                ["personId": parts[1], "hash": parts[3]], org.environment.context(of: caller))
        }
        #expect(try await fetch(address, as: ana).contentType == "image/jpeg")
        let stranger = try await org.founder("Birch", "Eve Foreign")
        await #expect(throws: Problem.notFound) { try await fetch(address, as: stranger) }

        let svg = InputValue.file(
            UploadedFile(name: "ben.jpg", contentType: "image/jpeg", bytes: Array("<svg>".utf8)))
        let refused = try await problem {
            try await org.environment.execute(SetOwnPicture.self, ["picture": svg], as: ben)
        }
        #expect(refused?.faults.map(\.code) == ["profile.notAnImage"])
        let removed = try await org.environment.execute("profile.setPicture", ["removes": true], as: ben)
        #expect(removed.feedback == Feedback(.toast, "Photo removed"))
        #expect(try await org.memberships.guides(of: orgId).last?.avatarURL == nil)
        await #expect(throws: Problem.notFound) { try await fetch(address, as: ana) }
        let nothing = try await problem {
            try await org.environment.execute(SetOwnPicture.self, [:], as: ben)
        }
        #expect(nothing?.faults.map(\.code) == ["required"])
    }

    @Test("a member is found by name and email address", .requirement("WW-14.03.d"))
    func search() async throws {
        let ana = try await org.founder()
        let orgId = try #require(ana.membership?.organization.id)
        let ben = try await org.member(.guide, of: ana, "Ben Ito")
        let source = try #require(org.feature.pages.searchSources.first { $0.category == "members" })
        let documents = try await org.environment.schools.school(orgId).read { sql in
            try source.documents(source.ids(nil, 50, sql), orgId, sql)
        }
        let document = try #require(documents.first { $0.title == "Ben Ito" })
        #expect(document.id == ben.membership?.personId && document.subtitle == ben.account?.email)
    }

    @Test(
        "other roles stay when the staff role changes, and only staff roles are given this way",
        .requirement("PT-2M.02.c"))
    func otherRolesStay() async throws {
        let ana = try await org.founder()
        let ben = try await org.member(.guide, of: ana)
        let account = try #require(ben.account)
        let benId = try #require(ben.membership?.personId)
        try await org.redeem(org.invite(.parent, by: ana).code, as: account)
        try await org.environment.execute(
            ChangeMemberRole.self, ["personId": .id(benId), "role": "admin"], as: ana)
        #expect(try await org.caller(account).membership?.roles == [.admin, .parent])
        let refusal = try await problem {
            try await org.environment.execute(
                ChangeMemberRole.self, ["personId": .id(benId), "role": "student"], as: ana)
        }
        #expect(refusal?.faults.map(\.field) == ["role"])
    }

    @Test(
        "an admin can manage invites and see members, but not change roles or remove members",
        .requirement("PT-2M.14.b", "PT-2M.14.c"))
    func adminsLimits() async throws {
        let ana = try await org.founder()
        let admin = try await org.member(.admin, of: ana, "Ada Admin")
        let guide = try await org.member(.guide, of: ana, "Gil Guide")
        let guideId = try #require(guide.membership?.personId)
        #expect(try await org.environment.answer(ListMembers.self, as: admin).items.count == 3)
        _ = try await org.invite(.guide, by: admin)
        let attempts: [(String, InputValue)] = [
            ("members.changeRole", ["personId": .id(guideId), "role": "admin"]),
            ("members.remove", ["personId": .id(guideId)]),
            ("organization.rename", ["name": "Ada's"]),
            ("invites.create", ["role": "superAdmin"]),
        ]
        for (name, input) in attempts {
            #expect(
                try await problem { try await org.environment.execute(name, input, as: admin) } == .notAllowed,
                "\(name)")
        }
        #expect(try await org.again(guide).membership?.roles == [.guide])
        let page = try await org.environment.outline("/settings/members/\(guideId.text)", as: admin)
        #expect(page.contains("Email: "))
        #expect(!page.contains("form role"))
        #expect(!page.contains("Remove from school"))
        let same = try await org.environment.outline("/settings/members/\(guideId.text)", as: ana)
        #expect(same.contains("form role -> /api/v1/members/\(guideId.text)/role"))
        #expect(
            same.contains(
                "[Remove from school] -> POST /api/v1/members/\(guideId.text)/remove (asks: Remove Gil Guide from the school?)"
            ))
    }

    @Test("the last super admin can neither leave nor step down, and one of two can")
    func lastSuperAdmin() async throws {
        let ana = try await org.founder()
        let anaId = try #require(ana.membership?.personId)
        let refusal = Problem(409, "members.lastSuperAdmin")
        func remove(_ id: UUID) async throws {
            try await org.environment.execute(RemoveMember.self, ["personId": .id(id)], as: ana)
        }
        func stepDown(_ id: UUID) async throws {
            try await org.environment.execute(
                ChangeMemberRole.self, ["personId": .id(id), "role": "guide"], as: ana)
        }
        #expect(try await problem { try await remove(anaId) } == refusal)
        #expect(try await problem { try await stepDown(anaId) } == refusal)
        #expect(try await org.again(ana).membership?.roles == [.superAdmin])
        // An imported super admin who has not signed in does not count, because nobody can act as them.
        let orgId = try #require(ana.membership?.organization.id)
        let imported = org.environment.ids.id(at: org.environment.clock.now)
        try await org.memberships.give(.superAdmin, to: [imported], in: orgId)
        #expect(try await problem { try await remove(anaId) } == refusal)
        let eva = try await org.member(.superAdmin, of: ana, "Eva Second")
        try await stepDown(anaId)
        #expect(try await org.again(ana).membership?.roles == [.guide])
        #expect(try await org.again(eva).membership?.roles == [.superAdmin])
    }

    @Test("if two super admins remove each other at the same time, one stays")
    func removingEachOther() async throws {
        let ana = try await org.founder()
        let eva = try await org.member(.superAdmin, of: ana, "Eva Second")
        let org = org
        let pairs = [(ana, eva), (eva, ana)]
        let outcomes = await withTaskGroup(of: Bool.self) { group in
            for (actor, target) in pairs {
                group.addTask {
                    do {
                        try await org.environment.execute(
                            RemoveMember.self, ["personId": .id(target.membership?.personId ?? UUID())], as: actor)
                        return true
                    } catch {
                        return false
                    }
                }
            }
            return await group.reduce(into: [Bool]()) { $0.append($1) }
        }
        #expect(outcomes.count { $0 } == 1)
        let left = [try await org.again(ana).membership, try await org.again(eva).membership].compactMap { $0 }
        #expect(left.map(\.roles) == [[.superAdmin]])
    }

    @Test(
        "ids of another school are not found by any command about members", .requirement("WW-0.13.b", "PT-2M.05.b"))
    func wall() async throws {
        let ana = try await org.founder("Maple")
        let other = try await org.founder("Birch", "Ben Ito")
        let stranger = try #require(try await org.member(.guide, of: other, "Cleo").membership?.personId)
        let invite = try await org.invite(by: other)
        let attempts: [(String, InputValue)] = [
            ("members.changeRole", ["personId": .id(stranger), "role": "admin"]),
            ("members.remove", ["personId": .id(stranger)]),
            ("invites.revoke", ["inviteId": .id(invite.id)]),
        ]
        for (name, input) in attempts {
            #expect(
                try await problem { try await org.environment.execute(name, input, as: ana) } == .notFound,
                "\(name)")
        }
        #expect(
            try await problem {
                _ = try await org.environment.screen("/settings/members/\(stranger.text)", as: ana)
            } == .notFound)
        #expect(try await org.environment.answer(ListMembers.self, as: other).items.count == 2)
        #expect(try await org.environment.answer(ListInvites.self, as: other).items == [invite])
    }

    @Test(
        "the members page lists the team before the families, searches, and has an empty state",
        .requirement("PT-2M.18.d"))
    func page() async throws {
        let ana = try await org.founder()
        _ = try await org.member(.guide, of: ana, "Łukasz Żak")
        _ = try await org.member(.parent, of: ana, "Paula Parent")
        let outline = try await org.environment.outline("/settings/members", as: ana)
        let headings = outline.lines.filter { $0.hasPrefix("## ") }
        #expect(headings == ["## Staff · 2 people", "## Students and families · 1 person"])
        let found = try await org.environment.outline("/settings/members", as: ana, query: ["q": "lukasz"])
        #expect(found.contains("Łukasz Żak"))
        #expect(!found.contains("Ana Kovač"))
        let none = try await org.environment.outline("/settings/members", as: ana, query: ["q": "zzz"])
        #expect(none.contains("! empty: No members found · Try another name, or invite someone with a code."))
        let french = try await org.environment.outline("/settings/members", as: ana, language: .french)
        #expect(french.contains("## Personnel"))
        let outcome = try await org.environment.execute(
            "members.changeRole",
            ["personId": .id(org.member(.guide, of: ana, "Gil").membership?.personId ?? UUID()), "role": "admin"],
            as: ana)
        #expect(outcome.feedback == Feedback(.toast, "Role saved"))
    }

    @Test("admins and the person concerned learn of changes of a member, and audiences are computed again")
    func changes() async throws {
        let ana = try await org.founder()
        let ben = try await org.member(.guide, of: ana)
        let benId = try #require(ben.membership?.personId)
        try await org.environment.execute(
            ChangeMemberRole.self, ["personId": .id(benId), "role": "admin"], as: ana)
        try await org.environment.execute(RemoveMember.self, ["personId": .id(benId)], as: ana)
        let changes = try await org.changes(in: ana)
        #expect(
            changes.map(\.change.kind) == [
                "organization.founded", "invites.created", "members.joined", "members.roleChanged",
                "members.removed",
            ])
        let (joined, removed) = (changes[2], changes[4])
        #expect(joined.actorId == benId, "who joins did so themselves")
        #expect(removed.actorId == ana.membership?.personId)
        #expect(removed.change.audience.contains(.person(benId)))
        for change in [joined, changes[3], removed] { #expect(change.change.reshapesAudience) }
        #expect(!removed.change.audience.contains(.role(.guide)))
    }
}
