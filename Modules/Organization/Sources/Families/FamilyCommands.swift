import AuthInterface
import Domain
import FeatureKit
import Foundation
import OrganizationInterface

/// A parent's request to be linked to a child, before a school has agreed.
struct ChildRequest: Identifiable, Codable, Sendable, Hashable {
    let id: UUID
    /// The child's student number or email address, as the parent typed it.
    let child: String
    let askedAt: Date
}

/// A parent's request to be linked to a child, as the child's school sees it.
struct FamilyRequest: Identifiable, Codable, Sendable, Hashable {
    let id: UUID
    let parentName: String
    let parentEmail: String
    let childId: UUID
    let childName: String
    let askedAt: Date
}

struct AskForChild: Command {
    static let contract = Contract(
        "families.ask", "/api/v1/families/requests", access: .account, store: .directory, replay: .natural,
        summary: "Asks the child's school to link the caller. The answer does not tell whether the child is known.")
    typealias Result = Done

    /// The child's student number or email address, as the parent typed it.
    let child: String

    /// The largest number of open requests of one account.
    static let limit = 10

    init(_ fields: inout FieldReader) { child = fields.text("child", max: 254) }
}

struct WithdrawChildRequest: Command {
    static let contract = Contract(
        "families.withdraw", "/api/v1/families/requests/{requestId}/withdraw", access: .account, store: .directory,
        replay: .natural, summary: "Takes the caller's own wish back.")
    typealias Result = Done

    let requestId: UUID

    init(_ fields: inout FieldReader) { requestId = fields.id("requestId") }
}

struct AnswerFamilyRequest: Command {
    static let contract = Contract(
        "families.answer", "/api/v1/families/requests/{requestId}/answer", access: .member(.invite),
        store: .directory, replay: .natural,
        summary: "Links a parent to the child of this school that they asked for, or refuses to.")
    typealias Result = Done

    let requestId: UUID
    let childId: UUID
    let agrees: Bool

    init(_ fields: inout FieldReader) {
        requestId = fields.id("requestId")
        childId = fields.id("childId")
        agrees = fields.flag("agrees")
    }
}

struct ListFamilyRequests: Query {
    static let contract = Contract(
        "families.requests", "/api/v1/families/requests", access: .member(.invite), store: .directory,
        summary: "The parents who ask to be linked to a child of this school, the oldest first.")
    typealias Result = Page<FamilyRequest>

    init(_ fields: inout FieldReader) {}
}

/// The handlers of parents' requests for children, and of the school's answers.
struct FamilyHandlers: Sendable {
    let directory: any Database
    let accounts: any AccountReading
    let invites: any InviteService
    let memberships: DirectoryMembershipService
    let mailer: any Mailer
    let publicURL: String
    /// The limit of requests per account and day. Guessing student numbers reveals nothing, and the limit makes it
    /// slow.
    let limit = RateLimiter(limit: 20, period: 86_400)

    var commands: [CommandRegistration] {
        [
            .handle(AskForChild.self) { command, context in
                let account = try context.account
                context.destination = FamilyScreens.path
                let child = command.child.lowercased()
                let known = try FamilyRepository.requests(ofAccount: account.id, in: context.sql)
                guard !known.contains(where: { $0.child.lowercased() == child }) else { return Done() }
                guard known.count < AskForChild.limit else {
                    throw Problem(409, "families.tooMany", [.number(AskForChild.limit)])
                }
                try limit.take([account.id.text], at: context.now)
                try FamilyRepository.insert(
                    ChildRequest(id: context.newId(), child: command.child, askedAt: context.now), of: account.id,
                    in: context.sql)
                context.feedback = Feedback(.toast, context.words("families.asked"))
                return Done()
            },
            .handle(WithdrawChildRequest.self) { command, context in
                guard try FamilyRepository.remove(command.requestId, of: context.account.id, in: context.sql) else {
                    throw Problem.notFound
                }
                context.destination = FamilyScreens.path
                return Done()
            },
            .handle(AnswerFamilyRequest.self, prepare: prepare(answer:_:), run: run(answer:_:_:)),
        ]
    }

    var queries: [QueryRegistration] {
        [.handle(ListFamilyRequests.self) { _, context in Page(items: try await waiting(context), next: nil) }]
    }

    func requests(_ context: RequestContext) async throws -> [ChildRequest] {
        let account = try context.account
        return try await directory.read { try FamilyRepository.requests(ofAccount: account.id, in: $0) }
    }

    /// Returns the open requests for children of the caller's school that the school has not refused.
    func waiting(_ context: RequestContext) async throws -> [FamilyRequest] {
        let orgId = try context.membership.organization.id
        let (all, members) = try await directory.read { sql in
            (try FamilyRepository.all(in: sql), try MembershipRepository.memberships(of: orgId, in: sql))
        }
        guard !all.isEmpty else { return [] }
        // People who are staff or parents in the school cannot be the child of a request.
        let adults = Set(members.filter { $0.role != .student }.map(\.guideId))
        let students = members.filter { !adults.contains($0.guideId) }
        let signIns = try await accounts.accounts(students.compactMap(\.accountId))
        let names = Set(all.map { $0.request.child.lowercased() })
        // The address with which a child signs in may be missing from the school's own list.
        let known = students.reduce(into: [String: UUID]()) { known, student in
            guard let email = student.accountId.flatMap({ signIns[$0]?.email.lowercased() }) else { return }
            if names.contains(email) { known[email] = student.guideId }
        }
        let children = try await context.school.read { sql in
            try FamilyRepository.children(named: names, known: known, but: adults, in: sql)
        }
        let refused = try await context.school.read { try FamilyRepository.refused(in: $0) }
        let parents = try await accounts.accounts(all.map(\.accountId))
        return all.flatMap { asked -> [FamilyRequest] in
            guard let parent = parents[asked.accountId], !refused.contains(asked.request.id) else { return [] }
            return (children[asked.request.child.lowercased()] ?? []).map { child in
                FamilyRequest(
                    id: asked.request.id, parentName: parent.name, parentEmail: parent.email, childId: child.id,
                    childName: child.name, askedAt: asked.request.askedAt)
            }
        }
    }

    private struct Link: Sendable {
        let request: FamilyRequest
        let account: Account
        let personId: UUID
    }

    /// Makes the parent a person of the school and a guardian of the child. This happens before the directory
    /// stores the membership, and is harmless alone, because a person without a membership has no rights.
    private func prepare(answer command: AnswerFamilyRequest, _ context: RequestContext) async throws -> Link? {
        let membership = try context.membership
        let waiting = try await waiting(context)
        guard let request = waiting.first(where: { $0.id == command.requestId && $0.childId == command.childId })
        else { throw Problem.notFound }
        let now = context.now
        guard command.agrees else {
            // conformance: allow write - a school's no is the school's alone; safe to repeat
            try await context.school.write { try FamilyRepository.refuse(command.requestId, at: now, in: $0) }
            return nil
        }
        guard let account = try await accounts.account(email: request.parentEmail) else { throw Problem.notFound }
        let personId = try await invites.preparePerson(
            for: account, in: membership.organization.id, expected: nil)
        // conformance: allow write - the school's half of a link; without a membership it gives no rights
        try await context.school.write {
            try FamilyRepository.link(personId, to: command.childId, by: membership.personId, at: now, in: $0)
            try FamilyRepository.unlinkInvited(at: account.email, but: personId, from: command.childId, in: $0)
        }
        return Link(request: request, account: account, personId: personId)
    }

    private func run(
        answer command: AnswerFamilyRequest, _ link: Link?, _ context: inout CommandContext
    ) throws -> Done {
        context.destination = FamilyScreens.staffPath
        guard let link else {
            context.feedback = Feedback(.toast, context.words("families.refused"))
            return Done()
        }
        let membership = try context.membership
        let orgId = membership.organization.id
        try MembershipRepository.link(link.personId, accountId: link.account.id, in: orgId, context.sql)
        try memberships.add(
            Membership(
                id: context.newId(), orgId: orgId, guideId: link.personId, accountId: link.account.id,
                role: .parent, createdAt: context.now), in: context)
        try FamilyRepository.remove(command.requestId, of: link.account.id, in: context.sql)
        let mail = Mail(
            to: link.account.email,
            subject: context.words("families.mail.subject", membership.organization.name),
            text: context.words(
                "families.mail.text", link.request.parentName, membership.organization.name,
                link.request.childName, publicURL), schoolId: membership.organization.id,
            personId: command.childId)
        context.sql.afterCommit { [mailer] in mailer.post(mail) }
        context.record(
            Change(
                "families.linked", topics: ["members"], audience: Audience.roles([.superAdmin, .admin]),
                payload: ["person": link.personId.text, "child": command.childId.text], reshapesAudience: true))
        context.feedback = Feedback(
            .toast, context.words("families.linked", link.request.parentName, link.request.childName))
        return Done()
    }
}
