import AssessmentModel
import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import NotificationsInterface
import OrganizationInterface
import ScreenKit

/// The quizzes that the search finds: drafts only for those who lead the course, published ones for everyone in it.
///
/// The questions are no part of a document, so that nobody reads them before an attempt starts.
enum QuizSearch {
    static func source(_ courses: any CourseService) -> SearchSource {
        SearchSource(
            category: "quizzes", link: "quiz", title: "assessment.title", icon: .task, order: 39,
            kinds: ["created", "changed", "published", "hidden", "deleted"].reduce(into: Set()) {
                $0.insert("assessment.\($1)")
            },
            touched: { change, _ in change.touches("quiz") },
            ids: { try QuizRepository.ids(after: $0, limit: $1, in: $2) },
            documents: { ids, _, sql in
                let quizzes = try QuizRepository.quizzes(ids, in: sql)
                let named = try courses.courses(Set(quizzes.map(\.courseId)), in: sql)
                return quizzes.compactMap { quiz in
                    guard let course = named[quiz.courseId] else { return nil }
                    return SearchDocument(
                        id: quiz.id, title: quiz.title, subtitle: course.name, text: quiz.details ?? "",
                        path: QuizPath.quiz(quiz.id), tint: course.tint,
                        readers: QuizChange.staff(of: course.id) + (quiz.isPublished ? [.course(course.id)] : []))
                }
            })
    }
}

/// The notifications about quizzes. They name nothing that the reader may no longer see.
enum QuizNotifications {
    static func kinds(_ access: QuizAccess) -> [NotificationKind] {
        [
            NotificationKind("assessment.published", icon: .task, category: .assignment) { logged, context in
                try await show("assessment.notification.published", logged, access, context) { $0.isPublished }
            },
            NotificationKind("assessment.released", icon: .chart, category: .grade) { logged, context in
                try await show("assessment.notification.released", logged, access, context) { $0.areResultsShown }
            },
        ]
    }

    private static func show(
        _ key: String, _ logged: LoggedChange, _ access: QuizAccess, _ context: RequestContext,
        if isShown: @escaping @Sendable (Quiz) -> Bool
    ) async throws -> (text: String, path: String?) {
        let gone = context.words("assessment.notification.gone")
        guard let quizId = logged.change.payload["quiz"].flatMap(UUID.init(text:)) else { return (gone, nil) }
        return try await context.school.read { sql in
            guard let quiz = try QuizRepository.quiz(quizId, in: sql), quiz.isPublished, isShown(quiz),
                let course = try access.courses.courses([quiz.courseId], in: sql)[quiz.courseId]
            else { return (gone, nil) }
            return (context.words(key, quiz.title, course.name), QuizPath.quiz(quiz.id))
        }
    }
}
