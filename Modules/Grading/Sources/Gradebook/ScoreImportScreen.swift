import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import GradingInterface
import ScreenKit

extension GradebookScreens {
    /// The path of a preview.
    ///
    /// - Parameter isOutdated: whether scores have changed since the page was shown.
    static func importPath(_ courseId: UUID, _ uploadId: UUID, isOutdated: Bool = false) -> String {
        "/courses/\(courseId.text)/marks-import/\(uploadId.text)\(isOutdated ? "?outdated=1" : "")"
    }

    /// The pages of an import: the choice of a file and its preview.
    var importRoutes: [ScreenRoute] {
        [
            ScreenRoute("/courses/{courseId}/marks-import", access: .member(.teachCourses), tab: "/courses") {
                .screen(try await fileChoice($0))
            },
            ScreenRoute(
                "/courses/{courseId}/marks-import/{uploadId}", access: .member(.teachCourses), tab: "/courses"
            ) { .screen(try await marksImport($0)) },
        ]
    }

    /// The page on which a file is chosen. Not a sheet, because a sheet's form leads back to the gradebook.
    private func fileChoice(_ request: ScreenRequest) async throws -> Screen {
        let (book, words) = (try await courseGradebook(request), request.words)
        return Screen(
            title: words("grading.csv.import"), subtitle: book.course.name, back: Self.path(book.course.id),
            body: [.form(importForm(request, book))])
    }

    private func importForm(_ request: ScreenRequest, _ book: CourseGradebook) -> PTForm {
        let words = request.words
        return request.form(
            PreviewScoreImport.self, ["courseId": book.course.id.text], id: "preview-marks",
            fields: [
                PTField(
                    .file(accept: [".csv", ".txt", "text/csv"]), name: "file", label: words("grading.csv.file"),
                    hint: words("grading.csv.tip"), isRequired: true)
            ], submit: SubmitButton(title: words("grading.import.check")), style: .card)
    }

    private func marksImport(_ request: ScreenRequest) async throws -> Screen {
        let (book, words, membership) = (
            try await courseGradebook(request), request.words, try request.context.membership
        )
        let (uploadId, now) = (try request.id("uploadId"), request.context.now)
        let authors = ScoreAuthors(people: people)
        let found = try await request.context.school.read { sql -> (ScoreImportPlan, [ScoreConflict])? in
            let upload = try ScoreUploadRepository.upload(
                uploadId, of: membership.personId, courseId: book.course.id, at: now, in: sql)
            guard let upload else { return nil }
            let plan = ScoreImportPlan(upload, book.gradebook, book.students)
            return (
                plan,
                try authors.addingAuthors(to: plan.conflicts.map(\.change), membership.organization.id, in: sql)
            )
        }
        var body: [Component] = []
        if let (plan, conflicts) = found {
            if request.query["outdated"] != nil {
                body.append(
                    .banner(PTBanner(tone: .warning, icon: .alert, title: words("grading.import.outdated"))))
            }
            body += preview(plan, conflicts, uploadId, book, request)
        } else {
            body.append(
                .banner(PTBanner(tone: .warning, icon: .alert, title: words("problem.grading.uploadGone"))))
        }
        return Screen(
            title: words("grading.import.title"), subtitle: book.course.name, back: Self.path(book.course.id),
            body: body)
    }

    private func preview(
        _ plan: ScoreImportPlan, _ conflicts: [ScoreConflict], _ uploadId: UUID, _ book: CourseGradebook,
        _ request: ScreenRequest
    ) -> [Component] {
        let words = request.words
        var body: [Component] = []
        let changes = plan.changes.map(\.change)
        if plan.keptCount > 0 {
            body.append(.text(PTText(words("grading.import.kept", plan.keptCount), role: .note)))
        }
        if plan.rows.isEmpty {
            body.append(
                .empty(
                    PTEmptyState(
                        icon: .check, title: words("grading.import.nothing"),
                        message: words("grading.import.nothingTip"))))
            return body
        }
        if !changes.isEmpty {
            body.append(
                .section(
                    PTSection(
                        title: words("grading.import.changes"), detail: changes.count.shown(in: words.locale),
                        body: [.table(table(changes, words))])))
        }
        var fields: [PTField] = []
        if !conflicts.isEmpty {
            fields.append(
                PTField(
                    .multipleChoice(
                        conflicts.map { conflict in
                            let now = shown(conflict.theirs, words)
                            return PTField.Option(
                                value: "\(conflict.studentId.text)/\(conflict.itemId.text)",
                                title: words(
                                    "grading.import.take", conflict.student, conflict.item,
                                    shown(conflict.yours, words)),
                                detail: conflict.by.map { words("grading.import.nowBy", now, $0) }
                                    ?? words("grading.import.now", now))
                        }), name: "taken", label: words("grading.import.clashes", conflicts.count),
                    hint: words("grading.import.clashesTip")))
        }
        fields += [.hidden("uploadId", uploadId.text), .hidden("plan", plan.fingerprint)]
        let submit =
            changes.isEmpty ? words("grading.import.applyChosen") : words("grading.import.apply", changes.count)
        body.append(
            .form(
                request.form(
                    ImportScores.self, ["courseId": book.course.id.text], id: "import-marks", fields: fields,
                    submit: SubmitButton(title: submit), style: conflicts.isEmpty ? .plain : .card)))
        return body
    }

    private func table(_ changes: [ScoreConflict], _ words: Words) -> PTDataTable {
        PTDataTable(
            label: words("grading.import.changes"),
            columns: [
                .init(title: words("grading.student")),
                .init(title: words("grading.curve.before"), isNumeric: true),
                .init(title: words("grading.import.new"), isNumeric: true),
            ],
            rows: changes.map { change in
                PTDataTable.Row(
                    header: words("grading.import.mark", change.student, change.item),
                    cells: [.text(shown(change.theirs, words)), .text(shown(change.yours, words))])
            })
    }

    /// A typed score as text in the reader's language.
    private func shown(_ text: String, _ words: Words) -> String {
        if text.isEmpty { return "–" }
        if text == "ex" { return words("grading.excused") }
        if text == "m" { return words("grading.missing") }
        let isLate = text.hasSuffix(" l")
        let points = isLate ? String(text.dropLast(2)) : text
        let shown = words.language == .french ? points.replacing(".", with: ",") : points
        return isLate ? words("grading.lateMark", shown) : shown
    }
}
