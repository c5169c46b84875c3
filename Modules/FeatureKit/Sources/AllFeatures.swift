import Synchronization

/// The features of a server, for services that act on what every feature block declares.
///
/// Erasing a person needs the records of all blocks, an API token the endpoints of all. Such a service is made while
/// features are still being built. It holds this object and reads it when it works.
public final class AllFeatures: Sendable {
    private let complete = Mutex<[Feature]?>(nil)
    private let kernelRecords: [RecordKind]

    /// Creates the object before the features are built.
    /// - Parameter kernelRecords: the kinds of record that the kernel itself stores.
    public init(kernelRecords: [RecordKind]) { self.kernelRecords = kernelRecords }

    /// Sets the features when all of them are built. Call it once.
    public func set(_ features: [Feature]) {
        complete.withLock { complete in
            precondition(complete == nil, "the features of a server are set once")
            complete = features
        }
    }

    /// Forgets the features after the server has stopped.
    ///
    /// Features hold this object and it holds them, so that without this call neither is ever freed.
    public func clear() { complete.withLock { $0 = nil } }

    /// The features in the order in which they were built. Reading them before `set(_:)` is a programming error.
    public var features: [Feature] {
        guard let features = complete.withLock(\.self) else {
            preconditionFailure("the features of the server are read before all of them are built")
        }
        return features
    }

    /// The kinds of record that the kernel (the modules under all feature blocks) and every block store.
    public var records: [RecordKind] { kernelRecords + features.flatMap(\.storage.records) }

    /// The stores outside of the database tables, such as search indexes, that the feature blocks declare because they
    /// contain copies of records.
    public var stores: [DerivedStore] { features.flatMap(\.storage.stores) }
}
