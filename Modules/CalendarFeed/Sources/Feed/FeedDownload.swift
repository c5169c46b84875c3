import CalendarFeedInterface
import Domain
import FeatureKit
import Foundation

/// The feed itself: a file that calendar apps read without a session, by the secret in its address.
struct FeedDownload: Sendable {
    static let folder = "/calendar"

    /// Calendar apps read a feed every few minutes at most. Five people on one network do so side by side.
    private static let readsPerHour = 120
    /// Unknown addresses that one network may ask for in five minutes.
    private static let unknownLimit = 30

    let sources: [any CalendarSource]
    let directory: any Database
    let memberships: any MembershipResolver
    let hasher: any SecretHasher
    let publicURL: String
    private let reads = RateLimiter(limit: readsPerHour, period: 3600)
    private let unknown = RateLimiter(limit: unknownLimit, period: 300)

    init(
        sources: [any CalendarSource], directory: any Database, memberships: any MembershipResolver,
        hasher: any SecretHasher, publicURL: String
    ) {
        self.sources = sources
        self.directory = directory
        self.memberships = memberships
        self.hasher = hasher
        self.publicURL = publicURL
    }

    /// The address of a feed with a secret.
    static func address(of secret: String, at publicURL: String) -> String { "\(publicURL)\(folder)/\(secret).ics" }

    var route: DownloadRoute {
        DownloadRoute(
            "\(Self.folder)/{file}", access: .member(.belong),
            bearer: { parameters, context in try await holder(parameters["file"] ?? "", context) },
            { _, context in try await file(context) })
    }

    // MARK: - The person

    /// The person whose feed has an address. Throws `Problem.notFound` for an unknown one, and for that of a person who
    /// has left the school.
    private func holder(_ file: String, _ context: RequestContext) async throws -> AddressHolder {
        let secret = String(file.dropLast(4))
        let fingerprint = hasher.fingerprint(secret)
        guard file.hasSuffix(".ics"), FeedSecret.isWellFormed(secret),
            let holder = try await directory.read({ try CalendarFeedRepository.holder(fingerprint, in: $0) })
        else {
            // Counted after the look, so that nobody on the same network loses a feed by another's tries.
            try unknown.take([context.remoteAddress], at: context.now)
            throw Problem.notFound
        }
        try reads.take([fingerprint], at: context.now)
        guard let membership = try await memberships.activeMembership(of: account(holder, isToken: true)),
            membership.organization.id == holder.organizationId, membership.personId == holder.personId
        else { throw Problem.notFound }
        return AddressHolder(
            caller: Caller(account: account(holder, isToken: false), membership: membership),
            language: holder.language)
    }

    /// The account of a feed. As that of a token it belongs to one school, whichever is active elsewhere.
    private func account(_ holder: FeedHolder, isToken: Bool) -> SignedInAccount {
        SignedInAccount(
            id: holder.accountId, sessionId: holder.id, deviceId: holder.id, email: "", name: "",
            hasSecondFactor: holder.hasSecondFactor,
            token: isToken ? TokenRights(scopes: [], organizationId: holder.organizationId) : nil)
    }

    // MARK: - The file

    private func file(_ context: RequestContext) async throws -> DownloadedFile {
        let (membership, words, today, now) = (
            try context.membership, context.words, context.today, context.now
        )
        let (person, window) = (membership.personId, FeedWindow.days(around: today))
        let school = try context.school
        let (events, read) = try await school.read { sql in
            (
                try sources.flatMap { try $0.events(for: membership, on: window, words, in: sql) },
                try EventVersionRepository.versions(of: person, in: sql)
            )
        }
        let writer = EventWriter(timeZone: membership.timeZone, publicURL: publicURL)
        let written = FeedWindow.sorted(events).map(writer.write)
        let fingerprints = written.map { hasher.fingerprint(String(decoding: $0.content.bytes, as: UTF8.self)) }
        var versions = EventVersions(written, fingerprints: fingerprints, read: read, today: today, at: now)
        if !versions.changed.isEmpty || !versions.over.isEmpty {
            // conformance: allow write - notes what a calendar has read, so that it learns of changes; no command asks
            versions = try await school.write { sql in
                let versions = EventVersions(
                    written, fingerprints: fingerprints,
                    read: try EventVersionRepository.versions(of: person, in: sql),
                    today: today, at: now)
                try EventVersionRepository.save(versions, of: person, in: sql)
                return versions
            }
        }
        let file = CalendarFile(
            title: membership.organization.name, schoolId: membership.organization.id,
            timeZone: membership.timeZone, days: FeedWindow.span(of: events, window),
            canceled: words("calendarFeed.cancelled"))
        let bytes = file.bytes(
            written.compactMap { event in versions.current[event.id].map { (event, $0) } },
            canceled: versions.canceled)
        return DownloadedFile(
            bytes, mark: hasher.fingerprint(String(decoding: bytes, as: UTF8.self)),
            contentType: "text/calendar; charset=utf-8")
    }
}

/// The days of a feed.
enum FeedWindow {
    /// From the beginning of the month three months ago through the end of the same month next year. Whole months, so
    /// that an event without an end is a new version once a month and not every day.
    static func days(around today: Day) -> ClosedRange<Day> {
        first(ofMonth: today.month - 3, today.year)...first(ofMonth: today.month + 13, today.year).adding(days: -1)
    }

    private static func first(ofMonth month: Int, _ year: Int) -> Day {
        let months = year * 12 + month - 1
        return Day(year: months / 12, month: months % 12 + 1, day: 1) ?? Day(number: 0)
    }

    /// The window with the days of events that reach beyond it.
    static func span(of events: [CalendarEvent], _ window: ClosedRange<Day>) -> ClosedRange<Day> {
        events.reduce(window) { span, event in
            guard case .weekly(let weekly) = event.time else { return span }
            return min(span.lowerBound, weekly.first)...max(span.upperBound, weekly.last)
        }
    }

    /// The events by id, each once.
    static func sorted(_ events: [CalendarEvent]) -> [CalendarEvent] {
        var seen: Set<String> = []
        return events.sorted { $0.id < $1.id }.filter { seen.insert($0.id).inserted }
    }
}
