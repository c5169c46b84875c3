import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import GradingInterface
import ScreenKit

/// A hypothetical score in a category, such as "18/20".
struct HypotheticalScore: Sendable, Hashable {
    let category: GradeCategory
    let points: Hundredths
    let maximum: Hundredths

    /// Reads "18/20"; `nil` if the text is not valid.
    init?(_ category: GradeCategory, _ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        // A text that is not a number makes the whole score invalid.
        guard parts.count == 2, let points = try? ScoreText.number(parts[0]),
            let maximum = try? ScoreText.number(parts[1]), maximum > 0, maximum <= ScoreText.largestMaximum,
            points <= maximum
        else { return nil }
        self.category = category
        self.points = points
        self.maximum = maximum
    }

    var text: String { "\(points)/\(maximum)" }
    var entry: GradeEntry { GradeEntry(category: category, points: points, maximum: maximum) }
}

/// Calculates what a grade would be. Stores nothing.
///
/// It is a command, so that fields are checked as everywhere. It redirects to a page with the scores in its address.
struct CalculateHypotheticalGrade: Command {
    static let contract = Contract(
        "grades.imagine", "/api/v1/courses/{courseId}/grades/imagine", access: .member(.viewGrades),
        replay: .natural,
        summary:
            "Calculates what a course grade would be with further scores such as 18/20. Stores nothing.")
    typealias Result = HypotheticalGrade

    let courseId: UUID
    let student: UUID?
    let scores: [HypotheticalScore]

    init(_ fields: inout FieldReader) {
        courseId = fields.id("courseId")
        student = fields.optionalId("student")
        var scores: [HypotheticalScore] = []
        for category in GradeCategory.allCases {
            guard let text = fields.optionalText(category.rawValue, max: 20) else { continue }
            let score = HypotheticalScore(category, text)
            fields.refuse(category.rawValue, "grading.whatIf", unless: score != nil)
            if let score { scores.append(score) }
        }
        self.scores = scores
    }
}

/// A hypothetical course grade.
struct HypotheticalGrade: Codable, Sendable, Hashable {
    /// The rounded percentage; `nil` if nothing would count.
    let shown: String?
    let letter: String?
}

/// The what-if command and its page.
struct WhatIfHandler: Sendable {
    let grades: GradesScreens

    static func path(_ courseId: UUID) -> String { "/courses/\(courseId.text)/what-if" }

    var command: CommandRegistration {
        .handle(CalculateHypotheticalGrade.self) { command, context in
            let membership = try context.membership
            let course = try grades.courses.course(command.courseId, enteredBy: membership, in: context.sql)
            let allowed = try grades.students(in: course, for: membership, context.sql)
            guard let id = command.student ?? allowed.first?.id, allowed.contains(where: { $0.id == id }) else {
                throw Problem.notFound
            }
            let book = try grades.service.reader.released(for: id, in: [course.id], context.sql)[course.id]
            let grade = Self.grade(of: id, book, with: command.scores)
            let query = command.scores.map { "\($0.category.rawValue)=\($0.text)" }
            context.destination =
                Self.path(course.id) + "?" + (["student=\(id.text)"] + query).joined(separator: "&")
            return HypotheticalGrade(shown: grade.map { "\($0.shown)" }, letter: grade?.letter.rawValue)
        }
    }

    var route: ScreenRoute {
        ScreenRoute("/courses/{courseId}/what-if", access: .member(.viewGrades), tab: "/courses") { request in
            .screen(try await screen(request))
        }
    }

    private static func grade(
        of studentId: UUID, _ book: Gradebook?, with scores: [HypotheticalScore]
    ) -> GradeCalculationService.CourseGrade? {
        guard let book else {
            return GradeCalculationService().calculateCourseGrade(grades: scores.map(\.entry), weights: .standard)
        }
        return book.service.calculateCourseGrade(
            grades: book.entries(of: studentId) + scores.map(\.entry), weights: book.settings.weights)
    }

    private func screen(_ request: ScreenRequest) async throws -> Screen {
        let (words, membership, courseId) = (
            request.words, try request.context.membership, try request.id("courseId")
        )
        let (course, allowed) = try await request.context.school.read { sql in
            let course = try grades.courses.course(courseId, enteredBy: membership, in: sql)
            return (course, try grades.students(in: course, for: membership, sql))
        }
        let (chosen, segments) = try request.chosenStudent(of: allowed, label: words("grading.whose"))
        guard let studentId = chosen else { throw Problem.notFound }
        let book = try await request.context.school.read { sql in
            try grades.service.reader.released(for: studentId, in: [course.id], sql)[course.id]
        }
        let weights = book?.settings.weights ?? .standard
        let scores = GradeCategory.allCases.compactMap { category in
            request.query[category.rawValue].flatMap { HypotheticalScore(category, $0) }
        }
        let (now, then) = (Self.grade(of: studentId, book, with: []), Self.grade(of: studentId, book, with: scores))
        func text(_ grade: GradeCalculationService.CourseGrade?) -> String {
            grade.map { words("grading.gradeAndLetter", $0.shown.shown(words), $0.letter.rawValue) }
                ?? words("grading.noMarks")
        }
        let form = request.form(
            CalculateHypotheticalGrade.self, ["courseId": course.id.text], id: "what-if",
            fields: GradeCategory.allCases.filter { weights[$0] > 0 }.map { category in
                PTField(
                    name: category.rawValue,
                    label: words("grading.whatIf.next", words("grading.category.\(category.rawValue)")),
                    value: scores.first { $0.category == category }?.text ?? "", maxLength: 20,
                    placeholder: "18/20",
                    width: .half)
            } + [.hidden("student", studentId.text)],
            submit: SubmitButton(title: words("grading.whatIf.show")), style: .card)
        return Screen(
            title: words("grading.whatIf"), subtitle: course.name,
            back: "\(GradesScreens.path(course.id))?student=\(studentId.text)",
            body: segments + [
                .greeting(
                    PTGreeting(
                        eyebrow: words("grading.whatIf.then"), title: text(then),
                        detail: words("grading.whatIf.now", text(now)))),
                .text(PTText(words("grading.whatIf.tip"), role: .note)), .form(form),
            ])
    }
}
