import Domain
import FeatureKit
import Foundation
import ResidenceModel

/// The SQL of gates.
enum GateRepository {
    /// The gates of a residence, those that a warden ended last.
    static func gates(of residenceId: UUID, in sql: any SQLReading) throws -> [Gate] {
        try gates("residence_id = \(residenceId)", in: sql)
    }

    static func gate(_ id: UUID, of residenceId: UUID, in sql: any SQLReading) throws -> Gate? {
        try gates("id = \(id) AND residence_id = \(residenceId)", in: sql).first
    }

    /// The gate that a device is.
    static func gate(onDevice deviceId: UUID, in sql: any SQLReading) throws -> Gate? {
        try gates("device_id = \(deviceId)", in: sql).first
    }

    /// The device of a gate.
    static func deviceId(of id: UUID, in sql: any SQLReading) throws -> UUID? {
        try sql.value("SELECT device_id FROM residence_gates WHERE id = \(id)")
    }

    private static func gates(_ condition: SQL, in sql: any SQLReading) throws -> [Gate] {
        try sql.rows(
            "SELECT * FROM residence_gates WHERE \(condition) ORDER BY ended_at IS NOT NULL, allowed_at, id"
        )
        .map { row in
            try Gate(
                id: row.get("id"), pgId: row.get("residence_id"), name: row.get("name"),
                allowedAt: row.get("allowed_at"), endedAt: row.optional("ended_at"))
        }
    }

    static func insert(_ gate: Gate, deviceId: UUID, allowedBy person: UUID, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO residence_gates (id, residence_id, name, device_id, allowed_by, allowed_at)
            VALUES (\(gate.id), \(gate.pgId), \(gate.name), \(deviceId), \(person), \(gate.allowedAt))
            """)
    }

    static func end(_ id: UUID, at now: Date, in sql: any SQLWriting) throws {
        try sql.execute("UPDATE residence_gates SET ended_at = \(now) WHERE id = \(id) AND ended_at IS NULL")
    }
}

/// The gate that a session belongs to.
enum GateAccess {
    /// The area of rights of a gate's session.
    static let area = "gate"
    static let scopes: Set<TokenScope> = [TokenScope(area: area, mayChange: true)]

    /// The gate of the caller's device, and its residence.
    ///
    /// - Throws: 404 if the device is no gate, if a warden ended it, or if the warden who signed it in no longer runs the
    ///   residence.
    static func gate(
        of caller: Caller, _ membership: ActiveMembership, in sql: any SQLReading
    ) throws -> (gate: Gate, residence: Residence) {
        guard let account = caller.account, account.token?.isDevice == true,
            let gate = try GateRepository.gate(onDevice: account.deviceId, in: sql), gate.endedAt == nil
        else { throw Problem(404, "residence.noGate") }
        return (gate, try ResidenceAccess.residence(gate.pgId, runBy: membership, in: sql))
    }
}

/// A device that may become a gate within ten minutes.
struct GatePairing: Sendable, Hashable {
    static let lifetime: TimeInterval = 10 * 60
    /// The letters of a pairing code: 40 random bits.
    static let length = 8

    let accountId: UUID
    let organizationId: UUID
    let deviceId: UUID
    let hasSecondFactor: Bool
    let expiresAt: Date
}

/// The SQL of pairings, in the directory. Only the fingerprint of a code is stored.
enum GatePairingRepository {
    static func save(_ pairing: GatePairing, _ fingerprint: String, in sql: any SQLWriting) throws {
        // Safe to repeat: the code of a request that is sent again belongs to the same device.
        try sql.execute(
            """
            INSERT INTO residence_gate_pairings
                (fingerprint, account_id, organization_id, device_id, has_second_factor, expires_at)
            VALUES (\(fingerprint), \(pairing.accountId), \(pairing.organizationId), \(pairing.deviceId),
                \(pairing.hasSecondFactor), \(pairing.expiresAt))
            ON CONFLICT (fingerprint) DO NOTHING
            """)
    }

    /// Returns the pairing of a valid code; `nil` otherwise.
    ///
    /// One that expires later than possible was made before the clock was set back; it is not valid.
    static func pairing(_ fingerprint: String, at now: Date, in sql: any SQLReading) throws -> GatePairing? {
        try sql.row(
            """
            SELECT * FROM residence_gate_pairings WHERE fingerprint = \(fingerprint) AND expires_at > \(now)
                AND expires_at <= \(now.addingTimeInterval(GatePairing.lifetime + 60))
            """
        ).map { row in
            try GatePairing(
                accountId: row.get("account_id"), organizationId: row.get("organization_id"),
                deviceId: row.get("device_id"), hasSecondFactor: row.get("has_second_factor"),
                expiresAt: row.get("expires_at"))
        }
    }

    static func delete(_ fingerprint: String, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM residence_gate_pairings WHERE fingerprint = \(fingerprint)")
    }
}
