import AuthInterface
import DesignSystem
import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import OrganizationInterface
import TestKit
import Testing

@testable import Organization

@Suite("Parents ask to be linked to their child")
struct FamilyTests {
    let org: OrganizationFixture
    let ana: Caller
    let bea: Person

    init() async throws {
        org = try await OrganizationFixture()
        ana = try await org.founder()
        bea = try await Self.child(
            "Bea Ruiz", number: "S-0042", paper: "26-B7", email: "bea@maple.example", of: ana, org)
    }

    private static func child(
        _ name: String, number: String?, paper: String? = nil, email: String?, of admin: Caller,
        _ org: OrganizationFixture
    ) async throws -> Person {
        let orgId = try #require(admin.membership?.organization.id)
        let id = org.environment.ids.id(at: org.environment.clock.now)
        let person = Person(
            id: id, orgId: orgId, name: PersonName(fullName: name), email: email, number: paper, avatarTint: .leaf,
            createdAt: org.environment.clock.now)
        try await org.environment.schools.school(orgId).write {
            try PeopleRepository.insert(person, externalId: number, accountId: nil, in: $0)
        }
        return person
    }

    private func ask(_ child: String, as parent: SignedInAccount) async throws -> Pipeline.Outcome {
        try await org.environment.execute("families.ask", ["child": .text(child)], as: org.caller(parent))
    }

    private func waiting(_ admin: Caller) async throws -> [FamilyRequest] {
        try await org.environment.answer(ListFamilyRequests.self, as: admin).items
    }

    private func answer(_ request: FamilyRequest, _ agrees: Bool, as admin: Caller) async throws {
        try await org.environment.execute(
            "families.answer",
            ["requestId": .id(request.id), "childId": .id(request.childId), "agrees": .bool(agrees)], as: admin)
    }

    @Test(
        "a parent names the child by its number, id or address in any case, and the school's approval links them",
        .requirement("WW-0.07.d", "WW-15.04.b", "WW-15.04.c"),
        arguments: 0..<4)
    func linked(way: Int) async throws {
        let parent = org.account("Luz Ruiz")
        let typed = ["s-0042 ", bea.id.text.uppercased(), "Bea@Maple.Example", "26-b7"][way]
        _ = try await ask(typed, as: parent)
        let request = try #require(try await waiting(ana).first)
        #expect(request.parentName == "Luz Ruiz" && request.childName == "Bea Ruiz")
        #expect(try await org.caller(parent).membership == nil, "asking gives no rights")
        try await answer(request, true, as: ana)
        let membership = try #require(try await org.caller(parent).membership)
        #expect(membership.roles == [.parent])
        let links = try await org.environment.schools.school(membership.organization.id).read {
            try $0.rows("SELECT person_id, child_id FROM guardians").map(\.values)
        }
        #expect(links == [[membership.personId.sqlValue, bea.id.sqlValue]])
        #expect(try await waiting(ana).isEmpty)
        #expect(org.mails.map(\.to) == [parent.email])
        #expect(try await changes().contains { $0.change.kind == "families.linked" })
        // Answering again finds no open request.
        #expect(try await problem { try await answer(request, true, as: ana) } == .notFound)
    }

    @Test(
        "a parent can name the child by the address with which it signs in",
        .requirement("WW-15.04.c"))
    func bySignIn() async throws {
        let parent = org.account("Luz Ruiz")
        let student = try await org.member(.student, of: ana)
        let email = try #require(student.account).email
        _ = try await ask(email.uppercased(), as: parent)
        let request = try #require(try await waiting(ana).first)
        #expect(request.childId == student.membership?.personId)
        // Another school's admin does not see a request for a child of this school.
        #expect(try await waiting(org.founder("Birch House", "Ben Ito")).isEmpty)
        try await answer(request, true, as: ana)
        #expect(try await org.caller(parent).membership?.roles == [.parent])
    }

    private func changes() async throws -> [LoggedChange] { try await org.changes(in: ana) }

    @Test("the answer to a request is the same for an unknown child")
    func sameAnswer() async throws {
        let parent = org.account("Luz Ruiz")
        let known = try await ask("S-0042", as: parent)
        let unknown = try await ask("S-9999", as: parent)
        #expect(known.body == unknown.body && known.feedback == unknown.feedback)
        #expect(known.destination == unknown.destination)
    }

    @Test("another school does not see the request, and its refusal has no effect here")
    func otherSchools() async throws {
        let other = try await org.founder("Birch House", "Ben Ito")
        let parent = org.account("Luz Ruiz")
        _ = try await ask("S-0042", as: parent)
        #expect(try await waiting(other).isEmpty)
        // The same number in another school is another child.
        _ = try await Self.child("Max Roy", number: "S-0042", email: nil, of: other, org)
        let there = try #require(try await waiting(other).first)
        #expect(there.childName == "Max Roy")
        try await answer(there, false, as: other)
        #expect(try await waiting(other).isEmpty)
        #expect(try await waiting(ana).map(\.childName) == ["Bea Ruiz"])
        #expect(try await org.caller(parent).membership == nil)
    }

    @Test("only staff of the child's school can answer, and only for the named child")
    func rights() async throws {
        let parent = org.account("Luz Ruiz")
        _ = try await ask("S-0042", as: parent)
        let request = try #require(try await waiting(ana).first)
        let guide = try await org.member(.guide, of: ana)
        #expect(try await problem { try await answer(request, true, as: guide) } == .notAllowed)
        let other = try await Self.child("Max Roy", number: nil, email: nil, of: ana, org)
        let bent = FamilyRequest(
            id: request.id, parentName: "", parentEmail: "", childId: other.id, childName: "",
            askedAt: request.askedAt)
        #expect(try await problem { try await answer(bent, true, as: ana) } == .notFound)
        // Staff cannot be the child of a request, whatever number it names.
        _ = try await ask(#require(guide.account).email, as: parent)
        #expect(try await waiting(ana).count == 1)
    }

    @Test("open requests are limited, can be made once, and can be withdrawn")
    func limits() async throws {
        let parent = org.account("Luz Ruiz")
        for _ in 0..<2 { _ = try await ask("S-0042", as: parent) }
        let page = try await org.environment.outline("/families", as: org.caller(parent))
        #expect(page.lines.count { $0.contains("S-0042 ·") } == 1)
        for number in 1..<AskForChild.limit { _ = try await ask("X-\(number)", as: parent) }
        #expect(
            try await problem { _ = try await ask("one more", as: parent) }
                == Problem(409, "families.tooMany", [.number(AskForChild.limit)]))
        let request = try #require(try await waiting(ana).first)
        try await org.environment.execute(
            "families.withdraw", ["requestId": .id(request.id)], as: org.caller(parent))
        #expect(try await waiting(ana).isEmpty)
        // An account cannot withdraw another account's request.
        let stranger = org.account("Eve")
        _ = try await ask("S-0042", as: parent)
        let again = try #require(try await waiting(ana).first)
        #expect(
            try await problem {
                try await org.environment.execute(
                    "families.withdraw", ["requestId": .id(again.id)], as: org.caller(stranger))
            } == .notFound)
        #expect(try await waiting(ana).count == 1)
    }

    @Test("both pages say what to do, in both languages", arguments: Language.allCases)
    func pages(language: Language) async throws {
        let parent = org.account("Luz Ruiz")
        let empty = try await org.environment.outline("/settings/families", as: ana, language: language)
        #expect(empty.contains("/settings/invites"))
        _ = try await ask("S-0042", as: parent)
        let staff = try await org.environment.outline("/settings/families", as: ana, language: language)
        #expect(staff.contains("Luz Ruiz") && staff.contains("Bea Ruiz") && staff.contains(parent.email))
        let own = try await org.environment.outline("/families", as: org.caller(parent), language: language)
        #expect(own.contains("S-0042") && !own.contains("Bea"))
    }

    // MARK: - Parents who are invited

    private var guardians: SQLGuardianService {
        SQLGuardianService(
            letter: InviteLetter(
                mailer: org.mailer, hasher: org.environment.hasher, publicURL: "https://tower.example"))
    }

    private func person(_ name: String, _ email: String) throws -> Person {
        let now = org.environment.clock.now
        let id = org.environment.ids.id(at: now)
        return try Person(
            id: id, orgId: #require(ana.membership?.organization.id), name: PersonName(fullName: name),
            email: email,
            avatarTint: .leaf, createdAt: now)
    }

    private func link(_ draft: Person, to child: Person) async throws -> UUID {
        let (guardians, staff, now) = (guardians, try #require(ana.membership?.personId), org.environment.clock.now)
        return try await org.environment.schools.school(child.orgId).write {
            try guardians.link(draft, to: child.id, by: staff, at: now, in: $0)
        }
    }

    private func children(of personId: UUID) async throws -> [UUID] {
        let guardians = guardians
        return try await org.environment.schools.school(bea.orgId).read {
            try guardians.children(ofGuardian: personId, in: $0)
        }
    }

    /// Mails the invite as another block would, and returns the token of its link.
    private func invite(_ personId: UUID, at email: String) async throws -> String {
        let guardians = guardians
        let (caller, now, ids) = (ana, org.environment.clock.now, org.environment.ids)
        let words = try org.environment.words(.english)
        try await org.environment.directory.write { sql in
            var context = CommandContext(caller: caller, now: now, ids: ids, words: words, sql: sql)
            try guardians.invite(personId, at: email, in: &context)
        }
        let mail = try #require(org.mails.last { $0.to == email })
        let line = try #require(
            mail.text.split(separator: "\n").first { $0.hasPrefix("https://tower.example/join/") })
        return String(line.split(separator: "/").last ?? "")
    }

    @Test("one address is one guardian of several children, and the person who uses the link becomes that guardian")
    func invited() async throws {
        let tom = try await Self.child("Tom Ruiz", number: nil, email: nil, of: ana, org)
        let first = try await link(person("Luz Ruiz", "Luz@home.example"), to: bea)
        let second = try await link(person("Luz R.", "luz@HOME.example"), to: tom)
        #expect(first == second)
        #expect(Set(try await children(of: first)) == [bea.id, tom.id])
        let membership = try await org.redeem(invite(first, at: "luz@home.example"), as: org.account("Luz Ruiz"))
        #expect(membership.role == .parent && membership.guideId == first)
        let readers = try await org.environment.schools.school(bea.orgId).read { [guardians, bea] in
            try guardians.guardians(ofChild: bea.id, in: $0)
        }
        #expect(readers.map(\.hasAccount) == [true])
    }

    @Test("a parent who is invited for three children joins once with any of the links and has all three")
    func threeInvitations() async throws {
        let email = "luz@home.example"
        let tom = try await Self.child("Tom Ruiz", number: nil, email: nil, of: ana, org)
        let eva = try await Self.child("Eva Ruiz", number: nil, email: nil, of: ana, org)
        var links: [String] = []
        var people: Set<UUID> = []
        for child in [bea, tom, eva] {
            let personId = try await link(person("Luz Ruiz", email), to: child)
            people.insert(personId)
            links.append(try await invite(personId, at: email))
        }
        #expect(people.count == 1)
        let luz = org.account("Luz Ruiz")
        let membership = try await org.redeem(links[0], as: luz)
        #expect(people == [membership.guideId] && membership.role == .parent)
        #expect(Set(try await children(of: membership.guideId)) == [bea.id, tom.id, eva.id])
        for link in links {
            let refusal = try await problem { try await org.redeem(link, as: org.account("Finder")) }
            #expect(refusal?.faults.map(\.code) == ["code.used"], "a mail that is passed on lets nobody else in")
        }
        let sent = try await org.environment.answer(ListMailInvites.self, as: ana).items
        #expect(sent.map(\.state) == [.accepted, .accepted, .accepted])
        #expect(Set(sent.map(\.acceptedBy)) == [membership.guideId])
    }

    @Test("a parent who was invited and whose request is granted as well is linked to the child once")
    func invitedAndAsking() async throws {
        let luz = org.account("Luz Ruiz")
        let tom = try await Self.child("Tom Ruiz", number: nil, email: nil, of: ana, org)
        let invited = try await link(person("Luz Ruiz", luz.email.uppercased()), to: bea)
        #expect(try await link(person("Luz Ruiz", luz.email), to: tom) == invited)
        let mailed = try await invite(invited, at: luz.email)
        _ = try await ask("S-0042", as: luz)
        for _ in 0..<2 {
            guard let request = try await waiting(ana).first else { break }
            try await answer(request, true, as: ana)
        }
        let membership = try #require(try await org.caller(luz).membership)
        func parents(of child: Person) async throws -> [UUID] {
            let guardians = guardians
            return try await org.environment.schools.school(bea.orgId).read {
                try guardians.guardians(ofChild: child.id, in: $0).map(\.id)
            }
        }
        #expect(try await parents(of: bea) == [membership.personId])
        // The request named one child. The link to the other child waits for the mailed invite, which unites both.
        #expect(try await parents(of: tom) == [invited])
        try await org.redeem(mailed, as: luz)
        #expect(try await parents(of: bea) == [membership.personId])
        #expect(try await parents(of: tom) == [membership.personId])
    }

    @Test("a guide who is also a parent stays one person, and gets the children")
    func alreadyHere() async throws {
        let guide = try await org.member(.guide, of: ana)
        let expected = try await link(person("Gil at home", "gil@home.example"), to: bea)
        let membership = try await org.redeem(
            invite(expected, at: "gil@home.example"), as: #require(guide.account))
        #expect(membership.guideId == guide.membership?.personId)
        #expect(try await children(of: membership.guideId) == [bea.id])
        #expect(try await children(of: expected).isEmpty)
    }

    @Test("an ended link gives no access to the child, and can be ended once")
    func ended() async throws {
        let parent = try await link(person("Luz Ruiz", "luz@home.example"), to: bea)
        let guardians = guardians
        let ends = try await org.environment.schools.school(bea.orgId).write { [bea] sql in
            try (guardians.unlink(parent, from: bea.id, in: sql), guardians.unlink(parent, from: bea.id, in: sql))
        }
        #expect(ends == (true, false))
        #expect(try await children(of: parent).isEmpty)
    }
}
