import DesignSystem
public import Domain
public import FeatureKit
import Foundation
public import ScreenKit

/// Notifications: a list that reads the change log, what each person has read, and push messages to devices.
public enum NotificationsFeature {
    /// Seconds between two checks for waiting push messages, in addition to the check after each change.
    static let interval: TimeInterval = 60

    /// Builds the Notifications feature block.
    /// - Parameters:
    ///   - kinds: the kinds of change that people are notified about, from all blocks.
    ///   - audiences: the functions of all blocks that find a person's audiences (groups that may learn of changes).
    ///   - catalogs: the texts of all blocks, for sentences that are made outside of a request.
    ///   - push: the ports that sending to devices needs.
    public static func make(
        kinds: [NotificationKind], audiences: [AudienceSource], catalogs: [StringCatalog], push: PushPorts
    ) throws -> Feature {
        let service = NotificationService(kinds: kinds, audiences: audiences)
        var feature = Feature("Notifications", catalog: try StringCatalog(in: .module))
        let delivery = PushDelivery(service: service, ports: push, catalogs: catalogs + [feature.catalog])
        let choices = ChoiceHandlers(sender: push.sender)
        let devices = DeviceHandlers(sender: push.sender)
        feature.storage.directoryMigrations = PushDeviceRepository.migrations
        feature.storage.schoolMigrations = NotificationRepository.migrations
        feature.storage.records = NotificationRecordStore.kinds
        feature.endpoints.queries = [
            .handle(ListNotifications.self) { query, context in
                Page(items: try await service.list(limit: query.limit, context), next: nil)
            }
        ]
        feature.endpoints.queries += choices.queries
        feature.endpoints.commands = [
            .handle(MarkNotificationsRead.self) { _, context in
                let membership = try context.membership
                try NotificationRepository.setSeen(
                    ChangeLog.latest(in: context.sql), by: membership.personId, in: context.sql)
                context.sql.afterCommit { service.removeCachedCount(of: membership.personId) }
                return Done()
            },
            .handle(MarkNotificationRead.self) { command, context in
                try service.markRead(command.numbers, in: context)
                return Done()
            },
        ]
        feature.endpoints.commands += choices.commands + devices.commands
        feature.pages.screens = [
            NotificationsScreen(service: service).route, NotificationSettingsScreen(handlers: choices).route,
        ]
        feature.pages.navigation = [
            NavigationEntry(
                .settings, "notifications.title", icon: .bell, path: NotificationSettingsScreen.path, order: 17,
                permission: .belong)
        ]
        feature.pages.islands = ["push": Bundle.module.bundleURL.appending(path: "Resources/island")]
        feature.notifications.unread = { context in try await service.unread(context) }
        feature.jobs = [
            .school("notifications.push", every: interval, after: Set(service.kinds.keys)) { job in
                try await delivery.run(job)
            }
        ]
        return feature
    }
}
