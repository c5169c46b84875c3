import Domain
public import FeatureKit
import Foundation
import OrganizationInterface

/// An invite that was mailed to an address, with its state.
struct MailInvite: Codable, Sendable, Hashable {
    enum State: String, Codable, Sendable, Hashable { case sent, accepted, expired, revoked }

    let id: UUID
    let email: String
    let role: Role
    let sentAt: Date
    /// The number of times that the invite was sent.
    let sendings: Int
    let expiresAt: Date?
    let acceptedAt: Date?
    /// The person who accepted the invite; `nil` if nobody has.
    let acceptedBy: UUID?
    let state: State
}

struct SendInvites: Command {
    static let contract = Contract(
        "invites.send", "/api/v1/invites/send", access: .member(.invite), store: .directory, isCreation: true,
        summary: "Sends each address a link by mail that brings one person in, once, until it expires.")
    /// The number of sent mails. It is the same whether an address has an account or not.
    struct Result: Codable, Sendable, Hashable { let sent: Int }

    let emails: [String]
    /// The parts of the typed list that are not addresses.
    let wrong: [String]
    let role: Role
    let classroomIds: [UUID]
    let validDays: Int

    /// The largest number of addresses in one call.
    static let limit = 50

    init(_ fields: inout FieldReader) {
        (emails, wrong) = Self.addresses(in: fields.text("emails", max: 20_000, multiline: true))
        role = fields.optionalChoice("role", of: Role.self) ?? .guide
        classroomIds = fields.ids("classroomIds", max: 100)
        fields.refuse("classroomIds", "invites.classrooms", unless: classroomIds.isEmpty || role.isGuideRole)
        validDays = fields.integer("validDays", in: 1...90, default: 14)
    }

    /// All faults of the typed list at once.
    var faults: [Fault] {
        var faults = wrong.prefix(20).map { Fault("emails", "invites.address", [.text($0)]) }
        if emails.count > Self.limit { faults.append(Fault("emails", "invites.tooMany", [.number(Self.limit)])) }
        if emails.isEmpty && wrong.isEmpty { faults.append(Fault("emails", "required")) }
        return faults
    }

    /// Returns the addresses in a pasted list, each once. They are separated by line breaks, commas or semicolons,
    /// and may follow a name in angle brackets.
    static func addresses(in text: String) -> (found: [String], wrong: [String]) {
        var (found, wrong): ([String], [String]) = ([], [])
        // In "Côté, Xi <xi@b.example>" the comma is part of the name.
        var half: String?
        for part in text.split(whereSeparator: { $0 == "," || $0 == ";" || $0.isNewline }) {
            var entry = part.trimmingCharacters(in: .whitespaces)
            guard !entry.isEmpty else { continue }
            if !entry.hasSuffix(">"), let text = half { wrong.append(text) }
            half = nil
            if entry.hasSuffix(">"), let open = entry.lastIndex(of: "<") {
                entry = String(entry[entry.index(after: open)...].dropLast())
            }
            // Spaces separate addresses too, if each piece is an address: "a@b.example c@d.example".
            guard entry.contains("@") else {
                half = String(entry.prefix(100))
                continue
            }
            let pieces = entry.split(separator: " ").map { String($0).lowercased() }
            let isList = pieces.allSatisfy { $0.utf8.count <= 254 && EmailAddress.isValid($0) }
            for piece in isList ? pieces : [String(entry.prefix(100))] {
                if !isList { wrong.append(piece) } else if !found.contains(piece) { found.append(piece) }
            }
        }
        return (found, half.map { wrong + [$0] } ?? wrong)
    }
}

struct ResendInvite: Command {
    static let contract = Contract(
        "invites.resend", "/api/v1/invites/{inviteId}/resend", access: .member(.invite), store: .directory,
        summary: "Sends an invite's mail again with a new link; the old link stops working.")
    typealias Result = Done

    let inviteId: UUID

    /// The largest number of times that one invite can be sent.
    static let limit = 5

    init(_ fields: inout FieldReader) { inviteId = fields.id("inviteId") }
}

struct ListMailInvites: Query {
    static let contract = Contract(
        "invites.sent", "/api/v1/invites/sent", access: .member(.invite), store: .directory,
        summary: "The invites that went out by mail, newest first, with what became of each.")
    typealias Result = Page<MailInvite>

    init(_ fields: inout FieldReader) {}
}

/// The SQL of mailed invites. The column `code` contains only the fingerprint of the token.
enum MailInviteRepository {
    static let mark = "sha256:"

    static func insert(
        _ id: UUID, to email: String, _ role: Role, as expected: UUID?, at classroomIds: [UUID], code: String,
        by personId: UUID, of orgId: UUID, at now: Date, until end: Date, in sql: any SQLWriting
    ) throws {
        try sql.execute(
            """
            INSERT INTO invites (id, org_id, code, role, person_id, classroom_ids, created_by, created_at,
                expires_at, email, sent_at, sendings)
            VALUES (\(id), \(orgId), \(code), \(role), \(expected), \(InviteRepository.text(classroomIds)),
                \(personId), \(now), \(end), \(email), \(now), 1)
            """)
    }

    /// Revokes the open invites of an address, because only the newest counts.
    /// - Parameter expected: the person of the school whom the invite is for. Earlier invites for the same person
    ///   stay valid, because they lead to the same membership.
    static func revokeOpen(
        _ email: String, as expected: UUID?, of orgId: UUID, at now: Date, in sql: any SQLWriting
    ) throws {
        let others: SQL = expected.map { "AND (person_id IS NULL OR person_id <> \($0))" } ?? ""
        try sql.execute(
            """
            UPDATE invites SET revoked_at = \(now) WHERE org_id = \(orgId) AND email = \(email)
                AND redeemed_at IS NULL AND revoked_at IS NULL \(others)
            """)
    }

    static func all(of orgId: UUID, at now: Date, limit: Int = 300, in sql: any SQLReading) throws -> [MailInvite] {
        try sql.rows(
            """
            SELECT * FROM invites WHERE org_id = \(orgId) AND email IS NOT NULL
            ORDER BY created_at DESC, id DESC LIMIT \(limit)
            """
        ).map { try invite($0, now) }
    }

    static func invite(_ id: UUID, of orgId: UUID, at now: Date, in sql: any SQLReading) throws -> MailInvite? {
        try sql.row("SELECT * FROM invites WHERE id = \(id) AND org_id = \(orgId) AND email IS NOT NULL")
            .map { try invite($0, now) }
    }

    /// Returns the person of the school whom the invite is for; `nil` for a new person.
    static func expected(_ id: UUID, in sql: any SQLReading) throws -> UUID? {
        try sql.value("SELECT person_id FROM invites WHERE id = \(id)")
    }

    static func renew(_ id: UUID, code: String, at now: Date, until end: Date, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            UPDATE invites SET code = \(code), sent_at = \(now), expires_at = \(end), sendings = sendings + 1
            WHERE id = \(id)
            """)
    }

    private static func invite(_ row: SQLRow, _ now: Date) throws -> MailInvite {
        let (accepted, revoked): (Date?, Date?) = (try row.optional("redeemed_at"), try row.optional("revoked_at"))
        let end: Date? = try row.optional("expires_at")
        let isOver = end.map { $0 <= now } ?? false
        return try MailInvite(
            id: row.get("id"), email: row.get("email"), role: row.get("role"), sentAt: row.get("sent_at"),
            sendings: row.get("sendings"), expiresAt: end, acceptedAt: accepted,
            acceptedBy: row.optional("redeemed_by"),
            state: accepted != nil ? .accepted : revoked != nil ? .revoked : isOver ? .expired : .sent)
    }
}

struct MailInviteHandlers: Sendable {
    let directory: any Database
    let letter: InviteLetter
    let classrooms: InviteClassrooms

    var queries: [QueryRegistration] {
        [
            .handle(ListMailInvites.self) { _, context in
                Page(items: try await all(context), next: nil)
            }
        ]
    }

    func all(_ context: RequestContext) async throws -> [MailInvite] {
        let (orgId, now) = (try context.membership.organization.id, context.now)
        return try await directory.read { try MailInviteRepository.all(of: orgId, at: now, in: $0) }
    }

    var commands: [CommandRegistration] {
        [
            .handle(
                SendInvites.self,
                prepare: { command, context in try await classrooms.check(command.classroomIds, context) },
                run: { command, _, context in
                    let membership = try context.membership
                    try allow(command.role, membership)
                    guard command.faults.isEmpty else { throw Problem.invalid(command.faults) }
                    let end = context.now.addingTimeInterval(Double(command.validDays) * 86_400)
                    for email in command.emails {
                        try letter.send(
                            to: email, command.role, at: command.classroomIds, until: end, in: &context)
                    }
                    context.feedback = Feedback(.toast, context.words("invites.mail.sent", command.emails.count))
                    return SendInvites.Result(sent: command.emails.count)
                }),
            .handle(ResendInvite.self) { command, context in
                let membership = try context.membership
                let orgId = membership.organization.id
                guard
                    let invite = try MailInviteRepository.invite(
                        command.inviteId, of: orgId, at: context.now, in: context.sql)
                else { throw Problem.notFound }
                try allow(invite.role, membership)
                guard invite.state == .sent || invite.state == .expired else {
                    throw Problem(409, "invites.closed")
                }
                guard invite.sendings < ResendInvite.limit else {
                    throw Problem(409, "invites.sentOften", [.number(ResendInvite.limit)])
                }
                try letter.sendAgain(
                    invite, until: context.now.addingTimeInterval(14 * 86_400), in: &context)
                context.feedback = Feedback(.toast, context.words("invites.mail.sent", 1))
                return Done()
            },
        ]
    }

    /// Throws unless the member may give the role. Nobody can give a role above their own.
    private func allow(_ role: Role, _ membership: ActiveMembership) throws {
        guard role != .superAdmin || membership.roles.contains(.superAdmin) else { throw Problem.notAllowed }
    }
}

/// Makes and mails invites, whose link works once.
public struct InviteLetter: Sendable {
    private let mailer: any Mailer
    private let hasher: any SecretHasher
    private let publicURL: String
    /// The limit of invites that one school mails in a day.
    private let limit = RateLimiter(limit: 300, period: 86_400)

    public init(mailer: any Mailer, hasher: any SecretHasher, publicURL: String) {
        self.mailer = mailer
        self.hasher = hasher
        self.publicURL = publicURL
    }

    /// Creates an invite in the directory and mails it. An open invite for the same address is revoked. The caller
    /// must check who may give the role.
    /// - Parameters:
    ///   - expected: the person of the school whom the invite is for.
    ///   - classroomIds: the classrooms in which the person will work.
    func send(
        to email: String, _ role: Role, as expected: UUID? = nil, at classroomIds: [UUID] = [], until end: Date,
        in context: inout CommandContext
    ) throws {
        let membership = try context.membership
        let orgId = membership.organization.id
        try take(orgId, context)
        let (id, token) = (context.newId(), InviteToken.make(context.ids))
        try MailInviteRepository.revokeOpen(email, as: expected, of: orgId, at: context.now, in: context.sql)
        try MailInviteRepository.insert(
            id, to: email, role, as: expected, at: classroomIds, code: fingerprint(token),
            by: membership.personId, of: orgId, at: context.now, until: end, in: context.sql)
        try post(token, to: email, role, as: expected, until: end, context)
        context.record(changed("invites.sent", id, role))
    }

    /// Sends an invite with a new link. The old link stops working.
    func sendAgain(_ invite: MailInvite, until end: Date, in context: inout CommandContext) throws {
        try take(context.membership.organization.id, context)
        let token = InviteToken.make(context.ids)
        try MailInviteRepository.renew(
            invite.id, code: fingerprint(token), at: context.now, until: end, in: context.sql)
        let expected = try MailInviteRepository.expected(invite.id, in: context.sql)
        try post(token, to: invite.email, invite.role, as: expected, until: end, context)
        context.record(changed("invites.resent", invite.id, invite.role))
    }

    private func take(_ orgId: UUID, _ context: CommandContext) throws {
        try limit.take(["mail \(orgId.text)"], at: context.now)
    }

    private func fingerprint(_ token: String) -> String { MailInviteRepository.mark + hasher.fingerprint(token) }

    /// Queues the mail, which is sent when the invite is on disk. The link is in no other place.
    private func post(
        _ token: String, to email: String, _ role: Role, as expected: UUID?, until end: Date,
        _ context: CommandContext
    ) throws {
        let membership = try context.membership
        let (words, school) = (context.words, membership.organization.name)
        let mail = Mail(
            to: email, subject: words("invites.mail.subject", school),
            text: words(
                "invites.mail.text", context.caller.account?.name ?? school, school,
                words("role.\(role.rawValue)"), "\(publicURL)/join/\(token)",
                words.dateAndTime(end, in: membership.timeZone)), schoolId: membership.organization.id,
            personId: expected)
        context.sql.afterCommit { [mailer] in mailer.post(mail) }
    }

    private func changed(_ kind: String, _ id: UUID, _ role: Role) -> Change {
        Change(
            kind, topics: ["invites"], audience: Audience.roles([.superAdmin, .admin]),
            payload: ["invite": id.text, "role": role.rawValue])
    }
}
