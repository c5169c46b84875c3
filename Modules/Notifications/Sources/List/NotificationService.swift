import Domain
import FeatureKit
import Foundation
import ScreenKit
import Synchronization

/// Reads a person's notifications from the change log.
final class NotificationService: Sendable {
    /// The highest count of unread notifications that is shown.
    static let unreadLimit = 20

    let kinds: [String: NotificationKind]
    private let audiences: [AudienceSource]
    /// The unread count of each person at a number of the change log, so that a page reads the log only after a change.
    private let counts = Mutex<[UUID: (seq: Int64, count: Int)]>([:])

    init(kinds: [NotificationKind], audiences: [AudienceSource]) {
        self.kinds = Dictionary(kinds.map { ($0.kind, $0) }, uniquingKeysWith: { first, _ in first })
        self.audiences = audiences
    }

    /// Returns the caller's newest notifications.
    func list(limit: Int, _ context: RequestContext) async throws -> [NotificationItem] {
        let membership = try context.membership
        let (changes, read) = try await context.school.read { [self] sql in
            (
                try relevant(to: membership, limit: limit, in: sql),
                try NotificationRepository.read(by: membership.personId, in: sql)
            )
        }
        var items: [NotificationItem] = []
        for logged in changes {
            guard let kind = kinds[logged.change.kind] else { continue }
            let (text, path) = try await kind.show(logged, context)
            items.append(
                NotificationItem(
                    seq: logged.seq, at: logged.at, kind: kind.kind, category: kind.category, text: text,
                    path: path,
                    icon: kind.icon, isUnread: !read.contains(logged.seq)))
        }
        return items
    }

    /// Returns the number of the caller's unread notifications, at most ``unreadLimit``.
    func unread(_ context: RequestContext) async throws -> Int {
        let membership = try context.membership
        let seq = context.latestChange ?? 0
        if let known = counts.withLock({ $0[membership.personId] }), known.seq == seq { return known.count }
        let count = try await context.school.read { [self] in try unread(by: membership, in: $0) }
        counts.withLock { counts in
            if counts.count > 20_000 { counts.removeAll() }
            counts[membership.personId] = (seq, count)
        }
        return count
    }

    /// Counts the unread among a person's newest ``unreadLimit`` notifications.
    func unread(by membership: ActiveMembership, in sql: any SQLReading) throws -> Int {
        let read = try NotificationRepository.read(by: membership.personId, in: sql)
        return try relevant(to: membership, limit: Self.unreadLimit, in: sql).count { !read.contains($0.seq) }
    }

    /// Marks notifications as read. Throws `Problem.notFound` for a number that is not among the caller's newest 100.
    func markRead(_ numbers: [Int64], in context: CommandContext) throws {
        let membership = try context.membership
        let known = try Set(relevant(to: membership, limit: 100, in: context.sql).map(\.seq))
        guard known.isSuperset(of: numbers) else { throw Problem.notFound }
        for seq in numbers { try NotificationRepository.markRead(seq, by: membership.personId, in: context.sql) }
        context.sql.afterCommit { [self] in removeCachedCount(of: membership.personId) }
    }

    /// Removes the cached unread count of a person.
    func removeCachedCount(of personId: UUID) { counts.withLock { $0[personId] = nil } }

    /// The newest changes of known kinds that a person may see and did not make.
    func relevant(
        to membership: ActiveMembership, limit: Int, in sql: any SQLReading
    ) throws -> [LoggedChange] {
        guard !kinds.isEmpty else { return [] }
        let latest = try ChangeLog.latest(kinds: Array(kinds.keys), limit: limit * 4, in: sql)
        return Array(try concerning(latest, membership, in: sql).prefix(limit))
    }

    /// The changes that a person may see and did not make.
    func concerning(
        _ changes: [LoggedChange], _ membership: ActiveMembership, in sql: any SQLReading
    ) throws -> [LoggedChange] {
        let mine = try audiences.all(for: membership, in: sql)
        return changes.filter {
            $0.actorId != membership.personId && !mine.isDisjoint(with: $0.change.audience)
        }
    }
}

/// Which notifications a person has read.
struct ReadNotifications: Sendable, Hashable {
    /// All up to and including this number of the change log.
    let through: Int64
    /// Numbers after `through` that were read one by one.
    let single: Set<Int64>

    func contains(_ seq: Int64) -> Bool { seq <= through || single.contains(seq) }
}

/// Reads and writes in the school's database what each person has read.
enum NotificationRepository {
    static let migrations = [
        Migration(
            "001-seen",
            """
            CREATE TABLE notifications_seen (
                person_id TEXT PRIMARY KEY,
                seq BIGINT NOT NULL
            );
            """),
        ChoicesRepository.migration,
        Migration(
            "003-read",
            """
            CREATE TABLE notifications_read (
                person_id TEXT NOT NULL,
                seq BIGINT NOT NULL,
                PRIMARY KEY (person_id, seq)
            );
            """),
        CursorRepository.migration,
    ]

    static func read(by personId: UUID, in sql: any SQLReading) throws -> ReadNotifications {
        let single = try sql.rows("SELECT seq FROM notifications_read WHERE person_id = \(personId)")
        return try ReadNotifications(
            through: sql.value("SELECT seq FROM notifications_seen WHERE person_id = \(personId)") ?? 0,
            single: Set(single.map { try $0.get("seq") }))
    }

    /// Marks everything up to a number as read.
    static func setSeen(_ seq: Int64, by personId: UUID, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO notifications_seen (person_id, seq) VALUES (\(personId), \(seq))
            ON CONFLICT (person_id) DO UPDATE SET seq = excluded.seq
            """)
        try sql.execute("DELETE FROM notifications_read WHERE person_id = \(personId) AND seq <= \(seq)")
    }

    static func markRead(_ seq: Int64, by personId: UUID, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO notifications_read (person_id, seq) VALUES (\(personId), \(seq))
            ON CONFLICT (person_id, seq) DO NOTHING
            """)
    }
}
