import Domain
import Foundation

/// A store that requests its parts again when they change.
@MainActor
protocol PartLoader: AnyObject {
    /// The order of the store's requests and their answers.
    var order: LoadOrder { get set }
}

extension PartLoader {
    /// Requests a part again if what arrives may be older than what the store has.
    ///
    /// That is so if the server confirmed a change meanwhile, or if a later request of the part was answered first.
    func current<Value>(_ part: LoadedPart, _ load: @MainActor () async throws -> Value) async throws -> Value {
        for _ in 0..<3 {
            let request = order.request()
            let value = try await load()
            if order.receive(part, request) { return value }
        }
        return try await load()
    }
}

/// A part of a store that the answer of a request replaces. A list and its records are one part.
enum LoadedPart: Hashable {
    case rooms(pgId: UUID)
    case students(pgId: UUID)
    case attendance(pgId: UUID, day: Day)
    case leaves(pgId: UUID)
    case meals(pgId: UUID)
    case conversations
    case messages(conversationId: UUID)
    case page(address: String)
}

/// The order of a store's requests and their answers.
struct LoadOrder {
    /// A request of a part.
    struct Request {
        fileprivate let number: Int
        /// The number of confirmed changes at the time of the request.
        fileprivate let changes: Int
    }

    /// The number of changes whose confirmation by the server the store has taken into memory.
    var changes = 0
    private var requests = 0
    /// The number of the latest request of each part that was answered.
    private var answered: [LoadedPart: Int] = [:]

    mutating func request() -> Request {
        requests += 1
        return Request(number: requests, changes: changes)
    }

    /// Receives the answer of a request. Returns whether it is current.
    mutating func receive(_ part: LoadedPart, _ request: Request) -> Bool {
        guard request.changes == changes, request.number > answered[part, default: 0] else { return false }
        answered[part] = request.number
        return true
    }
}
