public import Domain
public import FeatureKit
import Foundation
public import RecordsInterface

/// The retention of each kind of record, and the jobs that delete older rows.
public struct RetentionService: Sendable {
    private let readKinds: @Sendable () -> [RecordKind]
    var kinds: [RecordKind] { readKinds() }

    /// Creates the service that reads and sets how long records are stored. The record kinds are those of all feature
    /// blocks, read at each use.
    public init(kinds: @autoclosure @escaping @Sendable () -> [RecordKind]) { readKinds = kinds }

    /// A kind of record with its current retention.
    struct Period: Sendable {
        let kind: RecordKind
        /// The days for which rows are stored; `nil` if they are deleted with what they belong to.
        let days: Int?
        let bounds: ClosedRange<Int>?
        /// Whether the school can change the period.
        var isOpen: Bool { bounds.map { $0.count > 1 && kind.store == .school } ?? false }
    }

    /// The current retention of each kind in a school.
    func periods(in sql: any SQLReading) throws -> [Period] {
        let chosen = try RetentionRepository.days(in: sql)
        return kinds.map { kind in
            guard case .days(let standard, let bounds) = kind.retention else {
                return Period(kind: kind, days: nil, bounds: nil)
            }
            // A period that was chosen before the bounds were narrowed is limited to them.
            let days = kind.store == .school ? chosen[kind.id] ?? standard : standard
            return Period(
                kind: kind, days: min(max(days, bounds.lowerBound), bounds.upperBound), bounds: bounds)
        }
    }

    /// Sets the period of a kind. Throws `Problem` if the school cannot change it or the days are out of bounds.
    func set(_ days: Int, for kindId: String, in context: CommandContext) throws {
        guard let period = try periods(in: context.sql).first(where: { $0.kind.id == kindId }), period.isOpen,
            let bounds = period.bounds
        else { throw Problem.notFound }
        guard bounds.contains(days) else {
            throw Problem.invalid(
                "days", "outOfRange", [.number(bounds.lowerBound), .number(bounds.upperBound)])
        }
        try RetentionRepository.set(
            days, for: kindId, by: try context.membership.personId, at: context.now, in: context.sql)
    }

    // MARK: - The job

    static let interval: TimeInterval = 86_400

    var jobs: [Job] {
        [
            .school("records.expire", every: Self.interval) { context in
                let periods = try await context.database.read { try self.periods(in: $0) }
                try await expire(periods.filter { $0.kind.store == .school }, context)
            },
            .server("records.expireDirectory", every: Self.interval) { context in
                let periods = kinds.filter { $0.store == .directory }.compactMap { kind -> Period? in
                    guard case .days(let days, let bounds) = kind.retention else { return nil }
                    return Period(kind: kind, days: days, bounds: bounds)
                }
                try await expire(periods, context)
            },
        ]
    }

    private func expire(_ periods: [Period], _ context: JobContext) async throws {
        for period in periods {
            guard let days = period.days else { continue }
            let limit = context.now - Double(days) * 86_400
            var count = 0
            for expiry in period.kind.tables.compactMap(\.expiry) {
                // Searching reads beside other readers, and deleting in portions keeps commands from waiting for a
                // whole table.
                while try await context.database.read({ sql -> Bool in try sql.exists(expiry.isDue(limit)) }) {
                    try Task.checkCancellation()
                    let deleted = try await context.commit { try $0.execute(expiry.delete(limit)) }
                    guard deleted > 0 else { break }
                    count += deleted
                }
            }
            guard count > 0 && period.kind.id != "kernel.answers" else { continue }
            let (kind, number) = (period.kind.id, count)
            try await context.commit(
                recording: { _ in
                    [
                        Change(
                            "records.expired", topics: ["records"],
                            audience: Audience.roles([.superAdmin, .admin]),
                            payload: ["kind": kind, "count": String(number)])
                    ]
                }, { _ in })
        }
    }
}

/// The SQL of the periods that a school has chosen.
enum RetentionRepository {
    static func days(in sql: any SQLReading) throws -> [String: Int] {
        try sql.rows("SELECT kind, days FROM retention_periods").reduce(into: [:]) {
            $0[try $1.get("kind")] = try $1.get("days", as: Int.self)
        }
    }

    static func set(_ days: Int, for kind: String, by personId: UUID, at instant: Date, in sql: any SQLWriting)
        throws
    {
        try sql.execute(
            """
            INSERT INTO retention_periods (kind, days, changed_by, changed_at)
            VALUES (\(kind), \(days), \(personId), \(instant))
            ON CONFLICT (kind) DO UPDATE
                SET days = excluded.days, changed_by = excluded.changed_by, changed_at = excluded.changed_at
            """)
    }
}

extension RetentionService: DataInventory {
    public func entries(_ words: Words) -> [InventoryEntry] {
        kinds.map { kind in
            var days: Int?
            if case .days(let standard, _) = kind.retention { days = standard }
            return entry(kind, days: days, words)
        }
    }

    /// The inventory entry of a kind.
    func entry(_ kind: RecordKind, days: Int?, _ words: Words) -> InventoryEntry {
        InventoryEntry(
            id: kind.id, title: words(kind.title),
            personal: RecordKind.Personal.allCases.filter(kind.personal.contains).map {
                words("records.personal.\($0.rawValue)")
            },
            kept: days.map { words("records.kept.days", $0) } ?? words("records.kept.whileNeeded"),
            erasure: words("records.erasure.\(kind.erasure.rawValue)"))
    }
}
