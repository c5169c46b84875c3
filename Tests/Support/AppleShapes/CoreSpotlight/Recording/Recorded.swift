public import Synchronization

/// The entries in the system's search.
public enum RecordedIndex {
    public struct IndexedItem: Hashable, Sendable {
        public let identifier: String?
        public let domain: String?
        public let title: String?
        public let detail: String?
    }
    public static let entries = Mutex<[IndexedItem]>([])
}
