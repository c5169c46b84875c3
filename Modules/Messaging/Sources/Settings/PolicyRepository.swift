import FeatureKit

/// Reads and writes a school's messaging policy.
enum PolicyRepository {
    static func policy(in sql: any SQLReading) throws -> MessagingPolicy {
        guard let row = try sql.row("SELECT students, channels FROM messaging_policy WHERE id = 1") else {
            return MessagingPolicy()
        }
        return try MessagingPolicy(students: row.get("students"), channels: row.get("channels"))
    }

    static func set(_ policy: MessagingPolicy, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO messaging_policy (id, students, channels)
            VALUES (1, \(policy.students), \(policy.channels))
            ON CONFLICT (id) DO UPDATE SET students = excluded.students, channels = excluded.channels
            """)
    }
}
