public import ClassroomInterface
public import CurriculumInterface
import DesignSystem
public import Domain
public import FeatureKit
public import Foundation
public import InsightsInterface
public import OrganizationInterface
import ScreenKit
import ShellInterface

/// Insights: patterns that are found in a child's record, and texts about the child that guides share with the family.
public enum InsightsFeature {
    /// Builds the Insights feature block.
    ///
    /// - Parameters:
    ///   - record: plans accepted proposals.
    ///   - history: the records of a child.
    ///   - materials: the child's progress with materials; `nil` in a server without it.
    ///   - families: the parents of a child.
    ///   - models: the language models of this server.
    ///   - names: the names of all people of a school, which are replaced before a text is sent to a model.
    ///   - school: looks up a school by its id, for the weekly letters.
    public static func make(
        classrooms: any ClassroomService, students: any StudentService, record: any ChildRecord,
        history: any ChildHistory, materials: (any MaterialRecord)?, taxonomy: (any Taxonomy)?,
        families: any FamilyLinks, models: ServerModels,
        names: @escaping @Sendable (UUID, any SQLReading) throws -> [PersonName],
        school: @escaping @Sendable (UUID) async throws -> Organization?
    ) throws -> Feature {
        let catalog = try StringCatalog(in: .module)
        let reader = ChildReader(
            students: students, history: history, materials: materials, taxonomy: taxonomy, catalog: catalog)
        let insights = InsightHandlers(students: students, record: record, reader: reader)
        let config = ConfigService(models: models)
        let sharing = SharingService(
            students: students, history: history, families: families, reader: reader,
            ai: AIService(config: config, names: names))
        let settings = AISettingsView(config: config)
        let speech = SpeechToTextView(transcriber: ModelTranscriber(config: config))
        let letters = LetterDrafting(classrooms: classrooms, students: students, reader: reader, school: school)
        let screens = InsightScreens(classrooms: classrooms, students: students, handlers: insights)
        let family = FamilyScreens(families: families, students: students)
        var feature = Feature("Insights", catalog: catalog)
        feature.access.permissions = [.shareWithFamilies, .readFamily, .manageModels, .speak]
        feature.access.titles = [
            .shareWithFamilies: "right.insights.share", .readFamily: "right.family.read",
            .manageModels: "right.ai.manage", .speak: "right.speech.use",
        ]
        feature.storage.schoolMigrations = InsightsMigrations.school
        feature.storage.records = InsightsRecordStore.kinds
        feature.endpoints.commands =
            insights.commands + sharing.commands + letters.commands + settings.commands
            + speech.commands
        feature.endpoints.queries = insights.queries + family.queries
        feature.jobs = [letters.job]
        feature.endpoints.downloads = family.downloads
        feature.pages.screens =
            screens.routes + TextScreens(students: students, history: history, reader: reader).routes
            + [LettersScreen(classrooms: classrooms, students: students, reader: reader).route] + family.routes + [
                settings.route, speech.route,
            ]
        feature.pages.searchSources = FamilySearch(families: families, students: students).sources
        feature.pages.islands = ["speech": Bundle.module.bundleURL.appending(path: "Resources/island")]
        feature.pages.sections = [
            PageSection(.student, order: 40, permission: .shareWithFamilies) {
                try await screens.section(of: $0, $1)
            },
            PageSection(.home, order: 25, permission: .shareWithFamilies, topics: { _ in ["classrooms"] }) {
                try await screens.home($1)
            },
        ]
        feature.pages.navigation = navigation
        feature.pages.entryStates[AISettingsView.path] = { context, _ in
            EntryState(isShown: !context.caller.isFamilyOrStudent)
        }
        feature.notifications.kinds = notificationKinds(students, families)
        feature.audit.title = "audit.group.insights"
        feature.audit.kinds = auditKinds
        return feature
    }

    private static let navigation = [
        NavigationEntry(
            .tabs, "family.title", icon: .heart, path: FamilyScreens.path, order: 12, permission: .readFamily),
        NavigationEntry(.school, "ai.segment", icon: .sparkle, path: AISettingsView.path, order: 80),
        NavigationEntry(
            .tools, "speech.title", icon: .mic, path: SpeechToTextView.path, order: 80, permission: .speak),
        NavigationEntry(
            .settings, "speech.title", icon: .mic, path: SpeechToTextView.path, order: 80, permission: .speak),
        NavigationEntry(
            .child, "insights.title", icon: .sparkle, path: "/students/{studentId}/insights", order: 10,
            permission: .shareWithFamilies),
        NavigationEntry(
            .child, "insights.summary", icon: .summary, path: "/students/{studentId}/summary", order: 20,
            permission: .shareWithFamilies),
        NavigationEntry(
            .observation, "insights.shareObservation", icon: .share,
            path: "/students/{studentId}/share/observation/{observationId}", order: 10,
            permission: .shareWithFamilies),
        NavigationEntry(
            .classroom, "insights.recommendations", icon: .sparkle,
            path: "/classrooms/{classroomId}/recommendations", order: 20, permission: .shareWithFamilies),
        // A fifth entry in a phone's tab bar would truncate the titles of the others.
        NavigationEntry(
            .classroom, "letters.title", icon: .mail, path: LettersScreen.path, order: 30,
            permission: .shareWithFamilies),
    ]

    /// Parents are notified of a shared item, and guides of a colleague's sharing.
    private static func notificationKinds(
        _ students: any StudentService, _ families: any FamilyLinks
    ) -> [NotificationKind] {
        [
            NotificationKind("insights.shared", icon: .heart) { logged, context in
                let id = logged.change.payload["student"].flatMap(UUID.init(text:))
                let kind = logged.change.payload["kind"] ?? FamilyText.Kind.summary.rawValue
                let membership = try context.membership
                let mine = try await context.school.read { try families.children(of: membership, in: $0) }
                if let child = mine.first(where: { $0.id == id }) {
                    return (
                        context.words("notification.shared.\(kind)", child.name.called),
                        "\(FamilyScreens.path)?student=\(child.id.text)"
                    )
                }
                return (context.words("notification.sharedByColleague"), id.map { "/students/\($0.text)" })
            },
            NotificationKind("letters.drafted", icon: .mail) { _, context in
                (context.words("notification.lettersDrafted"), LettersScreen.path)
            },
        ]
    }

    private static let auditKinds = [
        AuditKind("insights.drafted", "audit.insights.drafted", .name("student", of: "person")),
        AuditKind("insights.edited", "audit.insights.edited", .name("student", of: "person")),
        AuditKind("insights.approved", "audit.insights.approved", .name("student", of: "person")),
        AuditKind("insights.shared", "audit.insights.shared", .name("student", of: "person")),
        AuditKind("insights.takenBack", "audit.insights.takenBack", .name("student", of: "person")),
        AuditKind("letters.drafted", "audit.letters.drafted"),
        AuditKind("ai.keySaved", "audit.ai.keySaved"),
        AuditKind("ai.keyCleared", "audit.ai.keyCleared"),
        AuditKind("ai.saved", "audit.ai.saved"),
    ]
}

extension Permission {
    /// Writing texts for a child's family and sharing them.
    static let shareWithFamilies = Permission("insights.share", Set(Role.guideRoles))
    /// Choosing whether and which external models the school uses.
    static let manageModels = Permission("ai.manage", [.superAdmin, .admin])
    /// Reading what was shared about one's own children.
    static let readFamily = Permission("family.read", [.parent])
}

extension InsightsFeature {
    /// Makes a transcriber of spoken notes, for the feature blocks that record them.
    public static func transcriber(_ models: ServerModels) -> any Transcriber {
        ModelTranscriber(config: ConfigService(models: models))
    }
}
