public import ClassroomInterface
public import CoursesInterface
import Domain
public import FeatureKit
import Foundation
public import GradingInterface

/// The block: how far a student is with everything, first on the home page.
public enum ProgressFeature {
    /// - Parameters:
    ///   - roster: who is in a course.
    ///   - lessons: what was done of the lessons.
    ///   - grades: what was released of the marks.
    ///   - families: whose children somebody sees.
    public static func make(
        courses: any CourseService, roster: any CourseRoster, lessons: any LessonRecord, grades: any GradeService,
        families: any FamilyLinks
    ) throws -> Feature {
        let sections = ProgressSections(
            service: ProgressService(courses: courses, roster: roster, lessons: lessons, grades: grades),
            families: families)
        var feature = Feature(
            "Progress", needs: ["Classroom", "Courses", "Grading"], catalog: try StringCatalog(in: .module))
        feature.sections = [
            PageSection(
                .home, order: 10, permission: .viewCourses,
                topics: {
                    [CourseTopic.list, GradeTopic.student($0), GradeTopic.scale, CourseTopic.lessons(of: $0)]
                }
            ) { try await sections.home($1) },
            PageSection(.course, order: 5, permission: .viewCourses, topics: { [GradeTopic.student($0)] }) {
                try await sections.course($0, $1)
            },
        ]
        return feature
    }
}
