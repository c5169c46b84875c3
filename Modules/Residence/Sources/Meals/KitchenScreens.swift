import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ResidenceModel
import ScreenKit

/// The pages of those who plan meals and cook: the week's menu, and the head counts of a day on a page and on paper.
struct KitchenScreens: Sendable {
    static func path(_ residenceId: UUID) -> String { "\(ResidenceScreens.path(residenceId))/meals" }
    static func path(_ residenceId: UUID, week day: Day) -> String { "\(path(residenceId))?day=\(day)" }
    /// The page of a day; that of the kitchen has allergies too.
    static func path(_ residenceId: UUID, day: Day, isKitchen: Bool) -> String {
        "\(path(residenceId))/\(isKitchen ? "kitchen" : "day")?day=\(day)"
    }

    let people: any PeopleService
    let printer: any DocumentPrinting

    var routes: [ScreenRoute] {
        let (meals, tab) = ("/residences/{pgId}/meals", ResidenceScreens.list)
        return [
            ScreenRoute(meals, access: .member(.planMeals), tab: tab) { .screen(try await week($0)) },
            ScreenRoute("\(meals)/day", access: .member(.planMeals), tab: tab) {
                .screen(try await day($0, isKitchen: false))
            },
            ScreenRoute(
                "\(meals)/kitchen", access: .member(.planMeals), tab: tab, seen: Seen("residence.allergiesSeen")
            ) { .screen(try await day($0, isKitchen: true)) },
            ScreenRoute("\(meals)/edit", access: .member(.planMeals), tab: tab) { .screen(try await edit($0)) },
        ]
    }

    private func residence(_ request: ScreenRequest) async throws -> Residence {
        let (id, membership) = (try request.id("pgId"), try request.context.membership)
        return try await request.context.school.read {
            try MealAccess.residence(id, plannedBy: membership, in: $0)
        }
    }

    // MARK: - The week's menu

    private func week(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership) = (request.words, try request.context.membership)
        let (residence, monday) = (try await residence(request), MealWords.monday(request))
        let (counts, hasEarlier, runs, isKitchen) = try await request.context.school.read { sql in
            (
                try MealReader(in: membership.timeZone).headCounts(
                    of: residence.id, from: monday, through: monday.adding(days: 6), in: sql),
                try !MealRepository.meals(
                    of: residence.id, from: monday.adding(days: -7), through: monday.adding(days: -1), in: sql
                ).isEmpty, try ResidenceAccess.run(by: membership, in: sql).contains { $0.id == residence.id },
                try MealAccess.isKitchen(membership, of: residence.id, in: sql)
            )
        }
        let path = Self.path(residence.id)
        var body: [Component] = runs ? [ResidenceScreens.segments(residence, at: path, words)] : []
        body.append(
            MealWords(request).head(
                monday, title: words("residence.meals.planned", counts.count),
                path: { Self.path(residence.id, week: $0) }))
        if counts.count < 7 * Meal.Kind.allCases.count, hasEarlier {
            body.append(
                .button(
                    PTButton(
                        title: words("residence.meals.copy"), icon: .copy, role: .neutral,
                        action: .perform(
                            request.call(
                                CopyMenu.self, ["pgId": residence.id.text], fields: ["day": monday.description])))))
        }
        body.append(
            .week(
                PTWeek(
                    days: (0..<7).map {
                        day(monday.adding(days: $0), counts, residence, isKitchen: isKitchen, request)
                    },
                    label: words("residence.meals.menu"))))
        return Screen(
            title: words("residence.meals"), subtitle: residence.name, back: runs ? nil : ResidenceScreens.list,
            live: [ResidenceTopic.meals(of: residence.id), ResidenceTopic.residence(residence.id)], body: body)
    }

    private func day(
        _ day: Day, _ counts: [HeadCount], _ residence: Residence, isKitchen: Bool, _ request: ScreenRequest
    ) -> PTWeek.Day {
        let (words, mealWords) = (request.words, MealWords(request))
        let (today, now) = (request.context.today, request.context.now)
        let counts = counts.filter { $0.meal.day == day }
        let title = words(counts.isEmpty ? "residence.meals.write" : "residence.meals.edit")
        return PTWeek.Day(
            id: day.description, title: mealWords.title(day),
            detail: mealWords.state(of: counts.map(\.meal), on: day, today: today, now: now), isToday: day == today,
            isPast: day < today,
            cells: counts.map { count in
                PTListCell(
                    id: count.meal.id.text, title: count.meal.dish, subtitle: mealWords.line(count.meal),
                    trailing: [.badge(PTTag(text: words("residence.meals.eat", count.eat), tone: .good))],
                    action: .open(Self.path(residence.id, day: day, isKitchen: isKitchen)))
            },
            action: PTButton(
                title: words(counts.isEmpty ? "residence.meals.do.write" : "residence.meals.do.edit"),
                icon: counts.isEmpty ? .plus : .edit, role: .quiet,
                action: .present("\(Self.path(residence.id))/edit?day=\(day)"),
                spoken: words("residence.leave.about", title, words.longDate(day))))
    }

    // MARK: - Writing the menu

    private func edit(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership, mealWords) = (request.words, try request.context.membership, MealWords(request))
        let residence = try await residence(request)
        let day = request.query["day"].flatMap(Day.init) ?? request.context.today
        let meals = try await request.context.school.read {
            try MealRepository.meals(of: residence.id, from: day, through: day, in: $0)
        }
        let options = Diet.allCases.filter { $0 != .standard }.map {
            PTField.Option(value: $0.rawValue, title: mealWords.name($0))
        }
        let dishes = Meal.Kind.allCases.flatMap { kind in
            let meal = meals.first { $0.kind == kind }
            return [
                PTField(
                    name: kind.rawValue, label: mealWords.name(kind), value: meal?.dish ?? "", autocomplete: "off",
                    maxLength: 120, placeholder: words("residence.meal.\(kind.rawValue).example"), width: .half),
                PTField(
                    name: kind.timeField, label: words("residence.leave.toTime"),
                    value: (meal?.time ?? MealHandlers.standardTime(of: kind)).description, isRequired: true,
                    maxLength: 5, width: .half),
            ]
        }
        let diets = Meal.Kind.allCases.map { kind in
            var field = PTField(
                .multipleChoice(options), name: kind.dietsField,
                label: words("residence.meals.suits", mealWords.name(kind)),
                values: meals.first { $0.kind == kind }?.diets.map(\.rawValue) ?? [])
            field.isFolded = true
            return field
        }
        let cutOff = meals.first.map { ClockTime($0.cutOff, in: membership.timeZone) }
        let fields =
            [.hidden("day", day.description), .version(Meal.version(of: meals))] + dishes + [
                PTField(
                    name: "cutOff", label: words("residence.meals.cutOff"),
                    value: (cutOff ?? MealHandlers.standardCutOff).description,
                    hint: words("residence.meals.cutOff.tip"), isRequired: true, maxLength: 5)
            ] + diets
        var form = request.form(
            SaveMenu.self, ["pgId": residence.id.text], id: "menu", fields: fields,
            submit: SubmitButton(title: words("residence.save")), to: Self.path(residence.id, week: day))
        form.foldTitle = words("residence.diet")
        let theirs = try await request.savedMeanwhile(
            ContentVersion.changed, ["residence.menuSaved"], of: residence.id, fields)
        return Screen(
            title: words("residence.meals.menu"), subtitle: words.longDate(day),
            back: Self.path(residence.id, week: day), body: theirs + [.form(form)])
    }

    // MARK: - The day of the kitchen

    /// What the kitchen needs for a day.
    private struct KitchenDay: Sendable {
        let residence: Residence
        let day: Day
        let counts: [HeadCount]
        /// The residents with allergies by name; `nil` for those who do not work in the kitchen.
        let allergies: [(name: String, room: String, diet: ResidentDiet)]?

        /// The diets that someone keeps.
        var diets: [Diet] { Diet.allCases.filter { diet in counts.contains { $0.count(of: diet) > 0 } } }
    }

    private func kitchenDay(
        _ residenceId: UUID, _ day: Day, _ membership: ActiveMembership, isKitchen: Bool, in sql: any SQLReading
    ) throws -> KitchenDay {
        let residence = try MealAccess.residence(residenceId, plannedBy: membership, in: sql)
        let reader = MealReader(in: membership.timeZone)
        let counts = try reader.headCounts(of: residence.id, from: day, through: day, in: sql)
        guard isKitchen else {
            return KitchenDay(residence: residence, day: day, counts: counts, allergies: nil)
        }
        let diets = try reader.allergies(of: residence.id, on: day, in: sql)
        let names = try people.people(diets.map(\.studentId), of: membership.organization.id, in: sql)
        let rooms = try RoomRepository.rooms(of: residence.id, on: day, in: sql).reduce(into: [UUID: String]()) {
            for id in $1.studentIds { $0[id] = $1.number }
        }
        let sorted = diets.compactMap { diet in names[diet.studentId].map { ($0, diet) } }
            .sorted { Person.precedes($0.0, $1.0) }
        return KitchenDay(
            residence: residence, day: day, counts: counts,
            allergies: sorted.map { ($0.0.name.display, rooms[$0.1.studentId] ?? "–", $0.1) })
    }

    private func day(_ request: ScreenRequest, isKitchen: Bool) async throws -> Screen {
        let (words, membership, mealWords) = (request.words, try request.context.membership, MealWords(request))
        let id = try request.id("pgId")
        let day = request.query["day"].flatMap(Day.init) ?? request.context.today
        let found = try await request.context.school.read { sql in
            if isKitchen { try MealAccess.checkKitchen(membership, of: id, in: sql) }
            return try kitchenDay(id, day, membership, isKitchen: isKitchen, in: sql)
        }
        let now = request.context.now
        var body: [Component] = [
            .greeting(
                PTGreeting(
                    eyebrow: found.residence.name, title: words.longDate(day),
                    actions: [
                        PTButton(
                            title: words("residence.meals.dayBefore"), icon: .chevronLeft, role: .quiet,
                            action: .open(Self.path(id, day: day.adding(days: -1), isKitchen: isKitchen))),
                        PTButton(
                            title: words("residence.meals.dayAfter"), icon: .chevronRight, role: .quiet,
                            action: .open(Self.path(id, day: day.adding(days: 1), isKitchen: isKitchen))),
                    ]))
        ]
        guard !found.counts.isEmpty else {
            body.append(
                .empty(
                    PTEmptyState(
                        icon: .meal, title: words("residence.meals.none"),
                        message: words("residence.meals.writeTip"),
                        action: PTButton(
                            title: words("residence.meals.write"),
                            action: .present("\(Self.path(id))/edit?day=\(day)")))))
            return Screen(
                title: words("residence.meals"), subtitle: found.residence.name, back: Self.path(id, week: day),
                live: [ResidenceTopic.meals(of: id)], body: body)
        }
        body.append(
            .cardGrid(
                PTCardGrid(
                    items: found.counts.map { count in
                        PTCardGrid.Item(
                            id: count.meal.id.text, title: words("residence.meals.eat", count.eat),
                            subtitle: [
                                "\(mealWords.name(count.meal.kind)), \(mealWords.time(count.meal))",
                                words("residence.meals.others", count.skip, count.onLeave),
                            ].joined(separator: " · "),
                            tag: PTTag(
                                text: mealWords.state(
                                    of: [count.meal], on: day, today: request.context.today, now: now) ?? "",
                                icon: now < count.meal.cutOff ? .clock : .lock))
                    }, label: words("residence.meals.counts"))))
        body.append(
            .section(
                PTSection(
                    title: words("residence.meals.menu"),
                    body: [
                        .definitionList(
                            PTDefinitionList(
                                items: found.counts.map {
                                    .init(term: mealWords.name($0.meal.kind), value: $0.meal.dish)
                                }))
                    ])))
        body.append(
            .section(
                PTSection(
                    title: words("residence.diets.kept"),
                    body: [
                        .table(
                            PTDataTable(
                                label: words("residence.diets.kept"),
                                columns: [.init(title: words("residence.diet"))]
                                    + found.counts.map {
                                        .init(title: mealWords.name($0.meal.kind), isNumeric: true)
                                    },
                                rows: rows(found, mealWords).map {
                                    .init(header: $0[0], cells: $0.dropFirst().map { .text($0) })
                                }))
                    ])))
        body.append(allergies(found, words))
        body.append(
            .button(
                PTButton(
                    title: words("residence.meals.print"), icon: .print,
                    action: .external(
                        "\(Self.path(id))/\(isKitchen ? "kitchen" : "day")/print/\(day)/\(Self.paper(membership).rawValue)"
                    ))))
        return Screen(
            title: words("residence.meals"), subtitle: found.residence.name, back: Self.path(id, week: day),
            live: [ResidenceTopic.meals(of: id), ResidenceTopic.residence(id)], body: body)
    }

    /// The table of diets, a row for each diet and one for all, with a column for each meal.
    private func rows(_ day: KitchenDay, _ mealWords: MealWords) -> [[String]] {
        let locale = mealWords.words.locale
        return day.diets.map { diet in
            [mealWords.name(diet)] + day.counts.map { $0.count(of: diet).shown(in: locale) }
        } + [[mealWords.words("residence.meals.total")] + day.counts.map { $0.eat.shown(in: locale) }]
    }

    private func allergies(_ day: KitchenDay, _ words: Words) -> Component {
        guard let allergies = day.allergies else {
            return .text(PTText(words("problem.residence.kitchenOnly"), role: .note))
        }
        let table = PTDataTable(
            label: words("residence.allergies"),
            columns: [
                .init(title: words("residence.resident")), .init(title: words("residence.room")),
                .init(title: words("residence.allergies")), .init(title: words("residence.pen.short")),
                .init(title: words("residence.diet")),
            ],
            rows: allergies.map { one in
                .init(
                    id: one.diet.studentId.text, header: one.name,
                    cells: [
                        .text(one.room), .text(one.diet.allergies ?? ""),
                        one.diet.carriesPen
                            ? .tag(PTTag(text: words("residence.pen.short"), tone: .danger, icon: .alert)) : .empty,
                        .text(words("residence.diet.\(one.diet.diet.rawValue)")),
                    ])
            })
        return .section(
            PTSection(
                title: words("residence.allergies"), detail: words("residence.allergies.kitchen"),
                body: [
                    allergies.isEmpty
                        ? .text(PTText(words("residence.allergies.none"), role: .note)) : .table(table)
                ]))
    }

    // MARK: - On paper

    /// Letter for schools in a time zone of America, A4 elsewhere.
    private static func paper(_ membership: ActiveMembership) -> PrintedDocument.Paper {
        membership.timeZone.identifier.hasPrefix("America/") ? .letter : .a4
    }

    /// The head counts of a day as PDF files: those of the kitchen have allergies too.
    var downloads: [DownloadRoute] {
        [
            download(isKitchen: false, seen: nil),
            download(isKitchen: true, seen: Seen("residence.allergiesExported", "pgId", isExport: true)),
        ]
    }

    private func download(isKitchen: Bool, seen: Seen?) -> DownloadRoute {
        DownloadRoute(
            "/residences/{pgId}/meals/\(isKitchen ? "kitchen" : "day")/print/{day}/{paper}",
            access: .member(.planMeals), seen: seen
        ) { parameters, context in
            guard let id = parameters["pgId"].flatMap(UUID.init(text:)),
                let day = parameters["day"].flatMap(Day.init),
                let paper = parameters["paper"].flatMap(PrintedDocument.Paper.init)
            else { throw Problem.notFound }
            let (membership, words) = (try context.membership, context.words)
            let found = try await context.school.read { sql in
                if isKitchen { try MealAccess.checkKitchen(membership, of: id, in: sql) }
                return try kitchenDay(id, day, membership, isKitchen: isKitchen, in: sql)
            }
            let document = document(
                found, MealWords(words, membership.timeZone), school: membership.organization.name, paper)
            return DownloadedFile(
                .bytes(try await printer.pdf(of: document)), name: "\(document.title) \(day).pdf",
                contentType: "application/pdf")
        }
    }

    private func document(
        _ day: KitchenDay, _ mealWords: MealWords, school: String, _ paper: PrintedDocument.Paper
    ) -> PrintedDocument {
        let words = mealWords.words
        var blocks: [PrintedBlock] = [
            .table(
                PrintedTable(
                    columns: [
                        .init(words("residence.meal"), share: 2), .init(words("residence.meals.menu"), share: 3),
                        .init(words("residence.meals"), isCentered: true),
                        .init(words("residence.choice.skip"), isCentered: true),
                        .init(words("residence.choice.onLeave"), isCentered: true),
                    ],
                    rows: day.counts.map { count in
                        ["\(mealWords.name(count.meal.kind)), \(mealWords.time(count.meal))", count.meal.dish]
                            + [count.eat, count.skip, count.onLeave].map { $0.shown(in: words.locale) }
                    })),
            .heading(words("residence.diets.kept")),
            .table(
                PrintedTable(
                    columns: [.init(words("residence.diet"), share: 2)]
                        + day.counts.map { .init(mealWords.name($0.meal.kind), isCentered: true) },
                    rows: rows(day, mealWords))),
        ]
        if let allergies = day.allergies {
            blocks.append(.heading(words("residence.allergies")))
            blocks.append(
                allergies.isEmpty
                    ? .text(words("residence.allergies.none"))
                    : .table(
                        PrintedTable(
                            columns: [
                                .init(words("residence.resident"), share: 2), .init(words("residence.room")),
                                .init(words("residence.allergies"), share: 2), .init(words("residence.pen.short")),
                            ],
                            rows: allergies.map {
                                [
                                    $0.name, $0.room, $0.diet.allergies ?? "",
                                    $0.diet.carriesPen ? words("residence.pen.yes") : "",
                                ]
                            })))
        }
        return PrintedDocument(
            title: words("residence.meals.counts"),
            subtitle: "\(day.residence.name) · \(words.longDate(day.day))", school: school,
            language: words.language,
            paper: paper, blocks: blocks, pageNumber: { words("residence.page", $0, $1) })
    }
}
