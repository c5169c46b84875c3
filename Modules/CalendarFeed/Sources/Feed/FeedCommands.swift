import Domain
import FeatureKit
import Foundation

struct ReadCalendarFeed: Query {
    static let contract = Contract(
        "calendarFeed.read", "/api/v1/calendar-feed", access: .member(.belong), store: .directory,
        summary: "Whether the caller has a calendar feed in the active school, and since when.")

    struct Result: Codable, Sendable, Hashable {
        /// The feed; `nil` if there is none.
        let feed: CalendarFeed?
    }

    init(_ fields: inout FieldReader) {}
}

struct CreateCalendarFeed: Command {
    static let contract = Contract(
        "calendarFeed.create", "/api/v1/calendar-feed", access: .member(.belong), store: .directory,
        isCreation: true, replay: .natural,
        summary: """
            Makes the address of the caller's calendar feed out of a secret that the caller chose at random, 43 \
            characters of URL-safe Base64; an earlier address ends. Only its fingerprint is stored. The feed is at \
            `/calendar/{secret}.ics`.
            """)
    typealias Result = CalendarFeed

    let feedSecret: String

    init(_ fields: inout FieldReader) {
        // The secret does nothing before the command has run, so a refused form may show it again.
        feedSecret = fields.text("feedSecret", max: FeedSecret.length)
        fields.refuse("feedSecret", "calendarFeed.secret", unless: FeedSecret.isWellFormed(feedSecret))
    }
}

struct RevokeCalendarFeed: Command {
    static let contract = Contract(
        "calendarFeed.revoke", "/api/v1/calendar-feed/revoke", access: .member(.belong), store: .directory,
        replay: .natural, summary: "Ends the address of the caller's calendar feed. Repeating it changes nothing.")
    typealias Result = Done

    init(_ fields: inout FieldReader) {}
}

/// The handlers of a person's own feed.
struct FeedHandlers: Sendable {
    static let topic = "calendar-feed"

    let hasher: any SecretHasher

    var queries: [QueryRegistration] {
        [.handle(ReadCalendarFeed.self) { _, context in .init(feed: try await feed(context)) }]
    }

    var commands: [CommandRegistration] {
        [
            .handle(CreateCalendarFeed.self) { command, context in
                let (account, membership) = (try context.account, try context.membership)
                let holder = FeedHolder(
                    id: context.newId(), accountId: account.id, organizationId: membership.organization.id,
                    personId: membership.personId, hasSecondFactor: account.hasSecondFactor,
                    language: context.words.language, createdAt: context.now)
                try CalendarFeedRepository.save(
                    holder, fingerprint: hasher.fingerprint(command.feedSecret), in: context.sql)
                context.record(change("calendarFeed.created", membership))
                context.destination = FeedScreen.path
                context.feedback = Feedback(.toast, context.words("calendarFeed.said.created"))
                return CalendarFeed(createdAt: holder.createdAt)
            },
            .handle(
                RevokeCalendarFeed.self, prepare: { _, _ in },
                run: { _, _, context in
                    let (account, membership) = (try context.account, try context.membership)
                    if try CalendarFeedRepository.remove(
                        of: account.id, in: membership.organization.id, context.sql)
                    {
                        context.record(change("calendarFeed.revoked", membership))
                    }
                    context.destination = FeedScreen.path
                    context.feedback = Feedback(.toast, context.words("calendarFeed.said.revoked"))
                    return Done()
                },
                finish: { _, _, context in
                    let personId = try context.membership.personId
                    // conformance: allow write - the school's half of the command; safe to repeat
                    try await context.school.write { try EventVersionRepository.removeAll(of: personId, in: $0) }
                }),
        ]
    }

    private func change(_ kind: String, _ membership: ActiveMembership) -> Change {
        Change(kind, topics: [Self.topic], audience: [.person(membership.personId)], payload: [:])
    }

    func feed(_ context: RequestContext) async throws -> CalendarFeed? {
        let (account, membership) = (try context.account, try context.membership)
        return try await context.directory.read {
            try CalendarFeedRepository.feed(of: account.id, in: membership.organization.id, $0)
        }
    }
}
