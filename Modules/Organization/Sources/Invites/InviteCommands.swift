import AuthInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ScreenKit

struct ListInvites: Query {
    static let contract = Contract(
        "invites.list", "/api/v1/invites", access: .member(.invite), store: .directory,
        summary: "The invites that can still be used, newest first.")
    typealias Result = Page<Invite>

    init(_ fields: inout FieldReader) {}
}

struct CreateInvite: Command {
    static let contract = Contract(
        "invites.create", "/api/v1/invites", access: .member(.invite), store: .directory, isCreation: true,
        summary: "Makes a code that brings one person in; the role is guide unless said otherwise.")
    typealias Result = Invite

    let role: Role
    let personId: UUID?
    let classroomIds: [UUID]
    let validDays: Int

    init(_ fields: inout FieldReader) {
        role = fields.optionalChoice("role", of: Role.self) ?? .guide
        personId = fields.optionalId("personId")
        classroomIds = fields.ids("classroomIds", max: 100)
        fields.refuse("classroomIds", "invites.classrooms", unless: classroomIds.isEmpty || role.isGuideRole)
        validDays = fields.integer("validDays", in: 1...365, default: 14)
    }
}

struct RevokeInvite: Command {
    static let contract = Contract(
        "invites.revoke", "/api/v1/invites/{inviteId}/revoke", access: .member(.invite), store: .directory,
        summary: "Makes a code useless.")
    typealias Result = Done

    let inviteId: UUID

    init(_ fields: inout FieldReader) { inviteId = fields.id("inviteId") }
}

struct RedeemInvite: Command {
    static let contract = Contract(
        "invites.redeem", "/api/v1/invites/redeem", access: .account, store: .directory,
        summary: "Uses a code: the caller gets its role, and its organization becomes active.")
    typealias Result = Membership

    let code: String

    init(_ fields: inout FieldReader) { code = fields.text("code", max: 300) }
}

/// The classrooms that an invite can name, in a school with the block of classrooms.
struct InviteClassrooms: Sendable {
    let placing: (any ClassroomPlacing)?

    func offered(_ context: RequestContext) async throws -> [OfferedClassroom] {
        guard let placing else { return [] }
        let membership = try context.membership
        return try await context.school.read { try placing.classrooms(offeredTo: membership, in: $0) }
    }

    func names(_ context: RequestContext) async throws -> [UUID: String] {
        Dictionary(try await offered(context).map { ($0.id, $0.name) }) { first, _ in first }
    }

    func check(_ ids: [UUID], _ context: RequestContext) async throws {
        guard !ids.isEmpty else { return }
        let known = Set(try await offered(context).map(\.id))
        guard known.isSuperset(of: ids) else { throw Problem.notFound }
    }

    /// Returns the field for choosing classrooms; empty if there are none to choose.
    func field(_ request: ScreenRequest) async throws -> [PTField] {
        let words = request.words
        let all = try await offered(request.context)
        guard !all.isEmpty else { return [] }
        return [
            PTField(
                .multipleChoice(all.map { .init(value: $0.id.text, title: $0.name) }), name: "classroomIds",
                label: words("invites.classrooms"), hint: words("invites.classroomsHint"))
        ]
    }
}

struct InviteHandlers: Sendable {
    let invites: any InviteService
    let classrooms: InviteClassrooms
    /// The limit of wrong codes, counted per account and per network.
    let limit: RateLimiter

    var commands: [CommandRegistration] {
        [
            .handle(
                CreateInvite.self,
                prepare: { command, context in
                    try await classrooms.check(command.classroomIds, context)
                    guard let personId = command.personId else { return }
                    let orgId = try context.membership.organization.id
                    let known = try await context.school.read {
                        try PeopleRepository.people([personId], of: orgId, in: $0)
                    }
                    guard known[personId] != nil else { throw Problem.notFound }
                },
                run: { command, _, context in
                    let invite = try invites.create(
                        role: command.role, personId: command.personId, classroomIds: command.classroomIds,
                        validDays: command.validDays, in: context)
                    context.record(changed("invites.created", ["role": invite.role.rawValue]))
                    context.feedback = Feedback(.toast, context.words("invites.created"))
                    return invite
                }),
            .handle(RevokeInvite.self) { command, context in
                try invites.revoke(command.inviteId, in: context)
                context.record(changed("invites.revoked"))
                context.feedback = Feedback(.toast, context.words("invites.revoked"))
                return Done()
            },
            .handle(
                RedeemInvite.self, prepare: prepare(redeem:_:), run: run(redeem:_:_:),
                finish: { command, membership, _ in
                    try await invites.place(membership.guideId, by: command.code)
                }),
        ]
    }

    var queries: [QueryRegistration] {
        [
            .handle(ListInvites.self) { _, context in
                Page(items: try await invites.list(context.membership.organization.id), next: nil)
            }
        ]
    }

    private func prepare(redeem command: RedeemInvite, _ context: RequestContext) async throws -> UUID {
        let account = try context.account
        let keys = ["account \(account.id.text)", "network \(context.remoteAddress)"]
        try limit.take(keys, at: context.now)
        let invite = try await invites.open(code: command.code)
        limit.giveBack(keys)
        return try await invites.preparePerson(
            for: Account(id: account.id, email: account.email, name: account.name), in: invite.orgId,
            expected: invite.personId)
    }

    private func run(
        redeem command: RedeemInvite, _ personId: UUID, _ context: inout CommandContext
    ) throws -> Membership {
        let account = try context.account
        let membership = try invites.redeem(
            code: command.code, personId: personId, by: account, in: context)
        context.changedSchool = membership.orgId
        context.changedBy = personId
        context.record(
            Change(
                "members.joined", topics: ["members", "invites"],
                audience: Audience.roles([.superAdmin, .admin]),
                payload: ["person": personId.text, "role": membership.role.rawValue], reshapesAudience: true))
        context.feedback = Feedback(.burst, context.words("join.done"))
        context.destination = "/"
        return membership
    }

    private func changed(_ kind: String, _ facts: [String: String] = [:]) -> Change {
        Change(kind, topics: ["invites"], audience: Audience.roles([.superAdmin, .admin]), payload: facts)
    }
}
