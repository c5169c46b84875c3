import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import GradingInterface
import ScreenKit

/// The pages of a gradebook: the overview, an item's column and a single score.
struct GradebookScreens: Sendable {
    static func path(_ courseId: UUID) -> String { "/courses/\(courseId.text)/gradebook" }
    static func path(_ item: GradebookItem) -> String { "\(path(item.courseId))/\(item.id.text)" }

    let courses: any CourseService
    let people: GradebookPeople
    let reader: GradebookReader

    var routes: [ScreenRoute] {
        [
            ScreenRoute("/courses/{courseId}/gradebook", access: .member(.teachCourses), tab: "/courses") {
                .screen(try await overview($0))
            },
            ScreenRoute("/courses/{courseId}/gradebook/{itemId}", access: .member(.teachCourses), tab: "/courses") {
                .screen(try await column($0))
            },
            ScreenRoute(
                "/courses/{courseId}/gradebook/{itemId}/curve", access: .member(.teachCourses), tab: "/courses"
            ) {
                .screen(try await curve($0))
            },
            ScreenRoute(
                "/courses/{courseId}/gradebook/{itemId}/{studentId}", access: .member(.teachCourses),
                tab: "/courses"
            ) { .screen(try await score($0)) },
        ]
    }

    /// A course with its students and gradebook, as the pages show it.
    struct CourseGradebook {
        let course: Course
        let students: [GradebookPeople.Student]
        /// The students who left the course and have scores in it.
        let former: [GradebookPeople.Student]
        let gradebook: Gradebook

        /// Returns an item of the course. Throws `Problem.notFound` without one.
        func item(_ id: UUID) throws -> GradebookItem {
            guard let item = gradebook.items.first(where: { $0.id == id }) else { throw Problem.notFound }
            return item
        }
    }

    func courseGradebook(_ request: ScreenRequest) async throws -> CourseGradebook {
        let (membership, courseId) = (try request.context.membership, try request.id("courseId"))
        return try await request.context.school.read { sql in
            let course = try courses.course(courseId, ledBy: membership, in: sql)
            let (orgId, gradebook) = (membership.organization.id, try reader.gradebook(of: course.id, in: sql))
            return try CourseGradebook(
                course: course, students: people.students(of: course.id, orgId, in: sql),
                former: people.formerStudents(of: course.id, gradebook, orgId, in: sql), gradebook: gradebook)
        }
    }

    // MARK: - Overview

    private func overview(_ request: ScreenRequest) async throws -> Screen {
        let (book, words) = (try await courseGradebook(request), request.words)
        var body: [Component] = []
        if book.gradebook.items.isEmpty {
            body.append(
                .empty(
                    PTEmptyState(
                        icon: .chart, title: words("grading.noItems"), message: words("grading.noItemsTip"),
                        action: PTButton(title: words("grading.addItem"), icon: .plus, action: .present("add")))))
        } else {
            body += try sheet(book, request)
        }
        return Screen(
            title: words("grading.gradebook"), subtitle: book.course.name,
            back: "/courses/\(book.course.id.text)",
            live: [
                GradeNotifications.topic(book.course.id), GradeTopic.scale,
                CourseTopic.enrollmentCounts(of: book.course.id),
            ],
            body: body,
            floatingButton: PTFloatingActionButton(
                title: words("grading.addItem"), action: .present("add")),
            sheets: [
                PTBottomSheet(
                    id: "add", title: words("grading.addItem"), body: [.form(itemForm(request, book, nil))]),
                PTBottomSheet(
                    id: "settings", title: words("grading.settings"), body: try await settingsForm(request, book)),
            ])
    }

    /// The class average, the sheet and the list of items.
    private func sheet(_ book: CourseGradebook, _ request: ScreenRequest) throws -> [Component] {
        let (gradebook, words) = (book.gradebook, request.words)
        let courseGrades = book.students.map { gradebook.courseGrade(of: $0.id) }
        let average = gradebook.average(of: courseGrades).map {
            words("grading.gradeAndLetter", $0.shown.shown(words), $0.letter.rawValue)
        }
        let counts = gradebook.scoreCounts(book.students.map(\.id))
        let head = PTGreeting(
            eyebrow: words("grading.classAverage"), title: average ?? words("grading.noMarks"),
            split: weights(gradebook, courseGrades, words),
            actions: [PTButton(title: words("grading.settings"), role: .quiet, action: .present("settings"))]
                + releaseAll(book, counts, request))
        let items = PTList(
            cells: zip(gradebook.items, counts).map { cell($0, marked: $1, of: book.students.count, request) },
            label: words("grading.items"))
        let scores: Component =
            book.students.isEmpty
            ? .empty(
                PTEmptyState(
                    icon: .people, title: words("grading.noStudents"), message: words("grading.noStudentsTip")))
            : .island(
                try PTIsland(
                    "gradebook",
                    properties: GradebookSheet(
                        book.course, book.students, gradebook, courseGrades, today: request.context.today, words),
                    fallback: words("grading.sheet.fallback"), isWide: true))
        return [
            .greeting(head), scores,
            .disclosure(PTDisclosure(title: words("grading.items"), body: [.list(items)])),
        ] + formerStudents(book, words) + [
            .links(
                PTLinks(links: [
                    .init(
                        title: words("grading.csv.export"),
                        action: .open("/courses/\(book.course.id.text)/marks.csv")),
                    .init(
                        title: words("grading.csv.import"),
                        action: .open("/courses/\(book.course.id.text)/marks-import")),
                ]))
        ]
    }

    /// The button that releases all hidden items with scores. Shown for two or more; a single item has its own menu.
    private func releaseAll(_ book: CourseGradebook, _ counts: [Int], _ request: ScreenRequest) -> [PTButton] {
        let words = request.words
        let hidden = zip(book.gradebook.items, counts)
            .filter { $0.path == nil && $0.releasedAt == nil && $1 > 0 }.map(\.0)
        guard hidden.count > 1 else { return [] }
        let call = request.call(
            ReleaseGradebook.self, ["courseId": book.course.id.text],
            confirmation: PTConfirmation(
                title: words("grading.releaseAll.title", hidden.count),
                message: hidden.map(\.title).joined(separator: ", "), confirm: words("grading.release"),
                isDestructive: false))
        return [
            PTButton(
                title: words("grading.releaseAll", hidden.count), icon: .eye, role: .quiet,
                action: .perform(call))
        ]
    }

    /// The call that releases an item, or hides it again.
    private func release(_ item: GradebookItem, _ request: ScreenRequest) -> PTCommandCall {
        request.call(
            ReleaseGradebookItem.self, ["courseId": item.courseId.text, "itemId": item.id.text],
            fields: item.releasedAt == nil ? ["isReleased": "true"] : [:])
    }

    /// The scores of former students, which can be read, printed and exported but not changed.
    private func formerStudents(_ book: CourseGradebook, _ words: Words) -> [Component] {
        guard !book.former.isEmpty else { return [] }
        let gradebook = book.gradebook
        let rows = book.former.map { student in
            let total = gradebook.courseGrade(of: student.id)
            let scores = gradebook.scores(of: student.id).map { Self.spoken($0, words) ?? "–" }
            return PTDataTable.Row(
                id: student.id.text, header: student.name,
                action: .open("\(GradesScreens.path(book.course.id))?student=\(student.id.text)"),
                cells: [
                    .text(
                        total.map { words("grading.gradeAndLetter", $0.shown.shown(words), $0.letter.rawValue) }
                            ?? "–")
                ] + scores.map { .text($0) })
        }
        let columns =
            [
                PTDataTable.Column(title: words("grading.student")),
                .init(title: words("grading.current"), isNumeric: true),
            ]
            + gradebook.items.map { item in
                PTDataTable.Column(title: item.title, detail: "/ \(item.maximum.shown(words))", isNumeric: true)
            }
        return [
            .section(
                PTSection(
                    title: words("grading.former"), detail: rows.count.shown(in: words.locale),
                    body: [
                        .text(PTText(words("grading.formerTip"), role: .note)),
                        .table(PTDataTable(label: words("grading.former"), columns: columns, rows: rows)),
                        .links(
                            PTLinks(links: [
                                .init(
                                    title: words("grading.former.export"),
                                    action: .open("/courses/\(book.course.id.text)/former-marks.csv"))
                            ])),
                    ]))
        ]
    }

    /// The weights as a bar: each part is as long as its weight and filled as far as the class average.
    private func weights(
        _ gradebook: Gradebook, _ courseGrades: [GradeCalculationService.CourseGrade?], _ words: Words
    ) -> PTSplitBar {
        let averages = gradebook.averages(of: courseGrades)
        let parts = GradeCategory.allCases.compactMap { category -> PTSplitBar.Part? in
            let weight = gradebook.settings.weights[category]
            guard weight > 0 else { return nil }
            let average = averages[category]
            return PTSplitBar.Part(
                count: weight, tint: category.tint ?? .sand, filled: (average?.count ?? 0) / 100,
                title: words("grading.category.\(category.rawValue)"),
                detail: average.map { words("grading.legend", weight, $0.shown(words)) }
                    ?? words("grading.legend.none", weight))
        }
        return PTSplitBar(
            parts: parts, total: 100,
            spoken: parts.map { [$0.title, $0.detail].compactMap(\.self).joined(separator: " ") }
                .joined(separator: ", "))
    }

    private func cell(
        _ item: GradebookItem, marked: Int, of count: Int, _ request: ScreenRequest
    ) -> PTListCell {
        let words = request.words
        let isReleased = item.releasedAt != nil
        let menu = PTMenuItem(
            title: words(isReleased ? "grading.hide" : "grading.release"), icon: isReleased ? .lock : .eye,
            action: .perform(release(item, request)))
        return PTListCell(
            id: item.id.text, title: item.title,
            subtitle: [
                words("grading.category.\(item.category.rawValue)"),
                words("grading.outOf", item.maximum.shown(words)),
                item.isExtraCredit ? words("grading.extraCredit") : nil,
                words("grading.markedCount", marked, count),
            ].compactMap(\.self).joined(separator: " · "),
            trailing: [
                .badge(
                    item.releasedAt == nil
                        ? PTTag(text: words("grading.isHidden"), icon: .lock)
                        : PTTag(text: words("grading.isReleased"), tone: .good, icon: .eye)),
                item.path == nil ? .menu : .chevron,
            ], action: .open(item.path ?? Self.path(item)), menu: item.path == nil ? [menu] : [])
    }

    // MARK: - One item

    private func column(_ request: ScreenRequest) async throws -> Screen {
        let (book, words) = (try await courseGradebook(request), request.words)
        let item = try book.item(request.id("itemId"))
        guard item.path == nil else { throw Problem.notFound }
        let parameters = ["courseId": book.course.id.text, "itemId": item.id.text]
        let isReleased = item.releasedAt != nil
        let delete = request.call(
            DeleteGradebookItem.self, parameters,
            confirmation: PTConfirmation(
                title: words("grading.delete.title", item.title), message: words("grading.delete.message"),
                confirm: words("grading.delete")))
        let theirs = try await request.savedMeanwhile(
            "grading.itemChanged", ["grades.itemChanged"], of: item.id, itemFields(item, words))
        return Screen(
            title: item.title,
            subtitle: "\(words("grading.category.\(item.category.rawValue)")) · "
                + words("grading.outOf", item.maximum.shown(words)), back: Self.path(book.course.id),
            live: [GradeNotifications.topic(book.course.id)],
            body: [
                .text(PTText(words(isReleased ? "grading.releasedTip" : "grading.hiddenTip"))),
                .button(
                    PTButton(
                        title: words(isReleased ? "grading.hide" : "grading.release"),
                        icon: isReleased ? .lock : .eye, role: isReleased ? .tonal : .primary,
                        action: .perform(release(item, request)))),
                .list(
                    PTList(
                        cells: book.students.map { student in
                            let grade = book.gradebook.score(of: student.id, for: item.id)
                            return PTListCell(
                                id: student.id.text, title: student.name, subtitle: grade?.comment,
                                trailing: [
                                    .text(Self.spoken(grade, words) ?? words("grading.unmarked")), .chevron,
                                ], action: .open("\(Self.path(item))/\(student.id.text)"))
                        }, label: words("grading.marks"))),
                .buttons(
                    PTButtonGroup(buttons: [
                        PTButton(
                            title: words("grading.paste"), icon: .copy, role: .tonal, action: .present("paste")),
                        PTButton(title: words("grading.edit"), icon: .edit, role: .tonal, action: .present("edit")),
                        PTButton(
                            title: words("grading.curve"), icon: .trendUp, role: .tonal,
                            action: .open("\(Self.path(item))/curve")),
                        PTButton(title: words("grading.delete"), role: .quiet, action: .perform(delete)),
                    ])),
            ],
            sheets: [
                PTBottomSheet(
                    id: "paste", title: words("grading.paste"),
                    body: [.form(pasteForm(request, book, item, parameters))]),
                PTBottomSheet(
                    id: "edit", title: words("grading.edit"), body: theirs + [.form(itemForm(request, book, item))]),
            ])
    }

    /// A score as text in the reader's language; `nil` without one.
    static func spoken(_ grade: Score?, _ words: Words) -> String? {
        guard let grade else { return nil }
        switch grade.state {
        case .graded: return grade.points?.shown(words)
        case .late: return grade.points.map { words("grading.lateMark", $0.shown(words)) }
        case .excused: return words("grading.excused")
        case .missing: return words("grading.missing")
        }
    }

    // MARK: - One score

    private func score(_ request: ScreenRequest) async throws -> Screen {
        let (book, words) = (try await courseGradebook(request), request.words)
        let (item, studentId) = (try book.item(request.id("itemId")), try request.id("studentId"))
        guard item.path == nil, let student = book.students.first(where: { $0.id == studentId }) else {
            throw Problem.notFound
        }
        let grade = book.gradebook.score(of: student.id, for: item.id)
        let form = request.form(
            SetScore.self,
            ["courseId": book.course.id.text, "itemId": item.id.text, "studentId": student.id.text], id: "mark",
            fields: [
                PTField(
                    name: "text", label: words("grading.mark"), value: grade?.text ?? "",
                    hint: words("grading.markTip", item.maximum.shown(words)), maxLength: 20),
                PTField(
                    .multiline, name: "comment", label: words("grading.comment"), value: grade?.comment ?? "",
                    hint: words("grading.commentTip"), maxLength: 500),
                PTField(
                    .hidden, name: "version", label: "", value: String(grade?.version ?? 0)),
            ], submit: SubmitButton(title: words("grading.save")), to: Self.path(item), style: .card)
        return Screen(
            title: student.name, subtitle: item.title, back: Self.path(item),
            live: [GradeNotifications.topic(book.course.id)],
            body: try await savedMeanwhile(grade, of: student, item, request) + [.form(form)],
            listPath: Self.path(item))
    }

    /// The value that another person stored while the form was open, with their name and the time. Empty unless the
    /// form was refused for it.
    private func savedMeanwhile(
        _ grade: Score?, of student: GradebookPeople.Student, _ item: GradebookItem, _ request: ScreenRequest
    ) async throws -> [Component] {
        guard request.refused?.problem.code == "grading.changed" else { return [] }
        let (words, membership) = (request.words, try request.context.membership)
        let key = ScoreKey(studentId: student.id, itemId: item.id)
        let author = try await request.context.school.read { sql in
            try ScoreAuthors(people: people).authors(of: [key], membership.organization.id, in: sql)[key]
        }
        let title =
            author.map { words("form.savedBy", $0.name, words.dateAndTime($0.at, in: membership.timeZone)) }
            ?? words("form.savedMeanwhile")
        let stored = [Self.spoken(grade, words) ?? words("grading.unmarked"), grade?.comment]
        return [
            .section(
                PTSection(
                    title: title,
                    body: [
                        .card(
                            PTCard(body: [
                                .text(PTText(stored.compactMap(\.self).joined(separator: " · ")))
                            ]))
                    ]))
        ]
    }
}
