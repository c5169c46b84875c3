import DesignSystem
import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import NotificationsInterface
import ScreenKit
import TestKit
import Testing

@testable import Notifications

@Suite("Notifications")
struct NotificationsTests {
    let school: TestSchool
    let feature: Feature
    let guide: Caller
    let colleague: Caller

    init() async throws {
        feature = try NotificationsFeature.make(
            kinds: [
                NotificationKind("things.happened", icon: .people) { logged, _ in
                    ("Told: \(logged.change.payload["what"] ?? "?")", "/things")
                },
                NotificationKind("things.quiet", icon: .door) { _, _ in ("Quiet", nil) },
            ],
            audiences: [
                AudienceSource { membership, _ in
                    membership.roles.contains(.guide) ? [Audience("room:1")] : []
                }
            ], catalogs: [], push: SilentPush.ports)
        school = try await TestSchool([feature])
        guide = school.makeCaller(.guide)
        colleague = school.makeCaller(.guide)
    }

    func happen(
        _ what: String, by actor: Caller?, to audience: [Audience] = [.school], kind: String = "things.happened"
    ) async throws {
        let now = school.clock.now
        let (hub, schoolId) = (school.environment.hub, school.organization.id)
        try await school.database.write { sql in
            let logged = try ChangeLog.append(
                [Change(kind, topics: ["things"], audience: audience, payload: ["what": what])], at: now,
                actor: actor?.membership?.personId, in: sql)
            sql.afterCommit { hub.publish(logged, of: schoolId) }
        }
    }

    func list(for caller: Caller) async throws -> [NotificationItem] {
        try await school.answer(ListNotifications.self, as: caller).items
    }

    func unread(_ caller: Caller) async throws -> Int {
        let count = try #require(feature.notifications.unread)
        return try await count(school.context(of: caller))
    }

    @Test(
        "a person is notified of what others did, newest first, and not of their own actions",
        .requirement("BY-1.10.b"))
    func ownActions() async throws {
        try await happen("first", by: colleague)
        try await happen("mine", by: guide)
        try await happen("second", by: colleague)
        try await happen("of the system", by: nil)
        #expect(try await list(for: guide).map(\.text) == ["Told: of the system", "Told: second", "Told: first"])
        #expect(try await list(for: colleague).map(\.text) == ["Told: of the system", "Told: mine"])
        #expect(try await unread(guide) == 3)
    }

    @Test("only people whom a change concerns are notified, and only of kinds that notify")
    func audience() async throws {
        let admin = school.makeCaller(.admin)
        try await happen("room", by: nil, to: [Audience("room:1")])
        try await happen("other room", by: nil, to: [Audience("room:2")])
        try await happen("admins", by: nil, to: [.role(.admin)])
        try await happen("personal", by: nil, to: [.person(try #require(guide.membership).personId)])
        try await happen("unknown kind", by: nil, kind: "attendance.marked")
        #expect(try await list(for: guide).map(\.text) == ["Told: personal", "Told: room"])
        #expect(try await list(for: colleague).map(\.text) == ["Told: room"])
        #expect(try await list(for: admin).map(\.text) == ["Told: admins"])
        #expect(try await list(for: school.makeCaller(.parent)).isEmpty)
        #expect(try await unread(guide) == 2)
        #expect(try await unread(school.makeCaller(.parent)) == 0)
    }

    @Test("marking all as read applies to one person and to what happened so far")
    func markRead() async throws {
        try await happen("first", by: nil)
        #expect(try await unread(guide) == 1)
        #expect(try await list(for: guide).map(\.isUnread) == [true])
        for _ in 0..<2 { try await school.execute(MarkNotificationsRead.self, as: guide) }
        #expect(try await unread(guide) == 0)
        #expect(try await list(for: guide).map(\.isUnread) == [false])
        #expect(try await unread(colleague) == 1)
        try await happen("second", by: nil)
        #expect(try await unread(guide) == 1)
        #expect(try await list(for: guide).map(\.isUnread) == [true, false])
    }

    @Test("the bell counts up to twenty, and the list has the length that was asked for")
    func limits() async throws {
        for number in 0..<30 { try await happen("\(number)", by: nil) }
        #expect(try await unread(guide) == 20)
        let three = try await school.answer(ListNotifications.self, ["limit": "3"], as: guide).items
        #expect(three.map(\.text) == ["Told: 29", "Told: 28", "Told: 27"])
        #expect(
            try await problem {
                _ = try await school.answer(ListNotifications.self, ["limit": "101"], as: guide)
            }?.faults.map(\.field) == ["limit"])
    }

    @Test("an account is not notified of another school's changes", .requirement("PT-2M.05.a"))
    func wall() async throws {
        let elsewhere = try await school.environment.makeSchool("Birch")
        try await happen("here", by: nil)
        let there = elsewhere.makeCaller(.guide, personId: guide.membership?.personId, account: guide.account)
        #expect(try await elsewhere.answer(ListNotifications.self, as: there).items.isEmpty)
        #expect(try await list(for: guide).count == 1)
    }

    @Test(
        "an unread notification has a dot and the word New, and the list offers to mark it as read",
        .requirement("PT-3.41.a"))
    func page() async throws {
        let empty = try await school.environment.outline("/notifications", as: guide)
        #expect(empty.contains("! empty: No notifications · Notifications for you will appear here."))
        try await happen("first", by: colleague)
        let outline = try await school.environment.outline("/notifications", as: guide)
        #expect(outline.contains("## 1 new"))
        #expect(outline.contains("[Mark all as read] -> POST /api/v1/notifications/read"))
        let row = outline.lines.map { $0.trimmingCharacters(in: .whitespaces) }.first { $0.hasPrefix("- ") } ?? ""
        #expect(row.hasPrefix("- Told: first · "))
        #expect(row.hasSuffix("(New) -> /things"))
        let french = try await school.environment.outline("/notifications", as: guide, language: .french)
        #expect(french.contains("[Tout marquer comme lu]"))
        try await school.execute(MarkNotificationsRead.self, as: guide)
        let read = try await school.environment.outline("/notifications", as: guide)
        #expect(!read.contains("(New)"))
        #expect(!read.contains("Mark all as read"))
    }

    @Test(
        "notifications are grouped by the school's day and can be narrowed to unread ones",
        .requirement("PT-3.42.a", "PT-3.42.c"))
    func groupedByDay() async throws {
        try await happen("long ago", by: colleague)
        school.clock.advance(by: 5 * 86_400)
        try await happen("yesterday", by: colleague)
        try await school.execute(MarkNotificationsRead.self, as: guide)
        school.clock.advance(by: 86_400)
        try await happen("this morning", by: colleague)
        try await happen("just now", by: colleague)
        let all = try await school.environment.outline("/notifications", as: guide)
        let order = [
            "## Today", "Told: just now", "Told: this morning", "## Yesterday", "Told: yesterday", "## ",
            "Told: long ago",
        ]
        let text = all.lines.joined(separator: "\n")
        var rest = text[...]
        for part in order {
            let found = try #require(rest.range(of: part), "\(part) is missing or out of order in\n\(text)")
            rest = rest[found.upperBound...]
        }
        let new = try await school.environment.outline("/notifications", as: guide, query: ["only": "new"])
        #expect(new.contains("Told: just now") && !new.contains("Told: yesterday"))
        try await school.execute(MarkNotificationsRead.self, as: guide)
        let none = try await school.environment.outline("/notifications", as: guide, query: ["only": "new"])
        #expect(none.contains("! empty: No new notifications"))
        #expect(!none.contains("Mark all as read"))
    }

    @Test(
        "messages of one conversation share a row, a category can be shown alone, and a row is read by itself",
        .requirement("PT-3.42.a", "PT-3.42.b", "PT-3.42.c"))
    func groupedBySubject() async throws {
        let feature = try NotificationsFeature.make(
            kinds: [
                NotificationKind("message.news", icon: .chat, category: .message) { logged, _ in
                    ("Ana wrote", "/messages/\(logged.change.payload["what"] ?? "")")
                },
                NotificationKind("announcement.published", icon: .info, category: .announcement) { logged, _ in
                    ("Announced: \(logged.change.payload["what"] ?? "")", nil)
                },
            ], audiences: [], catalogs: [], push: SilentPush.ports)
        let school = try await TestSchool([feature])
        let guide = school.makeCaller(.guide)
        for (kind, what) in [
            ("message.news", "1"), ("announcement.published", "walk"), ("message.news", "2"), ("message.news", "1"),
            ("announcement.published", "play"),
        ] {
            let now = school.clock.now
            try await school.database.write { sql in
                _ = try ChangeLog.append(
                    [Change(kind, topics: [], audience: [.school], payload: ["what": what])], at: now, actor: nil,
                    in: sql)
            }
        }
        func rows(_ query: [String: String] = [:]) async throws -> [String] {
            try await school.environment.outline("/notifications", as: guide, query: query).lines
                .map { $0.trimmingCharacters(in: .whitespaces) }.filter { $0.hasPrefix("- ") }
        }
        let all = try await rows()
        #expect(all.count == 4)
        #expect(all.first?.contains("Announced: play") == true)
        #expect(all.dropFirst().first?.contains("Ana wrote") == true)
        #expect(all.dropFirst().first?.contains("2 times") == true)
        let messages = try await rows(["about": "message"])
        #expect(messages.count == 2 && messages.allSatisfy { $0.contains("Ana wrote") })
        // The two messages of the first conversation are read with its row; nothing else is.
        try await school.execute(MarkNotificationRead.self, ["seqs": ["1 4"]], as: guide)
        let new = try await rows(["only": "new", "about": "message"])
        #expect(new.count == 1 && new.first?.contains("/messages/2") == true)
        let count = try #require(feature.notifications.unread)
        #expect(try await count(school.context(of: guide)) == 3)
        #expect(
            try await problem {
                try await school.execute(MarkNotificationRead.self, ["seqs": ["99"]], as: guide)
            }?.status == 404)
        #expect(
            try await problem {
                try await school.execute(MarkNotificationRead.self, ["seqs": ["one"]], as: guide)
            }?.faults.map(\.field) == ["seqs"])
        try await school.execute(MarkNotificationsRead.self, as: guide)
        let stored: Int? = try await school.database.read {
            try $0.value("SELECT COUNT(*) FROM notifications_read")
        }
        #expect(stored == 0)
    }

    @Test("the queries of the bell use indexes")
    func indexed() async throws {
        try await school.expectIndexed(
            "SELECT * FROM change_log WHERE kind IN \(list: ["things.happened", "things.quiet"]) AND seq < \(Int64.max) ORDER BY seq DESC LIMIT \(80)"
        )
        try await school.expectIndexed("SELECT seq FROM notifications_seen WHERE person_id = \(UUID())")
    }
}
