import DesignSystem
import Domain
import FeatureKit
import Foundation
import NotificationsInterface
import ScreenKit
import TestKit
import Testing

@testable import Notifications

@Suite("Notification choices")
struct ChoiceTests {
    @Test("a muted category does not reach the person's devices and stays in the list", .requirement("WW-9.05.c"))
    func muted() async throws {
        let fixture = try await PushFixture()
        for caller in [fixture.ana, fixture.ben] { try await fixture.turnOn(caller) }
        try await fixture.choose(["announcement": true, "assignment": true, "grade": true], as: fixture.ana)
        try await fixture.happen("a message")
        try await fixture.happen("an announcement", kind: "announcement.published")
        try await fixture.happen("a member", kind: "members.joined")
        await fixture.deliver()
        func texts(_ caller: Caller) -> [String] {
            fixture.push.sent.filter { $0.message.accountId == caller.account?.id }.map(\.message.body)
        }
        #expect(texts(fixture.ana) == ["Told: an announcement", "Told: a member"])
        #expect(texts(fixture.ben) == ["Told: a message", "Told: an announcement", "Told: a member"])
        let listed = try await fixture.school.answer(ListNotifications.self, as: fixture.ana).items
        #expect(listed.map(\.category) == [nil, .announcement, .message])
        // What happened while it was muted does not come late; what happens now comes.
        try await fixture.choose(["message": true], as: fixture.ana)
        try await fixture.happen("another message")
        await fixture.deliver()
        #expect(texts(fixture.ana).dropFirst(2) == ["Told: another message"])
        try await fixture.happen("an announcement in between", kind: "announcement.published")
        await fixture.deliver()
        try await fixture.choose(["message": true, "announcement": true], as: fixture.ana)
        await fixture.deliver()
        #expect(texts(fixture.ana).count == 3)
    }

    @Test(
        "each person has notification choices of their own, which are stored as chosen", .requirement("WW-9.05.b"))
    func choicesAreStored() async throws {
        let fixture = try await PushFixture()
        let before = try await fixture.school.answer(ShowNotificationSettings.self, as: fixture.ana)
        #expect(before.message && before.announcement && before.assignment && before.grade)
        #expect(before.quietFrom == nil && !before.isOn && before.applicationServerKey == "BKey")
        try await fixture.choose(
            ["message": true, "quiet": true, "quietFrom": "21:30", "quietUntil": "6:05"], as: fixture.ana)
        try await fixture.turnOn(fixture.ana)
        let after = try await fixture.school.answer(ShowNotificationSettings.self, as: fixture.ana)
        #expect(after.message && !after.announcement && !after.assignment && !after.grade && after.isOn)
        #expect(after.quietFrom?.description == "21:30" && after.quietUntil?.description == "06:05")
        #expect(try await fixture.school.answer(ShowNotificationSettings.self, as: fixture.ben) == before)
    }

    @Test("changes within the quiet hours arrive afterwards, several as one summary", .requirement("BY-1.10.d"))
    func quiet() async throws {
        let fixture = try await PushFixture()
        for caller in [fixture.ana, fixture.ben] { try await fixture.turnOn(caller) }
        try await fixture.choose(.quiet(), as: fixture.ana)
        try fixture.advance(to: "22:15")
        try await fixture.happen("late")
        try await fixture.happen("later")
        await fixture.deliver()
        #expect(fixture.push.sent.map(\.message.accountId) == Array(repeating: fixture.ben.account?.id, count: 2))
        try fixture.advance(to: "06:59")
        await fixture.deliver()
        #expect(fixture.push.sent.count == 2)
        try fixture.advance(to: "07:00")
        for _ in 0..<2 { await fixture.deliver() }
        #expect(fixture.push.texts.dropFirst(2) == ["You have 2 new notifications."])
        try fixture.advance(to: "21:00")
        try await fixture.happen("one alone")
        await fixture.deliver()
        #expect(fixture.push.texts.count == 4)
        try fixture.advance(to: "07:00")
        await fixture.deliver()
        #expect(fixture.push.texts.last == "Told: one alone")
        // What was read during the quiet hours is not sent.
        try fixture.advance(to: "23:00")
        try await fixture.happen("read at night", by: fixture.ben)
        try await fixture.school.execute(MarkNotificationsRead.self, as: fixture.ana)
        try fixture.advance(to: "08:00")
        await fixture.deliver()
        #expect(fixture.push.sent.count == 5)
    }

    @Test(
        "quiet hours may span midnight and follow the school's time zone in summer and winter",
        .requirement("BY-1.10.d"),
        arguments: [
            ("21:00", "07:00", "2026-11-21T02:30:00Z", true), ("21:00", "07:00", "2026-11-21T12:30:00Z", false),
            ("21:00", "07:00", "2026-07-21T10:59:59Z", true), ("21:00", "07:00", "2026-07-21T11:00:00Z", false),
            ("12:00", "14:00", "2026-11-21T17:00:00Z", true), ("12:00", "14:00", "2026-11-21T19:00:00Z", false),
            ("12:00", "14:00", "2026-11-21T16:59:59Z", false),
            ("21:00", "24:00", "2026-11-21T04:59:59Z", true), ("21:00", "24:00", "2026-11-21T05:00:00Z", false),
        ])
    func hours(_ from: String, _ until: String, _ instant: String, _ isQuiet: Bool) throws {
        let quiet = QuietHours(
            from: try #require(QuietHours.time(from)), until: try #require(QuietHours.time(until)))
        let instant = try Date(instant, strategy: .iso8601)
        #expect(quiet.contains(instant, in: try #require(TimeZone(identifier: "America/Toronto"))) == isQuiet)
    }

    @Test(
        "a text that is not a time of day is refused", arguments: ["24:01", "7", "07:60", "-1:00", "a:b"])
    func times(_ text: String) async throws {
        #expect(QuietHours.time(text) == nil)
        let fixture = try await PushFixture()
        let refused = try await problem {
            try await fixture.choose(["quiet": true, "quietFrom": .text(text)], as: fixture.ana)
        }
        #expect(refused?.faults.map(\.field) == ["quietFrom"])
        let same = try await problem {
            try await fixture.choose(["quiet": true, "quietFrom": "07:00", "quietUntil": "07:00"], as: fixture.ana)
        }
        #expect(same?.faults.map(\.field) == ["quietUntil"])
    }

    @Test("the page offers the four toggles and the quiet hours, in both languages", .requirement("WW-9.05.a"))
    func page() async throws {
        let fixture = try await PushFixture()
        let english = try await fixture.school.environment.outline("/settings/notifications", as: fixture.ana)
        for text in [
            "On this device", "Messages", "Announcements", "Assignments", "Grades", "Quiet hours", "[Save]",
        ] {
            #expect(english.contains(text), "\(text) is missing in\n\(english.lines.joined(separator: "\n"))")
        }
        let french = try await fixture.school.environment.outline(
            "/settings/notifications", as: fixture.ana, language: .french)
        for text in ["Sur cet appareil", "Annonces", "Devoirs", "Notes", "Heures silencieuses", "[Enregistrer]"] {
            #expect(french.contains(text), "\(text) is missing")
        }
    }
}
