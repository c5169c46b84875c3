import DesignSystem
import Domain
import FeatureKit
import Foundation
import MessagingModel
import ScreenKit

/// The sections of the home page with the latest conversations and announcements.
struct MessagesHome: Sendable {
    /// The number of conversations in the section. The full list has all.
    static let conversationCount = 4
    /// The number of announcements in the section.
    static let announcementCount = 3
    /// The number of days for which an announcement is shown.
    static let announcementDays = 14

    let service: ConversationService
    let handlers: AnnouncementHandlers

    func conversations(_ request: ScreenRequest) async throws -> [Component] {
        let (words, membership) = (request.words, try request.context.membership)
        let (cells, unread) = try await request.context.school.read { sql -> ([PTListCell], Int) in
            guard let access = try service.accessIfAllowed(of: membership, in: sql) else { return ([], 0) }
            let found = try service.conversations(access, limit: Self.conversationCount, words, in: sql)
            return (
                try ConversationCells(access, request).cells(found.items, service.correspondents, in: sql),
                try ConversationRepository.unreadCount(access.reader, in: sql)
            )
        }
        guard !cells.isEmpty else { return [] }
        return [
            .section(
                PTSection(
                    title: words("messages.title"),
                    detail: unread == 0 ? nil : words("messages.home.unread", unread),
                    action: PTButton(
                        title: words("messages.all"), role: .quiet, action: .open(MessagesScreens.path)),
                    body: [.list(PTList(cells: cells, label: words("messages.title")))]))
        ]
    }

    func announcements(_ request: ScreenRequest) async throws -> [Component] {
        let (words, membership) = (request.words, try request.context.membership)
        let first = request.context.today.adding(days: -Self.announcementDays)
        let (found, people) = try await request.context.school.read { sql in
            let found = try AnnouncementRepository.list(
                for: handlers.reader(membership, in: sql), after: AnnouncementHandlers.start,
                limit: Self.announcementCount, in: sql
            ).filter { Day($0.publishedAt, in: membership.timeZone) >= first }
            return (found, try handlers.correspondents.people(found.map(\.authorId), membership, in: sql))
        }
        guard !found.isEmpty else { return [] }
        let cells = found.map {
            AnnouncementScreens.cell($0, of: people[$0.authorId], words, in: membership.timeZone)
        }
        return [
            .section(
                PTSection(
                    title: words("announcements.title"),
                    action: PTButton(
                        title: words("announcements.all"), role: .quiet, action: .open(AnnouncementScreens.path)),
                    body: [.list(PTList(cells: cells, label: words("announcements.title")))]))
        ]
    }
}
