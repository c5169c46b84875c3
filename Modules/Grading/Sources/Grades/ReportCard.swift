import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import GradingInterface
import ScreenKit

/// A student's report card: the courses of a term or of all terms with their grades, on a page and on paper.
struct ReportCard: Sendable {
    struct Row: Sendable {
        let course: Course
        let term: Term?
        let grade: CourseGrade?
        /// Whether the student has left the course.
        let isFormer: Bool
        /// The teachers' comments on scores: the item's title and the text.
        let comments: [(item: String, text: String)]
    }
    let student: (id: UUID, name: String)
    /// The terms of the student's courses, the latest first.
    let terms: [Term]
    /// The shown term; `nil` for all courses.
    let term: Term?
    let rows: [Row]
    /// The average of the shown courses that the student has not left.
    let average: GradePointAverage?

    private func name(_ row: Row, _ words: Words) -> String {
        row.isFormer ? "\(row.course.name) (\(words("grading.left")))" : row.course.name
    }

    /// The cells after the course's name.
    private func cells(_ row: Row, _ words: Words) -> [String] {
        [
            row.grade.map { words("grading.percent", $0.shown.shown(words)) } ?? "–",
            row.grade?.letter ?? "–",
            Hundredths(count: row.course.credits).shown(words), row.term?.name ?? "–",
        ]
    }

    private func average(_ words: Words) -> String? {
        average.map { average in
            words("grading.gpa") + " " + average.shown(words)
                + (average.shownByCredits(words).map { " · " + words("grading.gpaWeighted") + " " + $0 } ?? "")
        }
    }

    private func comments(_ words: Words) -> [String] {
        rows.flatMap { row in
            row.comments.map { words("grading.report.comment", row.course.name, $0.item, $0.text) }
        }
    }

    /// The components of the page.
    func body(_ words: Words, today: Day, path: String, paper: PrintedDocument.Paper) -> [Component] {
        let address = { (term: String) in "\(path)?student=\(student.id.text)&term=\(term)" }
        var body: [Component] = []
        if terms.count > 1 {
            let all = PTSegmentedControl.Segment(
                title: words("grading.report.allTerms"), path: address("all"), isSelected: term == nil)
            body.append(
                .segments(
                    PTSegmentedControl(
                        label: words("grading.report.term"),
                        segments: [all]
                            + terms.map {
                                .init(title: $0.name, path: address($0.id.text), isSelected: $0.id == term?.id)
                            })))
        }
        body.append(
            .greeting(
                PTGreeting(
                    eyebrow: [term?.name, words.longDate(today)].compactMap(\.self).joined(separator: " · "),
                    title: student.name, detail: average(words))))
        body.append(
            .table(
                PTDataTable(
                    label: words("grading.report"),
                    columns: [
                        .init(title: words("grading.report.course")),
                        .init(title: words("grading.report.grade"), isNumeric: true),
                        .init(title: words("grading.report.letter"), isNumeric: true),
                        .init(title: words("grading.report.credits"), isNumeric: true),
                        .init(title: words("grading.report.term")),
                    ],
                    rows: rows.map { row in
                        PTDataTable.Row(header: name(row, words), cells: cells(row, words).map { .text($0) })
                    })))
        let comments = rows.flatMap { row in
            row.comments.map { comment in
                PTListCell(title: "\(row.course.name), \(comment.item)", subtitle: comment.text)
            }
        }
        if !comments.isEmpty {
            body.append(
                .section(
                    PTSection(title: words("grading.report.comments"), body: [.list(PTList(cells: comments))])))
        }
        body.append(
            .button(
                PTButton(
                    title: words("grading.report.print"), icon: .download,
                    action: .external(
                        "\(path)/\(student.id.text)/\(paper.rawValue)/\(term?.id.text ?? "all")"))))
        return body
    }

    /// The printed report card, with lines for remarks and signatures.
    func document(
        _ words: Words, school: String, today: Day, paper: PrintedDocument.Paper
    ) -> PrintedDocument {
        var blocks: [PrintedBlock] = [
            .table(
                PrintedTable(
                    columns: [
                        .init(words("grading.report.course"), share: 3), .init(words("grading.report.grade")),
                        .init(words("grading.report.letter")), .init(words("grading.report.credits")),
                        .init(words("grading.report.term"), share: 1.5),
                    ], rows: rows.map { [name($0, words)] + cells($0, words) }))
        ]
        if let average = average(words) { blocks.append(.text(average)) }
        let comments = comments(words)
        if !comments.isEmpty { blocks += [.heading(words("grading.report.comments")), .items(comments)] }
        blocks += [
            .writing(words("grading.report.remarks"), lines: 4),
            .writing(words("grading.report.schoolSignature"), lines: 1),
            .writing(words("grading.report.parentSignature"), lines: 1),
        ]
        return PrintedDocument(
            title: words("grading.report"),
            subtitle: [student.name, term?.name].compactMap(\.self).joined(separator: " · "),
            school: "\(school) · \(words.longDate(today))", language: words.language, paper: paper, blocks: blocks,
            pageNumber: { words("grading.report.page", $0, $1) })
    }
}

extension GradesScreens {
    /// Letter for schools in a time zone of America, A4 elsewhere.
    private static func paper(_ membership: ActiveMembership) -> PrintedDocument.Paper {
        membership.timeZone.identifier.hasPrefix("America/") ? .letter : .a4
    }

    /// `ReportCardView`: the page with the report card.
    func report(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership) = (request.words, try request.context.membership)
        let (mine, first) = try await request.context.school.read { try followed(membership, $0) }
        let (chosen, segments) = try request.chosenStudent(of: mine, first: first, label: words("grading.whose"))
        guard let studentId = chosen, let student = mine.first(where: { $0.id == studentId }) else {
            return noStudents(words("grading.report"), words)
        }
        let wanted = request.query["term"]
        let card = try await request.context.school.read { try self.card(of: student, term: wanted, $0) }
        let sections = try await request.sections(about: .reportCard, studentId)
        return Screen(
            title: words("grading.report"), subtitle: membership.organization.name, back: Self.path,
            live: [GradeTopic.student(studentId), GradeTopic.scale],
            body: segments
                + card.body(
                    words, today: request.context.today, path: "\(Self.path)/report", paper: Self.paper(membership))
                + sections
        )
    }

    /// The report card as a PDF file.
    var reportDownload: DownloadRoute {
        DownloadRoute(
            "\(Self.path)/report/{studentId}/{paper}/{term}", access: .member(.viewGrades),
            seen: Seen("reportCard.exported", "studentId", isExport: true)
        ) { parameters, context in
            guard let studentId = parameters["studentId"].flatMap(UUID.init(text:)),
                let paper = parameters["paper"].flatMap(PrintedDocument.Paper.init)
            else { throw Problem.notFound }
            let membership = try context.membership
            let card = try await context.school.read { sql in
                guard let student = try followed(membership, sql).students.first(where: { $0.id == studentId })
                else { throw Problem.notFound }
                return try self.card(of: student, term: parameters["term"], sql)
            }
            let document = card.document(
                context.words, school: membership.organization.name, today: context.today, paper: paper)
            return DownloadedFile(
                .bytes(try await printer.pdf(of: document)),
                name: "\(document.title) \(card.student.name) \(context.today).pdf",
                contentType: "application/pdf")
        }
    }

    /// Reads a report card.
    ///
    /// - Parameter wanted: a term's id; `nil` or `all` for all courses. Throws `Problem.notFound` for an unknown term.
    private func card(
        of student: (id: UUID, name: String), term wanted: String?, _ sql: any SQLReading
    ) throws -> ReportCard {
        let (current, former) = try courseIds(of: student.id, sql)
        let ids = current.union(former)
        let known = try courses.courses(ids, in: sql)
        let used = Set(known.values.compactMap(\.termId))
        let terms = try courses.terms(in: sql).filter { used.contains($0.id) }
        let term = terms.first { $0.id == wanted.flatMap(UUID.init(text:)) }
        guard term != nil || wanted == nil || wanted == "all" else { throw Problem.notFound }
        let books = try service.reader.released(for: student.id, in: Array(ids), sql)
        let grades = try service.grades(for: student.id, in: Array(ids), sql)
        let shown = known.values.filter { term == nil || $0.termId == term?.id }
            .sorted { ($0.name, $0.id) < ($1.name, $1.id) }
        return ReportCard(
            student: student, terms: terms, term: term,
            rows: shown.map { course in
                let book = books[course.id]
                return ReportCard.Row(
                    course: course, term: terms.first { $0.id == course.termId }, grade: grades[course.id],
                    isFormer: former.contains(course.id),
                    comments: (book?.items ?? []).compactMap { item in
                        book?.score(of: student.id, for: item.id)?.comment.map { (item.title, $0) }
                    })
            },
            average: try service.gradePointAverage(
                of: grades.filter { grade in
                    current.contains(grade.key) && shown.contains { $0.id == grade.key }
                }, in: sql))
    }
}
