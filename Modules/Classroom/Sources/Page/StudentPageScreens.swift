import ClassroomInterface
import CurriculumInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import InsightsInterface
import OrganizationInterface
import ScreenKit

/// The page of a child and the pages below it.
struct StudentPageScreens: Sendable {
    let classrooms: any ClassroomService
    let students: any StudentService
    let guardians: any GuardianService
    let taxonomy: (any Taxonomy)?
    let transcriber: (any Transcriber)?
    let calendar: any SchoolCalendar

    var routes: [ScreenRoute] {
        [
            route("") { .screen(try await page($0)) },
            route("/observations") { .screen(try await observations($0)) },
            route("/observations/{observationId}", access: .keepRecords) { .screen(try await observation($0)) },
            route("/voice/{noteId}", access: .keepRecords) { .screen(try await voice($0)) },
            route("/habits", access: .keepRecords) { .screen(try await habits($0)) },
            route("/habits/overview") { .screen(try await overview($0)) },
            route("/plans") { .screen(try await plans($0)) },
            route("/plans/{workId}", access: .keepRecords) { .screen(try await work($0)) },
            route("/contacts", access: .keepRecords) { .screen(try await contacts($0)) },
        ]
    }

    private func route(
        _ rest: String, access: Permission = .viewClassrooms,
        _ make: @escaping @Sendable (ScreenRequest) async throws -> ScreenAnswer
    ) -> ScreenRoute {
        ScreenRoute(
            "/students/{studentId}\(rest)", access: .member(access), tab: "/homeroom",
            seen: Seen("student.seen", "studentId"), make)
    }

    // MARK: - The page

    private func page(_ request: ScreenRequest) async throws -> Screen {
        let id = try request.id("studentId")
        let membership = try request.context.membership
        let (today, language) = (request.context.today, request.words.language)
        let hasAllHabits = request.query["habits"] == "all"
        // These reads run at the same time, each on its own connection. If the child may not be seen, all of them end.
        async let others = request.sections(about: .student, id)
        async let canKeepVoice = transcriber?.isAvailable(in: request.context) ?? false
        let data = try await request.context.school.read { sql in
            try StudentPageData(
                id, membership, today: today, language: language, hasAllHabits: hasAllHabits,
                classrooms: classrooms, students: students, taxonomy: taxonomy, calendar: calendar, in: sql)
        }
        return try await StudentPageViewModel(
            data: data, timeZone: membership.timeZone, canKeepVoice: canKeepVoice, others: others, request: request
        ).screen
    }

    /// Returns the child of a page. Throws `Problem.notFound` if the caller may not see the child.
    private func student(_ request: ScreenRequest) async throws -> Student {
        let id = try request.id("studentId")
        let membership = try request.context.membership
        return try await request.context.school.read { try students.student(id, visibleTo: membership, in: $0) }
    }

    private func screen(
        _ title: String, _ student: Student, search: PTSearchField? = nil, _ body: [Component]
    ) -> Screen {
        Screen(
            title: title, subtitle: student.displayName, back: "/students/\(student.id.text)",
            live: [StudentAccess.topic(student.id)], body: body, search: search)
    }

    // MARK: - Observations

    private func observations(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let student = try await student(request)
        let membership = try request.context.membership
        let query = request.query
        // Unknown query parameters are ignored.
        var fields = try FieldReader(.object(query.mapValues(InputValue.text)), isForm: true)
        let filter = ObservationFilter(&fields)
        let (found, names, tags, others) = try await request.context.school.read { sql in
            let found = try ObservationRepository.observations(
                of: student.id, filter, timeZone: membership.timeZone, after: query["after"],
                limit: Self.pageSize + 1, in: sql)
            let rooms = try ClassroomRepository.classroomIds(ofStudent: student.id, in: sql)
            return (
                found,
                try RecordNames(found, taxonomy: taxonomy, language: words.language, in: sql),
                try taxonomy?.tags(in: words.language, sql) ?? [],
                try StudentPageData.classmates(of: student.id, in: rooms, membership, sql)
            )
        }
        let notes = ObservationNotes(
            names: names, studentId: student.id, timeZone: membership.timeZone, request: request,
            mayKeep: request.context.caller.may(.keepRecords))
        let links = FilterLinks(
            path: "/students/\(student.id.text)/observations", query: query,
            known: ["q", "from", "to", "subject", "material", "app", "with", "order", "after"])
        var body: [Component] = [
            .segments(
                PTSegmentedControl(
                    label: words("observation.order"),
                    segments: ObservationFilter.Order.allCases.map { order in
                        .init(
                            title: words("observation.order.\(order.rawValue)"),
                            path: links.with("order", order == .newest ? nil : order.rawValue),
                            isSelected: filter.order == order)
                    })),
            .disclosure(
                PTDisclosure(
                    title: words("observation.filters"),
                    body: chips(filter, tags, others, names, links, today: request.context.today, words),
                    isOpen: filter.isNarrow && filter.text.isEmpty)),
        ]
        body += found.prefix(Self.pageSize).map { .note(notes.note($0)) }
        if found.isEmpty {
            body.append(
                .empty(
                    PTEmptyState(
                        icon: .eye,
                        title: words(filter.isNarrow ? "observation.notFound" : "observation.none"),
                        message: words(filter.isNarrow ? "observation.notFoundTip" : "observation.noneTip"))))
        }
        if found.count > Self.pageSize {
            let place = ObservationRepository.place(of: found[Self.pageSize - 1])
            body.append(
                .button(
                    PTButton(
                        title: words("students.more"), role: .neutral, action: .open(links.with("after", place)))))
        }
        return screen(
            words("observation.title"), student,
            search: PTSearchField(
                path: "/students/\(student.id.text)/observations", value: filter.text,
                placeholder: words("observation.search"), label: words("observation.search"),
                keeping: links.filters), body)
    }

    static let pageSize = 20

    private func chips(
        _ filter: ObservationFilter, _ tags: [Tag], _ others: [Student], _ names: RecordNames, _ links: FilterLinks,
        today: Day, _ words: Words
    ) -> [Component] {
        func chips(_ label: String, _ key: String, _ options: [(String, String)], chosen: String?) -> [Component] {
            guard !options.isEmpty else { return [] }
            return [
                .text(PTText(label, role: .note)),
                .chips(
                    PTChips(
                        label: label,
                        chips: options.map { value, title in
                            .init(
                                title: title, isSelected: chosen == value,
                                action: .open(links.with(key, chosen == value ? nil : value)))
                        })),
            ]
        }
        let spans = [("day", today), ("week", today.adding(days: -6)), ("month", today.adding(days: -29))]
        return [
            chips(
                words("observation.since"), "from",
                spans.map { ($0.1.description, words("observation.since.\($0.0)")) },
                chosen: filter.from?.description),
            chips(
                words("tag.subject"), "subject", tags.filter { $0.kind == .subject }.map { ($0.id.text, $0.name) },
                chosen: filter.subject?.text),
            chips(
                words("tag.app"), "app", tags.filter { $0.kind == .app }.map { ($0.id.text, $0.name) },
                chosen: filter.app?.text),
            // There are many materials; the filter offers those that this list uses.
            chips(
                words("tag.material"), "material",
                names.tags.values.filter { $0.kind == .material }.sorted { $0.name < $1.name }.map {
                    ($0.id.text, $0.name)
                }, chosen: filter.material?.text),
            chips(
                words("observation.with"), "with", others.prefix(40).map { ($0.id.text, $0.displayName) },
                chosen: filter.with?.text),
        ].flatMap(\.self)
    }

    private func observation(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let student = try await student(request)
        let membership = try request.context.membership
        let id = try request.id("observationId")
        let (found, tags, others) = try await request.context.school.read { sql in
            guard let found = try ObservationRepository.observation(id, in: sql),
                found.primaryStudentId == student.id
            else { throw Problem.notFound }
            let rooms = try ClassroomRepository.classroomIds(ofStudent: student.id, in: sql)
            var tags = try taxonomy?.tags(in: words.language, sql) ?? []
            // The observation's own tags can still be chosen, even if the school no longer offers them.
            let missing = Set(found.tagIds).subtracting(tags.map(\.id))
            if !missing.isEmpty {
                tags += try taxonomy?.tags(missing, in: words.language, sql).values.map(\.self) ?? []
            }
            return (found, tags, try StudentPageData.classmates(of: student.id, in: rooms, membership, sql))
        }
        let parameters = ["studentId": student.id.text, "observationId": id.text]
        let back = "/students/\(student.id.text)"
        let links = request.links(.observation, ["observationId": id, "studentId": student.id])
        let theirs = try await request.savedMeanwhile(
            "observation.changed", ["observation.created", "observation.updated"], of: id, found.content)
        return screen(
            words("observation.edit"), student,
            theirs + [
                .form(
                    request.form(
                        UpdateObservation.self, parameters, id: "observation",
                        fields: [
                            PTField(
                                .multiline, name: "content", label: words("capture.note"), value: found.content,
                                isRequired: true, maxLength: Observation.maxLength)
                        ]
                            + ObservationFields(
                                tags: tags, classmates: others, words: words, day: words("observation.followUp")
                            ).fields(found) + photos(found, student, words) + [
                                .hidden("version", String(found.version))
                            ],
                        submit: SubmitButton(title: words("classrooms.save")), to: back, style: .card))
            ] + (links.isEmpty ? [] : [.links(PTLinks(links: links))]) + [
                .button(
                    PTButton(
                        title: words("observation.delete"), icon: .trash, role: .destructive,
                        action: .perform(
                            request.call(
                                DeleteObservation.self, parameters,
                                confirmation: PTConfirmation(
                                    title: words("observation.deleteQuestion"),
                                    confirm: words("observation.delete")), to: back))))
            ])
    }

    /// The page on which a voice note is played and written down as an observation.
    private func voice(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let student = try await student(request)
        let membership = try request.context.membership
        let id = try request.id("noteId")
        let (note, names, tags, others) = try await request.context.school.read { sql in
            guard let note = try VoiceRepository.note(id, of: student.id, in: sql) else { throw Problem.notFound }
            let rooms = try ClassroomRepository.classroomIds(ofStudent: student.id, in: sql)
            return (
                note, try PeopleTable.names([note.createdByGuideId], in: sql),
                try taxonomy?.tags(in: words.language, sql) ?? [],
                try StudentPageData.classmates(of: student.id, in: rooms, membership, sql)
            )
        }
        let cards = VoiceCards(request: request, timeZone: membership.timeZone)
        let title = cards.title(note, names[note.createdByGuideId])
        return screen(
            words("voice.writeDown"), student,
            [
                .card(
                    PTCard(
                        label: title,
                        body: [
                            .text(PTText(title, role: .note)),
                            .audio(PTAudio(url: VoiceDownload.path(note), label: title)),
                        ])),
                .form(
                    request.form(
                        WriteDownVoice.self, ["studentId": student.id.text, "noteId": id.text], id: "voice",
                        fields: [
                            PTField(
                                .multiline, name: "content", label: words("capture.note"),
                                value: note.transcript ?? "", isRequired: true, maxLength: Observation.maxLength)
                        ]
                            + ObservationFields(
                                tags: tags, classmates: others, words: words, day: words("observation.followUp")
                            ).fields(nil),
                        submit: SubmitButton(title: words("classrooms.save")),
                        to: "/students/\(student.id.text)", style: .card)),
            ])
    }

    /// Returns the fields that remove photos of an observation and add new ones.
    private func photos(_ observation: Observation, _ student: Student, _ words: Words) -> [PTField] {
        let photos = zip(observation.attachments, observation.images(for: student.id, words)).map { photo, image in
            // The title describes the photo, and a tap chooses it.
            var small = image
            (small.alt, small.large) = ("", nil)
            return PTField.Option(value: photo.hash.text, title: image.alt, image: small)
        }
        let removing =
            photos.isEmpty
            ? [] : [PTField(.multipleChoice(photos), name: "removedPhotos", label: words("photo.remove"))]
        return removing + (photos.count < Photo.limit ? [.photos(words)] : [])
    }

    // MARK: - Habits

    /// The sheet that adds, renames, pauses and deletes habits.
    private func habits(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let student = try await student(request)
        let here = "/students/\(student.id.text)/habits"
        let habits = try await request.context.school.read { try HabitRepository.habits(of: [student.id], in: $0) }
        func fields(_ habit: Habit?) -> [PTField] {
            [
                PTField(
                    name: "name", label: words("habit.name"), value: habit?.name ?? "", isRequired: true,
                    autocomplete: "off", maxLength: 120),
                PTField(
                    .choice(
                        Habit.Cadence.allCases.map {
                            .init(value: $0.rawValue, title: words("habit.cadence.\($0.rawValue)"))
                        }), name: "cadence", label: words("habit.cadence"),
                    value: (habit?.cadence ?? .daily).rawValue),
            ]
        }
        var body: [Component] = [
            .section(
                PTSection(
                    title: words("habit.new"),
                    body: [
                        .form(
                            request.form(
                                CreateHabit.self, ["studentId": student.id.text], id: "new-habit",
                                fields: fields(nil),
                                submit: SubmitButton(title: words("habit.add"), role: .tonal, icon: .plus),
                                to: here, style: .card))
                    ]))
        ]
        for habit in habits {
            let stored =
                fields(habit) + [
                    PTField(
                        .toggle, name: "isPaused", label: words("habit.pause"),
                        value: habit.pausedOn == nil ? "false" : "true", hint: words("habit.pauseTip")),
                    .version(habit.version),
                ]
            let isRefused =
                request.refused?.command == UpdateHabit.contract.path(filling: ["habitId": habit.id.text])
            let theirs =
                isRefused
                ? try await request.savedMeanwhile("habit.changed", ["habit.updated"], of: habit.id, stored) : []
            body.append(
                .disclosure(
                    PTDisclosure(
                        title: habit.name + (habit.pausedOn == nil ? "" : " · " + words("habit.rests")),
                        body: theirs + [
                            .form(
                                request.form(
                                    UpdateHabit.self, ["habitId": habit.id.text], id: "habit-\(habit.id.text)",
                                    fields: stored,
                                    submit: SubmitButton(title: words("classrooms.save"), role: .tonal), to: here,
                                    style: .card)),
                            .button(
                                PTButton(
                                    title: words("habit.delete"), icon: .trash, role: .destructive,
                                    action: .perform(
                                        request.call(
                                            DeleteHabit.self, ["habitId": habit.id.text],
                                            confirmation: PTConfirmation(
                                                title: words("habit.deleteQuestion", habit.name),
                                                message: words("habit.deleteExplained"),
                                                confirm: words("habit.delete")), to: here)))),
                        ], isOpen: isRefused)))
        }
        if !habits.isEmpty {
            body.append(
                .links(PTLinks(links: [.init(title: words("habit.overview"), action: .open("\(here)/overview"))])))
        }
        return screen(words("habit.title"), student, body)
    }

    /// The page with every habit over the last week or month, day by day.
    private func overview(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let student = try await student(request)
        let isMonth = request.query["span"] == "month"
        let today = request.context.today
        let first = today.adding(days: isMonth ? -29 : -6)
        let (habits, done, away) = try await request.context.school.read { sql in
            let habits = try HabitRepository.habits(of: [student.id], in: sql)
            return (
                habits, try HabitRepository.doneDays(of: habits.map(\.id), since: first, in: sql),
                try AttendanceRepository.absences(of: student.id, since: first, in: sql)
            )
        }
        let days = (0..<(isMonth ? 30 : 7)).map { first.adding(days: $0) }
        let path = "/students/\(student.id.text)/habits/overview"
        let table = PTDataTable(
            label: words("habit.overview"),
            columns: [.init(title: words("habit.name"))]
                + days.map { .init(title: String($0.day), detail: words.weekday($0)) },
            rows: habits.map { habit in
                PTDataTable.Row(
                    id: habit.id.text, header: habit.name,
                    cells: days.map { day in
                        let isDone = done[habit.id]?.contains(day) ?? false
                        if !isDone && away.contains(day) { return .text(words("habit.away")) }
                        return .check(
                            isDone,
                            spoken: words(
                                isDone ? "habit.overview.done" : "habit.overview.open", words.longDate(day)))
                    })
            })
        return Screen(
            title: words("habit.overview"), subtitle: student.displayName,
            back: "/students/\(student.id.text)/habits", live: [StudentAccess.topic(student.id)],
            body: [
                .segments(
                    PTSegmentedControl(
                        label: words("habit.span"),
                        segments: [
                            .init(title: words("habit.span.week"), path: path, isSelected: !isMonth),
                            .init(
                                title: words("habit.span.month"), path: "\(path)?span=month", isSelected: isMonth),
                        ])),
                habits.isEmpty ? .text(PTText(words("habit.none"), role: .note)) : .table(table),
            ])
    }

    // MARK: - Lessons and tasks

    /// The page with all lessons or all tasks: open ones first, then completed ones, latest first.
    private func plans(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let student = try await student(request)
        let timeZone = try request.context.membership.timeZone
        let kind = request.query["kind"].flatMap(StudentWork.Kind.init(rawValue:)) ?? .lesson
        let isDone = request.query["state"] == "done"
        let start = max(0, request.query["from"].flatMap { Int($0) } ?? 0)
        let found = try await request.context.school.read { sql in
            isDone
                ? try WorkRepository.completed(
                    of: student.id, kind, after: start, limit: Self.pageSize + 1, in: sql)
                : try WorkRepository.open(of: student.id, kind, after: start, limit: Self.pageSize + 1, in: sql)
        }
        func path(_ kind: StudentWork.Kind, _ isDone: Bool, from place: Int = 0) -> String {
            "/students/\(student.id.text)/plans?kind=\(kind.rawValue)" + (isDone ? "&state=done" : "")
                + (place > 0 ? "&from=\(place)" : "")
        }
        let cells = WorkCells(
            request: request, timeZone: timeZone, mayKeep: request.context.caller.may(.keepRecords))
        var body: [Component] = [
            .segments(
                PTSegmentedControl(
                    label: words("work.state"),
                    segments: [false, true].map {
                        .init(
                            title: words($0 ? "work.done" : "work.open"), path: path(kind, $0),
                            isSelected: $0 == isDone)
                    })),
            found.isEmpty
                ? .text(PTText(words("work.\(kind.rawValue).none"), role: .note))
                : .list(
                    PTList(
                        cells: found.prefix(Self.pageSize).map { cells.cell($0) },
                        label: words("work.\(kind.rawValue).title"))),
        ]
        if found.count > Self.pageSize {
            body.append(
                .button(
                    PTButton(
                        title: words("students.more"), role: .neutral,
                        action: .open(path(kind, isDone, from: start + Self.pageSize)))))
        }
        return screen(words("work.\(kind.rawValue).title"), student, body)
    }

    private func work(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let student = try await student(request)
        let id = try request.id("workId")
        let work = try await request.context.school.read { sql in
            guard let work = try WorkRepository.work(id, in: sql), work.studentId == student.id else {
                throw Problem.notFound
            }
            return work
        }
        let back = "/students/\(student.id.text)"
        let fields: [PTField] = [
            PTField(
                name: "title", label: words("work.title"), value: work.title, isRequired: true,
                autocomplete: "off", maxLength: StudentWork.titleLength),
            PTField(
                .multiline, name: "details", label: words("work.details"), value: work.details ?? "",
                maxLength: StudentWork.detailsLength),
            PTField(
                .date, name: "scheduledFor", label: words("work.day"),
                value: work.scheduledFor?.description ?? ""),
            .version(work.version),
        ]
        let theirs = try await request.savedMeanwhile(
            "work.changed", ["\(work.kind.rawValue).updated"], of: id, fields)
        return screen(
            words("work.\(work.kind.rawValue).edit"), student,
            theirs + [
                .form(
                    request.form(
                        UpdateWork.self, ["workId": id.text], id: "work", fields: fields,
                        submit: SubmitButton(title: words("classrooms.save")), to: back, style: .card)),
                .button(
                    PTButton(
                        title: words("work.delete"), icon: .trash, role: .destructive,
                        action: .perform(
                            request.call(
                                DeleteWork.self, ["workId": id.text],
                                confirmation: PTConfirmation(
                                    title: words("work.deleteQuestion", work.title), confirm: words("work.delete")),
                                to: back)))),
            ])
    }

    // MARK: - Contacts

    private func contacts(_ request: ScreenRequest) async throws -> Screen {
        let student = try await student(request)
        let (contacts, readers) = try await request.context.school.read { sql in
            (
                try ContactRepository.contacts(of: student.id, in: sql),
                try guardians.guardians(ofChild: student.id, in: sql)
            )
        }
        return screen(
            request.words("contact.title"), student,
            try await ContactScreen(student: student, contacts: contacts, guardians: readers, request: request)
                .body())
    }
}
