import AssessmentModel
import CoursesInterface
import Domain
import FeatureKit
import Foundation
import GradingInterface

/// The changes of attempts.
enum AttemptChange {
    /// The refresh topic of pages about one student's attempts at a quiz.
    static func topic(_ quizId: UUID, _ studentId: UUID) -> String { "attempts:\(quizId.text):\(studentId.text)" }

    static func change(_ kind: String, _ attempt: QuizAttempt, of quiz: Quiz) -> Change {
        Change(
            kind, topics: [QuizChange.topic(quiz.id), topic(quiz.id, attempt.studentId)],
            audience: QuizChange.staff(of: quiz.courseId) + [.person(attempt.studentId)],
            payload: [
                "quiz": quiz.id.text, "course": quiz.courseId.text, "attempt": attempt.id.text,
                "student": attempt.studentId.text,
            ])
    }

    /// A change of a student's score. The student learns of it only if the results are shown.
    static func scored(_ quiz: Quiz, _ studentId: UUID) -> Change {
        Change(
            "assessment.scored",
            topics: [
                GradeTopic.gradebook(quiz.courseId), GradeTopic.student(studentId), topic(quiz.id, studentId),
            ],
            audience: QuizChange.staff(of: quiz.courseId)
                + (quiz.areResultsShown ? [.person(studentId)] : []),
            payload: ["quiz": quiz.id.text, "course": quiz.courseId.text, "student": studentId.text])
    }
}

/// Closes attempts and releases results.
enum AttemptClosing {
    /// The seconds between two searches for attempts whose time is over.
    static let interval: TimeInterval = 15
    /// The attempts that are closed in one transaction.
    private static let portion = 100

    /// Closes an attempt with the answers that it has, and returns the changes to record.
    static func close(
        _ stored: StoredAttempt, _ ending: QuizAttempt.Ending, of quiz: Quiz, _ versions: QuestionVersions,
        at instant: Date, in sql: any SQLWriting
    ) throws -> [Change] {
        let attempt = stored.attempt
        // Everyone gets these points, also those who did not answer.
        for question in try versions.questions(of: stored, in: sql) where question.isFullForAll {
            guard try AttemptRepository.answer(to: question.id, of: attempt.id, in: sql) == nil else { continue }
            try AttemptRepository.put(
                StoredAnswer(
                    questionId: question.id, answer: QuizAnswer(), isMarked: false, isLate: false, deviceId: nil,
                    points: question.points ?? 0, givenPoints: nil, savedAt: instant),
                of: attempt.id, in: sql)
        }
        let end = ending == .timeOver ? min(instant, attempt.endsAt ?? instant) : instant
        try AttemptRepository.close(attempt.id, ending, at: end, in: sql)
        return [
            AttemptChange.change(
                ending == .handedIn ? "assessment.handedIn" : "assessment.timeOver", attempt, of: quiz),
            AttemptChange.scored(quiz, attempt.studentId),
        ]
    }

    /// The job that closes attempts after the grace period, and releases results after the due time.
    static func job(_ versions: QuestionVersions) -> Job {
        Job.school("assessment.close", every: interval) { context in
            let now = context.now
            var isMore = true
            while isMore {
                let limit = now.addingTimeInterval(-AttemptTime.grace)
                let waits = try await context.database.read { sql in
                    try !AttemptRepository.expired(at: limit, limit: 1, in: sql).isEmpty
                }
                guard waits else { break }
                let changes = try await context.commit(recording: { $0 }) { sql -> [Change] in
                    try AttemptRepository.expired(at: limit, limit: portion, in: sql).flatMap {
                        stored -> [Change] in
                        guard let quiz = try QuizRepository.quiz(stored.attempt.quizId, in: sql) else { return [] }
                        return try close(stored, .timeOver, of: quiz, versions, at: now, in: sql)
                    }
                }
                isMore = !changes.isEmpty
            }
            let due = try await context.database.read { try QuizRepository.due(at: now, in: $0) }
            guard !due.isEmpty else { return }
            try await context.commit(recording: { $0 }) { sql -> [Change] in
                try QuizRepository.due(at: now, in: sql).flatMap { try release($0, at: now, in: sql) }
            }
        }
    }

    /// Releases the results of a quiz once the last student's time is over, and returns the changes to record.
    private static func release(_ quiz: Quiz, at now: Date, in sql: any SQLWriting) throws -> [Change] {
        let extra = try AttemptRepository.extraMinutes(at: quiz.id, in: sql).values.max() ?? 0
        let end = (quiz.dueAt ?? now).addingTimeInterval(Double(extra) * 60 + AttemptTime.grace)
        guard now > end, try !AttemptRepository.isAnyOpen(at: quiz.id, in: sql) else { return [] }
        var quiz = quiz
        quiz.releasedAt = now
        try QuizRepository.save(quiz, in: sql)
        let students = Set(try AttemptRepository.attempts(at: quiz.id, in: sql).map(\.attempt.studentId))
        return [QuizChange.change("assessment.released", quiz, isForCourse: true)]
            + students.sorted().map { AttemptChange.scored(quiz, $0) }
    }
}
