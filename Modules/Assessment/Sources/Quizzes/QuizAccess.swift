import AssessmentModel
import CoursesInterface
import Domain
import FeatureKit
import Foundation

/// Finds quizzes that a person may work with.
struct QuizAccess: Sendable {
    let courses: any CourseService
    let roster: any CourseRoster

    /// Returns a quiz of a course that the member leads. Throws `Problem.notFound` for all others.
    func quiz(
        _ id: UUID, ledBy membership: ActiveMembership, in sql: any SQLReading
    ) throws -> (quiz: Quiz, course: Course) {
        guard let quiz = try QuizRepository.quiz(id, in: sql) else { throw Problem.notFound }
        return (quiz, try courses.course(quiz.courseId, ledBy: membership, in: sql))
    }

    /// Returns a published quiz of a course that the member is enrolled in. Throws `Problem.notFound` for all others.
    func quiz(
        _ id: UUID, takenBy membership: ActiveMembership, in sql: any SQLReading
    ) throws -> (quiz: Quiz, course: Course) {
        guard let quiz = try QuizRepository.quiz(id, in: sql), quiz.isPublished,
            try roster.courseIds(ofStudent: membership.personId, in: sql).contains(quiz.courseId)
        else { throw Problem.notFound }
        return (quiz, try courses.course(quiz.courseId, enteredBy: membership, in: sql))
    }

    /// Returns a quiz that the member may open: one of a course that the member leads, or a published one of a course
    /// that the member may enter.
    func quiz(
        _ id: UUID, enteredBy membership: ActiveMembership, in sql: any SQLReading
    ) throws -> (quiz: Quiz, course: Course, leads: Bool) {
        guard let quiz = try QuizRepository.quiz(id, in: sql) else { throw Problem.notFound }
        let course = try courses.course(quiz.courseId, enteredBy: membership, in: sql)
        let leads = course.isLed(by: membership)
        guard leads || quiz.isPublished else { throw Problem.notFound }
        return (quiz, course, leads)
    }
}

/// The changes of quizzes.
enum QuizChange {
    /// The refresh topic of pages about one quiz.
    static func topic(_ quizId: UUID) -> String { "quiz:\(quizId.text)" }

    static func staff(of courseId: UUID) -> [Audience] {
        [.teachers(of: courseId)] + Audience.roles([.superAdmin, .admin])
    }

    /// A change that concerns the people who lead the course, and with `isForCourse` everyone in it.
    /// - Parameter question: the question that changed, if the change concerns one.
    static func change(
        _ kind: String, _ quiz: Quiz, question: UUID? = nil, isForCourse: Bool = false
    ) -> Change {
        var payload = ["quiz": quiz.id.text, "course": quiz.courseId.text]
        payload["question"] = question?.text
        return Change(
            kind, topics: [topic(quiz.id), CourseTopic.course(quiz.courseId)],
            audience: isForCourse
                ? [.course(quiz.courseId)] + Audience.roles([.superAdmin, .admin]) : staff(of: quiz.courseId),
            payload: payload)
    }
}

extension Permission {
    /// Allows taking the quizzes of one's own courses.
    static let takeQuizzes = Permission("assessment.take", [.student])
}
