import FeatureKit

/// What the block stores, and what becomes of it.
enum RosterRecordStore {
    static let kinds = [
        RecordKind(
            "roster.uploads", "roster.records.uploads", personal: [.name, .email, .enrolment, .files],
            retention: .days(1, in: 1...7), erasure: .withTime,
            tables: [
                RecordTable(
                    "roster_uploads",
                    erase: { "DELETE FROM roster_uploads WHERE person_id = \($0.personId)" },
                    expiry: .init(isDue: { "SELECT 1 FROM roster_uploads WHERE created_at < \($0) LIMIT 1" }) {
                        "DELETE FROM roster_uploads WHERE created_at < \($0)"
                    })
            ]),
        RecordKind(
            "roster.roles", "roster.records.roles", personal: [.role], erasure: .withPerson,
            tables: [
                RecordTable(
                    "roster_roles",
                    about: { "SELECT role, given FROM roster_roles WHERE person_id = \($0.personId)" },
                    erase: { "DELETE FROM roster_roles WHERE person_id = \($0.personId)" })
            ]),
    ]
}
