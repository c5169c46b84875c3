import AssessmentModel
public import CalendarFeedInterface
public import CoursesInterface
public import Domain
public import FeatureKit
import Foundation
public import OrganizationInterface

/// Contributes the due times of published quizzes to the calendar feeds of students, parents and teachers. A student's
/// extra time counts.
public struct QuizCalendar: CalendarSource {
    private let courses: any CourseService
    private let roster: any CourseRoster
    private let families: any FamilyLinks

    /// Creates the source of due times.
    ///
    /// - Parameters:
    ///   - courses: the courses of a teacher, and the names of courses.
    ///   - roster: the courses of a student.
    ///   - families: the children of a parent.
    public init(courses: any CourseService, roster: any CourseRoster, families: any FamilyLinks) {
        self.courses = courses
        self.roster = roster
        self.families = families
    }

    public func events(
        for membership: ActiveMembership, on days: ClosedRange<Day>, _ words: Words, in sql: any SQLReading
    ) throws -> [CalendarEvent] {
        guard Permission.viewCourses.isGiven(to: membership.roles) else { return [] }
        var events: [CalendarEvent] = []
        if Permission.teachCourses.isGiven(to: membership.roles) {
            let taught = try courses.courses(taughtBy: membership.personId, in: sql)
            let names = taught.reduce(into: [UUID: String]()) { $0[$1.id] = $1.name }
            events += try quizzes(of: names, for: nil, in: sql).map { quiz in
                event(quiz, words("assessment.calendar", quiz.title, quiz.course))
            }
        }
        if membership.roles.contains(.student) {
            events += try quizzes(ofStudent: membership.personId, in: sql).map { quiz in
                let key = quiz.isDone ? "assessment.calendar.done" : "assessment.calendar"
                return event(quiz, words(key, quiz.title, quiz.course))
            }
        }
        for child in try families.children(of: membership, in: sql) {
            events += try quizzes(ofStudent: child.id, in: sql).map { quiz in
                let key = quiz.isDone ? "assessment.calendar.child.done" : "assessment.calendar.child"
                // Two children of one parent may have the same quiz.
                return event(quiz, words(key, quiz.title, quiz.course, child.name.display), of: child.id)
            }
        }
        return events.filter { event in
            guard case .span(let span) = event.time else { return false }
            return days.contains(Day(span.lowerBound, in: membership.timeZone))
        }
    }

    private struct DueQuiz {
        let id: UUID
        let title: String
        let course: String
        let dueAt: Date
        /// Whether the student has closed an attempt.
        let isDone: Bool
    }

    private func event(_ quiz: DueQuiz, _ title: String, of child: UUID? = nil) -> CalendarEvent {
        CalendarEvent(
            id: "quiz-\(quiz.id.text)\(child.map { "-\($0.text)" } ?? "")", title: title,
            time: .span(quiz.dueAt..<quiz.dueAt), path: QuizPath.quiz(quiz.id))
    }

    private func quizzes(ofStudent studentId: UUID, in sql: any SQLReading) throws -> [DueQuiz] {
        let entered = try courses.courses(roster.courseIds(ofStudent: studentId, in: sql), in: sql)
        return try quizzes(
            of: entered.filter { !$0.value.isArchived }.mapValues(\.name), for: studentId, in: sql)
    }

    private func quizzes(
        of names: [UUID: String], for studentId: UUID?, in sql: any SQLReading
    ) throws -> [DueQuiz] {
        guard !names.isEmpty else { return [] }
        let extra = try studentId.map { try AttemptRepository.extraMinutes(of: $0, in: sql) } ?? [:]
        let done = try studentId.map { try AttemptRepository.closedQuizzes(of: $0, in: sql) } ?? []
        return try QuizRepository.due(of: Array(names.keys), in: sql).compactMap { quiz in
            guard let dueAt = quiz.dueAt else { return nil }
            return DueQuiz(
                id: quiz.id, title: quiz.title, course: names[quiz.courseId] ?? "",
                dueAt: dueAt + TimeInterval((extra[quiz.id] ?? 0) * 60), isDone: done.contains(quiz.id))
        }
    }
}
