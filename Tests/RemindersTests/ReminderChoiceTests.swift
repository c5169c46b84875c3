import DesignSystem
import Domain
import FeatureKit
import Foundation
import NotificationsInterface
import RemindersInterface
import TestKit
import Testing

@testable import Reminders

@Suite("Choices and plans of reminders")
struct ReminderChoiceTests {
    @Test("reminders are switched off and on, with the chosen times as before", .requirement("WW-13.05.a"))
    func switched() async throws {
        let fixture = try await ReminderFixture()
        fixture.give("Essay", in: 25)
        try await fixture.choose([12, 1], as: fixture.ana)
        try await fixture.choose([], isOn: false, as: fixture.ana)
        let off = try await fixture.settings(fixture.ana)
        #expect(!off.isOn && off.hours == [12, 1] && off.reminders.isEmpty)
        fixture.school.clock.advance(by: 14 * 3600)
        try await fixture.sweep()
        #expect(try await fixture.texts(fixture.ana).isEmpty)
        try await fixture.choose([12, 1], as: fixture.ana)
        try await fixture.sweep()
        // A reminder whose time passed while reminders were off does not come late.
        #expect(try await fixture.texts(fixture.ana).isEmpty)
        #expect(try await fixture.settings(fixture.ana).reminders.map(\.hours) == [1])
        #expect(try await fixture.settings(fixture.ben).isOn)
    }

    @Test(
        "any of 24, 12, 6 and 1 hours before can be chosen", .requirement("WW-13.05.b"),
        arguments: [[24], [12], [6], [1], [24, 12], [12, 6, 1], [24, 12, 6, 1]])
    func chosen(_ hours: [Int]) async throws {
        let fixture = try await ReminderFixture()
        try await fixture.choose(hours, as: fixture.ana)
        fixture.give("Essay", in: 30)
        let settings = try await fixture.settings(fixture.ana)
        #expect(settings.hours == hours && settings.reminders.map(\.hours) == hours)
        for hour in hours.enumerated() {
            let at = settings.reminders[hour.offset].at
            fixture.school.clock.set(at - 1)
            try await fixture.sweep()
            #expect(try await fixture.texts(fixture.ana).count == hour.offset)
            fixture.school.clock.set(at)
            try await fixture.sweep()
            #expect(try await fixture.texts(fixture.ana).count == hour.offset + 1)
        }
    }

    @Test("other times, and none, are refused", arguments: [["2"], ["x"], ["24", "-1"], []])
    func refused(_ hours: [String]) async throws {
        let fixture = try await ReminderFixture()
        let problem = try await problem {
            try await fixture.school.execute(
                ChooseReminders.self, ["isOn": true, "hours": .list(hours.map { .text($0) })], as: fixture.ana)
        }
        #expect(problem?.faults.map(\.field) == ["hours"])
        #expect(try await fixture.settings(fixture.ana).hours == [24, 1])
    }

    @Test("the reminders are computed anew each time the due work is loaded", .requirement("WW-13.01.a"))
    func loaded() async throws {
        let fixture = try await ReminderFixture()
        #expect(try await fixture.settings(fixture.ana).reminders.isEmpty)
        let essay = fixture.give("Essay", in: 30)
        let planned = try await fixture.settings(fixture.ana).reminders
        #expect(planned.map(\.workId) == [essay, essay])
        #expect(planned.map(\.at) == [fixture.hours(6), fixture.hours(29)])
        #expect(planned.map(\.title) == ["Essay", "Essay"])
    }

    @Test(
        "a student who turned off notifications about assignments has no reminders planned or sent",
        .requirement("WW-9.05.d"))
    func muted() async throws {
        let fixture = try await ReminderFixture()
        fixture.give("Essay", in: 23.5, to: [fixture.ana, fixture.ben])
        fixture.muted.set(.grade, ReminderFixture.id(fixture.ben))
        fixture.muted.set(.assignment, ReminderFixture.id(fixture.ana))
        try await fixture.sweep()
        #expect(try await fixture.texts(fixture.ana).isEmpty)
        #expect(try await fixture.texts(fixture.ben).count == 1)
        let off = try await fixture.settings(fixture.ana)
        #expect(off.isMuted && off.isOn && off.reminders.isEmpty)
        let page = try await fixture.school.environment.outline("/settings/reminders", as: fixture.ana)
        #expect(page.description.contains("Notifications about assignments are off"))
        fixture.muted.set(.assignment)
        #expect(try await fixture.settings(fixture.ana).reminders.map(\.hours) == [24, 1])
    }

    @Test("only work that is due within seven days has reminders", .requirement("WW-13.02.c"))
    func days() async throws {
        let fixture = try await ReminderFixture()
        let near = fixture.give("Near", in: 7 * 24 - 0.01)
        fixture.give("Far", in: 7 * 24 + 1)
        #expect(try await Set(fixture.settings(fixture.ana).reminders.map(\.workId)) == [near])
    }

    @Test("at most 20 works have reminders, those that are due first", .requirement("WW-13.03.a"))
    func works() async throws {
        let fixture = try await ReminderFixture()
        let all = (1...25).map { fixture.give("Work \($0)", in: 30 + Double($0)) }
        let planned = try await fixture.settings(fixture.ana).reminders
        #expect(Set(planned.map(\.workId)) == Set(all.prefix(20)) && planned.count == 40)
    }

    @Test(
        "a student has at most 64 reminders in all, those of the work that is due first", .requirement("WW-13.03.b")
    )
    func reminders() async throws {
        let fixture = try await ReminderFixture()
        try await fixture.choose([24, 12, 6, 1], as: fixture.ana)
        let all = (1...20).map { fixture.give("Work \($0)", in: 30 + Double($0)) }
        let planned = try await fixture.settings(fixture.ana).reminders
        #expect(planned.count == 64 && Set(planned.map(\.workId)) == Set(all.prefix(16)))
    }

    @Test("the page shows the choices and the next reminders in both languages", arguments: Language.allCases)
    func page(language: Language) async throws {
        let fixture = try await ReminderFixture()
        let words = Words(language, [fixture.feature.catalog])
        func page() async throws -> String {
            try await fixture.school.environment.outline(
                RemindersScreen.path, as: fixture.ana, language: language
            ).description
        }
        #expect(try await page().contains(words("reminders.none.tip")))
        fixture.give("Essay", in: 30)
        let shown = try await page()
        #expect(shown.contains(words("reminders.upcoming", "Essay", "Algebra")))
        for hours in ReminderChoices.offered { #expect(shown.contains(words("reminders.before", hours))) }
        try await fixture.choose([], isOn: false, as: fixture.ana)
        #expect(try await page().contains(words("reminders.off.tip")))
    }

    @Test("only students have the page")
    func access() async throws {
        let fixture = try await ReminderFixture()
        for role in [Role.guide, .parent, .admin] {
            let caller = fixture.school.makeCaller(role)
            let problem = try await problem {
                _ = try await fixture.school.answer(ShowReminders.self, as: caller)
            }
            #expect(problem?.status == 403)
        }
    }
}
