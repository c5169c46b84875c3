public import AuthInterface
import Domain
public import FeatureKit
public import Foundation

/// Stores and checks gate codes: four digits per account and device, which lock after wrong attempts.
public struct GateCodeService: GateCodes {
    let directory: any Database
    let hasher: any SecretHasher
    let lockOuts: LockOuts

    public init(directory: any Database, hasher: any SecretHasher) {
        self.directory = directory
        self.hasher = hasher
        lockOuts = LockOuts(directory: directory)
    }

    public func isSet(for account: SignedInAccount) async throws -> Bool {
        try await directory.read { try GateCodeRepository.hash(of: account, in: $0) != nil }
    }

    public func lockedUntil(for account: SignedInAccount, at now: Date) async throws -> Date? {
        try await lockOuts.lockedUntil(key(account), at: now)
    }

    public func check(_ code: String, for account: SignedInAccount, at now: Date) async throws {
        try await check(code, field: "code", for: account, at: now)
    }

    public func set(_ code: String, for account: SignedInAccount, at now: Date) async throws {
        let hash = try await firstHash(of: code, for: account)
        // conformance: allow write - the directory's half of another block's command
        try await directory.write { try GateCodeRepository.insert(hash, of: account, at: now, in: $0) }
    }

    public func change(_ current: String, to code: String, for account: SignedInAccount, at now: Date) async throws
    {
        let hash = try await nextHash(of: code, current: current, for: account, at: now)
        // conformance: allow write - the directory's half of another block's command
        try await directory.write { try GateCodeRepository.replace(hash, of: account, at: now, in: $0) }
    }

    // MARK: - Within the block

    /// Hashes a device's first code. Throws `Problem` 422 for a malformed code, 409 when one is set.
    func firstHash(of code: String, for account: SignedInAccount) async throws -> String {
        try GateCode.refuseMalformed(code)
        guard try await !isSet(for: account) else { throw Problem(409, "auth.gateCodeSet") }
        return try await hasher.hash(password: code)
    }

    /// Hashes a new code after checking the current one.
    func nextHash(
        of code: String, current: String, for account: SignedInAccount, at now: Date
    ) async throws -> String {
        try GateCode.refuseMalformed(code)
        try await check(current, field: "currentCode", for: account, at: now)
        return try await hasher.hash(password: code)
    }

    private func check(_ code: String, field: String, for account: SignedInAccount, at now: Date) async throws {
        let hash = try await directory.read { try GateCodeRepository.hash(of: account, in: $0) }
        guard let hash else { throw Problem(409, "auth.gateCodeUnset") }
        try await lockOuts.attempt(key(account), at: now) {
            guard try await hasher.verify(password: code, against: hash) else {
                throw Problem.invalid(field, "auth.wrongGateCode")
            }
        }
    }

    private func key(_ account: SignedInAccount) -> String { "gate \(account.id.text) \(account.deviceId.text)" }
}

/// The format of a gate code.
enum GateCode {
    static let length = 4

    static func isWellFormed(_ code: String) -> Bool {
        code.utf8.count == length && code.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    static func refuseMalformed(_ code: String) throws {
        guard isWellFormed(code) else { throw Problem.invalid("code", "auth.gateCodeDigits") }
    }
}

/// The SQL of gate codes.
enum GateCodeRepository {
    static func hash(of account: SignedInAccount, in sql: any SQLReading) throws -> String? {
        try sql.value(
            """
            SELECT code_hash FROM gate_codes
            WHERE account_id = \(account.id) AND device_id = \(account.deviceId)
            """)
    }

    static func insert(
        _ hash: String, of account: SignedInAccount, at instant: Date, in sql: any SQLWriting
    ) throws {
        do {
            try sql.execute(
                """
                INSERT INTO gate_codes (account_id, device_id, code_hash, set_at)
                VALUES (\(account.id), \(account.deviceId), \(hash), \(instant))
                """)
        } catch DatabaseFault.notUnique {
            throw Problem(409, "auth.gateCodeSet")
        }
    }

    static func replace(
        _ hash: String, of account: SignedInAccount, at instant: Date, in sql: any SQLWriting
    ) throws {
        try sql.execute(
            """
            UPDATE gate_codes SET code_hash = \(hash), set_at = \(instant)
            WHERE account_id = \(account.id) AND device_id = \(account.deviceId)
            """)
    }

    static func remove(of account: SignedInAccount, in sql: any SQLWriting) throws {
        try sql.execute(
            "DELETE FROM gate_codes WHERE account_id = \(account.id) AND device_id = \(account.deviceId)")
    }
}
