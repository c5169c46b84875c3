import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import FlashcardsModel
import Foundation
import OrganizationInterface
import ScreenKit

/// The pages of sets: the list of a person's sets, one set with its cards, and its form (`FlashcardCreatorView`).
struct SetScreens: Sendable {
    let access: SetAccess
    let reader: StudyReader
    let people: any PeopleService

    private static let tab = "/home"

    var routes: [ScreenRoute] {
        [
            ScreenRoute(SetPath.home, access: .member(.flashcards), tab: Self.tab) { .screen(try await home($0)) },
            ScreenRoute(SetPath.new, access: .member(.flashcards), tab: Self.tab) { .screen(try await create($0)) },
            ScreenRoute("/flashcards/sets/{setId}", access: .member(.flashcards), tab: Self.tab) {
                .screen(try await set($0))
            },
            ScreenRoute("/flashcards/sets/{setId}/settings", access: .member(.flashcards), tab: Self.tab) {
                .screen(try await settings($0))
            },
        ]
    }

    // MARK: - All sets

    private func home(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership, now) = (request.words, try request.context.membership, request.context.now)
        let found = try await request.context.school.read { sql in
            let today = try reader.today(membership, at: now, in: sql)
            let mine = Set(today.sets.map(\.set.id))
            let shared = try CardSetRepository.sets(
                CardSetRepository.ids(sharedIn: access.courses(of: membership, in: sql).map(\.id), in: sql)
                    .subtracting(mine), in: sql)
            return HomePage(
                today: today, shared: shared,
                names: try names(of: shared.map(\.ownerId), membership, sql),
                forecast: try forecast(today.sets.map(\.set.id), membership, now, sql),
                days: try ReviewRepository.days(
                    of: membership.personId, since: Day(now, in: membership.timeZone).adding(days: -400), in: sql))
        }
        let today = found.today
        let topics = [SetChange.topic(of: membership.personId)] + today.sets.map { SetChange.topic($0.set.id) }
        guard !today.sets.isEmpty || !found.shared.isEmpty else {
            return Screen(
                title: words("flashcards.title"), back: Self.tab, live: topics,
                body: [
                    .empty(
                        PTEmptyState(
                            icon: .cards, title: words("flashcards.none"), message: words("flashcards.noneTip"),
                            action: PTButton(
                                title: words("flashcards.newSet"), icon: .plus, action: .open(SetPath.new))))
                ])
        }
        var body: [Component] = [
            .greeting(
                PTGreeting(
                    title: today.cards == 0 ? words("flashcards.allDone") : words("flashcards.today", today.cards),
                    detail: today.cards == 0 ? nil : reader.detail(of: today, words)))
        ]
        if today.cards > 0 {
            body.append(
                .button(
                    PTButton(
                        title: words("flashcards.study"), icon: .play, size: .large,
                        action: .open(SetPath.studyAll))))
        }
        var parts: [Component] = [
            .section(
                PTSection(
                    title: words("flashcards.sets"),
                    action: PTButton(
                        title: words("flashcards.newSet"), icon: .plus, role: .quiet, action: .open(SetPath.new)),
                    body: today.sets.isEmpty
                        ? [.text(PTText(words("flashcards.noOwn"), role: .note))]
                        : [.progressCards(grid(today.sets, today.new > 0, words))]))
        ]
        if !today.sets.isEmpty {
            parts += [nextDays(found.forecast, words), week(found.days, request.context.today, words)]
        }
        if !found.shared.isEmpty { parts.append(sharedWithMe(found, request)) }
        body.append(.columns(PTColumns(parts, limit: 2)))
        return Screen(title: words("flashcards.title"), back: Self.tab, live: topics, body: body)
    }

    private struct HomePage: Sendable {
        let today: StudyReader.Today
        let shared: [CardSet]
        let names: [UUID: String]
        /// The number of cards that are due on each of the next seven days.
        let forecast: [(day: Day, count: Int)]
        let days: [Day]
    }

    private func grid(_ sets: [StudyReader.Progress], _ takesNew: Bool, _ words: Words) -> PTProgressCards {
        let tints: [Tint] = [.leaf, .clay, .sky, .berry]
        var cards = PTProgressCards(
            cards: sets.enumerated().map { place, one in
                let due = one.counts.due
                return PTProgressCards.Card(
                    id: one.set.id.text, title: one.set.title, detail: Self.size(one.set, words),
                    ring: PTProgressRing(
                        value: Double(one.percent) / 100, text: words.percent(one.percent),
                        tint: tints[place % tints.count],
                        spoken: words("flashcards.knownOf", one.counts.known, one.set.cardCount)),
                    tag: due > 0
                        ? PTTag(text: words("flashcards.due", due), tone: .warning)
                        : one.new > 0
                            ? PTTag(text: words("flashcards.new", one.new))
                            : one.set.cardCount > 0
                                ? PTTag(text: words("flashcards.done"), tone: .good, icon: .check) : nil,
                    action: .open(SetPath.set(one.set.id)))
            }, label: words("flashcards.sets"))
        cards.isGrid = true
        return cards
    }

    /// The language and the number of cards of a set: "French, 42 cards".
    private static func size(_ set: CardSet, _ words: Words) -> String {
        [set.frontLanguage?.name(in: words.locale), words("flashcards.cards", set.cardCount)].compactMap(\.self)
            .joined(separator: ", ")
    }

    private func forecast(
        _ setIds: [UUID], _ membership: ActiveMembership, _ now: Date, _ sql: any SQLReading
    ) throws -> [(day: Day, count: Int)] {
        let zone = membership.timeZone
        let today = Day(now, in: zone)
        let times = try ReviewRepository.dueTimes(
            of: setIds, by: membership.personId, before: today.adding(days: 7).start(in: zone), in: sql)
        let counts = times.reduce(into: [Int: Int]()) {
            $0[max(Day($1, in: zone).number, today.number), default: 0] += 1
        }
        return (0..<7).map { (today.adding(days: $0), counts[today.number + $0] ?? 0) }
    }

    private func nextDays(_ forecast: [(day: Day, count: Int)], _ words: Words) -> Component {
        let most = Double(forecast.map(\.count).max() ?? 0)
        return .section(
            PTSection(
                title: words("flashcards.nextDays"),
                body: [
                    .card(
                        PTCard(body: [
                            .chart(
                                PTChart(
                                    points: forecast.map { day, count in
                                        .init(
                                            label: words.weekday(day), value: Double(count),
                                            text: count.shown(in: words.locale))
                                    }, lowest: 0, highest: max(most, 1), tint: .sky,
                                    spoken: forecast.map { day, count in
                                        "\(words.weekdayInFull(day)) \(count.shown(in: words.locale))"
                                    }.joined(separator: ", ")))
                        ]))
                ]))
    }

    private func week(_ studied: [Day], _ today: Day, _ words: Words) -> Component {
        let streak = StudyStreak(of: studied, on: today)
        let all = Set(studied.map(\.number))
        let days = (0..<7).map { all.contains(today.number - 6 + $0) }
        return .section(
            PTSection(
                title: words("flashcards.week"),
                body: [
                    .list(
                        PTList(
                            cells: [
                                PTListCell(
                                    leading: .icon(.leaf, tint: .leaf),
                                    title: words("flashcards.streak", streak.days),
                                    subtitle: words("flashcards.streakTip"),
                                    trailing: [
                                        .streak(
                                            PTStreak(
                                                days: days,
                                                spoken: words("flashcards.weekSpoken", days.count { $0 })))
                                    ])
                            ], label: words("flashcards.week")))
                ]))
    }

    private func sharedWithMe(_ page: HomePage, _ request: ScreenRequest) -> Component {
        let words = request.words
        return .section(
            PTSection(
                title: words("flashcards.shared"),
                body: [
                    .list(
                        PTList(
                            cells: page.shared.map { set in
                                PTListCell(
                                    leading: .icon(.cards, tint: .sky), title: set.title,
                                    subtitle: [
                                        page.names[set.ownerId], words("flashcards.cards", set.cardCount),
                                    ].compactMap(\.self).joined(separator: ", "),
                                    trailing: [
                                        .button(
                                            PTButton(
                                                title: words("flashcards.add"), role: .neutral,
                                                action: .perform(
                                                    request.call(
                                                        FollowSet.self,
                                                        fields: ["setId": set.id.text, "isFollowed": "true"],
                                                        to: SetPath.home)),
                                                spoken: words("flashcards.addSpoken", set.title)))
                                    ], action: .open(SetPath.set(set.id)))
                            }, label: words("flashcards.shared")))
                ]))
    }

    private func names(
        of personIds: [UUID], _ membership: ActiveMembership, _ sql: any SQLReading
    ) throws -> [UUID: String] {
        try people.people(Array(Set(personIds)), of: membership.organization.id, in: sql).mapValues(\.name.display)
    }

    // MARK: - One set

    private func set(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership, now) = (request.words, try request.context.membership, request.context.now)
        let (setId, after) = (try request.id("setId"), request.query["after"].flatMap { Int($0) } ?? 0)
        let page = try await request.context.school.read { sql in
            let opened = try access.open(setId, by: membership, in: sql)
            let courses = try access.courses.courses(Set(opened.set.courseIds), in: sql)
            return SetPage(
                opened: opened, courses: courses.values.sorted(by: Course.precedes),
                progress: try reader.progress(opened.set, membership, at: now, in: sql),
                // The first two cards of the next page are neighbors of the last ones of this page.
                cards: try CardRepository.cards(
                    of: setId, after: max(0, after), limit: CardHandlers.page + 2, in: sql),
                previous: after > 0 ? try CardRepository.card(of: setId, upTo: after, in: sql) : nil,
                isFollowed: try CardSetRepository.studies(setId, membership.personId, in: sql),
                owner: try names(of: [opened.set.ownerId], membership, sql)[opened.set.ownerId],
                students: try students(of: opened, membership, sql))
        }
        let (set, opened) = (page.opened.set, page.opened)
        var body: [Component] = [greeting(page, words)]
        var actions: [PTButton] = []
        if set.cardCount > 0 {
            actions.append(
                PTButton(
                    title: words("flashcards.study"), icon: .play, size: .large,
                    action: .open(SetPath.study(set.id))))
        }
        if !opened.isOwner {
            actions.append(
                PTButton(
                    title: words(page.isFollowed ? "flashcards.remove" : "flashcards.add"), role: .neutral,
                    size: .large,
                    action: .perform(
                        request.call(
                            FollowSet.self,
                            fields: ["setId": set.id.text, "isFollowed": page.isFollowed ? "false" : "true"],
                            to: SetPath.set(set.id)))))
        }
        if !actions.isEmpty { body.append(.buttons(PTButtonGroup(buttons: actions))) }
        if let details = set.details { body.append(.text(PTText(details))) }
        if !page.students.isEmpty { body.append(studentList(page, words)) }
        body.append(cardList(page, after, request))
        if opened.mayEdit {
            body.append(
                .buttons(
                    PTButtonGroup(buttons: [
                        PTButton(
                            title: words("flashcards.import"), icon: .clip, role: .neutral,
                            action: .open(SetPath.importing(set.id))),
                        PTButton(
                            title: words("flashcards.settings"), icon: .settings, role: .neutral,
                            action: .open(SetPath.settings(set.id))),
                    ])))
        }
        if set.cardCount > 0 {
            func export(_ contract: Contract) -> PTAction { .external("\(contract.path)?setId=\(set.id.text)") }
            body.append(
                .links(
                    PTLinks(links: [
                        .init(title: words("flashcards.exportCSV"), action: export(ExportCards.contract)),
                        .init(title: words("flashcards.exportText"), action: export(ExportCardsAsText.contract)),
                    ])))
        }
        return Screen(
            title: set.title,
            subtitle: page.courses.isEmpty
                ? words("flashcards.private") : page.courses.map(\.name).joined(separator: ", "),
            back: SetPath.home, live: [SetChange.topic(set.id)], body: body)
    }

    private struct SetPage: Sendable {
        let opened: SetAccess.Opened
        let courses: [Course]
        let progress: StudyReader.Progress
        let cards: [Flashcard]
        /// The last card of the page before; `nil` on the first page.
        let previous: UUID?
        let isFollowed: Bool
        let owner: String?
        let students: [(name: String, known: Int)]
    }

    private func greeting(_ page: SetPage, _ words: Words) -> Component {
        let (set, counts) = (page.opened.set, page.progress.counts)
        let learning = max(0, counts.seen - counts.known)
        var detail = [counts.due > 0 ? words("flashcards.due", counts.due) : nil]
        if !page.opened.isOwner, let owner = page.owner { detail.append(words("flashcards.by", owner)) }
        return .greeting(
            PTGreeting(
                title: set.cardCount == 0
                    ? words("flashcards.cards", 0)
                    : words("flashcards.knownOf", counts.known, set.cardCount),
                detail: detail.compactMap(\.self).joined(separator: " · "),
                split: set.cardCount == 0
                    ? nil
                    : PTSplitBar(
                        parts: [
                            .init(count: counts.known, tint: .leaf, title: words("flashcards.known")),
                            .init(count: learning, tint: .sky, title: words("flashcards.learning")),
                        ], total: set.cardCount,
                        spoken: words("flashcards.knownOf", counts.known, set.cardCount))))
    }

    /// The students of the courses in which a teacher shares a set, by name, with the number of cards that they know.
    /// Empty for sets that a student shared, because nobody sees how classmates learn.
    private func students(
        of opened: SetAccess.Opened, _ membership: ActiveMembership, _ sql: any SQLReading
    ) throws -> [(name: String, known: Int)] {
        let courses = opened.led.filter { $0.teacherIds.contains(opened.set.ownerId) || opened.isOwner }
        guard !courses.isEmpty else { return [] }
        let ids = Set(try courses.flatMap { try access.roster.students(of: $0.id, in: sql) })
        let known = try ReviewRepository.known(of: opened.set.id, by: Array(ids), in: sql)
        return try people.people(Array(ids), of: membership.organization.id, in: sql).values
            .sorted(by: Person.precedes).map { ($0.name.display, known[$0.id] ?? 0) }
    }

    private func studentList(_ page: SetPage, _ words: Words) -> Component {
        let total = page.opened.set.cardCount
        let cells = page.students.map { student in
            let text = words("flashcards.knownOf", student.known, total)
            return PTListCell(
                title: student.name, subtitle: text,
                split: PTSplitBar(
                    parts: [.init(count: student.known, tint: .leaf)], total: max(1, total), spoken: text))
        }
        return .disclosure(
            PTDisclosure(
                title: words("flashcards.students"),
                body: [.list(PTList(cells: cells, columns: .two, label: words("flashcards.students")))]))
    }

    private func cardList(_ page: SetPage, _ after: Int, _ request: ScreenRequest) -> Component {
        let words = request.words
        let (set, mayEdit) = (page.opened.set, page.opened.mayEdit)
        let shown = page.cards.prefix(CardHandlers.page)
        var body: [Component] = []
        if shown.isEmpty {
            body.append(
                .empty(
                    PTEmptyState(
                        icon: .cards, title: words("flashcards.noCards"),
                        message: words(mayEdit ? "flashcards.noCardsTip" : "flashcards.noCardsYet"),
                        action: mayEdit
                            ? PTButton(
                                title: words("flashcards.addCard"), icon: .plus,
                                action: .open(SetPath.newCard(set.id)))
                            : nil)))
        } else {
            let more =
                page.cards.count > CardHandlers.page
                ? PTButton(
                    title: words("flashcards.moreCards"), role: .quiet,
                    action: .open("\(SetPath.set(set.id))?after=\(shown.last?.position ?? 0)")) : nil
            body.append(
                .list(
                    PTList(
                        cells: shown.indices.map {
                            mayEdit ? edited($0, page, request) : cell(page.cards[$0], words)
                        },
                        // Cards are dragged up and down.
                        columns: mayEdit ? .one : .two, label: words("flashcards.cardList"), more: more)))
            if after > 0 {
                body.append(
                    .button(
                        PTButton(
                            title: words("flashcards.firstCards"), role: .quiet, action: .open(SetPath.set(set.id)))
                    ))
            }
        }
        return .section(
            PTSection(
                title: words("flashcards.cardList"), detail: set.cardCount.shown(in: words.locale),
                action: mayEdit && !shown.isEmpty
                    ? PTButton(
                        title: words("flashcards.addCard"), icon: .plus, role: .quiet,
                        action: .open(SetPath.newCard(set.id))) : nil, body: body))
    }

    private func cell(_ card: Flashcard, _ words: Words) -> PTListCell {
        PTListCell(
            id: card.id.text, title: Self.line(card.front, words), subtitle: Self.line(card.back, words))
    }

    /// The row of a card for those who may change it: it opens the card, and can be moved.
    private func edited(_ place: Int, _ page: SetPage, _ request: ScreenRequest) -> PTListCell {
        let (words, cards) = (request.words, page.cards)
        let (card, setId) = (cards[place], page.opened.set.id)
        func move(_ key: String, _ icon: PTIcon, before: UUID?) -> PTMenuItem {
            var fields = ["cardId": card.id.text]
            fields["before"] = before?.text
            return PTMenuItem(
                title: words(key), icon: icon, action: .perform(request.call(MoveCard.self, fields: fields)))
        }
        var cell = cell(card, words)
        cell.trailing = [.menu]
        cell.action = .open(SetPath.card(card.id, of: setId))
        cell.menu = [
            PTMenuItem(
                title: words("flashcards.editCard"), icon: .edit, action: .open(SetPath.card(card.id, of: setId)))
        ]
        if let previous = place > 0 ? cards[place - 1].id : page.previous {
            cell.menu.append(move("flashcards.moveUp", .arrowUp, before: previous))
        }
        if place + 1 < cards.count {
            let next = place + 2 < cards.count ? cards[place + 2].id : nil
            cell.menu.append(move("flashcards.moveDown", .arrowDown, before: next))
        }
        if page.opened.set.cardCount > 1 {
            var fields = ["cardId": card.id.text]
            // A card that is dropped at the end of the page goes before the next page.
            fields["end"] = cards.count > CardHandlers.page ? cards[CardHandlers.page].id.text : nil
            cell.move = request.call(MoveCard.self, fields: fields)
        }
        return cell
    }

    /// A side of a card on one line.
    static func line(_ side: CardSide, _ words: Words) -> String {
        let text = SearchSource.excerpt(side.text)
        let marks = [
            side.picture.map { words("flashcards.pictureOf", $0.alternative) },
            side.sound == nil ? nil : words("flashcards.sound"),
        ].compactMap(\.self)
        return text.isEmpty ? marks.joined(separator: ", ") : text
    }

    // MARK: - The form

    private func create(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership) = (request.words, try request.context.membership)
        let courses = try await request.context.school.read { try access.courses(of: membership, in: $0) }
        let chosen = request.query["course"].flatMap(UUID.init(text:)).map { [$0] } ?? []
        return Screen(
            title: words("flashcards.newSet"), back: SetPath.home,
            body: [
                .form(
                    request.form(
                        CreateSet.self, id: "set", fields: fields(nil, courses, chosen: chosen, words),
                        submit: SubmitButton(title: words("flashcards.create"))))
            ])
    }

    private func settings(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership, setId) = (request.words, try request.context.membership, try request.id("setId"))
        let (opened, courses, learners) = try await request.context.school.read { sql in
            let opened = try access.edit(setId, by: membership, in: sql)
            return (
                opened, try access.offered(opened, membership, in: sql),
                try CardSetRepository.learnerCount(of: opened.set, in: sql)
            )
        }
        let set = opened.set
        var body = try await request.form(
            UpdateSet.self, id: "set", of: set.version, savedBy: ["flashcards.changed"], set.id,
            fields: fields(set, courses, chosen: set.courseIds, words) + [.hidden("setId", set.id.text)],
            submit: SubmitButton(title: words("flashcards.save")))
        if opened.isOwner {
            body.append(
                .button(
                    PTButton(
                        title: words("flashcards.delete"), role: .quiet,
                        action: .perform(
                            request.call(
                                DeleteSet.self, fields: ["setId": set.id.text],
                                confirmation: PTConfirmation(
                                    title: words("flashcards.delete.title", set.title),
                                    message: learners > 0
                                        ? words("flashcards.delete.learners", learners)
                                        : words("flashcards.delete.message"), confirm: words("flashcards.delete"))))
                    )))
        }
        return Screen(
            title: words("flashcards.settings"), subtitle: set.title, back: SetPath.set(set.id), body: body)
    }

    private func fields(_ set: CardSet?, _ courses: [Course], chosen: [UUID], _ words: Words) -> [PTField] {
        let languages =
            [PTField.Option(value: "", title: words("flashcards.noLanguage"))]
            + CardLanguage.allCases.map { PTField.Option(value: $0.rawValue, title: $0.name(in: words.locale)) }
            .sorted { $0.title.compare($1.title, locale: words.locale) == .orderedAscending }
        var fields = [
            PTField(
                name: "title", label: words("flashcards.name"), value: set?.title ?? "", isRequired: true,
                maxLength: CardSet.longestTitle),
            PTField(
                .multiline, name: "details", label: words("flashcards.details"), value: set?.details ?? "",
                maxLength: CardSet.longestDetails),
            PTField(
                .select(languages), name: "frontLanguage", label: words("flashcards.frontLanguage"),
                value: set?.frontLanguage?.rawValue ?? "", hint: words("flashcards.languageTip"), width: .half),
            PTField(
                .select(languages), name: "backLanguage", label: words("flashcards.backLanguage"),
                value: set?.backLanguage?.rawValue ?? "", width: .half),
        ]
        if !courses.isEmpty {
            fields.append(
                PTField(
                    .multipleChoice(courses.map { .init(value: $0.id.text, title: $0.name) }), name: "courseIds",
                    label: words("flashcards.shareIn"), values: chosen.map(\.text),
                    hint: words("flashcards.shareTip")))
        }
        return fields
    }
}

extension StudyReader {
    /// The number of sets and the time for today's cards: "3 sets, about 8 min".
    func detail(of today: Today, _ words: Words) -> String {
        "\(words("flashcards.setCount", today.setCount)), \(words("flashcards.minutes", today.minutes))"
    }
}
