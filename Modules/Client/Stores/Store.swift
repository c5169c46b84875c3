public import Foundation

/// A store: the one place where the app's data of an area is.
///
/// Views read `state` and call the store's operations. They call no API and hold no copy.
@MainActor
public protocol Store: AnyObject {
    associatedtype State: StoreState
    var state: State { get }
    /// Loads what the store shows anew. Errors stay in the state.
    func refresh() async
    /// Resets the store to its initial state.
    func clear()
}

/// The state of a store.
public protocol StoreState: Sendable {
    /// The time of the last successful load.
    var lastSyncTime: Date? { get }
    var syncInProgress: Bool { get }
}
