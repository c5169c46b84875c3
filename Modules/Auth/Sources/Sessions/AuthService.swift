public import AuthInterface
public import Domain
public import FeatureKit
public import Foundation
import Synchronization

/// Reads accounts and manages their sessions.
///
/// A session has short-lived access tokens and one refresh token, which is replaced at each use. A replaced token
/// returns the same successor for a minute, since several tabs may refresh at once, and until an access token of the
/// successor is first used, since the answer may have been lost. Used later, it has been copied and the session ends.
public final class AuthService: Authenticator, AccountReading {
    static let accessLifetime: TimeInterval = 15 * 60
    static let refreshLifetime: TimeInterval = 30 * 86_400
    /// Seconds for which a replaced refresh token returns its successor.
    static let replacementGrace: TimeInterval = 60
    /// The shortest time, in seconds, between two notes of an API token's last use.
    static let tokenUseInterval: TimeInterval = 3600
    /// The most access tokens that are cached; the cache saves a database read per request.
    static let cacheLimit = 20_000

    private struct Entry {
        let account: SignedInAccount
        let expiresAt: Date
        var cachedUntil: Date
        /// Whether the first use of the token is to be recorded.
        var awaitsUse: Bool

        init(account: SignedInAccount, expiresAt: Date, awaitsUse: Bool) {
            self.account = account
            self.expiresAt = expiresAt
            self.awaitsUse = awaitsUse
            cachedUntil = expiresAt
        }

        /// Whether the entry can be used without reading the directory. A person's token that seems to outlive its
        /// lifetime was made before the clock was set back.
        func isUsable(at now: Date) -> Bool {
            cachedUntil > now && (isProgram || expiresAt <= Lifetime.latestEnd(accessLifetime, at: now))
        }

        private var isProgram: Bool { account.token?.isDevice == false }
    }
    let directory: any Database
    let hasher: any SecretHasher
    let clock: any WallClock
    let ids: any IDGenerator
    /// The server's operator when last read. Used for navigation only, never for rights.
    let knownOperator = Mutex<UUID?>(nil)
    /// The cached tokens and sessions. `endings` counts ended sessions: a result read before one ended is not cached
    /// after it.
    private struct Cache {
        var entries: [String: Entry] = [:]
        /// Sessions that were open when last read; event streams check theirs at every event.
        var open: Set<UUID> = []
        var endings = 0

        mutating func insert(_ new: [String: Entry], at now: Date) {
            if entries.count + new.count > AuthService.cacheLimit {
                entries = entries.filter { $0.value.expiresAt > now }
                if entries.count + new.count > AuthService.cacheLimit { entries.removeAll() }
            }
            entries.merge(new) { $1 }
        }
    }
    private let cache = Mutex(Cache())

    public init(
        directory: any Database, hasher: any SecretHasher, clock: any WallClock, ids: any IDGenerator
    ) {
        self.directory = directory
        self.hasher = hasher
        self.clock = clock
        self.ids = ids
    }

    // MARK: - Authenticator

    public func account(accessToken: String) async throws -> SignedInAccount? {
        try await account(accessToken, isUse: true)
    }

    public func account(renewed tokens: SessionTokens) async throws -> SignedInAccount? {
        try await account(tokens.accessToken, isUse: false)
    }

    private func account(_ accessToken: String, isUse: Bool) async throws -> SignedInAccount? {
        let fingerprint = hasher.fingerprint(accessToken)
        let now = clock.now
        let (cached, endings) = cache.withLock { ($0.entries[fingerprint], $0.endings) }
        if let cached {
            if cached.isUsable(at: now) {
                if isUse, cached.awaitsUse {
                    try await recordUse(of: cached.account.sessionId, at: now)
                    cache.withLock { $0.entries[fingerprint]?.awaitsUse = false }
                }
                return cached.account
            }
            if cached.expiresAt <= now { return nil }
        }
        let holder = try await directory.readInline {
            try SessionRepository.holder(of: fingerprint, at: now, in: $0)
        }
        guard let holder else { return nil }
        var found = Entry(account: holder.account, expiresAt: holder.expiresAt, awaitsUse: holder.awaitsUse)
        found.cachedUntil = holder.goodUntil
        if isUse, found.awaitsUse {
            try await recordUse(of: found.account.sessionId, at: now)
            found.awaitsUse = false
        }
        if let token = found.account.token, !token.isDevice {
            let sessionId = found.account.sessionId
            // conformance: allow write - when a token was used last, which no command does
            try await directory.write { try SessionRepository.touch(sessionId, at: now, in: $0) }
            found.cachedUntil = min(found.expiresAt, now.addingTimeInterval(Self.tokenUseInterval))
        }
        insert([fingerprint: found], at: now, ifNoneEndedSince: endings)
        return found.account
    }

    /// Records that the client has the tokens of the session's last renewal, so that the replaced one is no longer good.
    private func recordUse(of sessionId: UUID, at now: Date) async throws {
        // conformance: allow write - when new tokens were used first, which no command does
        try await directory.write { try SessionRepository.markSuccessorUsed(of: sessionId, at: now, in: $0) }
    }

    /// Reads the accounts of the server's operator and of all valid access tokens into the session cache. After a
    /// start, the first requests then need no database read each.
    public func fillSessionCache() async throws {
        try await cacheOperator()
        let (now, endings) = (clock.now, cache.withLock(\.endings))
        let holders = try await directory.read {
            try SessionRepository.people(at: now, limit: Self.cacheLimit, in: $0)
        }
        let found = holders.map {
            ($0.fingerprint, Entry(account: $0.account, expiresAt: $0.expiresAt, awaitsUse: $0.awaitsUse))
        }
        insert(Dictionary(found) { $1 }, at: now, ifNoneEndedSince: endings)
    }

    /// Empties the cache of sign-in sessions, because another process may have ended some of them.
    public func clearSessionCache() { evict { _ in true } }

    public func isValid(sessionId: UUID) async throws -> Bool {
        let (isKnown, endings) = cache.withLock { ($0.open.contains(sessionId), $0.endings) }
        if isKnown { return true }
        guard try await directory.readInline({ try SessionRepository.isOpen(sessionId, in: $0) }) else {
            return false
        }
        cache.withLock { cache in
            guard cache.endings == endings else { return }
            if cache.open.count >= Self.cacheLimit { cache.open.removeAll() }
            cache.open.insert(sessionId)
        }
        return true
    }

    public func accounts(ofSessions ids: [UUID]) async throws -> [UUID: SignedInAccount] {
        let now = clock.now
        return try await directory.read { try SessionRepository.accounts(ofSessions: ids, at: now, in: $0) }
    }

    // MARK: - AccountReading

    public func accounts(_ ids: [UUID]) async throws -> [UUID: Account] {
        try await directory.read { try AccountRepository.accounts(ids, in: $0) }
    }

    public func account(email: String) async throws -> Account? {
        try await directory.read { try AccountRepository.credential(email: email.lowercased(), in: $0)?.account }
    }

    /// Whether this server has any accounts.
    public func hasAccounts() async throws -> Bool {
        try await directory.read { try !AccountRepository.isEmpty(in: $0) }
    }

    // MARK: - Sessions within commands

    /// Starts a session within a command's transaction and ends the one that the caller's device had.
    func start(
        for account: Account, deviceId: UUID, hasSecondFactor: Bool = false, through identity: UUID? = nil,
        in context: CommandContext
    ) throws -> SessionTokens {
        // A narrowed device holds a session too; signing in on it replaces that one.
        if let former = context.caller.account, former.token?.isDevice != false {
            try end(former.sessionId, in: context)
        }
        let sessionId = context.newId()
        try SessionRepository.insert(
            sessionId, accountId: account.id, deviceId: deviceId, client: context.client, at: context.now,
            secondFactorAt: hasSecondFactor ? context.now : nil, through: identity, in: context.sql)
        let tokens = newTokens(deviceId: deviceId, at: context.now)
        let holder = SignedInAccount(
            id: account.id, sessionId: sessionId, deviceId: deviceId, email: account.email, name: account.name,
            hasSecondFactor: hasSecondFactor)
        try store(tokens, of: holder, at: context.now, in: context.sql)
        return tokens
    }

    /// Ends a session and invalidates its tokens within a command's transaction.
    func end(_ sessionId: UUID, in context: CommandContext) throws {
        try SessionRepository.end(sessionId, at: context.now, in: context.sql)
        context.sql.afterCommit { [self] in evict(sessionId: sessionId) }
    }

    /// Ends one of the account's sessions within a command's transaction. Throws `Problem.notFound` for any other
    /// session.
    func end(_ sessionId: UUID, of accountId: UUID, in context: CommandContext) throws {
        guard try SessionRepository.end(sessionId, of: accountId, at: context.now, in: context.sql) else {
            throw Problem.notFound
        }
        context.sql.afterCommit { [self] in evict(sessionId: sessionId) }
    }

    /// Ends all sessions of an account except one, within a command's transaction.
    func endAll(of accountId: UUID, except sessionId: UUID?, in context: CommandContext) throws {
        try SessionRepository.endAll(of: accountId, except: sessionId, at: context.now, in: context.sql)
        context.sql.afterCommit { [self] in
            evict { $0.id == accountId && $0.sessionId != sessionId }
        }
    }

    /// Records that this session has passed a second factor.
    func markSecondFactor(of sessionId: UUID, in context: CommandContext) throws {
        try SessionRepository.markSecondFactor(sessionId, at: context.now, in: context.sql)
        context.sql.afterCommit { [self] in evict(sessionId: sessionId) }
    }

    /// Clears the second factor of the account's sessions when the account has none left.
    func clearSecondFactor(of accountId: UUID, in context: CommandContext) throws {
        guard try !SecondFactorState.has(accountId, in: context.sql) else { return }
        try SessionRepository.clearSecondFactor(of: accountId, in: context.sql)
        context.sql.afterCommit { [self] in evict { $0.id == accountId } }
    }

    func newTokens(deviceId: UUID, at now: Date) -> SessionTokens {
        SessionTokens(
            deviceId: deviceId, accessToken: ids.token(),
            accessExpiresAt: now.addingTimeInterval(Self.accessLifetime), refreshToken: ids.token(),
            refreshExpiresAt: now.addingTimeInterval(Self.refreshLifetime))
    }

    /// Stores the tokens' fingerprints and, for a full session, caches the holder after the commit.
    ///
    /// - Parameter isRenewal: Whether the tokens follow others, which are good until these are first used.
    func store(
        _ tokens: SessionTokens, of holder: SignedInAccount, isRenewal: Bool = false, at now: Date,
        in sql: any SQLWriting
    ) throws {
        try SessionRepository.insert(
            fingerprint: hasher.fingerprint(tokens.refreshToken), .refresh, sessionId: holder.sessionId,
            expiresAt: tokens.refreshExpiresAt, in: sql)
        try storeAccess(tokens, of: holder, isRenewal: isRenewal, at: now, in: sql)
    }

    /// Stores the fingerprint of the access token alone and, for a full session, caches the holder after the commit.
    func storeAccess(
        _ tokens: SessionTokens, of holder: SignedInAccount, isRenewal: Bool, at now: Date, in sql: any SQLWriting
    ) throws {
        let access = hasher.fingerprint(tokens.accessToken)
        try SessionRepository.insert(
            fingerprint: access, .access, sessionId: holder.sessionId, expiresAt: tokens.accessExpiresAt, in: sql)
        // Opened scopes end by the clock, so a narrowed device is read at its first request.
        guard holder.token == nil else { return }
        // Runs in commit order, so that a later transaction that ends the session evicts this entry.
        sql.afterCommit { [self] in
            cache.withLock { cache in
                cache.insert(
                    [access: Entry(account: holder, expiresAt: tokens.accessExpiresAt, awaitsUse: isRenewal)],
                    at: now)
            }
        }
    }

    private func insert(_ found: [String: Entry], at now: Date, ifNoneEndedSince endings: Int) {
        cache.withLock { cache in
            if cache.endings == endings { cache.insert(found, at: now) }
        }
    }

    /// Removes an account's sessions from the cache, because its name or address has changed.
    func evict(accountId: UUID) { evict { $0.id == accountId } }

    func evict(sessionId: UUID) { evict { $0.sessionId == sessionId } }

    private func evict(_ isOver: (SignedInAccount) -> Bool) {
        cache.withLock { cache in
            cache.endings += 1
            cache.open.removeAll()
            cache.entries = cache.entries.filter { !isOver($0.value.account) }
        }
    }
}
