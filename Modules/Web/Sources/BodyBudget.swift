import Domain
import FeatureKit
import Synchronization

/// What bodies cost while their requests run: all together, and those of each network end.
final class BodyBudget: Sendable {
    /// In bytes.
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
        var ends: [String: Cost] = [:]
    }
    private let limit: Cost
    private let limitPerEnd: Cost
    private let costs = Mutex(Costs())

    init(_ limits: ServerLimits) {
        limit = Cost(memory: limits.memory, disk: limits.disk)
        limitPerEnd = Cost(memory: limits.memoryPerEnd, disk: limits.diskPerEnd)
    }

    /// Replaces what one body costs. Throws `Problem` 429 where its network end costs too much, 503 where all do, and
    /// then changes nothing.
    func replace(_ old: Cost, by new: Cost, of end: String) throws {
        try costs.withLock { costs in
            let own = (costs.ends[end] ?? Cost()) - old + new
            guard own.fits(limitPerEnd) else {
                throw Problem(429, "tooManyUploads", [.wait(Self.patience)], retryAfter: Self.patience)
            }
            let all = costs.all - old + new
            guard all.fits(limit) else { throw Problem(503, "busy", retryAfter: Self.patience) }
            costs.all = all
            costs.ends[end] = own
        }
    }

    /// Takes back what one body cost.
    func release(_ cost: Cost, of end: String) {
        costs.withLock { costs in
            costs.all = costs.all - cost
            let own = (costs.ends[end] ?? Cost()) - cost
            costs.ends[end] = own == Cost() ? nil : own
        }
    }

    /// What bodies cost now.
    var all: Cost { costs.withLock { $0.all } }

    /// Seconds until another try makes sense: silent clients are gone by then.
    private static let patience = 20
}
