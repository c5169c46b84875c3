import ClassroomInterface
import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ScreenKit

/// Searches the catalog of courses.
struct ListCatalog: Query {
    static let contract = Contract(
        "enrollment.catalogue", "/api/v1/catalogue", access: .member(.viewCourses),
        summary: "The courses that the school offers, narrowed and searched, with how each stands to the caller.")
    typealias Result = Page<CatalogEntry>

    let filter: CatalogFilter
    let limit: Int
    let after: UUID?

    init(_ fields: inout FieldReader) {
        filter = CatalogFilter(&fields)
        limit = fields.integer("limit", in: 1...100, default: CatalogScreens.portion)
        after = fields.optionalId("after")
    }
}

/// A course in the catalog.
struct CatalogEntry: Codable, Sendable, Hashable {
    let course: Course
    /// The names of the teachers.
    let teachers: [String]
    let enrolledCount: Int
    /// The status for the caller or a parent's child; absent for staff.
    let status: CourseStatus?
    /// The position on the waitlist, from 1.
    let position: Int?
}

/// The catalog (`CourseCatalogView`): all courses that the school offers, with filters and a search field.
struct CatalogScreens: Sendable {
    static let path = "/courses/catalogue"
    /// The number of courses per page.
    static let portion = 30

    let courses: any CourseService
    let cache: CatalogCache
    let people: any PeopleService
    let chooser: StudentChooser

    var queries: [QueryRegistration] {
        [
            .handle(ListCatalog.self) { query, context in
                let (catalog, found) = try await find(query.filter, context)
                var rest = found[...]
                if let after = query.after {
                    guard let last = found.firstIndex(where: { catalog.courses[$0].id == after }) else {
                        throw Problem.invalid("after", "id")
                    }
                    rest = found[(last + 1)...]
                }
                let portion = rest.prefix(query.limit).map { catalog.courses[$0] }
                return Page(
                    items: try await entries(portion, for: nil, context),
                    next: rest.count > query.limit ? portion.last?.id.text : nil)
            }
        ]
    }

    var route: ScreenRoute {
        ScreenRoute(Self.path, access: .member(.viewCourses), tab: "/courses") { .screen(try await screen($0)) }
    }

    // MARK: - Search

    /// - Returns: The catalog and the indices of the matching courses.
    private func find(
        _ filter: CatalogFilter, _ context: RequestContext
    ) async throws -> (CourseCatalog, [Int]) {
        let (orgId, today) = (try context.membership.organization.id, context.today)
        let catalog = try await context.school.read { try cache.catalog(of: orgId, on: today, in: $0) }
        return (catalog, catalog.places(filter))
    }

    /// The courses as catalog entries, for a student or, if `nil`, for the caller.
    private func entries(
        _ courses: [Course], for student: UUID?, _ context: RequestContext
    ) async throws -> [CatalogEntry] {
        let membership = try context.membership
        let studentId = student ?? (membership.roles.contains(.student) ? membership.personId : nil)
        return try await context.school.read { sql in
            let ids = courses.map(\.id)
            let counts = try EnrollmentRepository.placeCounts(of: ids, in: sql)
            let own = try EnrollmentRepository.enrollments(ofStudents: [studentId].compactMap(\.self), in: sql)
            let places = Dictionary(own.map { ($0.courseId, $0) }, uniquingKeysWith: { first, _ in first })
            let names = try people.people(
                Array(Set(courses.flatMap(\.teacherIds))), of: membership.organization.id, in: sql)
            return try courses.map { course in
                let (taken, place) = (counts[course.id] ?? PlaceCounts(), places[course.id])
                return try CatalogEntry(
                    course: course, teachers: course.teacherIds.compactMap { names[$0]?.name.display },
                    enrolledCount: taken.enrolled,
                    status: studentId == nil ? nil : Admissions.status(of: course, place?.state, taken),
                    position: place?.state == .waitlisted
                        ? place.map { try EnrollmentRepository.position(of: $0, in: sql) } : nil)
            }
        }
    }

    // MARK: - Page

    private func screen(_ request: ScreenRequest) async throws -> Screen {
        let (words, context) = (request.words, request.context)
        // Unknown query parameters are ignored.
        var fields = try FieldReader(.object(request.query.mapValues(InputValue.text)), isForm: true)
        let filter = CatalogFilter(&fields)
        let (student, switcher) = try await chooser.chosen(request)
        let (catalog, found) = try await find(filter, context)
        let shown = min(found.count, max(Self.portion, request.query["shown"].flatMap(Int.init) ?? 0))
        let entries = try await entries(found.prefix(shown).map { catalog.courses[$0] }, for: student, context)
        let names = try await teacherNames(catalog, context)
        let links = FilterLinks(
            path: Self.path, query: request.query,
            known: ["q", "subject", "gradeLevel", "teacherId", "weekday", "student", "shown"])
        var body = switcher
        if !catalog.subjects.isEmpty {
            body.append(
                .disclosure(
                    PTDisclosure(
                        title: words("catalog.filters"),
                        body: chips(catalog, filter, names, links, words),
                        isOpen: filter.subject != nil || filter.gradeLevel != nil || filter.teacherId != nil
                            || filter.weekday != nil)))
        }
        if found.isEmpty {
            let isBare = catalog.subjects.isEmpty
            body.append(
                .empty(
                    PTEmptyState(
                        icon: .book, title: words(isBare ? "catalog.nothing" : "catalog.none"),
                        message: words(isBare ? "catalog.nothingTip" : "catalog.noneTip"),
                        action: isBare
                            ? nil
                            : PTButton(title: words("catalog.all"), role: .tonal, action: .open(Self.path)))))
        } else {
            body.append(.text(PTText(words("catalog.count", found.count), role: .note)))
            body.append(.columns(PTColumns(entries.map { card($0, request) }, limit: 2)))
            if shown < found.count {
                body.append(
                    .button(
                        PTButton(
                            title: words("catalog.more", min(Self.portion, found.count - shown)), role: .tonal,
                            action: .open(links.with("shown", String(shown + Self.portion))))))
            }
        }
        return Screen(
            title: words("catalog.title"), back: "/courses",
            live: [EnrollmentTopics.catalog, CourseTopic.list],
            body: body,
            search: PTSearchField(
                path: Self.path, value: filter.words, placeholder: words("catalog.searchTip"),
                label: words("catalog.search"), keeping: links.filters))
    }

    private func teacherNames(_ catalog: CourseCatalog, _ context: RequestContext) async throws -> [UUID:
        String]
    {
        let orgId = try context.membership.organization.id
        return try await context.school.read { sql in
            try people.people(catalog.teacherIds, of: orgId, in: sql).mapValues(\.name.display)
        }
    }

    private func chips(
        _ catalog: CourseCatalog, _ filter: CatalogFilter, _ names: [UUID: String], _ links: FilterLinks,
        _ words: Words
    ) -> [Component] {
        func row(_ key: String, _ label: String, _ choices: [(value: String, title: String)], _ chosen: String?)
            -> [Component]
        {
            guard choices.count > 1 || chosen != nil else { return [] }
            return [
                .chips(
                    PTChips(
                        label: words(label),
                        chips: choices.map { choice in
                            let isOn = choice.value == chosen
                            return PTChips.Chip(
                                title: choice.title, isSelected: isOn,
                                action: .open(links.with(key, isOn ? nil : choice.value)))
                        }))
            ]
        }
        let teachers = catalog.teacherIds.compactMap { id in names[id].map { (id.text, $0) } }
            .sorted { $0.1.localizedStandardCompare($1.1) == .orderedAscending }
        return row("subject", "catalog.subject", catalog.subjects.map { ($0, $0) }, filter.subject)
            + row("gradeLevel", "catalog.gradeLevel", catalog.gradeLevels.map { ($0, $0) }, filter.gradeLevel)
            + row(
                "weekday", "catalog.weekday",
                Weekday.allCases.prefix(5).map { ($0.rawValue, words.weekday($0.sample)) },
                filter.weekday?.rawValue)
            + row("teacherId", "catalog.teacher", teachers, filter.teacherId?.text)
    }

    /// A card with name, teachers, schedule, description, number of students and status.
    private func card(_ entry: CatalogEntry, _ request: ScreenRequest) -> Component {
        let (words, course) = (request.words, entry.course)
        let facts = [
            entry.teachers.joined(separator: ", "), course.periods.map { $0.shown(words) }.joined(separator: ", "),
        ].filter { !$0.isEmpty }
        var parts: [Component] = [
            .list(
                PTList(cells: [
                    PTListCell(
                        id: course.id.text,
                        leading: .avatar(
                            PTAvatar(initials: Initials.of(course.name), tint: course.tint, id: course.id)),
                        title: course.name,
                        subtitle: [course.subject, course.gradeLevel].compactMap(\.self).joined(separator: " · "),
                        trailing: [
                            EnrollmentWording.tag(entry.status, entry.position, words).map(
                                PTListCell.Trailing.badge) ?? .chevron
                        ], action: .open("/courses/\(course.id.text)"))
                ]))
        ]
        if !facts.isEmpty { parts.append(.text(PTText(facts.joined(separator: " · "), role: .note))) }
        if let details = course.details {
            parts.append(.text(PTText(String(details.prefix(200)))))
        }
        parts.append(.text(PTText(EnrollmentWording.occupancy(course, entry.enrolledCount, words), role: .note)))
        return .card(PTCard(label: course.name, body: parts))
    }
}
