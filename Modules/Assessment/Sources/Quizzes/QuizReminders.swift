import AssessmentModel
public import CoursesInterface
import Domain
public import FeatureKit
public import Foundation
public import RemindersInterface

/// Finds the published quizzes that students have not handed in yet, for reminders. It includes quizzes that a student
/// has begun.
public struct QuizReminders: DueWorkSource {
    private let courses: any CourseService
    private let roster: any CourseRoster

    /// Creates the source of due quizzes, with the courses and their students.
    public init(courses: any CourseService, roster: any CourseRoster) {
        self.courses = courses
        self.roster = roster
    }

    public func open(
        _ workIds: Set<UUID>?, dueIn span: Range<Date>, at now: Date, in sql: any SQLReading
    ) throws -> [DueWork] {
        let due = try QuizRepository.due(in: span, workIds, in: sql).filter { $0.isSeen(at: now) }
        let courses = try courses.courses(Set(due.map(\.courseId)), in: sql)
        let extra = try AttemptRepository.extraMinutes(at: due.map(\.id), in: sql)
        let closed = try AttemptRepository.studentsWithClosedAttempts(at: due.map(\.id), in: sql)
        let works = due.filter { courses[$0.courseId]?.isArchived == false }.map {
            work($0, extraMinutes: extra[$0.id] ?? [:], settled: closed[$0.id] ?? [])
        }
        return try CourseWork.open(works, dueIn: span) { try roster.students(of: $0, in: sql) }
    }

    public func open(
        for studentId: UUID, dueIn span: Range<Date>, at now: Date, in sql: any SQLReading
    ) throws -> [DueWork] {
        let entered = try courses.courses(roster.courseIds(ofStudent: studentId, in: sql), in: sql)
        let all = try QuizRepository.due(of: entered.values.filter { !$0.isArchived }.map(\.id), in: sql)
        guard !all.isEmpty else { return [] }
        let extra = try AttemptRepository.extraMinutes(of: studentId, in: sql)
        let closed = try AttemptRepository.closedQuizzes(of: studentId, in: sql)
        return all.filter { $0.isSeen(at: now) }.compactMap { quiz in
            work(
                quiz, extraMinutes: extra[quiz.id].map { [studentId: $0] } ?? [:],
                settled: closed.contains(quiz.id) ? [studentId] : []
            ).open(for: studentId, dueIn: span)
        }
    }

    private func work(_ quiz: Quiz, extraMinutes: [UUID: Int], settled: Set<UUID>) -> CourseWork {
        CourseWork(
            id: quiz.id, courseId: quiz.courseId, dueAt: quiz.dueAt,
            since: max(quiz.publishedAt ?? .distantPast, quiz.opensAt ?? .distantPast), settled: settled,
            dueTimes: extraMinutes.compactMapValues { minutes in
                quiz.dueAt.map { $0 + TimeInterval(minutes * 60) }
            })
    }

    public func named(
        _ workIds: Set<UUID>, for studentId: UUID, at now: Date, in sql: any SQLReading
    ) throws -> [UUID: NamedWork] {
        let entered = try roster.courseIds(ofStudent: studentId, in: sql)
        let seen = try QuizRepository.quizzes(workIds, in: sql).filter {
            $0.isPublished && entered.contains($0.courseId)
        }
        guard !seen.isEmpty else { return [:] }
        let names = try courses.courses(Set(seen.map(\.courseId)), in: sql)
        return seen.reduce(into: [:]) { all, quiz in
            all[quiz.id] = NamedWork(
                title: quiz.title, course: names[quiz.courseId]?.name ?? "", path: QuizPath.quiz(quiz.id))
        }
    }
}

extension Quiz {
    /// Whether students can take the quiz at an instant, apart from its due time.
    fileprivate func isSeen(at now: Date) -> Bool { isPublished && opensAt.map { $0 <= now } ?? true }
}
