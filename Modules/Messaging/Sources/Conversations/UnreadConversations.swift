import FeatureKit
import Foundation
import ScreenKit
import ShellInterface
import Synchronization

/// Counts a person's unread conversations, again only after a change in the school.
final class UnreadConversations: UnreadCounting {
    private let service: ConversationService
    private let known = Mutex<[UUID: (seq: Int64, state: EntryState)]>([:])

    init(service: ConversationService) { self.service = service }

    func state(_ context: RequestContext, in sql: any SQLReading) throws -> EntryState {
        let membership = try context.membership
        let seq = context.latestChange ?? 0
        if let last = known.withLock({ $0[membership.personId] }), last.seq == seq { return last.state }
        let access = try service.accessIfAllowed(of: membership, in: sql)
        let state =
            try access.map { EntryState(unread: try ConversationRepository.unreadCount($0.reader, in: sql)) }
            ?? EntryState(isShown: false)
        known.withLock { known in
            if known.count > 20_000 { known.removeAll() }
            known[membership.personId] = (seq, state)
        }
        return state
    }

    func unread(for context: RequestContext, in sql: any SQLReading) throws -> Int {
        try state(context, in: sql).unread
    }
}
