import Domain
import FeatureKit
import Foundation

/// A personal API token: the session of a program, with a name and scopes.
struct APIToken: Codable, Sendable, Hashable {
    let id: UUID
    let name: String
    let scopes: [TokenScope]
    let createdAt: Date
    let expiresAt: Date
    /// The last use, accurate to an hour; `nil` before the first.
    let usedAt: Date?
}

struct ListTokens: Query {
    static let contract = Contract(
        "tokens.list", "/api/v1/auth/tokens", access: .account, store: .directory,
        summary: "The caller's API tokens, the newest first; their secrets are not stored.")
    typealias Result = Page<APIToken>

    init(_ fields: inout FieldReader) {}
}

struct CreateToken: Command {
    static let contract = Contract(
        "tokens.create", "/api/v1/auth/tokens", access: .account, store: .directory, isCreation: true,
        replay: .natural,
        summary: """
            Makes an API token for the active school out of a secret that the caller chose at random: `pt_` and 43 \
            characters of URL-safe Base64. Only its fingerprint is stored.
            """)
    typealias Result = APIToken

    static let lifetimes = [30, 90, 365]
    let name: String
    let secret: String
    let scopes: [TokenScope]
    let days: Int

    init(_ fields: inout FieldReader) {
        name = fields.text("name", max: 80)
        // The secret does nothing before the command has run, so a refused form may show it again.
        secret = fields.text("secret", max: 46)
        fields.refuse("secret", "auth.tokenSecret", unless: APISecret.isWellFormed(secret))
        days = fields.integer("days", in: 1...365, default: 90)
        // More than there are, so that a token may have all of them.
        let wanted = fields.texts("scopes", max: 200)
        scopes = wanted.compactMap(TokenScope.init(text:)).sorted()
        fields.refuse("scopes", "auth.tokenScopes", unless: !wanted.isEmpty && scopes.count == wanted.count)
    }
}

/// The format of a token's secret: a fixed prefix, by which scanners find leaked tokens, and 43 characters.
enum APISecret {
    static let prefix = "pt_"

    static func make(_ ids: any IDGenerator) -> String { prefix + ids.token() }

    static func isWellFormed(_ text: String) -> Bool {
        text.hasPrefix(prefix) && text.utf8.count == 46
            && text.utf8.allSatisfy {
                (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == 45 || $0 == 95
            }
    }
}

/// The handlers of API tokens.
struct TokenHandlers: Sendable {
    let hasher: any SecretHasher
    let allFeatures: AllFeatures
    /// The scopes that a token can have, sorted.
    var offered: [TokenScope] { allFeatures.features.tokenScopes.sorted() }

    var commands: [CommandRegistration] {
        [
            .handle(CreateToken.self) { command, context in
                let (account, membership) = (try context.account, try context.membership)
                guard command.scopes.allSatisfy(offered.contains) else {
                    throw Problem.invalid("scopes", "auth.tokenScopes")
                }
                let token = APIToken(
                    id: context.newId(), name: command.name, scopes: command.scopes, createdAt: context.now,
                    expiresAt: context.now.addingTimeInterval(Double(command.days) * 86_400), usedAt: nil)
                try TokenRepository.insert(
                    token, fingerprint: hasher.fingerprint(command.secret), accountId: account.id,
                    deviceId: context.newId(), organizationId: membership.organization.id,
                    // The token inherits the second factor of the session that creates it.
                    secondFactorAt: account.hasSecondFactor ? context.now : nil, in: context.sql)
                context.destination = "/settings/tokens"
                context.feedback = Feedback(.toast, context.words("auth.tokens.made", command.name))
                return token
            }
        ]
    }

    var queries: [QueryRegistration] {
        [.handle(ListTokens.self) { _, context in Page(items: try await list(context), next: nil) }]
    }

    func list(_ context: RequestContext) async throws -> [APIToken] {
        let (account, now) = (try context.account, context.now)
        return try await context.directory.read { try TokenRepository.tokens(of: account.id, at: now, in: $0) }
    }
}

/// The SQL of API tokens, which are sessions with a name and scopes.
enum TokenRepository {
    static func insert(
        _ token: APIToken, fingerprint: String, accountId: UUID, deviceId: UUID, organizationId: UUID,
        secondFactorAt: Date?, in sql: any SQLWriting
    ) throws {
        do {
            try sql.execute(
                """
                INSERT INTO sessions
                    (id, account_id, device_id, created_at, token_name, scopes, organization_id, second_factor_at)
                VALUES (\(token.id), \(accountId), \(deviceId), \(token.createdAt), \(token.name),
                    \(token.scopes.map(\.text).joined(separator: " ")), \(organizationId), \(secondFactorAt))
                """)
            try SessionRepository.insert(
                fingerprint: fingerprint, .access, sessionId: token.id, expiresAt: token.expiresAt, in: sql)
        } catch DatabaseFault.notUnique {
            // The form was sent twice, or the secret is in use.
            throw Problem(409, "auth.tokenExists")
        }
    }

    static func tokens(of accountId: UUID, at instant: Date, in sql: any SQLReading) throws -> [APIToken] {
        try sql.rows(
            """
            SELECT sessions.id, token_name, scopes, created_at, used_at, session_tokens.expires_at
            FROM sessions JOIN session_tokens ON session_tokens.session_id = sessions.id
            WHERE account_id = \(accountId) AND ended_at IS NULL AND token_name IS NOT NULL
                AND session_tokens.expires_at > \(instant)
            ORDER BY sessions.id DESC
            """
        ).map { row in
            try APIToken(
                id: row.get("id"), name: row.get("token_name"), scopes: TokenRights.scopes(row).sorted(),
                createdAt: row.get("created_at"), expiresAt: row.get("expires_at"), usedAt: row.optional("used_at"))
        }
    }
}

extension TokenRights {
    /// Returns `nil` for a full session. A narrowed device has no token name and may have more scopes open for a while.
    init?(_ row: SQLRow, at instant: Date) throws {
        guard let organizationId: UUID = try row.optional("organization_id") else { return nil }
        var scopes = try TokenRights.scopes(row)
        if let until: Date = try row.optional("opened_until"), until > instant,
            until <= Lifetime.latestEnd(AuthService.openLifetime, at: instant)
        {
            scopes.formUnion(try TokenRights.scopes(row, in: "opened_scopes"))
        }
        self.init(
            scopes: scopes, organizationId: organizationId,
            isDevice: try row.optional("token_name", as: String.self) == nil)
    }

    static func scopes(_ row: SQLRow, in column: String = "scopes") throws -> Set<TokenScope> {
        let text: String = try row.get(column)
        return Set(text.split(separator: " ").compactMap { TokenScope(text: String($0)) })
    }
}
