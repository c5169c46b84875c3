import CoursesInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit

/// Search documents: offered courses for the whole school, lessons for the people of their course.
/// Makes the sources.
///
enum CoursesSearch {
    /// - Parameter markdown: extracts the words of a lesson from its markup.
    static func sources(_ markdown: any MarkdownReader) -> [SearchSource] { [courses, lessons(markdown)] }

    private static let courses = SearchSource(
        category: "courses", link: "course", title: "courses.title", icon: .book, order: 35,
        kinds: Set(SQLCourseService.changeKinds),
        touched: { change, _ in change.touches("course") },
        ids: { after, limit, sql in
            try sql.rows("SELECT id FROM courses WHERE id > \(after?.text ?? "") ORDER BY id LIMIT \(limit)").map {
                try $0.get("id")
            }
        },
        documents: { ids, _, sql in
            try CourseRepository.courses(ids, in: sql).values.map { course in
                let leaders =
                    Audience.roles([.superAdmin, .admin]) + [.teachers(of: course.id), .course(course.id)]
                return SearchDocument(
                    id: course.id, title: course.name, subtitle: course.subject, text: course.details ?? "",
                    path: CourseScreens.path(course.id), tint: course.tint,
                    readers: course.isArchived ? leaders : leaders + [.school])
            }
        })

    private static func lessons(_ markdown: any MarkdownReader) -> SearchSource {
        SearchSource(
            category: "lessons", link: "lesson", title: "lessons.title", icon: .file, order: 40,
            kinds: ["courses.lessonSaved", "courses.lessonDeleted"],
            touched: { change, _ in change.touches("lesson") },
            ids: { after, limit, sql in
                try sql.rows("SELECT id FROM lessons WHERE id > \(after?.text ?? "") ORDER BY id LIMIT \(limit)")
                    .map {
                        try $0.get("id")
                    }
            },
            documents: { ids, _, sql in
                let lessons = try ids.compactMap { try LessonRepository.lesson($0, in: sql) }
                let courses = try CourseRepository.courses(Set(lessons.map(\.courseId)), in: sql)
                return lessons.compactMap { lesson in
                    guard let course = courses[lesson.courseId] else { return nil }
                    let leaders = Audience.roles([.superAdmin, .admin]) + [.teachers(of: course.id)]
                    return SearchDocument(
                        id: lesson.id, title: lesson.title, subtitle: course.name,
                        text: markdown.read(lesson.content).plainText,
                        path: LessonScreens.path(lesson), tint: course.tint,
                        readers: lesson.isPublished ? leaders + [.course(course.id)] : leaders)
                }
            })
    }
}
