import DesignSystem
import Domain
import FeatureKit
import Foundation
import ResidenceModel
import ScreenKit
import TestKit
import Testing

@testable import Residence

@Suite("Meals")
struct MealTests {
    /// A residence with three residents and a cook, on Wednesday 11 November 2026 at 12:00 in the school's time zone.
    private struct Setup {
        let clock = FixedClock()
        let fixture: ResidenceFixture
        let residence: Residence
        let cook: Caller
        let ana: Caller
        let ben: Caller
        let mother: Caller

        init() async throws {
            fixture = try await ResidenceFixture(clock: clock)
            try fixture.set(clock, to: "12:00", on: "2026-11-11")
            cook = try await fixture.person(.guide, "Cleo Cook")
            residence = try await fixture.residence("Birch House", kitchen: [cook])
            ana = try await fixture.student("Ana Diaz")
            ben = try await fixture.student("Ben Ito")
            for student in [ana, ben, try await fixture.student("Cem Kaya")] {
                try await fixture.moveIn(student, residence)
            }
            mother = try await fixture.parent("Luz Diaz", of: ana)
        }

        @discardableResult
        func menu(
            _ day: String = "2026-11-12", dinner: String? = "Dal, rice", as caller: Caller? = nil
        ) async throws -> [Meal] {
            var fields: [String: InputValue] = [
                "pgId": .id(residence.id), "day": .text(day), "lunch": .text("Fish, potatoes"),
                "breakfastTime": .text("07:00"), "lunchTime": .text("12:30"), "dinnerTime": .text("18:30"),
                "dinnerDiets": .list([.text("vegetarian")]), "cutOff": .text("18:00"),
            ]
            fields["dinner"] = dinner.map(InputValue.text)
            return try await fixture.school.execute(SaveMenu.self, .object(fields), as: caller ?? cook).items
        }

        /// - Parameters:
        ///   - age: The seconds for which the choice waited on a device; `nil` for one that is sent at once.
        ///   - error: The seconds by which the device's clock is ahead.
        @discardableResult
        func choose(
            _ meal: Meal, _ choice: MealChoice, as caller: Caller, child: Caller? = nil, age: TimeInterval? = nil,
            error: TimeInterval = 0
        ) async throws -> ResidentMeal {
            var fields: [String: InputValue] = ["mealId": .id(meal.id), "choice": .text(choice.rawValue)]
            fields["studentId"] = child.map { .id(ResidenceFixture.id($0)) }
            if let age {
                let sent = clock.now.addingTimeInterval(error)
                fields["recordedAt"] = .text(sent.addingTimeInterval(-age).formatted(.iso8601))
                fields["sentAt"] = .text(sent.formatted(.iso8601))
            }
            return try await fixture.school.execute(ChooseMeal.self, .object(fields), as: caller)
        }

        func counts(as caller: Caller? = nil) async throws -> [HeadCount] {
            try await fixture.school.answer(
                ListMeals.self, ["pgId": .id(residence.id), "day": .text("2026-11-12")], as: caller ?? cook
            ).items
        }
    }

    @Test("the kitchen and a warden write the menu, and nobody else")
    func menu() async throws {
        let setup = try await Setup()
        let meals = try await setup.menu()
        #expect(meals.map(\.dish) == ["Fish, potatoes", "Dal, rice"] && meals.last?.diets == [.vegetarian])
        let changed = try await setup.menu(dinner: "Soup", as: setup.fixture.warden)
        #expect(changed.map(\.id) == meals.map(\.id) && changed.last?.dish == "Soup")
        #expect(try await setup.menu(dinner: nil).map(\.kind) == [.lunch])
        let stranger = try await setup.fixture.person(.guide, "Gil Guide")
        #expect(try await problem { try await setup.menu(as: stranger) } == .notFound)
        #expect(try await problem { try await setup.menu(as: setup.fixture.otherWarden) } == .notFound)
    }

    @Test("a resident and a parent choose until the cut-off, and not after it")
    func cutOff() async throws {
        let setup = try await Setup()
        let meals = try await setup.menu()
        let (lunch, dinner) = (try #require(meals.first), try #require(meals.last))
        try await setup.choose(lunch, .skip, as: setup.ana)
        try await setup.choose(dinner, .skip, as: setup.mother, child: setup.ana)
        #expect(try await setup.counts().map(\.eat) == [2, 2])
        #expect(
            try await problem { try await setup.choose(lunch, .skip, as: setup.mother, child: setup.ben) }?.status
                == 404)
        // Six hours later it is 18:00 on the day before the meal.
        setup.clock.advance(by: 6 * 3600 - 1)
        try await setup.choose(lunch, .eat, as: setup.ana)
        setup.clock.advance(by: 1)
        let late = try await problem { try await setup.choose(lunch, .skip, as: setup.ana) }
        #expect(late?.code == "residence.mealClosed")
        #expect(try await setup.counts().map(\.eat) == [3, 2])
    }

    @Test(
        "a choice that waited on a device counts by the time at which it was made, whatever the device's clock says"
    )
    func lateArrival() async throws {
        let setup = try await Setup()
        let meals = try await setup.menu()
        let (lunch, dinner) = (try #require(meals.first), try #require(meals.last))
        func code(_ meal: Meal, age: TimeInterval, error: TimeInterval = 0) async throws -> String? {
            let found = try await problem {
                try await setup.choose(meal, .skip, as: setup.ana, age: age, error: error)
            }
            return found?.faults.first?.code ?? found?.code
        }
        // 20:00 on the day before, two hours after the cut-off.
        setup.clock.advance(by: 8 * 3600)
        #expect(try await code(lunch, age: 3600) == "residence.mealClosed")
        #expect(try await code(lunch, age: 3600, error: -86_400) == "residence.mealClosed")
        let stored = try await setup.choose(lunch, .skip, as: setup.ana, age: 3 * 3600, error: 86_400)
        #expect(stored.choice == .skip && !stored.isOpen)
        #expect(try await setup.counts().map(\.eat) == [2, 3])
        // 13:00: lunch was served, dinner was not.
        setup.clock.advance(by: 17 * 3600)
        #expect(try await code(lunch, age: 20 * 3600) == "residence.mealServed")
        #expect(try await code(dinner, age: 20 * 3600) == nil)
        #expect(try await setup.counts().map(\.eat) == [2, 2])
        #expect(try await code(dinner, age: 15 * 86_400) == "residence.choiceTooOld")
        let unsent = try await problem {
            _ = try await setup.fixture.school.execute(
                ChooseMeal.self,
                [
                    "mealId": .id(dinner.id), "choice": .text("eat"),
                    "recordedAt": .text(setup.clock.now.formatted(.iso8601)),
                ], as: setup.ana)
        }
        #expect(unsent?.faults.map(\.field) == ["sentAt"])
    }

    @Test("the later of two choices counts, also when it arrives first")
    func laterChoice() async throws {
        let setup = try await Setup()
        let lunch = try #require(try await setup.menu().first)
        setup.clock.advance(by: 3600)
        try await setup.choose(lunch, .skip, as: setup.mother, child: setup.ana)
        setup.clock.advance(by: 600)
        let answer = try await setup.choose(lunch, .eat, as: setup.ana, age: 1800)
        #expect(answer.choice == .skip, "the mother chose later")
        #expect(try await setup.counts().map(\.skip) == [1, 0])
        #expect(try await setup.choose(lunch, .eat, as: setup.ana, age: 60).choice == .eat)
    }

    @Test("a resident on leave is counted out, and those away for longer are not counted at all")
    func leave() async throws {
        let setup = try await Setup()
        try await setup.menu()
        let leave = try await setup.fixture.school.execute(
            RequestLeave.self,
            [
                "fromDay": .text("2026-11-12"), "fromTime": .text("17:00"), "toDay": .text("2026-11-13"),
                "toTime": .text("12:00"), "place": .text("Lyon"),
            ], as: setup.ben)
        #expect(try await setup.counts().map(\.onLeave) == [0, 0])
        try await setup.fixture.school.execute(
            DecideLeave.self, ["leaveId": .id(leave.id), "approves": .bool(true)], as: setup.fixture.warden)
        #expect(try await setup.counts().map(\.onLeave) == [0, 1])
        #expect(try await setup.counts().map(\.eat) == [3, 2])
        _ = try await setup.fixture.school.execute(
            UpdateResident.self,
            [
                "pgId": .id(setup.residence.id), "studentId": .id(ResidenceFixture.id(setup.ana)),
                "isInactive": .bool(true),
            ], as: setup.fixture.warden)
        #expect(try await setup.counts().map(\.eat) == [2, 1])
    }

    @Test("only the kitchen can read allergies, also on its page and on paper")
    func allergies() async throws {
        let setup = try await Setup()
        try await setup.menu()
        try await setup.fixture.school.execute(
            SaveDiet.self,
            ["diet": .text("vegan"), "allergies": .text("Peanut"), "carriesPen": .bool(true)], as: setup.ana)
        let fields: InputValue = ["pgId": .id(setup.residence.id), "day": .text("2026-11-12")]
        let read = try await setup.fixture.school.answer(ListAllergies.self, fields, as: setup.cook).items
        #expect(
            read == [
                ResidentDiet(
                    studentId: ResidenceFixture.id(setup.ana), diet: .vegan, allergies: "Peanut", carriesPen: true)
            ])
        #expect(try await setup.counts().last?.diets.map(\.count) == [2, 1])
        let path = KitchenScreens.path(setup.residence.id)
        let environment = setup.fixture.school.environment
        for (caller, sees) in [(setup.cook, true), (setup.fixture.warden, false), (setup.fixture.admin, false)] {
            if !sees {
                let refused = try await problem {
                    _ = try await setup.fixture.school.answer(ListAllergies.self, fields, as: caller)
                }
                #expect(refused?.code == "residence.kitchenOnly")
                let page = try await problem { _ = try await environment.outline("\(path)/kitchen", as: caller) }
                #expect(page?.code == "residence.kitchenOnly")
            }
            let page = try await environment.outline(
                "\(path)/\(sees ? "kitchen" : "day")", as: caller, query: ["day": "2026-11-12"])
            #expect(page.contains("Peanut") == sees)
            #expect(page.contains("Fish, potatoes"))
        }
    }

    @Test("the menu of last week is copied without what is planned")
    func copying() async throws {
        let setup = try await Setup()
        try await setup.menu("2026-11-05")
        try await setup.menu("2026-11-12", dinner: nil)
        let copied = try await setup.fixture.school.execute(
            CopyMenu.self, ["pgId": .id(setup.residence.id), "day": .text("2026-11-11")], as: setup.cook)
        #expect(copied.items.map(\.dish) == ["Fish, potatoes", "Dal, rice"])
        #expect(copied.items.allSatisfy { $0.day.description == "2026-11-12" })
        #expect(copied.items.map(\.cutOff) == Array(repeating: copied.items[0].cutOff, count: 2))
    }

    @Test("a resident's week shows what is eaten, skipped and closed")
    func week() async throws {
        let setup = try await Setup()
        let meals = try await setup.menu()
        try await setup.choose(try #require(meals.first), .skip, as: setup.ana)
        let page = try await setup.fixture.school.environment.outline("/meals", as: setup.ana)
        #expect(page.contains("Meals: 1 of 2"))
        #expect(page.contains("- Fish, potatoes · Lunch, 12:30") && page.contains("[Skip]"))
        setup.clock.advance(by: 6 * 3600)
        let closed = try await setup.fixture.school.environment.outline("/meals", as: setup.ana)
        #expect(closed.contains("{Skip}") && closed.contains("{Eat}") && !closed.contains("[Skip]"))
    }
}
