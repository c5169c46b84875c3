public import ClassroomInterface
import DesignSystem
import Domain
public import FeatureKit
import Foundation
public import OrganizationInterface

/// The block: conversations between the people of one school.
public enum MessagingFeature {
    /// - Parameters:
    ///   - roles: who is what in the school.
    ///   - ties: who has to do with which classroom.
    ///   - people: how people are called.
    ///   - messagesPerMinute: how many messages a minute takes from one person.
    public static func make(
        roles: any RoleDirectory, ties: any ClassroomTieService, people: any PeopleService,
        messagesPerMinute: Int = 30
    ) throws -> Feature {
        let service = ConversationService(
            correspondents: CorrespondentService(roles: roles, ties: ties, people: people))
        let conversations = ConversationHandlers(service: service)
        let messages = MessageHandlers(service: service, flood: FloodLimit(perMinute: messagesPerMinute))
        let policy = PolicyHandlers()
        let announcements = AnnouncementHandlers(correspondents: service.correspondents)
        var feature = Feature(
            "Messaging", needs: ["Organization", "Classroom"], catalog: try StringCatalog(in: .module))
        feature.permissions = [.exchangeMessages, .manageMessaging, .readAnnouncements, .announce]
        feature.permissionTitles = [
            .exchangeMessages: "right.messages.exchange", .manageMessaging: "right.messages.manage",
            .readAnnouncements: "right.announcements.read", .announce: "right.announcements.publish",
        ]
        feature.schoolMigrations = MessagingMigrations.school
        feature.records = MessagingRecordStore.kinds
        feature.queries = conversations.queries + messages.queries + announcements.queries
        feature.commands = conversations.commands + messages.commands + policy.commands
        feature.commands += announcements.commands
        feature.screens =
            MessagesScreens(service: service).routes + [ThreadScreen(service: service).route, policy.route]
        feature.screens += AnnouncementScreens(handlers: announcements).routes
        feature.navigation = [
            NavigationEntry(
                .tabs, "messages.title", icon: "chat", path: MessagesScreens.path, order: 30,
                permission: .exchangeMessages),
            NavigationEntry(
                .account, "announcements.title", icon: "info", path: AnnouncementScreens.path, order: 40,
                permission: .readAnnouncements),
            NavigationEntry(
                .settings, "messages.settings", icon: "chat", path: PolicyHandlers.path, order: 75,
                permission: .manageMessaging),
        ]
        let standing = UnreadConversations(service: service)
        feature.entryStates = [MessagesScreens.path: { try await standing.state($0) }]
        feature.audiences = [
            AudienceSource { membership, sql in
                let channels = try service.standingIfAllowed(membership, in: sql)?.reader.channels ?? []
                return Set(channels.map(Audience.channel))
            },
            AudienceSource { membership, sql in
                let classrooms = try service.correspondents.caller(membership, in: sql).ties.all
                return Set(classrooms.map(Audience.announcements))
            },
        ]
        feature.notificationKinds = [notification(service), announcements.notification]
        feature.auditTitle = "audit.group.messages"
        feature.auditKinds = auditKinds
        return feature
    }

    /// One for each conversation in which something waits; nothing of what was written.
    private static func notification(_ service: ConversationService) -> NotificationKind {
        NotificationKind("message.news", icon: "chat", category: .message) { logged, context in
            let (membership, words) = (try context.membership, context.words)
            let id = logged.change.payload["conversation"].flatMap(UUID.init(text:))
            return try await context.school.read { sql in
                let sender = try logged.actorId.flatMap {
                    try service.correspondents.people([$0], membership, in: sql)[$0]?.name.display
                }
                guard let id, let standing = try service.standingIfAllowed(membership, in: sql),
                    let kept = try ConversationRepository.conversation(id, for: standing.reader, in: sql)
                else { return (words("notification.message", sender ?? words("messages.formerMember")), nil) }
                let name = sender ?? words("messages.formerMember")
                guard kept.kind != .direct else {
                    return (words("notification.message", name), ThreadScreen.path(id))
                }
                let title = try service.conversation(kept, standing, words, in: sql).title
                return (words("notification.messageIn", name, title), ThreadScreen.path(id))
            }
        }
    }

    /// Who wrote to whom and when, never what.
    private static let auditKinds = [
        AuditKind("conversation.started", "audit.conversation.started", .word("kind", prefix: "messages.kind.")),
        AuditKind("conversation.left", "audit.conversation.left"),
        AuditKind("message.sent", "audit.message.sent"),
        AuditKind("message.news", "audit.message.news"),
        AuditKind("message.read", "audit.message.read"),
        AuditKind("announcement.published", "audit.announcement.published"),
        AuditKind("announcement.removed", "audit.announcement.removed"),
        AuditKind("messages.policyChanged", "audit.messages.policyChanged"),
    ]
}
