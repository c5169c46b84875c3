import ClassroomInterface
import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ScreenKit

/// Lists the people of a course that the caller leads.
struct ListCoursePeople: Query {
    static let contract = Contract(
        "enrollment.people", "/api/v1/courses/{courseId}/people", access: .member(.teachCourses),
        summary: "Who is in a course that the caller leads, who asks to come in or to leave, and who waits.")
    typealias Result = Page<Enrollment>

    let courseId: UUID

    init(_ fields: inout FieldReader) { courseId = fields.id("courseId") }
}

/// The pages of a course's people for its leaders: requests, roster and waitlist, and adding students.
struct PeopleScreens: Sendable {
    static func path(_ courseId: UUID) -> String { "/courses/\(courseId.text)/people" }
    /// The most students to choose from, more than any course has.
    private static let choiceLimit = 500

    let courses: any CourseService
    let people: any PeopleService
    let classrooms: (any ClassroomService)?
    let students: (any StudentService)?
    let roles: any RoleDirectory

    var queries: [QueryRegistration] {
        [
            .handle(ListCoursePeople.self) { query, context in
                let membership = try context.membership
                return try await context.school.read { sql in
                    let course = try courses.course(query.courseId, ledBy: membership, in: sql)
                    return Page(items: try EnrollmentRepository.enrollments(of: course.id, in: sql), next: nil)
                }
            }
        ]
    }

    var routes: [ScreenRoute] {
        [
            ScreenRoute("/courses/{courseId}/people", access: .member(.teachCourses), tab: "/courses") {
                .screen(try await screen($0))
            },
            ScreenRoute("/courses/{courseId}/people/add", access: .member(.teachCourses), tab: "/courses") {
                .screen(try await adding($0))
            },
        ]
            + (classrooms == nil
                ? []
                : [
                    ScreenRoute(
                        "/courses/{courseId}/people/add-class", access: .member(.teachCourses), tab: "/courses"
                    ) { .screen(try await addingClass($0)) }
                ])
    }

    /// A course with its enrollments and people.
    private struct Roster: Sendable {
        let course: Course
        let all: [Enrollment]
        let names: [UUID: Person]
    }

    private func roster(_ request: ScreenRequest) async throws -> Roster {
        let (id, membership) = (try request.id("courseId"), try request.context.membership)
        return try await request.context.school.read { sql in
            let course = try courses.course(id, ledBy: membership, in: sql)
            let all = try EnrollmentRepository.enrollments(of: id, in: sql)
            let names = try people.people(all.map(\.studentId), of: membership.organization.id, in: sql)
            // People who have left the school are not shown.
            return Roster(course: course, all: all.filter { names[$0.studentId] != nil }, names: names)
        }
    }

    private func screen(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let roster = try await roster(request)
        let isAdmin = request.context.caller.may(.manageCourses)
        var body: [Component] = []
        let asking = roster.all.filter { $0.dropAskedAt != nil && $0.state == .enrolled }
        let pending = roster.all.filter { $0.state == .pending }
        let enrolled = roster.all.filter { $0.state == .enrolled }
            .sorted { Self.order(roster.names[$0.studentId], roster.names[$1.studentId]) }
        let waiting = roster.all.filter { $0.state == .waitlisted }
        if !pending.isEmpty {
            body.append(
                section("enrollment.requests", pending.count, words) { requestCells(pending, roster, request) })
        }
        if !asking.isEmpty {
            body.append(
                section("enrollment.dropRequests", asking.count, words) {
                    isAdmin ? dropCells(asking, roster, request) : cells(asking, roster, request, menu: false)
                })
            if !isAdmin { body.append(.text(PTText(words("enrollment.dropForAdmins"), role: .note))) }
        }
        let occupancy = EnrollmentWording.occupancy(roster.course, enrolled.count, words)
        body.append(
            .section(
                PTSection(
                    title: words("enrollment.roster"), detail: occupancy,
                    body: [
                        enrolled.isEmpty
                            ? .text(PTText(words("enrollment.rosterEmpty"), role: .note))
                            : .list(PTList(cells: cells(enrolled, roster, request, menu: true)))
                    ])))
        if !waiting.isEmpty {
            body.append(
                section("enrollment.waitlist", waiting.count, words) {
                    cells(waiting, roster, request, menu: true, isNumbered: true)
                })
        }
        if classrooms != nil, !roster.course.isArchived {
            body.append(
                .links(
                    PTLinks(links: [
                        .init(
                            title: words("enrollment.addClass"),
                            action: .open("\(Self.path(roster.course.id))/add-class"))
                    ])))
        }
        return Screen(
            title: words("enrollment.people"), subtitle: roster.course.name,
            back: "/courses/\(roster.course.id.text)",
            live: [CourseTopic.enrollmentCounts(of: roster.course.id), CourseTopic.list], body: body,
            floatingButton: roster.course.isArchived
                ? nil
                : PTFloatingActionButton(
                    title: words("enrollment.add"), action: .present("\(Self.path(roster.course.id))/add")))
    }

    private func section(
        _ title: String, _ count: Int, _ words: Words, _ cells: () -> [PTListCell]
    ) -> Component {
        .section(
            PTSection(
                title: words(title), detail: count.shown(in: words.locale), body: [.list(PTList(cells: cells()))]))
    }

    private static func order(_ left: Person?, _ right: Person?) -> Bool {
        guard let left, let right else { return left != nil }
        return Person.precedes(left, right)
    }

    private func cells(
        _ enrollments: [Enrollment], _ roster: Roster, _ request: ScreenRequest, menu: Bool,
        isNumbered: Bool = false
    ) -> [PTListCell] {
        let words = request.words
        return enrollments.enumerated().compactMap { index, enrollment in
            guard let person = roster.names[enrollment.studentId] else { return nil }
            let remove = PTMenuItem(
                title: words("enrollment.do.remove"), icon: .trash, role: .destructive,
                action: .perform(
                    request.call(
                        RemoveStudent.self, Self.ids(enrollment),
                        confirmation: PTConfirmation(
                            title: words("enrollment.remove.title", person.name.display),
                            message: words("enrollment.remove.message"), confirm: words("enrollment.do.remove")))))
            return PTListCell(
                id: person.id.text, leading: Self.avatar(person), title: person.name.display,
                subtitle: isNumbered
                    ? words("enrollment.status.waitlisted", index + 1)
                    : words(
                        "enrollment.since",
                        words.shortDate(Day(enrollment.since, in: request.context.caller.timeZone))),
                trailing: menu ? [.menu] : [], menu: menu ? [remove] : [])
        }
    }

    private func requestCells(
        _ enrollments: [Enrollment], _ roster: Roster, _ request: ScreenRequest
    ) -> [PTListCell] {
        decisions(
            enrollments, roster, request, yes: "enrollment.do.approve", no: "enrollment.do.deny",
            question: "enrollment.deny.title"
        ) { enrollment, approves, confirmation in
            request.call(
                DecideRequest.self, Self.ids(enrollment), fields: ["approves": approves ? "true" : "false"],
                confirmation: confirmation)
        }
    }

    private func dropCells(
        _ enrollments: [Enrollment], _ roster: Roster, _ request: ScreenRequest
    ) -> [PTListCell] {
        decisions(
            enrollments, roster, request, yes: "enrollment.do.letGo", no: "enrollment.do.keep",
            question: "enrollment.keep.title"
        ) { enrollment, approves, confirmation in
            request.call(
                DecideDrop.self, Self.ids(enrollment), fields: ["approves": approves ? "true" : "false"],
                confirmation: confirmation)
        }
    }

    /// Cells with the buttons to approve and deny. Denying asks for a confirmation.
    private func decisions(
        _ enrollments: [Enrollment], _ roster: Roster, _ request: ScreenRequest, yes: String, no: String,
        question: String, _ call: (Enrollment, Bool, PTConfirmation?) -> PTCommandCall
    ) -> [PTListCell] {
        let words = request.words
        return enrollments.compactMap { enrollment in
            guard let person = roster.names[enrollment.studentId] else { return nil }
            let name = person.name.display
            let refusal = PTConfirmation(title: words(question, name), confirm: words(no))
            return PTListCell(
                id: person.id.text, leading: Self.avatar(person), title: name,
                trailing: [
                    .button(
                        PTButton(
                            title: words(yes), role: .tonal, action: .perform(call(enrollment, true, nil)),
                            spoken: words("enrollment.do.about", words(yes), name))),
                    .button(
                        PTButton(
                            title: words(no), role: .quiet, action: .perform(call(enrollment, false, refusal)),
                            spoken: words("enrollment.do.about", words(no), name))),
                ])
        }
    }

    // MARK: - Adding a student

    /// The page to add a student: those of the classrooms that the leader sees, and all people with the student role.
    private func adding(_ request: ScreenRequest) async throws -> Screen {
        let words = request.words
        let roster = try await roster(request)
        let membership = try request.context.membership
        let orgId = membership.organization.id
        let assigned = try await roles.assigned(in: orgId).filter { $0.value.contains(.student) }.map(\.key)
        let candidates = try await request.context.school.read { sql in
            var found = try people.people(assigned, of: orgId, in: sql)
            guard let classrooms, let students else { return found }
            for room in try classrooms.classrooms(visibleTo: membership, in: sql) {
                let ids = try students.students(of: room.id, orgId: orgId, in: sql).map(\.id)
                found.merge(try people.people(ids, of: orgId, in: sql)) { first, _ in first }
            }
            return found
        }
        let present = Set(roster.all.map(\.studentId))
        let choices = candidates.values.filter { !present.contains($0.id) }.sorted { Self.order($0, $1) }
        guard !choices.isEmpty else {
            return Screen(
                title: words("enrollment.add"), back: Self.path(roster.course.id),
                body: [
                    .empty(
                        PTEmptyState(
                            icon: .people, title: words("enrollment.nobodyLeft"),
                            message: words("enrollment.nobodyLeftTip")))
                ])
        }
        return Screen(
            title: words("enrollment.add"), subtitle: roster.course.name, back: Self.path(roster.course.id),
            body: [
                .form(
                    request.form(
                        AddStudent.self, ["courseId": roster.course.id.text], id: "add-student",
                        fields: [
                            PTField(
                                .select(
                                    choices.prefix(Self.choiceLimit).map {
                                        PTField.Option(value: $0.id.text, title: $0.name.display)
                                    }),
                                name: "studentId", label: words("enrollment.student"), isRequired: true)
                        ],
                        submit: SubmitButton(title: words("enrollment.add")), to: Self.path(roster.course.id)))
            ])
    }

    // MARK: - Adding a class

    /// A classroom that the caller sees, and its students who are not in the course.
    private struct Room: Sendable {
        let id: UUID
        let name: String
        let count: Int
        let missing: [Student]
    }

    /// The page to add students of a classroom: first the classrooms, then the students of the chosen one.
    private func addingClass(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership) = (request.words, try request.context.membership)
        let roster = try await roster(request)
        let (course, path) = (roster.course, "\(Self.path(roster.course.id))/add-class")
        let (rooms, counts) = try await request.context.school.read { sql in
            let present = Set(try EnrollmentRepository.enrollments(of: course.id, in: sql).map(\.studentId))
            guard let classrooms, let students else { throw Problem.notFound }
            let rooms = try classrooms.classrooms(visibleTo: membership, in: sql).map { room in
                let all = try students.students(of: room.id, orgId: membership.organization.id, in: sql)
                return Room(
                    id: room.id, name: room.name, count: all.count,
                    missing: all.filter { !present.contains($0.id) })
            }
            return (
                rooms, try EnrollmentRepository.placeCounts(of: [course.id], in: sql)[course.id] ?? PlaceCounts()
            )
        }
        let title = words("enrollment.addClass")
        guard let text = request.query["classroom"] else {
            let cells = rooms.map { room in
                PTListCell(
                    id: room.id.text, leading: .icon(.people, tint: .sky), title: room.name,
                    subtitle: words("enrollment.addClass.count", room.missing.count, room.count),
                    trailing: room.missing.isEmpty ? [] : [.chevron],
                    action: room.missing.isEmpty ? nil : .open("\(path)?classroom=\(room.id.text)"))
            }
            return Screen(
                title: title, subtitle: course.name, back: Self.path(course.id),
                body: cells.isEmpty
                    ? [
                        .empty(
                            PTEmptyState(
                                icon: .people, title: words("enrollment.noClasses"),
                                message: words("enrollment.noClassesTip")))
                    ] : [.list(PTList(cells: cells, label: words("enrollment.classes")))])
        }
        guard let room = rooms.first(where: { $0.id == UUID(text: text) }) else { throw Problem.notFound }
        let places = Admissions.places(in: course, counts, for: room.missing.count)
        var body: [Component] = [
            .text(PTText(words("enrollment.addClass.count", room.missing.count, room.count)))
        ]
        if places < room.missing.count {
            body.append(
                .banner(
                    PTBanner(
                        tone: .warning, icon: .alert,
                        title: words("enrollment.addClass.places", places),
                        message: words("enrollment.addClass.waits"))))
        }
        guard !room.missing.isEmpty else {
            return Screen(title: title, subtitle: room.name, back: path, body: body)
        }
        body.append(
            .form(
                request.form(
                    AddClass.self, ["courseId": course.id.text], id: "add-class",
                    fields: [
                        PTField(
                            .multipleChoice(room.missing.map { .init(value: $0.id.text, title: $0.displayName) }),
                            name: "studentIds", label: words("enrollment.addClass.who"),
                            values: room.missing.map(\.id.text)),
                        .hidden("classroomId", room.id.text),
                    ], submit: SubmitButton(title: words("enrollment.addClass.do")), to: Self.path(course.id),
                    style: .card)))
        return Screen(title: title, subtitle: room.name, back: path, body: body)
    }

    private static func ids(_ enrollment: Enrollment) -> [String: String] {
        ["courseId": enrollment.courseId.text, "studentId": enrollment.studentId.text]
    }

    private static func avatar(_ person: Person) -> PTListCell.Leading {
        .avatar(PTAvatar(person))
    }
}
