public import FeatureKit
import Foundation

/// The kinds of record that the kernel (the modules under all feature blocks) stores itself.
public enum KernelRecordStore {
    /// The kinds of record that the kernel stores, in the server's directory database and in schools' databases.
    public static let kinds = [
        RecordKind(
            "kernel.changes", "records.kernel.changes", personal: [.activity], erasure: .withSchool,
            tables: [
                RecordTable(
                    "change_log",
                    export: { _ in "SELECT seq, at, actor_id, kind, topics, payload FROM change_log ORDER BY seq" },
                    about: { subject in
                        """
                        SELECT seq, at, kind, topics, payload FROM change_log
                        WHERE actor_id = \(subject.personId) ORDER BY seq
                        """
                    }, subjects: "SELECT DISTINCT actor_id FROM change_log WHERE actor_id IS NOT NULL")
            ]),
        // Rows older than a day are deleted when the next one is written.
        RecordKind(
            "kernel.sightings", "records.kernel.sightings", personal: [.activity], erasure: .withTime,
            tables: [RecordTable("sightings")]),
        // The end of each school's log when the server last noted it.
        RecordKind(
            "kernel.seals", "records.kernel.seals", store: .directory, personal: [], erasure: .withSchool,
            tables: [
                RecordTable(
                    "school_seals", eraseSchool: { "DELETE FROM school_seals WHERE school_id = \($0)" })
            ]),
        // Changes that wait to be copied into a school's change log. They contain ids only.
        RecordKind(
            "kernel.pendingChanges", "records.kernel.pendingChanges", store: .directory, personal: [.activity],
            erasure: .withTime,
            tables: [
                RecordTable(
                    "pending_changes", eraseSchool: { "DELETE FROM pending_changes WHERE school_id = \($0)" })
            ]),
        RecordKind(
            "kernel.carriedChanges", "records.kernel.pendingChanges", personal: [], erasure: .withTime,
            tables: [RecordTable("carried_changes")]),
        answers("kernel.answers", .school),
        answers("kernel.directoryAnswers", .directory),
    ]

    /// Answers that are stored for repeated requests, for as long as a device may be without a network.
    private static func answers(_ id: String, _ store: RecordKind.Store) -> RecordKind {
        let clearing: @Sendable (UUID) -> SQL = { _ in IdempotentRequest.clearing }
        return RecordKind(
            id, "records.kernel.answers", store: store, personal: [.activity],
            retention: .days(IdempotentRequest.lifetimeDays, in: IdempotentRequest.lifetimeDays...60),
            erasure: .withTime,
            tables: [
                // Clearing the answers leaves the keys, so that a repeated request still takes effect once.
                RecordTable(
                    "idempotency", erase: { _ in IdempotentRequest.clearing }, eraseSchool: clearing,
                    eraseAccount: store == .directory ? clearing : nil,
                    expiry: .init(
                        isDue: { "SELECT 1 FROM idempotency WHERE at < \($0) LIMIT 1" },
                        delete: { limit in
                            """
                            DELETE FROM idempotency WHERE key IN (
                                SELECT key FROM idempotency WHERE at < \(limit) ORDER BY key
                                LIMIT \(SQL.expiryPortion))
                            """
                        }))
            ])
    }
}
