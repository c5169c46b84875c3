public import ClassroomInterface
import DesignSystem
import Domain
public import FeatureKit
public import Foundation
public import OrganizationInterface
import ScreenKit

/// The block: where people go first, the welcome and the wizard, Settings' first page.
public enum ShellFeature {
    /// - Parameters:
    ///   - classrooms: without them the wizard ends with the school.
    ///   - hasAccounts: whether anybody has an account on this server yet.
    ///   - organizationCount: how many organizations an account belongs to.
    public static func make(
        founding: any SchoolFounding, classrooms: (any ClassroomService)?, students: (any StudentService)?,
        hasAccounts: @escaping @Sendable () async throws -> Bool,
        organizationCount: @escaping @Sendable (UUID) async throws -> Int
    ) throws -> Feature {
        let handlers = OnboardingHandlers(founding: founding, classrooms: classrooms, students: students)
        let sessions = LiveSessionService(classrooms: classrooms, organizationCount: organizationCount)
        var feature = Feature(
            "Shell", catalog: try StringCatalog(in: .module))
        feature.storage.directoryMigrations = OnboardingRepository.migrations
        feature.storage.schoolMigrations = OnboardingRepository.schoolMigrations
        feature.storage.records = ShellRecordStore.kinds
        feature.endpoints.commands = handlers.commands
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
        return feature
    }
}
