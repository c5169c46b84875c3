import Domain
import FeatureKit
import Foundation

/// A device that gets notifications of one school, identified by the session that is signed in on it.
struct PushDevice: Sendable, Hashable {
    let id: UUID
    let accountId: UUID
    let sessionId: UUID
    let organizationId: UUID
    let personId: UUID
    let address: PushAddress
    /// The language of the page on which notifications were turned on. A language in the preferences takes precedence.
    let language: Language
    /// The time of the registration. Earlier changes are not sent.
    let registeredAt: Date
}

/// Reads and writes registered devices in the directory, because sessions belong to accounts and not to a school.
enum PushDeviceRepository {
    /// Devices of an account beyond this number are removed, the oldest first.
    static let limit = 20

    static let migrations = [
        Migration(
            "001-devices",
            """
            CREATE TABLE push_devices (
                id TEXT PRIMARY KEY,
                account_id TEXT NOT NULL,
                session_id TEXT NOT NULL,
                organization_id TEXT NOT NULL,
                person_id TEXT NOT NULL,
                kind TEXT NOT NULL,
                target TEXT NOT NULL,
                public_key TEXT NOT NULL,
                secret TEXT NOT NULL,
                language TEXT NOT NULL,
                registered_at BIGINT NOT NULL,
                renewed_at BIGINT NOT NULL
            );
            CREATE UNIQUE INDEX push_devices_target ON push_devices (target);
            CREATE UNIQUE INDEX push_devices_session ON push_devices (session_id);
            CREATE INDEX push_devices_account ON push_devices (account_id);
            CREATE INDEX push_devices_organization ON push_devices (organization_id);
            CREATE INDEX push_devices_renewed ON push_devices (renewed_at);
            """)
    ]

    /// Registers a device, replacing the session's earlier device and any device with the same address.
    ///
    /// A browser has one subscription, no matter who signs in. A device that registers again with the same session,
    /// address and school stays the same; only its keys, language and `renewed_at` change.
    static func register(_ device: PushDevice, at instant: Date, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            DELETE FROM push_devices WHERE (session_id = \(device.sessionId) OR target = \(device.address.target))
                AND NOT (session_id = \(device.sessionId) AND target = \(device.address.target)
                    AND organization_id = \(device.organizationId))
            """)
        try sql.execute(
            """
            INSERT INTO push_devices (id, account_id, session_id, organization_id, person_id, kind, target,
                public_key, secret, language, registered_at, renewed_at)
            VALUES (\(device.id), \(device.accountId), \(device.sessionId), \(device.organizationId),
                \(device.personId), \(device.address.kind), \(device.address.target), \(device.address.key),
                \(device.address.secret), \(device.language), \(device.registeredAt), \(instant))
            ON CONFLICT (target) DO UPDATE SET person_id = excluded.person_id, public_key = excluded.public_key,
                secret = excluded.secret, language = excluded.language, renewed_at = excluded.renewed_at
            """)
        try sql.execute(
            """
            DELETE FROM push_devices WHERE account_id = \(device.accountId) AND id NOT IN (
                SELECT id FROM push_devices WHERE account_id = \(device.accountId)
                ORDER BY renewed_at DESC, id DESC LIMIT \(limit))
            """)
    }

    static func device(ofSession sessionId: UUID, in sql: any SQLReading) throws -> PushDevice? {
        try sql.row("SELECT * FROM push_devices WHERE session_id = \(sessionId)").map(PushDevice.init(row:))
    }

    /// The devices registered for notifications of a school.
    static func devices(of organizationId: UUID, in sql: any SQLReading) throws -> [PushDevice] {
        try sql.rows("SELECT * FROM push_devices WHERE organization_id = \(organizationId) ORDER BY id")
            .map(PushDevice.init(row:))
    }

    static func remove(_ ids: [UUID], in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM push_devices WHERE id IN \(list: ids)")
    }
}

extension PushDevice {
    init(row: SQLRow) throws {
        try self.init(
            id: row.get("id"), accountId: row.get("account_id"), sessionId: row.get("session_id"),
            organizationId: row.get("organization_id"), personId: row.get("person_id"),
            address: PushAddress(
                kind: row.get("kind"), target: row.get("target"), key: row.get("public_key"),
                secret: row.get("secret")), language: row.get("language"), registeredAt: row.get("registered_at"))
    }
}
