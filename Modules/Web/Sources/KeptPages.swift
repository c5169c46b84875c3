import Domain
import FeatureKit
import Foundation
import NIOCore
import Synchronization

/// Pages that were made once and are shown again until something of theirs changes: before school starts,
/// many people open the same few pages while little is written.
///
/// What a page depends on is part of its state, none of it is guessed; a command under a page's idempotency
/// key writes that key to one of the two databases, so that no key is handed out again once it was used.
final class KeptPages: Sendable {
    /// One page as one person's browser has it.
    struct Place: Hashable, Sendable {
        let account: UUID
        let address: String
        let language: Language
        let display: DisplayPreferences
    }

    /// Everything that the page's content follows from.
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
    private struct Shelf {
        var entries: [Place: Entry] = [:]
        var size = 0
        var clock: UInt64 = 0
    }

    private let shelf = Mutex(Shelf())
    private let limit: Int

    /// - Parameter limit: bytes that all pages together may take.
    init(limit: Int = 8 << 20) { self.limit = limit }

    /// The page, packed where that is wanted; `nil` where it has to be made.
    func page(at place: Place, in state: State, packed isPacked: Bool) -> ByteBuffer? {
        shelf.withLock { shelf in
            guard let entry = shelf.entries[place], entry.state == state else { return nil }
            shelf.clock += 1
            shelf.entries[place]?.lastUse = shelf.clock
            return isPacked ? entry.packed : entry.page
        }
    }

    /// Keeps a page in the place of the one before; the one used longest ago goes where it gets too much.
    func keep(_ page: ByteBuffer, packed: ByteBuffer?, at place: Place, in state: State) {
        shelf.withLock { shelf in
            shelf.clock += 1
            let known = shelf.entries[place]
            let entry = Entry(
                state: state, page: page, packed: packed ?? (known?.state == state ? known?.packed : nil),
                lastUse: shelf.clock)
            shelf.size += entry.size - (known?.size ?? 0)
            shelf.entries[place] = entry
            while shelf.size > limit, let oldest = shelf.entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
                shelf.size -= oldest.value.size
                shelf.entries[oldest.key] = nil
            }
        }
    }
}
