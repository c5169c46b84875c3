public import ClassroomInterface
import DesignSystem
import Domain
public import FeatureKit
public import Foundation
public import OrganizationInterface
import ScreenKit

/// Shell: the home page, the onboarding, the release notes and the first settings page.
public enum ShellFeature {
    /// Builds the Shell feature block.
    ///
    /// - Parameters:
    ///   - classrooms: the service of classrooms; without it the wizard only founds the school.
    ///   - hasAccounts: whether there is any account on this server.
    ///   - organizationCount: the number of organizations of an account.
    ///   - widget: the other blocks' parts of the document for widgets.
    public static func make(
        founding: any SchoolFounding, classrooms: (any ClassroomService)?, students: (any StudentService)?,
        hasAccounts: @escaping @Sendable () async throws -> Bool,
        organizationCount: @escaping @Sendable (UUID) async throws -> Int, widget: WidgetSources
    ) throws -> Feature {
        let handlers = OnboardingHandlers(founding: founding, classrooms: classrooms, students: students)
        let sessions = LiveSessionService(classrooms: classrooms, organizationCount: organizationCount)
        var feature = Feature(
            "Shell", catalog: try StringCatalog(in: .module))
        feature.storage.directoryMigrations = OnboardingRepository.migrations
        feature.storage.schoolMigrations = OnboardingRepository.schoolMigrations
        feature.storage.records = ShellRecordStore.kinds
        feature.endpoints.commands = handlers.commands
        feature.endpoints.queries = WidgetHandlers(sources: widget).queries
        feature.access.personalAreas = ["onboarding"]
        feature.pages.screens =
            ShellScreens(sessions: sessions, hasClassrooms: classrooms != nil, hasAccounts: hasAccounts).routes
            + ReleaseScreens.routes + [HomeScreen().route]
        feature.pages.navigation = [
            NavigationEntry(.learning, "home.title", icon: .home, path: HomeScreen.path, order: 5),
            NavigationEntry(.tabs, "account.settings", icon: .settings, path: "/settings", order: 80),
            NavigationEntry(.settings, "account.segment", icon: .person, path: "/settings", order: 10),
            NavigationEntry(.account, "account.settings", icon: .person, path: "/settings", order: 10),
        ]
        feature.pages.sidebars = [SettingsSidebar.path: SettingsSidebar.make]
        return feature
    }
}
