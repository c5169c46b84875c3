import DesignSystem
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ScreenKit

/// Search documents of messages and announcements, for those who may read them.
struct MessagingSearch: Sendable {
    let service: ConversationService
    let announced: AnnouncementHandlers

    var sources: [SearchSource] { [messages, announcements] }

    private var messages: SearchSource {
        SearchSource(
            category: "messages", title: "messages.title", icon: .chat, order: 60,
            kinds: [
                "message.sent", "message.edited", "message.deleted", "conversation.left", "records.personErased",
                "records.expired",
            ],
            touched: { change, sql in
                guard change.change.kind == "conversation.left", let id = change.change.payload["conversation"]
                else { return change.touches("message") }
                return .some(
                    try sql.rows("SELECT id FROM messages WHERE conversation_id = \(id)").map { try $0.get("id") })
            },
            ids: { after, limit, sql in
                try sql.rows(
                    "SELECT id FROM messages WHERE id > \(after?.text ?? "") ORDER BY id LIMIT \(limit)"
                ).map { try $0.get("id") }
            },
            documents: { [service] ids, schoolId, sql in
                let rows = try sql.rows(
                    """
                    SELECT messages.id, conversation_id, classroom_id, sender_id, text FROM messages
                    JOIN conversations ON conversations.id = messages.conversation_id
                    WHERE messages.id IN \(list: ids) AND deleted_at IS NULL AND text <> ''
                    """)
                let names = try service.correspondents.people.people(
                    rows.map { try $0.get("sender_id") }, of: schoolId, in: sql)
                var readers: [UUID: [Audience]] = [:]
                return try rows.map { row in
                    let (id, sender): (UUID, UUID) = try (row.get("id"), row.get("sender_id"))
                    let (conversation, text): (UUID, String) = try (row.get("conversation_id"), row.get("text"))
                    let known =
                        try readers[conversation]
                        ?? service.audience(of: conversation, channelOf: row.optional("classroom_id"), in: sql)
                    readers[conversation] = known
                    return SearchDocument(
                        id: id, title: SearchSource.excerpt(text), subtitle: names[sender]?.name.display ?? "",
                        text: text,
                        path: ThreadScreen.path(conversation), tint: Tint(for: conversation), readers: known)
                }
            })
    }

    private var announcements: SearchSource {
        SearchSource(
            category: "announcements", title: "announcements.title", icon: .info, order: 70,
            kinds: ["announcement.published", "announcement.removed", "records.personErased", "records.expired"],
            touched: { change, _ in change.touches("announcement") },
            ids: { after, limit, sql in
                try sql.rows(
                    "SELECT id FROM announcements WHERE id > \(after?.text ?? "") ORDER BY id LIMIT \(limit)"
                ).map { try $0.get("id") }
            },
            documents: { [service, announced] ids, schoolId, sql in
                let rows = try sql.rows("SELECT * FROM announcements WHERE id IN \(list: ids)")
                let names = try service.correspondents.people.people(
                    rows.map { try $0.get("author_id") }, of: schoolId, in: sql)
                return try rows.map { row in
                    let (id, author): (UUID, UUID) = try (row.get("id"), row.get("author_id"))
                    return try SearchDocument(
                        id: id, title: row.get("title"), subtitle: names[author]?.name.display ?? "",
                        text: row.get("text"),
                        path: AnnouncementScreens.path(id), tint: Tint(for: id),
                        readers: announced.audience(
                            classroomId: row.optional("classroom_id"), courseId: row.optional("course_id"),
                            circle: row.optional("circle")))
                }
            })
    }
}
