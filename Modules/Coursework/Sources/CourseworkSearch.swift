import CoursesInterface
import CourseworkModel
import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ScreenKit

/// The assignments that the search finds: drafts only for teachers, published ones also for their students and parents.
enum CourseworkSearch {
    static func source(
        _ courses: any CourseService, _ changes: CourseworkChanges, _ markdown: any MarkdownReader
    ) -> SearchSource {
        SearchSource(
            category: "assignments", link: "assignment", title: "coursework.title", icon: .task, order: 38,
            kinds: ["added", "changed", "published", "scheduled", "hidden", "deleted"].reduce(into: Set()) {
                $0.insert("coursework.\($1)")
            },
            touched: { change, _ in change.touches("assignment") },
            ids: { try AssignmentRepository.ids(after: $0, limit: $1, in: $2) },
            documents: { ids, _, sql in
                let all = try AssignmentRepository.assignments(ids, in: sql)
                let named = try courses.courses(Set(all.map(\.courseId)), in: sql)
                return try all.compactMap { one in
                    guard let course = named[one.courseId] else { return nil }
                    var readers = Audience.roles([.superAdmin, .admin]) + [.teachers(of: course.id)]
                    if one.publishedAt != nil, try AssignmentRepository.isAnnounced(one.id, in: sql) {
                        readers +=
                            one.isForEveryone
                            ? [.course(course.id)] : try changes.people(of: one, in: sql).map(Audience.person)
                    }
                    return SearchDocument(
                        id: one.id, title: one.title, subtitle: course.name,
                        text: markdown.read(one.instructions).plainText, path: AssignmentScreens.path(one.id),
                        tint: course.tint, readers: readers)
                }
            })
    }
}
