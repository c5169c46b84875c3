import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ResidenceModel

struct ListMeals: Query {
    static let contract = Contract(
        "residence.headCounts", "/api/v1/residences/{pgId}/meals", access: .member(.planMeals),
        summary: "The meals of a residence in the week of a day, today if none is given, with how many eat them.")
    typealias Result = Page<HeadCount>

    let pgId: UUID
    let day: Day?

    init(_ fields: inout FieldReader) {
        pgId = fields.id("pgId")
        day = fields.optionalDay("day")
    }
}

struct ListAllergies: Query {
    static let contract = Contract(
        "residence.allergies", "/api/v1/residences/{pgId}/allergies", access: .member(.planMeals),
        seen: Seen("residence.allergiesSeen"),
        summary: "The residents with an allergy who live in a residence on a day, for its kitchen alone.")
    typealias Result = Page<ResidentDiet>

    let pgId: UUID
    let day: Day?

    init(_ fields: inout FieldReader) {
        pgId = fields.id("pgId")
        day = fields.optionalDay("day")
    }
}

struct ListOwnMeals: Query {
    static let contract = Contract(
        "residence.ownMeals", "/api/v1/meals", access: .member(.chooseMeals),
        summary:
            "The meals of a resident in the week of a day, with what the resident chose: the caller, or a child.")
    typealias Result = Page<ResidentMeal>

    /// The child of a parent who asks; the caller if it is absent.
    let studentId: UUID?
    let day: Day?

    init(_ fields: inout FieldReader) {
        studentId = fields.optionalId("studentId")
        day = fields.optionalDay("day")
    }
}

struct SaveMenu: Command {
    static let contract = Contract(
        "residence.saveMenu", "/api/v1/residences/{pgId}/meals", access: .member(.planMeals), replay: .natural,
        summary: """
            Writes the menu of a day. A meal without a dish is removed with its choices. Residents choose until \
            cutOff on the day before. Refused with 409 if a version is given and someone has changed the menu since.
            """)
    typealias Result = Page<Meal>

    /// A meal as the form has it.
    struct Draft: Sendable, Hashable {
        let kind: Meal.Kind
        let dish: String?
        let time: ClockTime
        let diets: Set<Diet>
    }

    let pgId: UUID
    let day: Day?
    let cutOff: ClockTime
    let drafts: [Draft]
    /// The version of the menu that the form was opened with; `nil` skips the check.
    let version: ContentVersion?

    init(_ fields: inout FieldReader) {
        pgId = fields.id("pgId")
        day = fields.optionalDay("day")
        cutOff = fields.clockTime("cutOff")
        version = fields.contentVersion()
        var drafts: [Draft] = []
        for kind in Meal.Kind.allCases {
            let dish = fields.optionalText(kind.rawValue, max: 120)
            let time = fields.clockTime(kind.timeField)
            let diets = fields.texts(kind.dietsField, max: Diet.allCases.count)
            let known = diets.compactMap(Diet.init)
            fields.refuse(kind.dietsField, "residence.diet", unless: known.count == diets.count)
            drafts.append(Draft(kind: kind, dish: dish, time: time, diets: Set(known)))
        }
        self.drafts = drafts
    }
}

extension Meal.Kind {
    /// The name of the field with the time of a meal of this kind.
    var timeField: String { "\(rawValue)Time" }
    /// The name of the field with the diets for which its dish is suitable.
    var dietsField: String { "\(rawValue)Diets" }
}

struct CopyMenu: Command {
    static let contract = Contract(
        "residence.copyMenu", "/api/v1/residences/{pgId}/meals/copy", access: .member(.planMeals), replay: .natural,
        summary: "Copies the menu of the week before to the week of a day. Meals that are planned stay.")
    typealias Result = Page<Meal>

    let pgId: UUID
    let day: Day?

    init(_ fields: inout FieldReader) {
        pgId = fields.id("pgId")
        day = fields.optionalDay("day")
    }
}

struct ChooseMeal: Command {
    static let contract = Contract(
        "residence.chooseMeal", "/api/v1/meals/{mealId}/choose", access: .member(.chooseMeals),
        isOfflineCapable: true, replay: .natural,
        summary: """
            Chooses whether a resident eats a meal, by the resident or a parent, until the meal's cut-off. A choice that \
            arrives later counts by the time at which it was made, until the meal is served. Of two choices the one that \
            was made later counts.
            """)
    typealias Result = ResidentMeal

    let mealId: UUID
    /// The child of a parent who chooses; the caller if it is absent.
    let studentId: UUID?
    let choice: MealChoice
    /// The time of the choice by the device's clock; now if it is absent.
    let recordedAt: Date?
    /// The time of sending by the device's clock.
    let sentAt: Date?

    init(_ fields: inout FieldReader) {
        mealId = fields.id("mealId")
        studentId = fields.optionalId("studentId")
        choice = fields.choice("choice", among: [.eat, .skip])
        recordedAt = fields.optionalInstant("recordedAt")
        sentAt = fields.optionalInstant("sentAt")
        fields.refuse("sentAt", "required", unless: recordedAt == nil || sentAt != nil)
    }
}

struct SaveDiet: Command {
    static let contract = Contract(
        "residence.saveDiet", "/api/v1/meals/diet", access: .member(.chooseMeals), replay: .natural,
        summary: """
            Names a resident's diet and allergies, by the resident or a parent. Only the kitchen reads them. Refused with \
            409 if a version is given and someone has changed them since.
            """)
    typealias Result = ResidentDiet

    /// The child of a parent; the caller if it is absent.
    let studentId: UUID?
    let diet: Diet
    let allergies: String?
    let carriesPen: Bool
    /// The version of the diet that the form was opened with; `nil` skips the check.
    let version: ContentVersion?

    init(_ fields: inout FieldReader) {
        studentId = fields.optionalId("studentId")
        diet = fields.choice("diet")
        allergies = fields.optionalText("allergies", max: 200)
        carriesPen = fields.flag("carriesPen")
        version = fields.contentVersion()
    }
}

extension Meal {
    /// The version of the menu of a day.
    static func version(of meals: [Meal]) -> ContentVersion {
        ContentVersion(
            meals.sorted { $0.kind.rawValue < $1.kind.rawValue }.flatMap { meal in
                [
                    meal.kind.rawValue, meal.dish, meal.time.description, "\(meal.cutOff.timeIntervalSince1970)",
                    meal.diets.map(\.rawValue).sorted().joined(separator: " "),
                ]
            })
    }
}

extension ResidentDiet {
    /// The version of the diet of a resident, who may have none yet.
    static func version(of diet: ResidentDiet?) -> ContentVersion {
        ContentVersion(diet.map { [$0.diet.rawValue, $0.allergies, String($0.carriesPen)] } ?? [])
    }
}

/// The commands and queries of meals.
struct MealHandlers: Sendable {
    /// The time of the day before until which residents choose, and the times of the meals, for a new menu.
    static let standardCutOff = ClockTime("18:00") ?? ResidenceCalendar.turnOfDay
    static func standardTime(of kind: Meal.Kind) -> ClockTime {
        let text =
            switch kind {
            case .breakfast: "07:00"
            case .lunch: "12:30"
            case .dinner: "18:30"
            }
        return ClockTime(text) ?? ResidenceCalendar.turnOfDay
    }

    let families: any FamilyLinks

    var queries: [QueryRegistration] {
        [
            .handle(ListMeals.self) { query, context in
                let (membership, today) = (try context.membership, context.today)
                return try await context.school.read { sql in
                    let residence = try MealAccess.residence(query.pgId, plannedBy: membership, in: sql)
                    let monday = MealReader.monday(of: query.day ?? today)
                    return Page(
                        items: try MealReader(in: membership.timeZone).headCounts(
                            of: residence.id, from: monday, through: monday.adding(days: 6), in: sql), next: nil)
                }
            },
            .handle(ListAllergies.self) { query, context in
                let (membership, today) = (try context.membership, context.today)
                return try await context.school.read { sql in
                    try MealAccess.checkKitchen(membership, of: query.pgId, in: sql)
                    return Page(
                        items: try MealReader(in: membership.timeZone).allergies(
                            of: query.pgId, on: query.day ?? today, in: sql), next: nil)
                }
            },
            .handle(ListOwnMeals.self) { query, context in
                let (membership, today, now) = (try context.membership, context.today, context.now)
                return try await context.school.read { sql in
                    // A student who lives in no residence has no meals.
                    guard
                        let resident = try residents(of: membership, in: sql).first(where: {
                            $0.personId == query.studentId ?? membership.personId
                        })
                    else {
                        guard query.studentId == nil else { throw Problem.notFound }
                        return Page(items: [], next: nil)
                    }
                    let monday = MealReader.monday(of: query.day ?? today)
                    return Page(
                        items: try MealReader(in: membership.timeZone).meals(
                            of: resident, from: monday, through: monday.adding(days: 6), at: now, in: sql),
                        next: nil)
                }
            },
        ]
    }

    /// The residents for whom a member chooses: the member and the member's children, if they live in a residence.
    func residents(of membership: ActiveMembership, in sql: any SQLReading) throws -> [Resident] {
        try families.learners(of: membership, in: sql)
            .compactMap { try ResidentRepository.resident($0, in: sql) }.filter { $0.status != .movedOut }
    }

    private func resident(
        _ id: UUID?, of membership: ActiveMembership, in sql: any SQLReading
    ) throws -> Resident {
        guard
            let resident = try residents(of: membership, in: sql).first(where: {
                $0.personId == id ?? membership.personId
            })
        else { throw Problem(404, "residence.studentNotFound") }
        return resident
    }

    // MARK: - Commands

    var commands: [CommandRegistration] {
        [
            .handle(SaveMenu.self) { command, context in
                let membership = try context.membership
                let residence = try MealAccess.residence(command.pgId, plannedBy: membership, in: context.sql)
                try context.checkNear(command.day, "day")
                let day = command.day ?? context.today
                let planned = try MealRepository.meals(of: residence.id, from: day, through: day, in: context.sql)
                try Meal.version(of: planned).check(command.version)
                for draft in command.drafts {
                    let former = planned.first { $0.kind == draft.kind }
                    guard let dish = draft.dish else {
                        if let former { try MealRepository.delete(former.id, in: context.sql) }
                        continue
                    }
                    try MealRepository.save(
                        Meal(
                            id: former?.id ?? context.newId(), pgId: residence.id, day: day, kind: draft.kind,
                            time: draft.time, dish: dish, diets: draft.diets,
                            cutOff: command.cutOff.instant(on: day.adding(days: -1), in: membership.timeZone)),
                        in: context.sql)
                }
                publish(menuOf: residence.id, &context)
                context.feedback = Feedback(.toast, context.words("residence.said.menuSaved"))
                return Page(
                    items: try MealRepository.meals(of: residence.id, from: day, through: day, in: context.sql),
                    next: nil)
            },
            .handle(CopyMenu.self) { command, context in
                let membership = try context.membership
                let residence = try MealAccess.residence(command.pgId, plannedBy: membership, in: context.sql)
                try context.checkNear(command.day, "day")
                let monday = MealReader.monday(of: command.day ?? context.today)
                func meals(from first: Day) throws -> [Meal] {
                    try MealRepository.meals(
                        of: residence.id, from: first, through: first.adding(days: 6), in: context.sql)
                }
                let planned = try meals(from: monday)
                for meal in try meals(from: monday.adding(days: -7)) {
                    let day = meal.day.adding(days: 7)
                    guard !planned.contains(where: { $0.day == day && $0.kind == meal.kind }) else { continue }
                    // The cut-off keeps its distance in days and its time, also across a change of clocks.
                    let (timeZone, cutOff) = (membership.timeZone, meal.cutOff)
                    try MealRepository.save(
                        Meal(
                            id: context.newId(), pgId: residence.id, day: day, kind: meal.kind, time: meal.time,
                            dish: meal.dish, diets: meal.diets,
                            cutOff: ClockTime(cutOff, in: timeZone).instant(
                                on: Day(cutOff, in: timeZone).adding(days: 7), in: timeZone)), in: context.sql)
                }
                publish(menuOf: residence.id, &context)
                context.feedback = Feedback(.toast, context.words("residence.said.menuSaved"))
                return Page(items: try meals(from: monday), next: nil)
            },
            .handle(ChooseMeal.self) { command, context in
                try choose(command, &context)
            },
            .handle(SaveDiet.self) { command, context in
                let resident = try resident(command.studentId, of: context.membership, in: context.sql)
                let former = try MealRepository.diet(of: resident.personId, in: context.sql)
                try ResidentDiet.version(of: former).check(command.version)
                let diet = ResidentDiet(
                    studentId: resident.personId, diet: command.diet, allergies: command.allergies,
                    carriesPen: command.carriesPen)
                try MealRepository.save(diet, at: context.now, in: context.sql)
                try publish("residence.dietSaved", resident, &context)
                context.feedback = Feedback(.toast, context.words("residence.said.residentSaved"))
                return diet
            },
        ]
    }

    private func choose(_ command: ChooseMeal, _ context: inout CommandContext) throws -> ResidentMeal {
        let (membership, now) = (try context.membership, context.now)
        let resident = try resident(command.studentId, of: membership, in: context.sql)
        guard let meal = try MealRepository.meal(command.mealId, in: context.sql), meal.pgId == resident.pgId else {
            throw Problem.notFound
        }
        guard
            let at = PassageClock.timestamp(
                recordedAt: command.recordedAt ?? now, sentAt: command.sentAt ?? now, now: now)
        else { throw Problem.invalid("recordedAt", "residence.choiceTooOld") }
        let calendar = ResidenceCalendar(timeZone: membership.timeZone)
        guard at < meal.cutOff else { throw Problem(409, "residence.mealClosed") }
        guard now < meal.cutOff || now < meal.servedAt(in: calendar) else {
            throw Problem(409, "residence.mealServed")
        }
        try MealRepository.choose(
            command.choice, of: meal.id, for: resident.personId, by: membership.personId, at: at, in: context.sql)
        try publish("residence.mealChosen", resident, &context)
        let chosen = try MealRepository.choices(of: [meal.id], in: context.sql)[meal.id]?[resident.personId]
        let choice = MealChoice.effective(
            chosen: chosen, meal: meal, leaves: try LeaveRepository.leaves(of: resident.personId, in: context.sql),
            in: calendar)
        return ResidentMeal(meal: meal, choice: choice, isOpen: choice != .onLeave && now < meal.cutOff)
    }

    private func publish(menuOf residenceId: UUID, _ context: inout CommandContext) {
        context.record(
            Change(
                "residence.menuSaved", topics: [ResidenceTopic.meals(of: residenceId)],
                audience: [.wardens(of: residenceId), .kitchen(of: residenceId), .diners(of: residenceId)]
                    + Audience.roles(Permission.manageResidences.roles),
                payload: ["residence": residenceId.text]))
    }

    private func publish(_ kind: String, _ resident: Resident, _ context: inout CommandContext) throws {
        let parents = try families.parents(ofStudent: resident.personId, in: context.sql)
        context.record(
            Change(
                kind, topics: [ResidenceTopic.meals(of: resident.pgId)],
                audience: [.wardens(of: resident.pgId), .kitchen(of: resident.pgId), .person(resident.personId)]
                    + parents.sorted { $0.uuidString < $1.uuidString }.map(Audience.person)
                    + Audience.roles(Permission.manageResidences.roles),
                payload: ["residence": resident.pgId.text, "student": resident.personId.text]))
    }
}
