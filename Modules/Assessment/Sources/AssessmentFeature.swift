import AssessmentModel
public import CoursesInterface
import DesignSystem
import Domain
public import FeatureKit
import Foundation
import GradingInterface
public import OrganizationInterface
public import ScreenKit

/// Assessment: teachers build quizzes, students take them, and the scores reach the gradebook.
public enum AssessmentFeature {
    /// Builds the Assessment feature block.
    ///
    /// - Parameters:
    ///   - roster: the students of the courses.
    ///   - people: the names of people.
    ///   - markdown: reads the text of questions.
    ///   - images: encodes the pictures of questions again.
    ///   - unpacker: opens packages of questions.
    ///   - packer: makes packages of questions.
    public static func make(
        courses: any CourseService, roster: any CourseRoster, people: any PeopleService,
        markdown: any MarkdownReader, images: any ImageShrinking, unpacker: any Unpacking, packer: any Packing
    ) throws -> Feature {
        let access = QuizAccess(courses: courses, roster: roster)
        let versions = QuestionVersions()
        let quizzes = QuizHandlers(access: access)
        let attempts = AttemptHandlers(access: access, versions: versions)
        let marks = MarkHandlers(access: access, versions: versions)
        let pictures = QuestionPictures(access: access, images: images)
        let bank = BankHandlers(access: access)
        let exchange = ExchangeHandlers(
            access: access, files: QuestionFileReader(unpacker: unpacker, markdown: markdown),
            pictures: ImportedPictureStore(images: images), packer: packer)
        let pages = QuizScreens(access: access, markdown: markdown)
        var feature = Feature("Assessment", catalog: try StringCatalog(in: .module))
        feature.access.permissions = [.takeQuizzes]
        feature.access.titles = [.takeQuizzes: "right.assessment.take"]
        feature.storage.schoolMigrations = AssessmentMigrations.school
        feature.storage.records = AssessmentRecordStore.kinds
        feature.endpoints.queries = quizzes.queries + attempts.queries + marks.queries + bank.queries
        feature.endpoints.commands =
            quizzes.commands + QuestionHandlers(access: access, pictures: pictures).commands + attempts.commands
            + marks.commands
            + bank.commands + DrawHandlers(access: access).commands + exchange.commands
        feature.jobs = [AttemptClosing.job(versions)]
        feature.pages.screens =
            pages.routes + QuestionScreens(access: access, marks: marks, markdown: markdown).routes
            + TakeScreens(access: access, attempts: attempts, people: people, markdown: markdown).routes
            + BankScreens(access: access, markdown: markdown).routes + exchange.routes
            + ResultsScreens(access: access, marks: marks, people: people, markdown: markdown).routes
        feature.endpoints.downloads = exchange.downloads + [pictures.download]
        feature.pages.islands = [TakeScreens.island: Bundle.module.bundleURL.appending(path: "Resources/island")]
        feature.pages.sections = [
            PageSection(.course, order: 15, permission: .viewCourses, topics: { [CourseTopic.course($0)] }) {
                try await pages.section(of: $0, $1)
            }
        ]
        feature.pages.searchSources = [QuizSearch.source(courses)]
        feature.notifications.kinds = QuizNotifications.kinds(access)
        feature.audit.title = "audit.group.assessment"
        feature.audit.names = [NameSource("quiz") { try QuizRepository.titles($0, in: $1) }]
        feature.audit.kinds =
            [
                "created", "changed", "published", "hidden", "deleted", "questionsChanged", "released", "regraded",
            ].map {
                AuditKind(
                    "assessment.\($0)", "audit.assessment.\($0)", .name("quiz", of: "quiz"),
                    .name("course", of: "course"))
            }
            + ["started", "handedIn", "timeOver", "scored", "marked", "extraTime"].map {
                AuditKind(
                    "assessment.\($0)", "audit.assessment.\($0)", .name("quiz", of: "quiz"),
                    .name("student", of: "person"))
            } + [
                AuditKind("assessment.banked", "audit.assessment.banked"),
                AuditKind("assessment.unbanked", "audit.assessment.unbanked"),
            ]
        return feature
    }
}
