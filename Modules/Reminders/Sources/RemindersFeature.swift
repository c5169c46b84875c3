import DesignSystem
public import Domain
public import FeatureKit
public import Foundation
public import NotificationsInterface
public import RemindersInterface
import ScreenKit

/// Reminders: students are reminded of work before it is due, at the times that they choose.
public enum RemindersFeature {
    /// Builds the Reminders feature block.
    ///
    /// - Parameters:
    ///   - sources: the sources of due work of all feature blocks.
    ///   - quiet: the quiet hours of people; `nil` if there are none.
    ///   - muted: the categories that people turned off; `nil` if there are none.
    ///   - school: looks up a school by its id.
    public static func make(
        sources: [any DueWorkSource], quiet: (any QuietTimes)?, muted: (any MutedCategories)?,
        school: @escaping @Sendable (UUID) async throws -> Organization?
    ) throws -> Feature {
        let reader = ReminderReader(sources: sources, quiet: quiet, muted: muted)
        let handlers = ReminderHandlers(reader: reader)
        var feature = Feature("Reminders", catalog: try StringCatalog(in: .module))
        feature.access.permissions = [.getReminders]
        feature.access.titles = [.getReminders: "right.reminders.get"]
        feature.storage.schoolMigrations = ReminderRepository.migrations
        feature.storage.records = ReminderRecordStore.kinds
        feature.endpoints.queries = handlers.queries
        feature.endpoints.commands = handlers.commands
        feature.pages.screens = [RemindersScreen(handlers: handlers).route]
        feature.pages.navigation = [
            NavigationEntry(
                .settings, "reminders.title", icon: .clock, path: RemindersScreen.path, order: 18,
                permission: .getReminders)
        ]
        feature.notifications.kinds = [ReminderNotification(sources: sources).notification]
        feature.jobs = [ReminderSweep(reader: reader, school: school).job]
        feature.audit.title = "reminders.title"
        feature.audit.kinds = [AuditKind(ReminderNotification.kind, "audit.reminders.due")]
        return feature
    }
}
