import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import GradingInterface
import OrganizationInterface
import ScreenKit

/// `GradesView`: the pages on which students and families see grades.
struct GradesScreens: Sendable {
    static let path = "/grades"
    static func path(_ courseId: UUID) -> String { "/courses/\(courseId.text)/grades" }

    let courses: any CourseService
    let roster: any CourseRoster
    let families: any FamilyLinks
    let people: GradebookPeople
    let service: SQLGradeService
    let printer: any DocumentPrinting

    var queries: [QueryRegistration] {
        [
            .handle(ReadCourseGrades.self) { query, context in
                let membership = try context.membership
                return try await context.school.read { sql in
                    let course = try self.course(query.courseId, readBy: membership, sql)
                    let allowed = try students(in: course, for: membership, sql)
                    guard let id = query.student ?? allowed.first?.id, allowed.contains(where: { $0.id == id })
                    else { throw Problem.notFound }
                    let book = try service.reader.released(for: id, in: [course.id], sql)[course.id]
                    return Self.grades(of: id, in: course, book)
                }
            }
        ]
    }

    var routes: [ScreenRoute] {
        [
            ScreenRoute("/courses/{courseId}/grades", access: .member(.viewGrades), tab: "/courses") {
                .screen(try await course($0))
            },
            ScreenRoute(Self.path, access: .member(.viewGrades), tab: Self.path) { .screen(try await all($0)) },
            ScreenRoute("\(Self.path)/report", access: .member(.viewGrades), tab: Self.path) {
                .screen(try await report($0))
            },
        ]
    }

    /// The students whose scores in a course a person may see: themselves, their children, or all students they teach.
    func students(
        in course: Course, for membership: ActiveMembership, _ sql: any SQLReading
    ) throws -> [(id: UUID, name: String)] {
        if course.isLed(by: membership) {
            let orgId = membership.organization.id
            let gradebook = try service.reader.gradebook(of: course.id, in: sql)
            return try
                (people.students(of: course.id, orgId, in: sql)
                + people.formerStudents(of: course.id, gradebook, orgId, in: sql)).map { ($0.id, $0.name) }
        }
        return try own(membership, sql).filter { try takes($0.id, course.id, sql) }
    }

    /// Whether a student is in a course, or left it with released scores.
    private func takes(_ studentId: UUID, _ courseId: UUID, _ sql: any SQLReading) throws -> Bool {
        if try roster.courseIds(ofStudent: studentId, in: sql).contains(courseId) { return true }
        return try GradingRepository.courseIds(markedForStudent: studentId, in: sql).contains(courseId)
    }

    /// Returns a course that the caller may enter, or in which the caller or a child of theirs has released scores.
    private func course(_ id: UUID, readBy membership: ActiveMembership, _ sql: any SQLReading) throws -> Course {
        let isFormer = try own(membership, sql).contains { student in
            try GradingRepository.courseIds(markedForStudent: student.id, in: sql).contains(id)
        }
        if isFormer, let course = try courses.courses([id], in: sql)[id] { return course }
        return try courses.course(id, enteredBy: membership, in: sql)
    }

    /// The courses of a student: the present ones, and the ones left with released scores.
    func courseIds(
        of studentId: UUID, _ sql: any SQLReading
    ) throws -> (current: Set<UUID>, former: Set<UUID>) {
        let current = try roster.courseIds(ofStudent: studentId, in: sql)
        return (current, try GradingRepository.courseIds(markedForStudent: studentId, in: sql).subtracting(current))
    }

    /// The caller if they are a student, and the caller's children.
    private func own(_ membership: ActiveMembership, _ sql: any SQLReading) throws -> [(id: UUID, name: String)] {
        let children = try families.children(of: membership, in: sql)
        let known = try people.people.people([membership.personId], of: membership.organization.id, in: sql)
        let isStudent = membership.roles.contains(.student)
        let name = known[membership.personId]?.name.display ?? ""
        return (isStudent ? [(membership.personId, name)] : []) + children.map { ($0.id, $0.name.display) }
    }

    /// The students whose grades the caller may see, and the first of them who has courses.
    func followed(
        _ membership: ActiveMembership, _ sql: any SQLReading
    ) throws -> (students: [(id: UUID, name: String)], first: UUID?) {
        let students = try own(membership, sql)
        return (
            students,
            try students.first { student in
                let ids = try courseIds(of: student.id, sql)
                return !ids.current.isEmpty || !ids.former.isEmpty
            }?.id
        )
    }

    /// Whether the caller or a child of theirs has courses.
    func hasCourses(_ membership: ActiveMembership, _ sql: any SQLReading) throws -> Bool {
        try followed(membership, sql).first != nil
    }

    private static func grades(of studentId: UUID, in course: Course, _ book: Gradebook?) -> StudentGrades {
        let grade = book?.courseGrade(of: studentId)
        return StudentGrades(
            courseId: course.id, studentId: studentId, shown: grade.map { "\($0.shown)" },
            letter: grade?.letter.rawValue, color: grade?.color, trend: book?.trend(of: studentId),
            entries: (book?.items ?? []).map { item in
                let score = book?.score(of: studentId, for: item.id)
                return StudentGrades.Entry(
                    itemId: item.id, title: item.title, category: item.category,
                    points: score?.points.map { "\($0)" }, maximum: "\(item.maximum)", state: score?.state,
                    comment: score?.comment)
            })
    }

    // MARK: - One course

    private func course(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership, courseId) = (
            request.words, try request.context.membership, try request.id("courseId")
        )
        let (course, allowed) = try await request.context.school.read { sql in
            let course = try self.course(courseId, readBy: membership, sql)
            return (course, try students(in: course, for: membership, sql))
        }
        let leads = course.isLed(by: membership)
        let (chosen, segments) = try request.chosenStudent(of: allowed, label: words("grading.whose"))
        guard let studentId = chosen else { throw Problem.notFound }
        let (book, isFormer) = try await request.context.school.read { sql in
            (
                try service.reader.released(for: studentId, in: [course.id], sql)[course.id],
                try !roster.courseIds(ofStudent: studentId, in: sql).contains(course.id)
            )
        }
        let name = allowed.first { $0.id == studentId }?.name ?? ""
        // A teacher comes from the gradebook with a name, and needs no control of thirty students.
        var body = leads ? [] : segments
        if isFormer { body.append(.banner(PTBanner(icon: .info, title: words("grading.leftTip")))) }
        if let book, let grade = book.courseGrade(of: studentId) {
            body.append(summary(grade, book.trend(of: studentId), words))
            body += trend(book.lastScores(of: studentId), words)
            body.append(shares(grade, words))
        } else {
            body.append(
                .empty(
                    PTEmptyState(
                        icon: .chart, title: words("grading.noMarks"), message: words("grading.noMarksTip"))))
        }
        if let book, !book.items.isEmpty { body.append(entries(book, studentId, words)) }
        if !leads, !isFormer {
            body.append(
                .links(
                    PTLinks(links: [
                        .init(
                            title: words("grading.whatIf"),
                            action: .open("\(WhatIfHandler.path(course.id))?student=\(studentId.text)"))
                    ])))
        }
        return Screen(
            title: words("grading.grades"), subtitle: leads ? "\(course.name) · \(name)" : course.name,
            back: leads ? GradebookScreens.path(course.id) : "/courses/\(course.id.text)",
            live: [GradeTopic.student(studentId), GradeTopic.scale], body: body)
    }

    /// The course grade, its trend, and its parts as a bar.
    private func summary(
        _ grade: GradeCalculationService.CourseGrade, _ trend: GradeTrend?, _ words: Words
    ) -> Component {
        let parts = grade.shares.map { share in
            (share, words("grading.percent", share.shownAddition.shown(words)))
        }
        return .greeting(
            PTGreeting(
                eyebrow: words("grading.current"),
                title: words("grading.gradeAndLetter", grade.shown.shown(words), grade.letter.rawValue),
                detail: trend.map { words("grading.trend.\($0.rawValue)") },
                split: PTSplitBar(
                    parts: parts.map {
                        .init(
                            count: $0.0.shownAddition.count, tint: $0.0.category.tint ?? .sand,
                            title: words("grading.category.\($0.0.category.rawValue)"))
                    }, total: max(10_000, grade.shown.count),
                    spoken: parts.map { "\(words("grading.category.\($0.0.category.rawValue)")) \($0.1)" }
                        .joined(separator: ", "))))
    }

    /// A line chart of the last scores; nothing for fewer than two.
    private func trend(_ scores: [(item: GradebookItem, percentage: Quotient)], _ words: Words) -> [Component] {
        guard scores.count > 1 else { return [] }
        let points = scores.map { item, percentage in
            let shown = percentage.percentage(places: 0, .halfUp)
            return PTChart.Point(
                label: item.title, value: Double(shown.count) / 100,
                text: words("grading.percent", shown.shown(words)))
        }
        let title = words("grading.lastScores")
        return [
            .section(
                PTSection(
                    title: title,
                    body: [
                        .chart(
                            PTChart(
                                points: points, lowest: 0, highest: max(100, points.map(\.value).max() ?? 0),
                                style: .line, tint: .sky,
                                spoken: "\(title): "
                                    + points.map { "\($0.label) \($0.text)" }.joined(separator: ", ")))
                    ]))
        ]
    }

    /// A table of what each category adds, what rounding adds, and the resulting grade.
    private func shares(_ grade: GradeCalculationService.CourseGrade, _ words: Words) -> Component {
        func row(_ title: String, _ numbers: [Hundredths?]) -> PTDataTable.Row {
            PTDataTable.Row(
                header: title,
                cells: numbers.map { .text($0.map { words("grading.percent", $0.shown(words)) } ?? "") })
        }
        var rows = grade.shares.map { share in
            row(
                words("grading.category.\(share.category.rawValue)"),
                [
                    share.shownAddition, share.percentage.percentage(places: 2, .halfUp),
                    share.weightInPercent.rounded(places: 2, .halfUp),
                ])
        }
        if grade.rounding != .zero { rows.append(row(words("grading.rounding"), [grade.rounding, nil, nil])) }
        rows.append(row(words("grading.current"), [grade.shown, nil, nil]))
        return .section(
            PTSection(
                title: words("grading.shares"),
                body: [
                    .table(
                        PTDataTable(
                            label: words("grading.shares"),
                            columns: [
                                .init(title: words("grading.category")),
                                // Comes first because a phone shows two columns in full.
                                .init(title: words("grading.share"), isNumeric: true),
                                .init(title: words("grading.inCategory"), isNumeric: true),
                                .init(title: words("grading.weightOf"), isNumeric: true),
                            ], rows: rows))
                ]))
    }

    private func entries(_ book: Gradebook, _ studentId: UUID, _ words: Words) -> Component {
        .section(
            PTSection(
                title: words("grading.marks"),
                body: [
                    .list(
                        PTList(
                            cells: book.items.map { item in
                                let score = book.score(of: studentId, for: item.id)
                                let spoken = GradebookScreens.spoken(score, words)
                                return PTListCell(
                                    id: item.id.text, title: item.title,
                                    subtitle: [
                                        words("grading.category.\(item.category.rawValue)"),
                                        item.isExtraCredit ? words("grading.extraCredit") : nil, score?.comment,
                                    ].compactMap(\.self).joined(separator: " · "),
                                    trailing: [
                                        .text(
                                            score?.points != nil
                                                ? words(
                                                    "grading.markOf", spoken ?? "", item.maximum.shown(words))
                                                : spoken ?? words("grading.unmarked"))
                                    ])
                            }))
                ]))
    }

    // MARK: - All courses

    private func all(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership) = (request.words, try request.context.membership)
        let (mine, first) = try await request.context.school.read { try followed(membership, $0) }
        let (chosen, segments) = try request.chosenStudent(of: mine, first: first, label: words("grading.whose"))
        guard let studentId = chosen else {
            return noStudents(words("grading.grades"), words)
        }
        let (known, former, grades, average) = try await courseGrades(of: studentId, request)
        var body = segments
        if let average {
            body.append(
                .definitionList(
                    PTDefinitionList(
                        items: [
                            .init(term: words("grading.gpa"), value: average.shown(words))
                        ]
                            + (average.shownByCredits(words).map {
                                [.init(term: words("grading.gpaWeighted"), value: $0)]
                            } ?? []))))
            body.append(.text(PTText(words("grading.gpaTip", average.courseCount), role: .note)))
        }
        if known.isEmpty {
            body.append(
                .empty(
                    PTEmptyState(
                        icon: .book, title: words("grading.noCourses"), message: words("grading.noCoursesTip"))))
        } else {
            let cells = known.values.sorted { ($0.name, $0.id) < ($1.name, $1.id) }.map { course in
                PTListCell(
                    id: course.id.text, title: course.name,
                    subtitle: former.contains(course.id)
                        ? "\(course.subject) · \(words("grading.left"))" : course.subject,
                    trailing: [
                        .text(
                            grades[course.id].map {
                                words("grading.gradeAndLetter", $0.shown.shown(words), $0.letter)
                            } ?? words("grading.noMarks")), .chevron,
                    ], action: .open("\(Self.path(course.id))?student=\(studentId.text)"))
            }
            body.append(.list(PTList(cells: cells, label: words("grading.grades"))))
            body.append(
                .links(
                    PTLinks(links: [
                        .init(
                            title: words("grading.report.open"),
                            action: .open("\(Self.path)/report?student=\(studentId.text)"))
                    ])))
        }
        return Screen(
            title: words("grading.grades"),
            live: [GradeTopic.student(studentId), GradeTopic.scale, "courses"], body: body)
    }

    private func courseGrades(
        of studentId: UUID, _ request: ScreenRequest
    ) async throws -> ([UUID: Course], former: Set<UUID>, [UUID: CourseGrade], GradePointAverage?) {
        try await request.context.school.read { sql in
            let (current, former) = try courseIds(of: studentId, sql)
            let ids = current.union(former)
            let grades = try service.grades(for: studentId, in: Array(ids), sql)
            return (
                try courses.courses(ids, in: sql), former, grades,
                // A course that the student left does not count in the average.
                try service.gradePointAverage(of: grades.filter { current.contains($0.key) }, in: sql)
            )
        }
    }

    /// The page for a person without courses and without children who have any.
    func noStudents(_ title: String, _ words: Words) -> Screen {
        Screen(
            title: title,
            body: [
                .empty(
                    PTEmptyState(icon: .chart, title: words("grading.nobody"), message: words("grading.nobodyTip")))
            ])
    }

    // MARK: - On a course's page

    /// The section on a course's page: the grade of the student or the chosen child, and the gradebook for teachers.
    func section(of courseId: UUID, _ request: ScreenRequest) async throws -> [Component] {
        let (words, membership) = (request.words, try request.context.membership)
        let found = try await request.context.school.read { sql -> (Course?, UUID?, CourseGrade?) in
            let course = try courses.courses([courseId], in: sql)[courseId]
            let mine = try own(membership, sql).map(\.id).filter { try takes($0, courseId, sql) }
            // The page may be about a child who is not in the course.
            let wanted = request.query["student"].flatMap(UUID.init(text:))
            guard let id = mine.first(where: { $0 == wanted ?? $0 }) else { return (course, nil, nil) }
            return (course, id, try service.grades(for: id, in: [courseId], sql)[courseId])
        }
        guard let course = found.0 else { return [] }
        var cells: [PTListCell] = []
        if let studentId = found.1 {
            let grade = found.2
            cells.append(
                PTListCell(
                    leading: .icon(.chart, tint: grade?.color.tint ?? .sky),
                    title: grade.map { words("grading.gradeAndLetter", $0.shown.shown(words), $0.letter) }
                        ?? words("grading.noMarks"),
                    subtitle: words("grading.details"), trailing: [.chevron],
                    action: .open("\(Self.path(courseId))?student=\(studentId.text)")))
        }
        if course.isLed(by: membership) {
            cells.append(
                PTListCell(
                    leading: .icon(.chart, tint: .sky), title: words("grading.gradebook"),
                    subtitle: words("grading.gradebookTip"), trailing: [.chevron],
                    action: .open(GradebookScreens.path(courseId))))
        }
        guard !cells.isEmpty else { return [] }
        return [.section(PTSection(title: words("grading.grades"), body: [.list(PTList(cells: cells))]))]
    }
}

extension GradeColor {
    /// The tint of the color. Pages always show the letter with it.
    var tint: Tint {
        switch self {
        case .green: .leaf
        case .yellow: .sand
        case .orange: .clay
        case .red: .berry
        }
    }
}
