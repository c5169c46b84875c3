import Domain
import FeatureKit
import Synchronization

/// Counts the memory and disk that request bodies use, in total and per client network.
final class BodyBudget: Sendable {
    /// Memory and disk, in bytes.
    struct Cost: Sendable, Equatable {
        var memory = 0
        var disk = 0

        static func + (one: Cost, other: Cost) -> Cost {
            Cost(memory: one.memory + other.memory, disk: one.disk + other.disk)
        }
        static func - (one: Cost, other: Cost) -> Cost {
            Cost(memory: one.memory - other.memory, disk: one.disk - other.disk)
        }
        func fits(_ limit: Cost) -> Bool { memory <= limit.memory && disk <= limit.disk }
    }

    private struct Costs {
        var all = Cost()
        var networks: [String: Cost] = [:]
    }
    private let limit: Cost
    private let limitPerNetwork: Cost
    private let costs = Mutex(Costs())

    init(_ limits: ServerLimits) {
        limit = Cost(memory: limits.memory, disk: limits.disk)
        limitPerNetwork = Cost(memory: limits.memoryPerNetwork, disk: limits.diskPerNetwork)
    }

    /// Replaces the cost of one body. Throws `Problem` 429 when its network exceeds its limit, 503 when all bodies
    /// exceed theirs; the counts then stay unchanged.
    func replace(_ old: Cost, by new: Cost, of network: String) throws {
        try costs.withLock { costs in
            let own = (costs.networks[network] ?? Cost()) - old + new
            guard own.fits(limitPerNetwork) else {
                throw Problem(429, "tooManyUploads", [.wait(Self.retryAfter)], retryAfter: Self.retryAfter)
            }
            let all = costs.all - old + new
            guard all.fits(limit) else { throw Problem(503, "busy", retryAfter: Self.retryAfter) }
            costs.all = all
            costs.networks[network] = own
        }
    }

    /// Returns the cost of one body.
    func release(_ cost: Cost, of network: String) {
        costs.withLock { costs in
            costs.all = costs.all - cost
            let own = (costs.networks[network] ?? Cost()) - cost
            costs.networks[network] = own == Cost() ? nil : own
        }
    }

    /// The current cost of all bodies.
    var all: Cost { costs.withLock { $0.all } }

    /// Seconds until a retry makes sense: silent clients are disconnected by then.
    private static let retryAfter = 20
}
