import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ScreenKit

/// The pages of courses: the list, one course, and its form.
struct CourseScreens: Sendable {
    static let home = "/courses"
    static func path(_ courseId: UUID) -> String { "\(home)/\(courseId.text)" }

    let handlers: CourseHandlers
    let people: any PeopleService
    let guides: any GuideService

    private var courses: SQLCourseService { handlers.courses }

    var routes: [ScreenRoute] {
        [
            ScreenRoute(Self.home, access: .member(.viewCourses), tab: Self.home, isPlace: true) {
                .screen(try await list($0))
            },
            ScreenRoute("\(Self.home)/new", access: .member(.teachCourses), tab: Self.home) {
                .screen(try await form(nil, $0))
            },
            ScreenRoute("\(Self.home)/{courseId}", access: .member(.viewCourses), tab: Self.home) {
                .screen(try await detail($0))
            },
            ScreenRoute("\(Self.home)/{courseId}/edit", access: .member(.teachCourses), tab: Self.home) { request in
                let (id, membership) = (try request.id("courseId"), try request.context.membership)
                let course = try await request.context.school.read {
                    try courses.course(id, ledBy: membership, in: $0)
                }
                return .screen(try await form(course, request))
            },
        ]
    }

    // MARK: - CoursesListView

    private func list(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership) = (request.words, try request.context.membership)
        let orgId = membership.organization.id
        let query = String((request.query["q"] ?? "").prefix(100)).trimmingCharacters(in: .whitespaces)
        let (all, names, progress, learners) = try await request.context.school.read { sql in
            let mine = try handlers.mine(membership, in: sql)
            let names = try people.people(Array(Set(mine.flatMap(\.teacherIds))), of: orgId, in: sql)
            let progress =
                membership.roles.contains(.student)
                ? try courses.progress(of: membership.personId, in: mine.map(\.id), sql) : [:]
            return (mine, names, progress, try learnerNames(membership, in: sql))
        }
        let mayTeach = request.context.caller.may(.teachCourses)
        func teachers(_ course: Course) -> String {
            course.teacherIds.compactMap { names[$0]?.name.display }.joined(separator: ", ")
        }
        let mine = Self.courses(all, matching: query) { [teachers($0)] + (learners[$0.id] ?? []) }
        func cells(_ courses: [Course]) -> [PTListCell] {
            courses.map { course in
                let done = progress[course.id].flatMap { $0.total > 0 ? lessons($0, words) : nil }
                return PTListCell(
                    id: course.id.text, leading: Self.avatar(course), title: course.name,
                    subtitle: [
                        learners[course.id]?.joined(separator: ", "), course.subject, teachers(course), done,
                    ]
                    .compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " · "),
                    trailing: [.chevron], action: .open(Self.path(course.id)))
            }
        }
        let (open, archived) = (mine.filter { !$0.isArchived }, mine.filter(\.isArchived))
        var body: [Component] = []
        if !open.isEmpty {
            body.append(.list(PTList(cells: cells(open), columns: .two, label: words("courses.title"))))
        }
        let beside = request.links(.courses)
        if mine.isEmpty, !query.isEmpty {
            body.append(
                .empty(
                    PTEmptyState(
                        icon: .search, title: words("courses.noHits"), message: words("courses.noHitsTip"),
                        action: PTButton(title: words("courses.all"), role: .tonal, action: .open(Self.home)))))
        } else if open.isEmpty, query.isEmpty {
            body.append(
                .empty(
                    PTEmptyState(
                        icon: .book, title: words(mayTeach ? "courses.noneTeacher" : "courses.none"),
                        message: words(mayTeach ? "courses.noneTeacherTip" : "courses.noneTip"),
                        action: mayTeach
                            ? PTButton(title: words("courses.add"), icon: .plus, action: .open("\(Self.home)/new"))
                            : beside.first.map { PTButton(title: $0.title, icon: .search, action: $0.action) })))
        }
        if !beside.isEmpty, query.isEmpty, mayTeach || !open.isEmpty { body.append(.links(PTLinks(links: beside))) }
        if !archived.isEmpty {
            body.append(
                .disclosure(
                    PTDisclosure(
                        title: words("courses.archived"),
                        body: [
                            .list(PTList(cells: cells(archived), columns: .two, label: words("courses.archived")))
                        ], isOpen: !query.isEmpty)))
        }
        return Screen(
            title: words("courses.title"), live: [CourseTopic.list], body: body,
            floatingButton: mayTeach
                ? PTFloatingActionButton(title: words("courses.add"), action: .open("\(Self.home)/new")) : nil,
            search: all.isEmpty
                ? nil
                : PTSearchField(
                    path: Self.home, value: query, placeholder: words("courses.searchTip"),
                    label: words("courses.search")))
    }

    /// The courses in whose name, subject, grade level or `more` every word of a text occurs.
    private static func courses(
        _ courses: [Course], matching text: String, more: (Course) -> [String]
    ) -> [Course] {
        let wanted = NameFolding.fold(text).split(separator: " ")
        guard !wanted.isEmpty else { return courses }
        return courses.filter { course in
            let text = ([course.name, course.subject, course.gradeLevel ?? ""] + more(course))
                .map(NameFolding.fold).joined(separator: " ")
            return wanted.allSatisfy { text.contains($0) }
        }
    }

    private func lessons(_ progress: LessonProgress, _ words: Words) -> String {
        words("lessons.progress", progress.completed, progress.total)
    }

    /// The names of a parent's children in each course; empty for a parent of one child.
    private func learnerNames(_ membership: ActiveMembership, in sql: any SQLReading) throws -> [UUID: [String]] {
        let children = try courses.families.children(of: membership, in: sql)
        guard children.count > 1, let roster = courses.roster else { return [:] }
        return try children.reduce(into: [:]) { names, child in
            for id in try roster.courseIds(ofStudent: child.id, in: sql) {
                names[id, default: []].append(child.name.display)
            }
        }
    }

    private static func avatar(_ course: Course) -> PTListCell.Leading {
        .avatar(PTAvatar(initials: Initials.of(course.name), tint: course.tint, id: course.id))
    }

    // MARK: - CourseDetailView

    private struct Detail: Sendable {
        let course: Course
        let isWithin: Bool
        let term: Term?
        let teachers: [Person]
        let modules: [CourseModule]
        let lessons: [Lesson]
        let done: Set<UUID>
        /// The student whose progress is shown, and the control to choose another child.
        let learner: UUID?
        let switcher: [Component]
    }

    private func detail(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership) = (request.words, try request.context.membership)
        let (id, today) = (try request.id("courseId"), request.context.today)
        let found = try await request.context.school.read { sql -> Detail in
            let (course, isWithin) = try handlers.seen(id, by: membership, on: today, in: sql)
            let names = try people.people(course.teacherIds, of: membership.organization.id, in: sql)
            let leads = course.isLed(by: membership)
            let (learner, switcher) = try learner(request, membership, course, in: sql)
            return Detail(
                course: course, isWithin: isWithin,
                term: try course.termId.flatMap { id in try courses.terms(in: sql).first { $0.id == id } },
                teachers: course.teacherIds.compactMap { names[$0] },
                modules: isWithin ? try LessonRepository.modules(of: id, in: sql) : [],
                lessons: isWithin
                    ? try LessonRepository.lessons(of: [id], in: sql).filter { leads || $0.isPublished } : [],
                done: try learner.map { Set(try LessonRepository.completed(by: $0, in: sql).keys) } ?? [],
                learner: learner, switcher: switcher)
        }
        let course = found.course
        let leads = course.isLed(by: membership)
        var body: [Component] = []
        if course.isArchived {
            body.append(.banner(PTBanner(tone: .warning, icon: .lock, title: words("courses.isArchived"))))
        } else if let term = found.term, term.lastDay < today {
            body.append(
                .banner(
                    PTBanner(
                        tone: .info, icon: .calendar,
                        title: words("courses.termOver", term.name, words.longDate(term.lastDay)))))
        }
        body += found.switcher
        var parts: [Component] = []
        if let details = course.details { parts.append(.text(PTText(details))) }
        parts.append(.definitionList(PTDefinitionList(items: facts(found, words))))
        if leads {
            parts.append(
                .links(
                    PTLinks(links: [
                        .init(title: words("courses.edit"), action: .open("\(Self.path(id))/edit"))
                    ])))
        }
        parts += try await (found.learner.map(request.about(student:)) ?? request).sections(about: .course, id)
        if found.isWithin {
            parts +=
                LessonList(
                    course: course, modules: found.modules, lessons: found.lessons, done: found.done, leads: leads,
                    learns: found.learner != nil, request: request
                ).body
        }
        body.append(.columns(PTColumns(parts, limit: 2)))
        return Screen(
            title: course.name, subtitle: course.subject,
            back: Self.home,
            live: [CourseTopic.course(id), CourseTopic.enrollmentCounts(of: id), CourseTopic.list]
                + request.topics(about: .course, membership.personId),
            body: body,
            sheets: leads ? [moduleSheet(course, request)] : [])
    }

    /// The student whose progress is shown: the caller, or one of the caller's children, at first one in the course.
    ///
    /// `nil` for those who lead the course.
    private func learner(
        _ request: ScreenRequest, _ membership: ActiveMembership, _ course: Course, in sql: any SQLReading
    ) throws -> (UUID?, [Component]) {
        if course.isLed(by: membership) { return (nil, []) }
        if membership.roles.contains(.student) { return (membership.personId, []) }
        guard membership.roles.contains(.parent) else { return (nil, []) }
        let children = try courses.families.children(of: membership, in: sql)
        let within = try children.filter {
            try courses.roster?.courseIds(ofStudent: $0.id, in: sql).contains(course.id) ?? false
        }
        // The child who was shown last may not be in this course, while another one is.
        let first = within.first { $0.id == request.lastStudent } ?? within.first
        let isOpen = request.query["student"] == nil
        let asked = isOpen ? first.map { request.about(student: $0.id) } ?? request : request
        return try asked.chosenStudent(
            of: children.map { (id: $0.id, name: $0.name.display) }, label: request.words("courses.children"))
    }

    private func facts(_ found: Detail, _ words: Words) -> [PTDefinitionList.Item] {
        let course = found.course
        return [
            ("courses.gradeLevel", course.gradeLevel ?? ""),
            ("courses.teachers", found.teachers.map(\.name.display).joined(separator: ", ")),
            ("courses.schedule", course.periods.map { $0.shown(words) }.joined(separator: " · ")),
            ("courses.term", found.term?.name ?? ""),
            ("courses.credits", CreditText.text(course.credits, words)),
            ("courses.dropDay", course.dropDay.map(words.longDate) ?? ""),
        ].filter { !$0.1.isEmpty }.map { PTDefinitionList.Item(term: words($0.0), value: $0.1) }
    }

    private func moduleSheet(_ course: Course, _ request: ScreenRequest) -> PTBottomSheet {
        let words = request.words
        return PTBottomSheet(
            id: "new-module", title: words("modules.add"),
            body: [
                .form(
                    request.form(
                        AddModule.self, ["courseId": course.id.text], id: "module-form",
                        fields: [
                            PTField(
                                name: "title", label: words("modules.name"), isRequired: true, maxLength: 120,
                                placeholder: words("modules.nameTip"))
                        ], submit: SubmitButton(title: words("modules.add")), to: Self.path(course.id)))
            ])
    }

    // MARK: - Form

    private func form(_ course: Course?, _ request: ScreenRequest) async throws -> Screen {
        let (words, membership) = (request.words, try request.context.membership)
        let all = try await request.context.school.read { try courses.terms(in: $0) }
        // A term that has ended is offered only if the course already has it.
        let terms = all.filter { $0.lastDay >= request.context.today || $0.id == course?.termId }
        var fields = [
            PTField(
                name: "name", label: words("courses.name"), value: course?.name ?? "", isRequired: true,
                maxLength: 120),
            PTField(
                name: "subject", label: words("courses.subject"), value: course?.subject ?? "", isRequired: true,
                maxLength: 60, placeholder: words("courses.subjectTip"), width: .half),
            PTField(
                name: "gradeLevel", label: words("courses.gradeLevel"), value: course?.gradeLevel ?? "",
                maxLength: 60,
                placeholder: words("courses.gradeLevelTip"), width: .half),
            PTField(
                .multiline, name: "details", label: words("courses.details"), value: course?.details ?? "",
                maxLength: 2000),
            PTField(
                .multiline, name: "schedule", label: words("courses.schedule"),
                value: ScheduleText.text(course?.periods ?? [], words), hint: words("courses.scheduleTip"),
                maxLength: 2000, placeholder: words("courses.schedulePlaceholder")),
            PTField(
                name: "credits", label: words("courses.credits"),
                value: course.map { CreditText.text($0.credits, words) } ?? "1", maxLength: 10, width: .half),
            PTField(
                .number, name: "capacity", label: words("courses.capacity"),
                value: course?.capacity.map(String.init) ?? "", hint: words("courses.capacityTip"), width: .half),
            PTField(
                .choice([
                    .init(
                        value: Course.Admission.open.rawValue, title: words("courses.open"),
                        detail: words("courses.openTip")),
                    .init(
                        value: Course.Admission.approval.rawValue, title: words("courses.approval"),
                        detail: words("courses.approvalTip")),
                ]), name: "admission", label: words("courses.admission"),
                value: (course?.admission ?? .open).rawValue),
            PTField(
                .date, name: "dropDay", label: words("courses.dropDay"), value: course?.dropDay?.description ?? "",
                hint: words("courses.dropDayTip")),
        ]
        if !terms.isEmpty {
            fields.append(
                PTField(
                    .select(
                        [.init(value: "", title: words("courses.noTerm"))]
                            + terms.map { .init(value: $0.id.text, title: $0.name) }),
                    name: "termId", label: words("courses.term"), value: course?.termId?.text ?? ""))
        }
        let teachers = try await guides.guides(of: membership.organization.id)
        if teachers.count > 1 {
            fields.append(
                PTField(
                    .multipleChoice(teachers.map { .init(value: $0.id.text, title: $0.fullName) }),
                    name: "teacherIds", label: words("courses.teachers"),
                    values: (course?.teacherIds ?? [membership.personId]).map(\.text)))
        }
        let submit = SubmitButton(title: words("courses.save"))
        guard let course else {
            return Screen(
                title: words("courses.add"), back: Self.home,
                body: [.form(request.form(CreateCourse.self, id: "course", fields: fields, submit: submit))])
        }
        let ids = ["courseId": course.id.text]
        let archive = PTButton(
            title: words(course.isArchived ? "courses.restore" : "courses.archive"), role: .quiet,
            action: .perform(
                request.call(
                    ArchiveCourse.self, ids, fields: ["archived": course.isArchived ? "false" : "true"],
                    confirmation: course.isArchived
                        ? nil
                        : PTConfirmation(
                            title: words("courses.archive.title", course.name),
                            message: words("courses.archive.message"), confirm: words("courses.archive")),
                    to: Self.path(course.id))))
        let theirs = try await request.savedMeanwhile(
            "courses.changed", ["courses.updated"], of: course.id, fields)
        return Screen(
            title: words("courses.edit"), subtitle: course.name, back: Self.path(course.id),
            body: theirs + [
                .form(
                    request.form(
                        UpdateCourse.self, ids, id: "course", fields: fields + [.version(course.version)],
                        submit: submit, to: Self.path(course.id))),
                .button(archive),
            ])
    }
}
