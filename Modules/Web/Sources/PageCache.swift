import Domain
import FeatureKit
import Foundation
import NIOCore
import Synchronization

/// Caches rendered pages until their data changes: before school starts, many people open the same few pages while
/// little is written.
///
/// The state of a page names everything it depends on. A command stores the idempotency key of its page in one of the
/// two databases, so their stamps change and no key is handed out twice.
final class PageCache: Sendable {
    /// Identifies one page in one person's browser.
    struct Key: Hashable, Sendable {
        let account: UUID
        let address: String
        let language: Language
        let display: DisplayPreferences
        /// The version of screens that a native app reads; `nil` for HTML.
        let screenVersion: Int?
    }

    /// Everything that the page's content depends on.
    struct State: Hashable, Sendable {
        let caller: Caller
        let day: Day
        let seq: Int64?
        let unread: Int
        let directory: DatabaseStamp
        let school: DatabaseStamp
    }

    private struct Entry {
        let state: State
        let page: ByteBuffer
        var packed: ByteBuffer?
        var lastUse: UInt64
        var size: Int { page.readableBytes + (packed?.readableBytes ?? 0) }
    }
    private struct Storage {
        var entries: [Key: Entry] = [:]
        var size = 0
        var clock: UInt64 = 0
    }

    private let storage = Mutex(Storage())
    private let limit: Int

    /// - Parameter limit: the most bytes of all pages together.
    init(limit: Int = 8 << 20) { self.limit = limit }

    /// The page, compressed when `isPacked`; `nil` when it must be rendered.
    func page(for key: Key, in state: State, packed isPacked: Bool) -> ByteBuffer? {
        storage.withLock { storage in
            guard let entry = storage.entries[key], entry.state == state else { return nil }
            storage.clock += 1
            storage.entries[key]?.lastUse = storage.clock
            return isPacked ? entry.packed : entry.page
        }
    }

    /// Stores a page in place of its predecessor and evicts the least recently used ones over the limit.
    func store(_ page: ByteBuffer, packed: ByteBuffer?, for key: Key, in state: State) {
        storage.withLock { storage in
            storage.clock += 1
            let known = storage.entries[key]
            let entry = Entry(
                state: state, page: page, packed: packed ?? (known?.state == state ? known?.packed : nil),
                lastUse: storage.clock)
            storage.size += entry.size - (known?.size ?? 0)
            storage.entries[key] = entry
            while storage.size > limit,
                let oldest = storage.entries.min(by: { $0.value.lastUse < $1.value.lastUse })
            {
                storage.size -= oldest.value.size
                storage.entries[oldest.key] = nil
            }
        }
    }
}
