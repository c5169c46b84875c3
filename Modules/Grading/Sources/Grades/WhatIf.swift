import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import GradingInterface
import ScreenKit

/// A mark that somebody imagines: "18/20" in a category.
struct ImaginedMark: Sendable, Hashable {
    let category: GradeCategory
    let points: Hundredths
    let maximum: Hundredths

    /// `nil` for what is no such thing.
    init?(_ category: GradeCategory, _ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        // Whatever is no number is none.
        guard parts.count == 2, let points = try? MarkText.number(parts[0]),
            let maximum = try? MarkText.number(parts[1]), maximum > 0, maximum <= MarkText.largestMaximum,
            points <= maximum
        else { return nil }
        self.category = category
        self.points = points
        self.maximum = maximum
    }

    var text: String { "\(points)/\(maximum)" }
    var entry: GradeEntry { GradeEntry(category: category, points: points, maximum: maximum) }
}

/// Shows what a grade would be. A command, so that what is typed is checked as everywhere; it keeps nothing and leads to a
/// page that has the imagined marks in its address.
struct ImagineGrade: Command {
    static let contract = Contract(
        "grades.imagine", "/api/v1/courses/{courseId}/grades/imagine", access: .member(.viewGrades),
        replay: .natural,
        summary:
            "Tells what one's grade would be with a further mark such as 18/20 in some categories. Keeps nothing.")
    typealias Result = ImaginedGrade

    let courseId: UUID
    let student: UUID?
    let marks: [ImaginedMark]

    init(_ fields: inout FieldReader) {
        courseId = fields.id("courseId")
        student = fields.optionalId("student")
        var marks: [ImaginedMark] = []
        for category in GradeCategory.allCases {
            guard let text = fields.optionalText(category.rawValue, max: 20) else { continue }
            let mark = ImaginedMark(category, text)
            fields.refuse(category.rawValue, "grading.whatIf", unless: mark != nil)
            if let mark { marks.append(mark) }
        }
        self.marks = marks
    }
}

struct ImaginedGrade: Codable, Sendable, Hashable {
    /// As it would be shown, with its letter; absent where nothing would count.
    let shown: String?
    let letter: String?
}

/// What one's grade would be.
struct WhatIfHandler: Sendable {
    let grades: GradesScreens

    static func path(_ courseId: UUID) -> String { "/courses/\(courseId.text)/what-if" }

    var command: CommandRegistration {
        .handle(ImagineGrade.self) { command, context in
            let membership = try context.membership
            let course = try grades.courses.course(command.courseId, enteredBy: membership, in: context.sql)
            let allowed = try grades.students(in: course, for: membership, context.sql)
            guard let id = command.student ?? allowed.first?.id, allowed.contains(where: { $0.id == id }) else {
                throw Problem.notFound
            }
            let book = try grades.service.reader.released(ofStudent: id, in: [course.id], context.sql)[course.id]
            let grade = Self.grade(of: id, book, with: command.marks)
            let query = command.marks.map { "\($0.category.rawValue)=\($0.text)" }
            context.destination =
                Self.path(course.id) + "?" + (["student=\(id.text)"] + query).joined(separator: "&")
            return ImaginedGrade(shown: grade.map { "\($0.shown)" }, letter: grade?.letter.rawValue)
        }
    }

    var route: ScreenRoute {
        ScreenRoute("/courses/{courseId}/what-if", access: .member(.viewGrades), tab: "/courses") { request in
            .screen(try await screen(request))
        }
    }

    private static func grade(
        of studentId: UUID, _ book: Gradebook?, with marks: [ImaginedMark]
    ) -> GradeCalculationService.CourseGrade? {
        guard let book else {
            return GradeCalculationService().calculateCourseGrade(grades: marks.map(\.entry), weights: .standard)
        }
        return book.service.calculateCourseGrade(
            grades: book.entries(of: studentId) + marks.map(\.entry), weights: book.settings.weights)
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
            try grades.service.reader.released(ofStudent: studentId, in: [course.id], sql)[course.id]
        }
        let weights = book?.settings.weights ?? .standard
        let marks = GradeCategory.allCases.compactMap { category in
            request.query[category.rawValue].flatMap { ImaginedMark(category, $0) }
        }
        let (now, then) = (Self.grade(of: studentId, book, with: []), Self.grade(of: studentId, book, with: marks))
        func told(_ grade: GradeCalculationService.CourseGrade?) -> String {
            grade.map { words("grading.standing", $0.shown.shown(words), $0.letter.rawValue) }
                ?? words("grading.noMarks")
        }
        let form = request.form(
            ImagineGrade.self, ["courseId": course.id.text], id: "what-if",
            fields: GradeCategory.allCases.filter { weights[$0] > 0 }.map { category in
                PTField(
                    name: category.rawValue,
                    label: words("grading.whatIf.next", words("grading.category.\(category.rawValue)")),
                    value: marks.first { $0.category == category }?.text ?? "", maxLength: 20, placeholder: "18/20",
                    width: .half)
            } + [.hidden("student", studentId.text)],
            submit: SubmitButton(title: words("grading.whatIf.show")), style: .card)
        return Screen(
            title: words("grading.whatIf"), subtitle: course.name,
            back: "\(GradesScreens.path(course.id))?student=\(studentId.text)",
            body: segments + [
                .greeting(
                    PTGreeting(
                        eyebrow: words("grading.whatIf.then"), title: told(then),
                        detail: words("grading.whatIf.now", told(now)))),
                .text(PTText(words("grading.whatIf.tip"), role: .note)), .form(form),
            ])
    }
}
