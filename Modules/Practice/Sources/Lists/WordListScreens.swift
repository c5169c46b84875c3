import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ScreenKit

/// The pages on which word lists are made, and the list of a course on its page.
struct WordListScreens: Sendable {
    static let home = "/tools/spelling/lists"
    static let new = "/tools/spelling/new-list"
    static func path(_ id: UUID) -> String { "\(home)/\(id.text)" }
    static func practice(_ id: UUID) -> String { "\(PracticeTool.spelling.path)?list=\(id.text)" }
    static func word(_ id: UUID) -> String { "/tools/spelling/words/\(id.text)" }

    /// The time for which a list's page counts rounds, in seconds: four weeks.
    static let shownTime: TimeInterval = 28 * 86_400
    /// The most words that a list's page names as difficult.
    static let mostDifficult = 12

    let access: PracticeAccess

    var routes: [ScreenRoute] {
        [
            ScreenRoute(Self.home, access: .member(.practice), tab: "/home") { .screen(try await all($0)) },
            ScreenRoute(Self.new, access: .member(.practice), tab: "/home") { .screen(try await create($0)) },
            ScreenRoute("\(Self.home)/{listId}", access: .member(.practice), tab: "/home") {
                .screen(try await edit($0))
            },
            ScreenRoute("/tools/spelling/words/{wordId}", access: .member(.practice), tab: "/home") {
                .screen(try await record($0))
            },
        ]
    }

    // MARK: - Lists

    private func all(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership) = (request.words, try request.context.membership)
        let (lists, counts, names, led) = try await request.context.school.read { sql in
            let lists = try access.lists(of: membership, in: sql)
            return (
                lists, try WordListRepository.counts(lists.map(\.id), in: sql),
                try access.courses?.courses(Set(lists.compactMap(\.courseId)), in: sql) ?? [:],
                Set(try access.led(by: membership, in: sql).map(\.id))
            )
        }
        let cells = lists.map { list in
            let edits = list.courseId.map(led.contains) ?? true
            return PTListCell(
                id: list.id.text, leading: .icon(.book, tint: list.courseId == nil ? .sand : .leaf),
                title: list.name,
                subtitle: [
                    list.courseId.flatMap { names[$0]?.name } ?? words("practice.ownList"),
                    list.language.title(words), words("practice.wordCount", counts[list.id] ?? 0),
                ].joined(separator: " · "), trailing: [.chevron],
                action: .open(edits ? Self.path(list.id) : Self.practice(list.id)))
        }
        let add = PTButton(title: words("practice.newList"), icon: .plus, action: .open(Self.new))
        return Screen(
            title: words("practice.lists"), back: PracticeTool.spelling.path, live: [PracticeTopic.lists],
            body: cells.isEmpty
                ? [
                    .empty(
                        PTEmptyState(
                            icon: .book, title: words("practice.noLists"), message: words("practice.noListsTip"),
                            action: add))
                ] : [.list(PTList(cells: cells, columns: .two, label: words("practice.lists")))],
            floatingButton: cells.isEmpty
                ? nil
                : PTFloatingActionButton(
                    title: words("practice.newList"), label: words("practice.newList"), action: .open(Self.new)))
    }

    private func create(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership) = (request.words, try request.context.membership)
        let led = try await request.context.school.read { try access.led(by: membership, in: $0) }
        let wanted = request.query["course"].flatMap(UUID.init(text:))
        return Screen(
            title: words("practice.newList"), back: Self.home,
            body: [
                .form(
                    request.form(
                        CreateWordList.self, id: "list",
                        fields: fields(
                            nil, nil, led.filter { !$0.isArchived }, course: wanted, words),
                        submit: SubmitButton(title: words("practice.save"))))
            ])
    }

    private func fields(
        _ list: WordList?, _ text: WordListText?, _ led: [CourseSummary], course: UUID?, _ words: Words
    ) -> [PTField] {
        let languages = WordLanguage.allCases.map { PTField.Option(value: $0.rawValue, title: $0.title(words)) }
            .sorted { NameFolding.fold($0.title) < NameFolding.fold($1.title) }
        var fields = [
            PTField(
                name: "name", label: words("practice.name"), value: list?.name ?? "", isRequired: true,
                maxLength: WordList.longestName),
            PTField(
                .select(languages), name: "language", label: words("practice.language"),
                value: list?.language.rawValue ?? words.language.rawValue, isRequired: true, width: .half),
        ]
        if !led.isEmpty {
            fields.append(
                PTField(
                    .select(
                        [.init(value: "", title: words("practice.onlyMe"))]
                            + led.map { .init(value: $0.id.text, title: $0.name) }),
                    name: "courseId", label: words("practice.forWhom"),
                    value: (list.map(\.courseId) ?? course)?.text ?? "", width: .half))
        }
        fields.append(
            PTField(
                .multiline, name: "words", label: words("practice.words"), value: text?.text ?? "",
                hint: words("practice.wordsTip"), isRequired: true, placeholder: words("practice.wordsExample")))
        return fields
    }

    // MARK: - One list

    private func edit(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership) = (request.words, try request.context.membership)
        let (id, since) = (try request.id("listId"), request.context.now.addingTimeInterval(-Self.shownTime))
        let (list, listed, led, results) = try await request.context.school.read { sql in
            let list = try access.list(id, editedBy: membership, in: sql)
            return (
                list, try WordListRepository.words(of: id, in: sql),
                try access.led(by: membership, in: sql).filter { !$0.isArchived || $0.id == list.courseId },
                try self.results(of: list, since: since, membership, sql)
            )
        }
        let ids = ["listId": id.text]
        let text = listed.asText
        let form = try await request.form(
            UpdateWordList.self, ids, id: "list", of: list.version(text),
            savedBy: ["practice.listCreated", "practice.listChanged"], id,
            fields: fields(list, text, led, course: nil, words), submit: SubmitButton(title: words("practice.save"))
        )
        let spoken = listed.filter { $0.recording != nil }.count
        var actions = [
            PTButton(
                title: words("practice.start"), icon: .play, role: .tonal, action: .open(Self.practice(id)))
        ]
        // The first word that has no recording yet.
        if let next = listed.first(where: { $0.recording == nil }) ?? listed.first {
            actions.append(
                PTButton(
                    title: words("practice.record"), icon: .mic, role: .neutral, action: .open(Self.word(next.id))))
        }
        var body: [Component] = [.buttons(PTButtonGroup(buttons: actions))]
        if spoken > 0 {
            body.append(.text(PTText(words("practice.recorded", spoken, listed.count), role: .note)))
        }
        body += form
        body += sections(results, request)
        body.append(
            .button(
                PTButton(
                    title: words("practice.delete"), role: .quiet,
                    action: .perform(
                        request.call(
                            DeleteWordList.self, ids,
                            confirmation: PTConfirmation(
                                title: words("practice.delete.title", list.name),
                                message: words("practice.delete.message"), confirm: words("practice.delete")),
                            to: Self.home)))))
        return Screen(
            title: list.name, subtitle: led.first { $0.id == list.courseId }?.name, back: Self.home,
            live: [PracticeTopic.lists], body: body)
    }

    /// The rounds of a course's students with its list.
    private struct ListResults: Sendable {
        /// The students by name, each with their last round.
        var students: [(id: UUID, name: String, last: PracticeRound, count: Int)] = []
        /// The words that were missed most, with the number of rounds.
        var difficult: [(word: String, count: Int)] = []
    }

    /// Returns nothing for a list that is not a course's.
    private func results(
        of list: WordList, since: Date, _ membership: ActiveMembership, _ sql: any SQLReading
    ) throws -> ListResults {
        guard let courseId = list.courseId, let courses = access.courses else { return ListResults() }
        let inCourse = try courses.people(of: courseId, in: sql)
        let rounds = try RoundRepository.rounds(withList: list.id, since: since, in: sql).filter {
            inCourse.contains($0.personId)
        }
        let byPerson = Dictionary(grouping: rounds, by: \.personId)
        let people = try access.people.people(Array(byPerson.keys), of: membership.organization.id, in: sql)
        let students = byPerson.compactMap { id, rounds in
            people[id].flatMap { person in
                rounds.first.map { (id: id, name: person.name.display, last: $0, count: rounds.count) }
            }
        }
        let missed = rounds.flatMap(\.missed).reduce(into: [:]) { $0[$1, default: 0] += 1 }
        return ListResults(
            students: students.sorted { NameFolding.fold($0.name) < NameFolding.fold($1.name) },
            difficult: missed.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.mostDifficult).map {
                (word: $0.key, count: $0.value)
            })
    }

    private func sections(_ results: ListResults, _ request: ScreenRequest) -> [Component] {
        let words = request.words
        guard !results.students.isEmpty else { return [] }
        let zone = request.context.caller.timeZone
        let cells = results.students.map { student in
            PTListCell(
                id: student.id.text, title: student.name,
                subtitle: [
                    words("practice.atOnce", student.last.asked, student.last.correct),
                    words("practice.roundCount", student.count),
                ].joined(separator: " · "),
                details: student.last.missed.isEmpty
                    ? nil : words("practice.missed", student.last.missed.joined(separator: ", ")),
                trailing: [.text(words.dayAndMonth(Day(student.last.finishedAt, in: zone)))])
        }
        var body: [Component] = []
        if !results.difficult.isEmpty {
            body.append(
                .text(
                    PTText(
                        words(
                            "practice.difficult", results.difficult.map(\.word).joined(separator: ", ")),
                        role: .note)))
        }
        body.append(.list(PTList(cells: cells, columns: .two, label: words("practice.results"))))
        return [
            .section(
                PTSection(title: words("practice.results"), detail: words("practice.fourWeeks"), body: body))
        ]
    }

    // MARK: - A word's recording

    private func record(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership) = (request.words, try request.context.membership)
        let id = try request.id("wordId")
        let (word, list, listed) = try await request.context.school.read { sql in
            guard let found = try WordListRepository.word(id, in: sql) else { throw Problem.notFound }
            return (
                found.word, try access.list(found.listId, editedBy: membership, in: sql),
                try WordListRepository.words(of: found.listId, in: sql)
            )
        }
        let place = listed.firstIndex { $0.id == id } ?? 0
        let ids = ["wordId": id.text]
        var form = request.form(
            RecordWord.self, ids, id: "recording",
            fields: [
                PTField(
                    .file(accept: ["audio/*"]), name: "audio", label: words("practice.soundFile"),
                    hint: words("practice.soundTip", WordRecordings.longest, WordRecordings.bytes >> 20),
                    isRequired: true)
            ], submit: SubmitButton(title: words("practice.send"), role: .tonal), to: Self.word(id))
        form.voice = PTVoiceInput(
            action: RecordWord.contract.path(filling: ids), canKeep: false, longest: WordRecordings.longest)
        var body: [Component] = [
            .greeting(
                PTGreeting(
                    eyebrow: words("practice.wordOf", place + 1, listed.count), title: word.word, detail: word.hint)
            )
        ]
        if let path = word.recordingPath {
            body.append(.audio(PTAudio(url: path, label: words("practice.recordingOf", word.word))))
            body.append(
                .button(
                    PTButton(
                        title: words("practice.deleteRecording"), role: .quiet,
                        action: .perform(request.call(DeleteWordRecording.self, ids, to: Self.word(id))))))
        }
        body.append(.form(form))
        func neighbor(_ place: Int, _ key: String, _ role: PTButton.Role) -> PTButton? {
            listed.indices.contains(place)
                ? PTButton(title: words(key), role: role, action: .open(Self.word(listed[place].id))) : nil
        }
        let around = [
            neighbor(place - 1, "practice.previousWord", .quiet),
            neighbor(place + 1, "practice.nextWord", .neutral),
        ].compactMap(\.self)
        if !around.isEmpty { body.append(.buttons(PTButtonGroup(buttons: around))) }
        return Screen(
            title: words("practice.record"), subtitle: list.name, back: Self.path(list.id),
            live: [PracticeTopic.lists], body: body)
    }

    // MARK: - A course's section

    /// The word lists on the page of a course; nothing for people who are not in the course, who may see its page too.
    func section(of courseId: UUID, _ request: ScreenRequest) async throws -> [Component] {
        let (words, membership) = (request.words, try request.context.membership)
        let (lists, counts, course) = try await request.context.school.read { sql in
            let isMember = try access.courses?.courseIds(of: membership, in: sql).contains(courseId) == true
            let lists = try isMember ? WordListRepository.lists(ofCourse: courseId, in: sql) : []
            return (
                lists, try WordListRepository.counts(lists.map(\.id), in: sql),
                try access.led(by: membership, in: sql).first { $0.id == courseId }
            )
        }
        guard !lists.isEmpty || course?.isArchived == false else { return [] }
        let cells = lists.map { list in
            PTListCell(
                id: list.id.text, leading: .icon(PracticeTool.spelling.icon, tint: .leaf), title: list.name,
                subtitle: words("practice.wordCount", counts[list.id] ?? 0), trailing: [.chevron],
                action: .open(course == nil ? Self.practice(list.id) : Self.path(list.id)))
        }
        var body: [Component] =
            cells.isEmpty ? [] : [.list(PTList(cells: cells, label: words("practice.lists")))]
        if course?.isArchived == false {
            body.append(
                .links(
                    PTLinks(links: [
                        .init(
                            title: words("practice.newList"), action: .open("\(Self.new)?course=\(courseId.text)"))
                    ])))
        }
        return [.section(PTSection(title: words("practice.lists"), body: body))]
    }
}

/// The word lists that the search finds, for those who may practice them.
enum WordListSearch {
    static let source = SearchSource(
        category: "wordlists", title: "practice.lists", icon: .book, order: 42,
        kinds: ["practice.listCreated", "practice.listChanged", "practice.listDeleted"],
        touched: { change, _ in change.touches("list") },
        ids: { try WordListRepository.ids(after: $0, limit: $1, in: $2) },
        documents: { ids, _, sql in
            try WordListRepository.lists(ids, in: sql).map { list in
                SearchDocument(
                    id: list.id, title: list.name, path: WordListScreens.practice(list.id), tint: .leaf,
                    readers: list.readers)
            }
        })
}
