import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ResidenceModel
import ScreenKit

/// The pages on which residents and parents choose meals.
struct MealScreens: Sendable {
    static let own = "/meals"

    let handlers: MealHandlers
    let people: any PeopleService

    var routes: [ScreenRoute] {
        [
            ScreenRoute(Self.own, access: .member(.chooseMeals), tab: Self.own) { .screen(try await week($0)) },
            ScreenRoute("\(Self.own)/diet", access: .member(.chooseMeals), tab: Self.own) { try await diet($0) },
        ]
    }

    /// The resident whom the page shows, with the control that switches between residents.
    private func chosen(_ request: ScreenRequest) async throws -> (Resident, String, [Component])? {
        let (words, membership) = (request.words, try request.context.membership)
        let found = try await request.context.school.read { sql in
            let residents = try handlers.residents(of: membership, in: sql)
            return (
                residents,
                try people.people(residents.map(\.personId), of: membership.organization.id, in: sql)
            )
        }
        let students = found.0.compactMap { resident in
            found.1[resident.personId].map { (id: $0.id, name: $0.name.display) }
        }
        let (id, segments) = try request.chosenStudent(of: students, label: words("residence.leave.child"))
        guard let resident = found.0.first(where: { $0.personId == id }) else { return nil }
        return (resident, students.first { $0.id == id }?.name ?? "", segments)
    }

    private func week(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership, now) = (request.words, try request.context.membership, request.context.now)
        guard let (resident, name, segments) = try await chosen(request) else {
            return Screen(
                title: words("residence.meals"),
                body: [
                    .empty(
                        PTEmptyState(
                            icon: .meal, title: words("residence.leave.noResident"),
                            message: words("residence.meals.noResidentTip")))
                ])
        }
        let (monday, mealWords) = (MealWords.monday(request), MealWords(request))
        let meals = try await request.context.school.read { sql in
            try MealReader(in: membership.timeZone).meals(
                of: resident, from: monday, through: monday.adding(days: 6), at: now, in: sql)
        }
        let isOwn = resident.personId == membership.personId
        let student = isOwn ? "" : "student=\(resident.personId.text)"
        var body = segments
        let eaten = meals.count { $0.choice == .eat }
        body.append(
            mealWords.head(
                monday, title: words("residence.meals.of", eaten, meals.count), detail: isOwn ? nil : name,
                path: { "\(Self.own)?day=\($0)" + (isOwn ? "" : "&\(student)") }))
        let onLeave = meals.count { $0.choice == .onLeave }
        if onLeave > 0 {
            body.append(
                .banner(
                    PTBanner(
                        icon: .calendar, title: words("residence.status.onLeave"),
                        message: words("residence.meals.skippedByLeave", onLeave),
                        action: PTButton(
                            title: words("residence.leave"), role: .quiet, action: .open(LeaveScreens.own)))))
        }
        body.append(
            meals.isEmpty
                ? .empty(
                    PTEmptyState(
                        icon: .meal, title: words("residence.meals.none"), message: words("residence.meals.noneTip")
                    ))
                : .week(
                    PTWeek(
                        days: (0..<7).map { day(monday.adding(days: $0), meals, resident, request) },
                        label: words("residence.meals.menu"))))
        body.append(
            .links(
                PTLinks(links: [
                    .init(
                        title: words("residence.diets"),
                        action: .present("\(Self.own)/diet" + (isOwn ? "" : "?\(student)")))
                ])))
        return Screen(
            title: words("residence.meals"), live: [ResidenceTopic.meals(of: resident.pgId)],
            body: body)
    }

    private func day(
        _ day: Day, _ meals: [ResidentMeal], _ resident: Resident, _ request: ScreenRequest
    ) -> PTWeek.Day {
        let (mealWords, today, now) = (MealWords(request), request.context.today, request.context.now)
        let meals = meals.filter { $0.meal.day == day }
        return PTWeek.Day(
            id: day.description, title: mealWords.title(day),
            detail: mealWords.state(of: meals.map(\.meal), on: day, today: today, now: now), isToday: day == today,
            isPast: day < today, cells: meals.map { cell($0, resident, request) })
    }

    private func cell(_ one: ResidentMeal, _ resident: Resident, _ request: ScreenRequest) -> PTListCell {
        let (words, mealWords) = (request.words, MealWords(request))
        let trailing: PTListCell.Trailing
        if one.isOpen {
            // The server judges by the time of the tap, which the client fills in.
            var fields = ["recordedAt": "", "sentAt": ""]
            if resident.personId != request.context.caller.membership?.personId {
                fields["studentId"] = resident.personId.text
            }
            let meal = "\(words.weekdayInFull(one.meal.day)), \(mealWords.name(one.meal.kind)), \(one.meal.dish)"
            func label(_ choice: MealChoice) -> PTAttendancePill.Label {
                let title = words("residence.choice.\(choice.rawValue)")
                return .init(
                    title: title, spoken: words("residence.choice.change", meal, title),
                    announced: words("residence.choice.now", meal, title), value: choice.rawValue)
            }
            trailing = .attendance(
                PTAttendancePill(
                    state: one.choice == .eat ? .present : .absent,
                    labels: .init(present: label(.eat), absent: label(.skip), unset: label(.eat)),
                    call: request.call(ChooseMeal.self, ["mealId": one.meal.id.text], fields: fields),
                    stateField: "choice"))
        } else {
            trailing = .badge(
                PTTag(
                    text: words("residence.choice.\(one.choice.rawValue)"),
                    icon: one.choice == .onLeave ? .calendar : .lock))
        }
        return PTListCell(
            id: one.meal.id.text, title: one.meal.dish, subtitle: mealWords.line(one.meal), trailing: [trailing])
    }

    private func diet(_ request: ScreenRequest) async throws -> ScreenAnswer {
        let (words, membership, mealWords) = (request.words, try request.context.membership, MealWords(request))
        guard let (resident, name, _) = try await chosen(request) else { return .redirect(Self.own) }
        let diet = try await request.context.school.read {
            try MealRepository.diet(of: resident.personId, in: $0)
        }
        let isOwn = resident.personId == membership.personId
        let fields =
            (isOwn ? [] : [PTField.hidden("studentId", resident.personId.text)]) + [
                PTField(
                    .select(Diet.allCases.map { .init(value: $0.rawValue, title: mealWords.name($0)) }),
                    name: "diet", label: words("residence.diet"), value: (diet?.diet ?? .standard).rawValue,
                    isRequired: true),
                PTField(
                    name: "allergies", label: words("residence.allergies"), value: diet?.allergies ?? "",
                    hint: words("residence.allergies.tip"), autocomplete: "off", maxLength: 200,
                    placeholder: words("residence.allergies.example")),
                PTField(
                    .toggle, name: "carriesPen", label: words("residence.pen"),
                    value: diet?.carriesPen == true ? "true" : "false", hint: words("residence.pen.tip")),
            ]
        return .screen(
            Screen(
                title: words("residence.diets"), subtitle: isOwn ? nil : name, back: Self.own,
                body: try await request.form(
                    SaveDiet.self, id: "diet", of: ResidentDiet.version(of: diet), savedBy: ["residence.dietSaved"],
                    resident.personId, fields: fields, submit: SubmitButton(title: words("residence.save")),
                    to: Self.own)))
    }

    /// Whether the entry is shown: only to residents and to parents of residents.
    func isOffered(to membership: ActiveMembership, in sql: any SQLReading) throws -> Bool {
        try !handlers.residents(of: membership, in: sql).isEmpty
    }
}
