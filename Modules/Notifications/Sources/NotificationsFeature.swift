import DesignSystem
import Domain
public import FeatureKit
import Foundation
import Synchronization

/// One thing that happened in the caller's school, told in a sentence.
struct NotificationItem: Codable, Sendable, Hashable {
    let seq: Int64
    let at: Date
    let text: String
    let path: String?
    let icon: String
    let isUnread: Bool
}

struct ListNotifications: Query {
    static let contract = Contract(
        "notifications.list", "/api/v1/notifications", access: .member(.belong),
        summary: "What happened lately that concerns the caller, newest first.")
    typealias Result = Page<NotificationItem>

    let limit: Int

    init(_ fields: inout FieldReader) { limit = fields.integer("limit", in: 1...100, default: 50) }
}

struct MarkNotificationsRead: Command {
    static let contract = Contract(
        "notifications.markRead", "/api/v1/notifications/read", access: .member(.belong),
        summary: "Takes everything up to now as read by the caller.")
    typealias Result = Done

    init(_ fields: inout FieldReader) {}
}

/// The block: a list that reads the change log, and how far each person has read.
public enum NotificationsFeature {
    /// - Parameters:
    ///   - kinds: the kinds of change that people are told about, from all blocks.
    ///   - audiences: who belongs to which audience, from all blocks.
    public static func make(kinds: [NotificationKind], audiences: [AudienceSource]) throws -> Feature {
        let service = NotificationService(kinds: kinds, audiences: audiences)
        var feature = Feature("Notifications", catalog: try StringCatalog(in: .module))
        feature.schoolMigrations = NotificationRepository.migrations
        feature.records = NotificationRecordStore.kinds
        feature.queries = [
            .handle(ListNotifications.self) { query, context in
                Page(items: try await service.list(limit: query.limit, context), next: nil)
            }
        ]
        feature.commands = [
            .handle(MarkNotificationsRead.self) { _, context in
                let membership = try context.membership
                try NotificationRepository.setSeen(
                    ChangeLog.latest(in: context.sql), by: membership.personId, in: context.sql)
                context.sql.afterCommit { service.forget(membership.personId) }
                return Done()
            }
        ]
        feature.screens = [
            ScreenRoute("/notifications", access: .member(.belong)) { request in
                .screen(try await screen(service, request))
            }
        ]
        feature.unread = { context in try await service.unread(context) }
        return feature
    }

    private static func screen(_ service: NotificationService, _ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let all = try await service.list(limit: 50, request.context)
        let timeZone = try request.context.membership.timeZone
        let unread = all.count(where: \.isUnread)
        guard !all.isEmpty else {
            return Screen(
                title: words("notifications.title"), live: ["changes"],
                body: [
                    .empty(
                        PTEmptyState(
                            icon: .bell, title: words("notifications.none"), message: words("notifications.noneTip")
                        ))
                ])
        }
        let markRead = PTButton(
            title: words("notifications.markRead"), role: .quiet,
            action: .perform(request.call(MarkNotificationsRead.self)))
        let onlyNew = request.query["only"] == "new"
        let shown = onlyNew ? all.filter(\.isUnread) : all
        var body: [Component] = [
            .segments(
                PTSegmentedControl(
                    label: words("notifications.filter"),
                    segments: [
                        .init(title: words("notifications.all"), path: "/notifications", isSelected: !onlyNew),
                        .init(
                            title: words("notifications.onlyNew"), path: "/notifications?only=new",
                            isSelected: onlyNew),
                    ])),
            .sectionHeader(
                PTSectionHeader(
                    title: words("notifications.unread", unread), action: unread > 0 ? markRead : nil)),
        ]
        if shown.isEmpty {
            body.append(
                .empty(
                    PTEmptyState(
                        icon: .checks, title: words("notifications.noneNew"),
                        message: words("notifications.noneNewTip"))))
        }
        for (day, items) in days(of: shown, in: timeZone) {
            body.append(
                .section(
                    PTSection(
                        title: title(of: day, request),
                        body: [.list(PTList(cells: items.map { cell($0, timeZone, words) }))])))
        }
        return Screen(title: words("notifications.title"), live: ["changes"], body: body)
    }

    /// The items by the day on which they happened in the school, in their order.
    private static func days(
        of items: [NotificationItem], in timeZone: TimeZone
    ) -> [(day: Day, items: [NotificationItem])] {
        items.reduce(into: []) { days, item in
            let day = Day(item.at, in: timeZone)
            if days.last?.day == day { days[days.count - 1].items.append(item) } else { days.append((day, [item])) }
        }
    }

    private static func title(of day: Day, _ request: ScreenRequest) -> String {
        let today = request.context.today
        if day == today { return request.words("notifications.today") }
        if day == today.adding(days: -1) { return request.words("notifications.yesterday") }
        return request.words.longDate(day)
    }

    private static func cell(_ item: NotificationItem, _ timeZone: TimeZone, _ words: Words) -> PTListCell {
        PTListCell(
            id: String(item.seq), leading: .icon(PTIcon(rawValue: item.icon) ?? .bell, tint: .sky),
            title: item.text, subtitle: words.time(item.at, in: timeZone),
            dot: item.isUnread ? .init(tone: .unread, spoken: words("notifications.new")) : nil,
            isEmphasized: item.isUnread, trailing: item.path == nil ? [] : [.chevron],
            action: item.path.map(PTAction.open))
    }
}

/// Reads notifications out of the change log.
final class NotificationService: Sendable {
    /// More unread things than this are told as this many.
    static let unreadLimit = 20

    private let kinds: [String: NotificationKind]
    private let audiences: [AudienceSource]
    /// The count at a place in the log, so that a page asks the log only after something happened.
    private let counts = Mutex<[UUID: (seq: Int64, count: Int)]>([:])

    init(kinds: [NotificationKind], audiences: [AudienceSource]) {
        self.kinds = Dictionary(kinds.map { ($0.kind, $0) }, uniquingKeysWith: { first, _ in first })
        self.audiences = audiences
    }

    func list(limit: Int, _ context: RequestContext) async throws -> [NotificationItem] {
        let membership = try context.membership
        let (changes, seen) = try await context.school.read { [self] sql in
            (
                try relevant(to: membership, limit: limit, in: sql),
                try NotificationRepository.seen(by: membership.personId, in: sql)
            )
        }
        var items: [NotificationItem] = []
        for logged in changes {
            guard let kind = kinds[logged.change.kind] else { continue }
            let (text, path) = try await kind.show(logged, context)
            items.append(
                NotificationItem(
                    seq: logged.seq, at: logged.at, text: text, path: path, icon: kind.icon,
                    isUnread: logged.seq > seen))
        }
        return items
    }

    func unread(_ context: RequestContext) async throws -> Int {
        let membership = try context.membership
        let seq = context.latestChange ?? 0
        if let known = counts.withLock({ $0[membership.personId] }), known.seq == seq { return known.count }
        let now = try await context.school.read { [self] sql -> (seq: Int64, count: Int) in
            let seen = try NotificationRepository.seen(by: membership.personId, in: sql)
            return (seq, try relevant(to: membership, limit: Self.unreadLimit, in: sql).count { $0.seq > seen })
        }
        counts.withLock { counts in
            if counts.count > 20_000 { counts.removeAll() }
            counts[membership.personId] = now
        }
        return now.count
    }

    func forget(_ personId: UUID) { counts.withLock { $0[personId] = nil } }

    /// The newest changes that are told, that this person may know of, and that somebody else made.
    private func relevant(
        to membership: ActiveMembership, limit: Int, in sql: any SQLReading
    ) throws -> [LoggedChange] {
        guard !kinds.isEmpty else { return [] }
        let mine = try audiences.all(for: membership, in: sql)
        return try ChangeLog.latest(kinds: Array(kinds.keys), limit: limit * 4, in: sql)
            .filter { $0.actorId != membership.personId && !mine.isDisjoint(with: $0.change.audience) }
            .prefix(limit).map { $0 }
    }
}

/// The SQL of how far each person has read.
enum NotificationRepository {
    static let migrations = [
        Migration(
            "001-seen",
            """
            CREATE TABLE notifications_seen (
                person_id TEXT PRIMARY KEY,
                seq BIGINT NOT NULL
            );
            """)
    ]

    static func seen(by personId: UUID, in sql: any SQLReading) throws -> Int64 {
        try sql.value("SELECT seq FROM notifications_seen WHERE person_id = \(personId)") ?? 0
    }

    static func setSeen(_ seq: Int64, by personId: UUID, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO notifications_seen (person_id, seq) VALUES (\(personId), \(seq))
            ON CONFLICT (person_id) DO UPDATE SET seq = excluded.seq
            """)
    }
}
