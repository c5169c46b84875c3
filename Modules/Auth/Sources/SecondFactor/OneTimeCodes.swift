import Domain
import FeatureKit
import Foundation

/// One-time codes of an authenticator app (TOTP, RFC 6238): six digits, a new code every 30 seconds.
enum OneTimeCode {
    static let digits = 6
    static let period: TimeInterval = 30
    /// Steps before and after the current one whose code is accepted, for clocks that are slightly off.
    static let window: Int64 = 1
    /// Bytes of a secret: the length of an SHA-1 hash (RFC 4226 section 4, R6).
    static let secretLength = 20

    /// The number of the 30-second step at an instant (RFC 6238 section 4.2).
    static func step(at now: Date) -> Int64 { Int64((now.timeIntervalSince1970 / period).rounded(.down)) }

    /// The step of a code within the window; `nil` for a wrong code and for a step that is not after `lastStep`.
    static func matchingStep(
        _ code: String, secret: [UInt8], after lastStep: Int64, at now: Date, _ cryptography: any Cryptography
    ) -> Int64? {
        let present = step(at: now)
        return (present - window...present + window).first { step in
            step > lastStep && step >= 0
                && cryptography.oneTimePassword(secret, counter: UInt64(step), digits: digits) == code
        }
    }

    /// The `otpauth:` address that authenticator apps read from a QR code.
    static func address(_ secret: [UInt8], email: String, issuer: String) -> String {
        var parts = URLComponents()
        parts.scheme = "otpauth"
        parts.host = "totp"
        parts.path = "/\(issuer):\(email)"
        parts.queryItems = [
            URLQueryItem(name: "secret", value: Base32.encode(secret)), URLQueryItem(name: "issuer", value: issuer),
            URLQueryItem(name: "algorithm", value: "SHA1"), URLQueryItem(name: "digits", value: String(digits)),
            URLQueryItem(name: "period", value: String(Int(period))),
        ]
        return parts.string ?? ""
    }
}

/// Base 32 without padding (RFC 4648 section 6), which is easy to type.
enum Base32 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")

    static func encode(_ bytes: [UInt8]) -> String {
        var text = ""
        var (buffer, bits) = (0, 0)
        for byte in bytes {
            buffer = buffer << 8 | Int(byte)
            bits += 8
            while bits >= 5 {
                bits -= 5
                text.append(alphabet[buffer >> bits & 31])
            }
            buffer &= (1 << bits) - 1
        }
        if bits > 0 { text.append(alphabet[buffer << (5 - bits) & 31]) }
        return text
    }

    /// The text in groups of four characters.
    static func grouped(_ text: String, by separator: String) -> String {
        stride(from: 0, to: text.count, by: 4).map { String(text.dropFirst($0).prefix(4)) }
            .joined(separator: separator)
    }
}

/// Recovery codes for a lost phone: ten codes of 80 bits, each usable once.
enum RecoveryCodes {
    static let count = 10
    static let bytes = 10
    /// Seconds for which new codes can be viewed.
    static let showing: TimeInterval = 10 * 60

    static func make(_ ids: any IDGenerator) -> [String] {
        (0..<count).map { _ in Base32.grouped(Base32.encode(ids.randomBytes(bytes)), by: "-") }
    }

    /// The code in upper case without separators, as it is compared.
    static func canonical(_ typed: String) -> String {
        typed.uppercased().filter { $0.isLetter || $0.isNumber }
    }
}

/// The SQL of authenticator apps and recovery codes.
enum AuthenticatorRepository {
    struct Authenticator {
        let sealedSecret: String
        let madeAt: Date
        let confirmedAt: Date?
        let lastStep: Int64
    }

    static func authenticator(of accountId: UUID, in sql: any SQLReading) throws -> Authenticator? {
        try sql.row("SELECT * FROM authenticators WHERE account_id = \(accountId)").map { row in
            try Authenticator(
                sealedSecret: row.get("sealed_secret"), madeAt: row.get("made_at"),
                confirmedAt: row.optional("confirmed_at"), lastStep: row.get("last_step"))
        }
    }

    static func isOn(_ accountId: UUID, in sql: any SQLReading) throws -> Bool {
        try sql.exists(
            "SELECT 1 FROM authenticators WHERE account_id = \(accountId) AND confirmed_at IS NOT NULL")
    }

    /// Adds an unconfirmed authenticator in place of an earlier unconfirmed one. Throws `Problem` 409 when one is
    /// confirmed.
    static func insert(_ sealedSecret: String, of accountId: UUID, at now: Date, in sql: any SQLWriting) throws {
        try sql.execute(
            "DELETE FROM authenticators WHERE account_id = \(accountId) AND confirmed_at IS NULL")
        do {
            try sql.execute(
                """
                INSERT INTO authenticators (account_id, sealed_secret, made_at, last_step)
                VALUES (\(accountId), \(sealedSecret), \(now), \(Int64(-1)))
                """)
        } catch DatabaseFault.notUnique {
            throw Problem(409, "auth.authenticatorIsOn")
        }
    }

    static func confirm(_ accountId: UUID, at now: Date, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            UPDATE authenticators SET confirmed_at = \(now)
            WHERE account_id = \(accountId) AND confirmed_at IS NULL
            """)
    }

    static func remove(_ accountId: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM authenticators WHERE account_id = \(accountId)")
    }

    /// Marks a step as used; returns `false` when it or a later step was used before.
    static func use(step: Int64, of accountId: UUID, in sql: any SQLWriting) throws -> Bool {
        try sql.execute(
            """
            UPDATE authenticators SET last_step = \(step)
            WHERE account_id = \(accountId) AND last_step < \(step)
            """) > 0
    }

    // MARK: - Recovery codes

    static func replaceRecoveryCodes(
        _ fingerprints: [String], sealed: String, until: Date, of accountId: UUID, in sql: any SQLWriting
    ) throws {
        try removeRecoveryCodes(of: accountId, in: sql)
        for fingerprint in fingerprints {
            try sql.execute(
                "INSERT INTO recovery_codes (account_id, fingerprint) VALUES (\(accountId), \(fingerprint))")
        }
        try sql.execute(
            """
            INSERT INTO recovery_codes_shown (account_id, sealed_codes, until)
            VALUES (\(accountId), \(sealed), \(until))
            """)
    }

    static func removeRecoveryCodes(of accountId: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM recovery_codes WHERE account_id = \(accountId)")
        try hideRecoveryCodes(of: accountId, in: sql)
    }

    static func hideRecoveryCodes(of accountId: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM recovery_codes_shown WHERE account_id = \(accountId)")
    }

    /// The sealed codes while they can still be viewed.
    static func shownRecoveryCodes(of accountId: UUID, at now: Date, in sql: any SQLReading) throws -> String? {
        try sql.value(
            """
            SELECT sealed_codes FROM recovery_codes_shown WHERE account_id = \(accountId) AND until > \(now)
                AND until <= \(Lifetime.latestEnd(RecoveryCodes.showing, at: now))
            """)
    }

    static func hasRecoveryCode(_ fingerprint: String, of accountId: UUID, in sql: any SQLReading) throws -> Bool {
        try sql.exists(
            """
            SELECT 1 FROM recovery_codes
            WHERE account_id = \(accountId) AND fingerprint = \(fingerprint) AND used_at IS NULL
            """)
    }

    static func recoveryCodesLeft(of accountId: UUID, in sql: any SQLReading) throws -> Int {
        try sql.value(
            "SELECT COUNT(*) FROM recovery_codes WHERE account_id = \(accountId) AND used_at IS NULL") ?? 0
    }

    /// Marks a recovery code as used; returns `false` when it was used before.
    static func use(
        recoveryCode fingerprint: String, of accountId: UUID, at now: Date, in sql: any SQLWriting
    ) throws -> Bool {
        try sql.execute(
            """
            UPDATE recovery_codes SET used_at = \(now)
            WHERE account_id = \(accountId) AND fingerprint = \(fingerprint) AND used_at IS NULL
            """) > 0
    }
}
