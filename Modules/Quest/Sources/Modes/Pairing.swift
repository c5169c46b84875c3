import AuthInterface
import Domain
import FeatureKit
import Foundation

/// Allows a device to pair.
struct AllowDevice: Command {
    static let contract = Contract(
        "routines.pair", "/api/v1/quest/pairings", access: .member(.manageQuests), store: .directory,
        replay: .natural,
        summary: """
            Allows one more device to pair within ten minutes, with a random code that the caller chose: 8 letters and \
            digits. Only its fingerprint is stored.
            """)
    typealias Result = Done

    /// The pairing code. The page shows it before it is valid.
    let pairingCode: String
    /// The four digits that will open the parent mode of the new device.
    let code: String

    init(_ fields: inout FieldReader) {
        pairingCode = PairingCode.normalized(fields.text("pairingCode", max: 20))
        code = fields.newGateCode()
        fields.refuse("pairingCode", "quest.pairingCode", unless: PairingCode.isOne(pairingCode))
    }
}

/// Pairs a device.
struct PairDevice: Command {
    static let contract = Contract(
        "quest.pair", "/api/v1/quest/pair", access: .anyone, store: .directory, replay: .natural,
        summary: "Makes the calling device a child's device, with a pairing code that an adult of the family shows."
    )
    typealias Result = Done

    let code: String

    init(_ fields: inout FieldReader) { code = fields.text("pairingCode", max: 200) }
}

/// Hands this device over to a child.
struct HandOver: Command {
    static let contract = Contract(
        "routines.handOver", "/api/v1/quest/hand-over", access: .member(.manageQuests), store: .directory,
        replay: .natural, summary: "Limits the session of this device to playing, before a child uses it.")
    typealias Result = Done

    init(_ fields: inout FieldReader) {}
}

/// The format of pairing codes: 40 random bits in two groups.
enum PairingCode {
    static let length = 8

    static func make(_ ids: any IDGenerator) -> String { ShortCode.make(length: length, ids) }

    static func isOne(_ text: String) -> Bool { ShortCode.isOne(text, length: length) }

    static func normalized(_ text: String) -> String { ShortCode.normalized(text) }
}

/// A pending pairing of a family with a new device.
struct Pairing: Sendable, Hashable {
    static let lifetime: TimeInterval = 10 * 60

    let accountId: UUID
    let organizationId: UUID
    let deviceId: UUID
    let hasSecondFactor: Bool
    let expiresAt: Date
}

/// Reads and writes pairings. Only the fingerprint of a code is stored.
enum PairingRepository {
    /// Stores a pairing and removes the account's earlier one.
    static func save(_ pairing: Pairing, _ fingerprint: String, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM quest_pairings WHERE account_id = \(pairing.accountId)")
        do {
            try sql.execute(
                """
                INSERT INTO quest_pairings
                    (fingerprint, account_id, organization_id, device_id, has_second_factor, expires_at)
                VALUES (\(fingerprint), \(pairing.accountId), \(pairing.organizationId), \(pairing.deviceId),
                    \(pairing.hasSecondFactor), \(pairing.expiresAt))
                """)
        } catch DatabaseFault.notUnique {
            throw Problem.invalid("pairingCode", "quest.pairingCode")
        }
    }

    /// Returns the pairing of a valid code; `nil` otherwise.
    ///
    /// One that expires later than possible was made before the clock was set back by more than a minute; it is not
    /// valid.
    static func pairing(_ fingerprint: String, at now: Date, in sql: any SQLReading) throws -> Pairing? {
        try sql.row(
            """
            SELECT account_id, organization_id, device_id, has_second_factor, expires_at FROM quest_pairings
            WHERE fingerprint = \(fingerprint) AND expires_at > \(now)
                AND expires_at <= \(now.addingTimeInterval(Pairing.lifetime + 60))
            """
        ).map { row in
            try Pairing(
                accountId: row.get("account_id"), organizationId: row.get("organization_id"),
                deviceId: row.get("device_id"), hasSecondFactor: row.get("has_second_factor"),
                expiresAt: row.get("expires_at"))
        }
    }

    static func delete(_ fingerprint: String, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM quest_pairings WHERE fingerprint = \(fingerprint)")
    }
}

/// The commands that make a device a child's device.
struct PairingHandlers: Sendable {
    let codes: any GateCodes
    let sessions: any NarrowSessions
    let hasher: any SecretHasher
    /// Ten tries in five minutes from one address.
    let tries = RateLimiter(limit: 10, period: 5 * 60)

    var commands: [CommandRegistration] {
        [
            .handle(
                AllowDevice.self,
                prepare: { command, context in
                    let account = try context.account
                    let pairing = try Pairing(
                        accountId: account.id, organizationId: context.membership.organization.id,
                        deviceId: context.ids.id(at: context.now), hasSecondFactor: account.hasSecondFactor,
                        expiresAt: context.now.addingTimeInterval(Pairing.lifetime))
                    // The new device's code is stored first, so that the device starts in player mode from its first
                    // moment.
                    try await codes.set(command.code, for: account.on(pairing.deviceId), at: context.now)
                    return pairing
                },
                run: { command, pairing, context in
                    try PairingRepository.save(pairing, hasher.fingerprint(command.pairingCode), in: context.sql)
                    context.destination = DevicesScreens.path(command.pairingCode)
                    return Done()
                }),
            .handle(
                PairDevice.self,
                prepare: { _, context in try tries.take([context.remoteAddress], at: context.now) },
                run: { command, _, context in
                    let fingerprint = hasher.fingerprint(PairingCode.normalized(command.code))
                    guard let pairing = try PairingRepository.pairing(fingerprint, at: context.now, in: context.sql)
                    else { throw Problem.invalid("pairingCode", "quest.pairingUnknown") }
                    try PairingRepository.delete(fingerprint, in: context.sql)
                    try sessions.start(
                        NarrowSession(
                            accountId: pairing.accountId, deviceId: pairing.deviceId,
                            organizationId: pairing.organizationId, scopes: RoleState.playing,
                            hasSecondFactor: pairing.hasSecondFactor), in: &context)
                    context.destination = PlayScreen.path
                    return Done()
                },
                finish: { _, _, context in tries.giveBack([context.remoteAddress]) }),
            .handle(
                HandOver.self,
                prepare: { _, context in
                    guard try await codes.isSet(for: context.account) else { throw Problem(409, "quest.codeFirst") }
                },
                run: { _, _, context in
                    try sessions.narrow(to: RoleState.playing, in: context)
                    context.destination = PlayScreen.path
                    return Done()
                }),
        ]
    }
}

extension SignedInAccount {
    /// The same account on a device without a session.
    fileprivate func on(_ deviceId: UUID) -> SignedInAccount {
        SignedInAccount(id: id, sessionId: sessionId, deviceId: deviceId, email: email, name: name)
    }
}
