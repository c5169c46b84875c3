import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// Asks the named adults for help.
///
/// NB: It cannot wait on a device. A child would take a request for sent that nobody has.
struct AskForHelp: Command {
    static let contract = Contract(
        "wellness.askForHelp", "/api/v1/wellness/requests", access: .member(.checkIn), isCreation: true,
        summary: "Tells the adults whom the school named that the calling student would like help.")
    typealias Result = HelpRequest

    let note: String?

    init(_ fields: inout FieldReader) {
        note = fields.optionalText("note", max: HelpRequest.textLength, multiline: true)
    }
}

/// Tells a child that a request was seen.
struct MarkHelpSeen: Command {
    static let contract = Contract(
        "wellness.markSeen", "/api/v1/wellness/requests/{helpId}/seen", access: .member(.readSharedWellness),
        summary: "Tells the student that the caller has seen the request.")
    typealias Result = Done

    let helpId: UUID

    init(_ fields: inout FieldReader) { helpId = fields.id("helpId") }
}

/// Closes a request with words for the child.
struct CloseHelp: Command {
    static let contract = Contract(
        "wellness.close", "/api/v1/wellness/requests/{helpId}/close", access: .member(.readSharedWellness),
        summary: "Closes a request for help with a note that the student reads.")
    typealias Result = Done

    let helpId: UUID
    let answer: String

    init(_ fields: inout FieldReader) {
        helpId = fields.id("helpId")
        answer = fields.text("answer", max: HelpRequest.textLength, multiline: true)
    }
}

/// Lists the open requests for help.
struct ListHelpRequests: Query {
    static let contract = Contract(
        "wellness.requests", "/api/v1/wellness/requests", access: .member(.readSharedWellness),
        summary: "The open requests for help, for the adults whom the school named; empty for all others.")
    typealias Result = Page<HelpRequest>

    init(_ fields: inout FieldReader) {}
}

/// The endpoints and notifications of requests for help.
///
/// The change log has who asked, saw and closed, and when. It has no text.
struct HelpHandlers: Sendable {
    static let (asked, seen, closed) = ("wellness.helpAsked", "wellness.helpSeen", "wellness.helpClosed")

    let access: WellnessAccess

    var queries: [QueryRegistration] {
        [
            .handle(ListHelpRequests.self) { _, context in
                let membership = try context.membership
                return try await context.school.read { sql in
                    guard try access.isContact(membership, in: sql) else { return Page(items: [], next: nil) }
                    return Page(items: try HelpRepository.open(in: sql), next: nil)
                }
            }
        ]
    }

    /// The adults who are told of a request now: those whom the school named, as far as they are still staff.
    func contacts(_ context: RequestContext) async throws -> Set<UUID> {
        let named = try await context.school.read { try ContactRepository.contacts(in: $0) }
        return try await access.staff(among: named, in: context.membership.organization.id)
    }

    /// A request that the caller may deal with. Throws `Problem.notFound` for all others.
    func request(_ id: UUID, for membership: ActiveMembership, in sql: any SQLReading) throws -> HelpRequest {
        guard try access.isContact(membership, in: sql), let found = try HelpRepository.request(id, in: sql),
            found.personId != membership.personId
        else { throw Problem.notFound }
        return found
    }

    var commands: [CommandRegistration] {
        [
            .handle(
                AskForHelp.self, prepare: { _, context in try await contacts(context) },
                run: { command, contacts, context in
                    let me = try context.membership.personId
                    guard try WellnessSettings.read(in: context.sql).isOn else {
                        throw Problem(409, "wellness.off")
                    }
                    guard !contacts.isEmpty else { throw Problem(409, "wellness.nobodyNamed") }
                    if let last = try HelpRepository.last(of: me, in: context.sql), last.closedAt == nil {
                        throw Problem(409, "wellness.alreadyAsked")
                    }
                    let (id, told) = (context.newId(), contacts.sorted())
                    try HelpRepository.insert(
                        id, of: me, note: command.note ?? "", telling: told, at: context.now, in: context.sql)
                    context.record(
                        Change(
                            Self.asked, topics: [WellnessTopic.requests, WellnessTopic.of(me)],
                            audience: (told + [me]).map(Audience.person), payload: ["request": id.text]))
                    context.destination = HelpScreens.path
                    context.feedback = Feedback(.toast, context.words("wellness.help.sent"))
                    guard let made = try HelpRepository.request(id, in: context.sql) else { throw Problem.notFound }
                    return made
                }),
            .handle(MarkHelpSeen.self, prepare: { try await contacts($1) }) { command, contacts, context in
                let membership = try context.membership
                let one = try request(command.helpId, for: membership, in: context.sql)
                if try HelpRepository.markSeen(
                    one.id, by: membership.personId, at: context.now, in: context.sql)
                {
                    context.record(Self.change(Self.seen, one, for: contacts))
                }
                context.feedback = Feedback(.toast, context.words("wellness.help.markedSeen"))
                return Done()
            },
            .handle(CloseHelp.self, prepare: { try await contacts($1) }) { command, contacts, context in
                let membership = try context.membership
                let one = try request(command.helpId, for: membership, in: context.sql)
                guard one.closedAt == nil else { throw Problem(409, "wellness.alreadyClosed") }
                _ = try HelpRepository.markSeen(
                    one.id, by: membership.personId, at: context.now, in: context.sql)
                try HelpRepository.close(
                    one.id, by: membership.personId, saying: command.answer, at: context.now, in: context.sql)
                context.record(Self.change(Self.closed, one, for: contacts))
                context.feedback = Feedback(.toast, context.words("wellness.help.closedNow"))
                return Done()
            },
        ]
    }

    /// A change that concerns the child and the pages of the named adults who are still staff.
    private static func change(_ kind: String, _ one: HelpRequest, for contacts: Set<UUID>) -> Change {
        Change(
            kind, topics: [WellnessTopic.requests, WellnessTopic.of(one.personId)],
            audience: ([one.personId] + contacts.sorted()).map(Audience.person),
            payload: ["request": one.id.text])
    }

    // MARK: - Notifications

    /// A notification names no child, because a locked phone shows it; the page names the child.
    var notifications: [NotificationKind] {
        [
            NotificationKind(Self.asked, icon: .heart) { logged, context in
                let membership = try context.membership
                guard let id = logged.change.payload["request"].flatMap(UUID.init(text:)) else {
                    return (context.words("wellness.notification.gone"), nil)
                }
                let isMine = try await context.school.read { sql in
                    try access.isContact(membership, in: sql) && HelpRepository.request(id, in: sql) != nil
                }
                return isMine
                    ? (context.words("wellness.notification.asked"), HelpScreens.path(id))
                    : (context.words("wellness.notification.gone"), nil)
            },
            reaction(Self.seen), reaction(Self.closed),
        ]
    }

    /// What the child and the other named adults learn.
    private func reaction(_ kind: String) -> NotificationKind {
        let end = kind == Self.seen ? "seen" : "closed"
        return NotificationKind(kind, icon: .heart) { logged, context in
            let (membership, words) = (try context.membership, context.words)
            guard let id = logged.change.payload["request"].flatMap(UUID.init(text:)) else {
                return (words("wellness.notification.gone"), nil)
            }
            return try await context.school.read { sql in
                guard let one = try HelpRepository.request(id, in: sql) else {
                    return (words("wellness.notification.gone"), nil)
                }
                let name = try logged.actorId.flatMap {
                    try access.names([$0], of: membership.organization.id, in: sql)[$0]?.name.display
                }
                let who = name ?? words("wellness.formerMember")
                if one.personId == membership.personId {
                    return (words("wellness.notification.\(end)", who), HelpScreens.path)
                }
                guard try access.isContact(membership, in: sql) else {
                    return (words("wellness.notification.gone"), nil)
                }
                return (words("wellness.notification.\(end)ByOther", who), HelpScreens.path(id))
            }
        }
    }
}
