import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import GradingInterface
import ScreenKit

extension GradebookScreens {
    /// The preview of a curve. Nothing is changed.
    func curve(_ request: ScreenRequest) async throws -> Screen {
        let (book, words) = (try await courseGradebook(request), request.words)
        let item = try book.item(request.id("itemId"))
        guard item.path == nil else { throw Problem.notFound }
        let method = request.query["method"].flatMap(CurveMethod.init) ?? .best
        let typed = request.query["points"] ?? ""
        // A text that is not a number adds nothing; the field still shows it.
        let points = (try? ScoreText.number(typed)) ?? 0
        let path = "\(Self.path(item))/curve"
        let marked = book.students.compactMap { student -> (id: UUID, name: String, points: Hundredths)? in
            book.gradebook.score(of: student.id, for: item.id)?.points.map { (student.id, student.name, $0) }
        }
        let after = method.curve(points).applied(
            to: marked.map(\.points), maximum: item.maximum, isExtraCredit: item.isExtraCredit)
        var body: [Component] = [
            .text(PTText(words("grading.curve.tip"))),
            .segments(
                PTSegmentedControl(
                    label: words("grading.curve.method"),
                    segments: CurveMethod.allCases.map {
                        .init(
                            title: words("grading.curve.\($0.rawValue)"), path: "\(path)?method=\($0.rawValue)",
                            isSelected: $0 == method)
                    })),
        ]
        if method == .add {
            body.append(
                .search(
                    PTSearchField(
                        path: path, name: "points", value: typed, placeholder: words("grading.curve.pointsTip"),
                        label: words("grading.curve.points"), keeping: ["method": CurveMethod.add.rawValue])))
        }
        guard !marked.isEmpty else {
            body.append(
                .empty(
                    PTEmptyState(
                        icon: .chart, title: words("grading.noMarks"), message: words("grading.curve.noMarks"))))
            return Screen(title: words("grading.curve"), subtitle: item.title, back: Self.path(item), body: body)
        }
        body.append(.table(preview(zip(marked, after).map { ($0.name, $0.points, $1) }, words)))
        if marked.map(\.points) != after {
            var fields = [
                "method": method.rawValue, "seen": CurveScores.seen(marked.map { ($0.id, $0.points) }),
            ]
            if method == .add { fields["points"] = typed }
            body.append(
                .button(
                    PTButton(
                        title: words("grading.curve.apply"), size: .large,
                        action: .perform(
                            request.call(
                                CurveScores.self, ["courseId": book.course.id.text, "itemId": item.id.text],
                                fields: fields,
                                confirmation: PTConfirmation(
                                    title: words("grading.curve.title", item.title),
                                    message: words("grading.curve.message"), confirm: words("grading.curve.apply")),
                                to: Self.path(item))))))
        }
        return Screen(
            title: words("grading.curve"), subtitle: item.title, back: Self.path(item),
            live: [GradeNotifications.topic(book.course.id)], body: body)
    }

    /// A table of the scores before and after, with the mean of both.
    private func preview(_ rows: [(name: String, before: Hundredths, after: Hundredths)], _ words: Words)
        -> PTDataTable
    {
        func mean(_ all: [Hundredths]) -> String {
            Hundredths.mean(all).shown(words)
        }
        func row(_ name: String, _ before: String, _ after: String) -> PTDataTable.Row {
            PTDataTable.Row(header: name, cells: [.text(before), .text(after)])
        }
        return PTDataTable(
            label: words("grading.curve"),
            columns: [
                .init(title: words("grading.student")),
                .init(title: words("grading.curve.before"), isNumeric: true),
                .init(title: words("grading.curve.after"), isNumeric: true),
            ],
            rows: [row(words("grading.curve.mean"), mean(rows.map(\.before)), mean(rows.map(\.after)))]
                + rows.map { row($0.name, $0.before.shown(words), $0.after.shown(words)) })
    }

    /// The gradebook as CSV files: one of the present students, one of the former ones.
    var downloads: [DownloadRoute] {
        [
            download("marks.csv", "grading.gradebook") { try people.students(of: $0.id, $2, in: $3) },
            download("former-marks.csv", "grading.former") { try people.formerStudents(of: $0.id, $1, $2, in: $3) },
        ]
    }

    private func download(
        _ name: String, _ title: String,
        _ students:
            @escaping @Sendable (Course, Gradebook, UUID, any SQLReading) throws -> [GradebookPeople.Student]
    ) -> DownloadRoute {
        DownloadRoute(
            "/courses/{courseId}/\(name)", access: .member(.teachCourses),
            seen: Seen("grades.exported", "courseId", isExport: true)
        ) { parameters, context in
            guard let courseId = parameters["courseId"].flatMap(UUID.init(text:)) else { throw Problem.notFound }
            let membership = try context.membership
            let (course, text) = try await context.school.read { sql in
                let course = try courses.course(courseId, ledBy: membership, in: sql)
                let gradebook = try reader.gradebook(of: course.id, in: sql)
                let students = try students(course, gradebook, membership.organization.id, sql)
                return (course, GradebookCSV(gradebook.items).text(gradebook, students.map { ($0.id, $0.name) }))
            }
            return DownloadedFile(
                .bytes(Array(text.utf8)),
                name: "\(course.name) \(context.words(title)) \(context.today).csv",
                contentType: "text/csv; charset=utf-8")
        }
    }
}
