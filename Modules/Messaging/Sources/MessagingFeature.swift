public import ClassroomInterface
public import CoursesInterface
import DesignSystem
import Domain
public import FeatureKit
import Foundation
import MessagingModel
import NotificationsInterface
public import OrganizationInterface
import ScreenKit
public import ShellInterface

/// Messaging: conversations, announcements, and study rooms, in which the people of a course work silently at the same
/// time.
public enum MessagingFeature {
    /// Builds the Messaging feature block.
    ///
    /// - Parameters:
    ///   - roles: the roles of people in the school.
    ///   - ties: the people of classrooms.
    ///   - people: the names of people.
    ///   - courses: the people of courses; without it there are no announcements to courses and no study rooms.
    ///   - images: shrinks pictures.
    ///   - messagesPerMinute: the most messages of a person in a minute.
    public static func make(
        roles: any RoleDirectory, ties: any ClassroomTieService, people: any PeopleService,
        courses: (any CourseTieService)? = nil, images: any ImageShrinking, messagesPerMinute: Int = 30
    ) throws -> Feature {
        let service = ConversationService(
            correspondents: CorrespondentService(roles: roles, ties: ties, people: people))
        let conversations = ConversationHandlers(service: service)
        let flood = FloodLimit(perMinute: messagesPerMinute)
        let messages = MessageHandlers(service: service, flood: flood, intake: MessageFileIntake(images: images))
        let changes = ChangeHandlers(service: service, flood: flood)
        let reports = ReportHandlers(service: service)
        let policy = PolicyHandlers()
        let announcements = AnnouncementHandlers(correspondents: service.correspondents, courses: courses)
        var feature = Feature(
            "Messaging", catalog: try StringCatalog(in: .module))
        feature.access.permissions = [.exchangeMessages, .manageMessaging, .readAnnouncements, .announce, .study]
        feature.access.titles = [
            .exchangeMessages: "right.messages.exchange", .manageMessaging: "right.messages.manage",
            .readAnnouncements: "right.announcements.read", .announce: "right.announcements.publish",
            .study: "right.study",
        ]
        feature.storage.schoolMigrations = MessagingMigrations.school
        feature.storage.records = MessagingRecordStore.kinds
        feature.endpoints.queries = conversations.queries + messages.queries + announcements.queries
        feature.endpoints.queries += reports.queries
        feature.endpoints.commands = conversations.commands + messages.commands + changes.commands + policy.commands
        feature.endpoints.commands += reports.commands + announcements.commands
        feature.pages.screens =
            MessagesScreens(service: service).routes + [ThreadScreen(service: service).route, policy.route]
        feature.pages.screens += [AboutScreen(service: service).route, MessageScreen(service: service).route]
        feature.pages.screens += [reports.route] + AnnouncementScreens(handlers: announcements).routes
        let home = MessagesHome(service: service, handlers: announcements)
        feature.pages.sections = [
            PageSection(.home, order: 32, permission: .exchangeMessages, topics: { _ in [Topics.all] }) {
                try await home.conversations($1)
            },
            PageSection(
                .home, order: 35, permission: .readAnnouncements, topics: { _ in [AnnouncementScreens.topic] }
            ) { try await home.announcements($1) },
        ]
        if let courses {
            let section = CourseAnnouncements(handlers: announcements, courses: courses)
            feature.pages.sections += [
                PageSection(
                    .course, order: 8, permission: .readAnnouncements, topics: { _ in [AnnouncementScreens.topic] }
                ) { try await section.section(of: $0, $1) }
            ]
        }
        feature.endpoints.downloads = [MessageFileDownload(service: service).route]
        feature.pages.navigation = [
            NavigationEntry(
                .beside, "messages.title", icon: .chat, path: MessagesScreens.path, order: 30,
                permission: .exchangeMessages),
            NavigationEntry(
                .account, "announcements.title", icon: .info, path: AnnouncementScreens.path, order: 40,
                permission: .readAnnouncements),
            NavigationEntry(
                .school, "messages.settings", icon: .chat, path: PolicyHandlers.path, order: 75,
                permission: .manageMessaging),
        ]
        feature.pages.deepLinks = [.place("messages", MessagesScreens.path)]
        let unread = UnreadConversations(service: service)
        feature.pages.entryStates = [MessagesScreens.path: { try unread.state($0, in: $1) }]
        feature.access.audiences = [
            AudienceSource { membership, sql in
                let channels = try service.accessIfAllowed(of: membership, in: sql)?.reader.channels ?? []
                return Set(channels.map(Audience.channel))
            },
            AudienceSource { membership, sql in
                let classrooms = try service.correspondents.caller(membership, in: sql).ties.all
                return Set(classrooms.map(Audience.announcements))
            },
        ]
        feature.pages.searchSources = MessagingSearch(service: service, announced: announcements).sources
        feature.notifications.kinds = [
            notification("message.news", service, ("notification.message", "notification.messageIn")),
            notification("message.mention", service, ("notification.mention", "notification.mentionIn")),
            announcements.notification,
            NotificationKind("message.reported", icon: .alert) { _, context in
                (context.words("notification.reported"), ReportHandlers.path)
            },
        ]
        if let courses {
            addStudy(StudyService(courses: courses, correspondents: service.correspondents), to: &feature)
        }
        feature.audit.title = "audit.group.messages"
        feature.audit.kinds = auditKinds
        return feature
    }

    /// Makes the counter of unread conversations for the widgets of a device.
    ///
    /// - Parameters:
    ///   - roles: the roles of people in the school.
    ///   - ties: the people of classrooms.
    ///   - people: the names of people.
    public static func makeUnreadCounter(
        roles: any RoleDirectory, ties: any ClassroomTieService, people: any PeopleService
    ) -> any UnreadCounting {
        UnreadConversations(
            service: ConversationService(
                correspondents: CorrespondentService(roles: roles, ties: ties, people: people)))
    }

    private static func addStudy(_ study: StudyService, to feature: inout Feature) {
        let (handlers, screens) = (StudyHandlers(service: study), StudyScreens(service: study))
        feature.endpoints.queries += handlers.queries
        feature.endpoints.commands += handlers.commands
        feature.pages.screens += screens.routes
        feature.pages.islands["study"] = Bundle.module.bundleURL.appending(path: "Resources/island")
        feature.pages.navigation.append(
            NavigationEntry(
                .courses, "study.title", icon: .people, path: StudyScreens.path, order: 35, permission: .study))
        feature.pages.entryStates[StudyScreens.path] = { try screens.state($0, in: $1) }
    }

    /// A notification that names the sender and the conversation, without the text.
    ///
    /// - Parameter keys: the catalog keys for direct and for other conversations.
    private static func notification(
        _ kind: String, _ service: ConversationService, _ keys: (direct: String, other: String)
    ) -> NotificationKind {
        NotificationKind(kind, icon: .chat, category: .message) { logged, context in
            let (membership, words) = (try context.membership, context.words)
            let id = logged.change.payload["conversation"].flatMap(UUID.init(text:))
            return try await context.school.read { sql in
                let sender = try logged.actorId.flatMap {
                    try service.correspondents.people([$0], membership, in: sql)[$0]?.name.display
                }
                let name = sender ?? words("messages.formerMember")
                guard let id, let access = try service.accessIfAllowed(of: membership, in: sql),
                    let stored = try ConversationRepository.conversation(id, for: access.reader, in: sql)
                else { return (words(keys.direct, name), nil) }
                guard stored.kind != .direct else { return (words(keys.direct, name), ThreadScreen.path(id)) }
                let title = try service.conversation(stored, access, words, in: sql).title
                return (words(keys.other, name, title), ThreadScreen.path(id))
            }
        }
    }

    /// The audit log contains who wrote to whom and when, without the text.
    private static let auditKinds = [
        AuditKind("conversation.started", "audit.conversation.started", .word("kind", prefix: "messages.kind.")),
        AuditKind("conversation.left", "audit.conversation.left"),
        AuditKind("conversation.muted", "audit.conversation.muted"),
        AuditKind("conversation.closed", "audit.conversation.closed"),
        AuditKind("message.sent", "audit.message.sent"),
        AuditKind("message.news", "audit.message.news"),
        AuditKind("message.mention", "audit.message.mention"),
        AuditKind("message.read", "audit.message.read"),
        AuditKind("message.edited", "audit.message.edited"),
        AuditKind("message.deleted", "audit.message.deleted"),
        AuditKind("message.reported", "audit.message.reported"),
        AuditKind("message.settled", "audit.message.settled"),
        AuditKind("announcement.published", "audit.announcement.published"),
        AuditKind("announcement.removed", "audit.announcement.removed"),
        AuditKind("messages.policyChanged", "audit.messages.policyChanged"),
    ]
}
