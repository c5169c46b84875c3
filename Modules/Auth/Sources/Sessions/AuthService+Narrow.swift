public import AuthInterface
import Domain
public import FeatureKit
public import Foundation

extension AuthService: NarrowSessions {
    /// The longest time, in seconds, for which more scopes can be open on a narrowed device.
    static let openLifetime: TimeInterval = 3600

    public func start(_ session: NarrowSession, in context: inout CommandContext) throws {
        // The account may have been deleted since the device was allowed.
        guard let account = try AccountRepository.accounts([session.accountId], in: context.sql)[session.accountId]
        else { throw Problem.notFound }
        let sessionId = context.newId()
        try SessionRepository.insert(
            sessionId, accountId: account.id, deviceId: session.deviceId, client: context.client, at: context.now,
            secondFactorAt: session.hasSecondFactor ? context.now : nil, in: context.sql)
        try NarrowRepository.narrow(
            sessionId, to: session.scopes, organizationId: session.organizationId, in: context.sql)
        let tokens = newTokens(deviceId: session.deviceId, at: context.now)
        let holder = SignedInAccount(
            id: account.id, sessionId: sessionId, deviceId: session.deviceId, email: account.email,
            name: account.name, hasSecondFactor: session.hasSecondFactor,
            token: TokenRights(scopes: session.scopes, organizationId: session.organizationId, isDevice: true))
        try store(tokens, of: holder, at: context.now, in: context.sql)
        context.session = .start(tokens)
    }

    public func narrow(to scopes: Set<TokenScope>, in context: CommandContext) throws {
        let account = try context.account
        guard account.token == nil else { throw Problem(409, "auth.alreadyNarrow") }
        try NarrowRepository.narrow(
            account.sessionId, to: scopes, organizationId: context.membership.organization.id, in: context.sql)
        evictAfterCommit(account.sessionId, context)
    }

    public func open(_ scopes: Set<TokenScope>, until instant: Date, in context: CommandContext) throws {
        let account = try context.account
        guard account.token?.isDevice == true else { return }
        let end = min(instant, context.now.addingTimeInterval(Self.openLifetime))
        try NarrowRepository.open(account.sessionId, scopes, until: end, in: context.sql)
        evictAfterCommit(account.sessionId, context)
    }

    public func close(in context: CommandContext) throws {
        let account = try context.account
        guard account.token?.isDevice == true else { return }
        try NarrowRepository.open(account.sessionId, [], until: nil, in: context.sql)
        evictAfterCommit(account.sessionId, context)
    }

    private func evictAfterCommit(_ sessionId: UUID, _ context: CommandContext) {
        context.sql.afterCommit { [self] in evict(sessionId: sessionId) }
    }
}

/// The SQL of narrowed sessions.
enum NarrowRepository {
    static func narrow(
        _ sessionId: UUID, to scopes: Set<TokenScope>, organizationId: UUID, in sql: any SQLWriting
    ) throws {
        try sql.execute(
            """
            UPDATE sessions SET scopes = \(text(scopes)), organization_id = \(organizationId),
                opened_scopes = NULL, opened_until = NULL
            WHERE id = \(sessionId)
            """)
    }

    static func open(
        _ sessionId: UUID, _ scopes: Set<TokenScope>, until instant: Date?, in sql: any SQLWriting
    ) throws {
        try sql.execute(
            """
            UPDATE sessions SET opened_scopes = \(text(scopes)), opened_until = \(instant) WHERE id = \(sessionId)
            """)
    }

    private static func text(_ scopes: Set<TokenScope>) -> String {
        scopes.sorted().map(\.text).joined(separator: " ")
    }
}
