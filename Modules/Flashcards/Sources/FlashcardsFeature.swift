public import CoursesInterface
import DesignSystem
import Domain
public import FeatureKit
import FlashcardsModel
import Foundation
public import OrganizationInterface
import ScreenKit
import ShellInterface

/// Flashcards: students and teachers make sets of cards, share them in courses, and study them with spaced repetition.
public enum FlashcardsFeature {
    /// Builds the Flashcards feature block.
    ///
    /// - Parameters:
    ///   - roster: the students of the courses.
    ///   - people: the names of people.
    ///   - images: encodes the pictures of cards again.
    public static func make(
        courses: any CourseService, roster: any CourseRoster, people: any PeopleService,
        images: any ImageShrinking
    ) throws -> Feature {
        let access = SetAccess(courses: courses, roster: roster)
        let reader = StudyReader(access: access)
        let sets = SetHandlers(access: access)
        let files = CardFiles(access: access, images: images)
        let cards = CardHandlers(access: access, files: files)
        let sections = SetSections(access: access, reader: reader)
        var feature = Feature("Flashcards", catalog: try StringCatalog(in: .module))
        feature.access.permissions = [.flashcards]
        feature.access.titles = [.flashcards: "right.flashcards"]
        feature.access.audiences = [
            AudienceSource { membership, sql in
                guard Permission.flashcards.isGiven(to: membership.roles) else { return [] }
                return Set(
                    try roster.courseIds(ofStudent: membership.personId, in: sql).map(Audience.learners))
            }
        ]
        feature.storage.schoolMigrations = FlashcardsMigrations.school
        feature.storage.records = FlashcardsRecordStore.kinds
        feature.endpoints.queries = sets.queries + cards.queries + cards.exporting
        feature.endpoints.commands =
            sets.commands + cards.commands + [cards.importing] + StudyHandlers(access: access).commands
        feature.endpoints.downloads = [files.download]
        feature.pages.screens =
            SetScreens(access: access, reader: reader, people: people).routes
            + CardScreens(access: access).routes
            + StudyScreens(access: access, reader: reader).routes
        feature.pages.islands = [
            StudyScreens.island: Bundle.module.bundleURL.appending(path: "Resources/island")
        ]
        feature.pages.navigation = [
            NavigationEntry(
                .tools, "flashcards.title", icon: .cards, path: SetPath.home, order: 55, permission: .flashcards)
        ]
        feature.pages.sections = [
            PageSection(.home, order: 12, permission: .flashcards, topics: { [SetChange.topic(of: $0)] }) {
                try await sections.home($1)
            },
            PageSection(
                .course, order: 20, permission: .flashcards, topics: { [CourseTopic.course($0)] }
            ) { try await sections.course($0, $1) },
        ]
        feature.pages.deepLinks = [
            DeepLink("flashcards") { id, _ in id.map(SetPath.set) ?? SetPath.home }
        ]
        feature.pages.searchSources = [SetSections.search]
        feature.audit.title = "audit.group.flashcards"
        // Without titles: what a student writes for themselves is not the school's business.
        feature.audit.kinds = SetChange.kinds.map { AuditKind("flashcards.\($0)", "audit.flashcards.\($0)") }
        return feature
    }
}
