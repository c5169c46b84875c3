public import AuthInterface
public import Domain
public import FeatureKit
public import Foundation
import Synchronization

/// Accounts and their sessions.
///
/// A session has short access tokens and one refresh token, which is replaced at each use. For a minute a replaced one
/// gives the same successor again, since a browser's tabs may renew at the same moment and an answer may be lost; used
/// later it has been copied, and the session ends.
public final class AuthService: Authenticator, AccountReading {
    static let accessLifetime: TimeInterval = 15 * 60
    static let refreshLifetime: TimeInterval = 30 * 86_400
    /// Seconds in which a replaced refresh token gives its successor again.
    static let replacementGrace: TimeInterval = 60
    /// How often it is written down that an API token was used.
    static let tokenUseInterval: TimeInterval = 3600
    /// How many live access tokens are remembered, to spare the database a look-up per request.
    static let cacheLimit = 20_000

    private struct Cached {
        let account: SignedInAccount
        let expiresAt: Date
        var rememberedUntil: Date

        init(account: SignedInAccount, expiresAt: Date) {
            self.account = account
            self.expiresAt = expiresAt
            rememberedUntil = expiresAt
        }

        /// Whether the directory need not be asked. A person's token that seems to live for longer than any was made
        /// before the clock was set back.
        func answers(at now: Date) -> Bool {
            rememberedUntil > now && (isProgram || expiresAt <= Lifetime.latestEnd(accessLifetime, at: now))
        }

        private var isProgram: Bool { account.token?.isDevice == false }
    }
    let directory: any Database
    let hasher: any SecretHasher
    let clock: any WallClock
    let ids: any IDGenerator
    /// Who runs the server, as the directory said last; pages are made with it, rights are not.
    let knownOperator = Mutex<UUID?>(nil)
    /// Counts the sessions that ended: what was looked up before one did is not remembered after it.
    private struct Cache {
        var entries: [String: Cached] = [:]
        /// Sessions that were open when they were looked up; event streams ask about theirs at every event.
        var open: Set<UUID> = []
        var endings = 0

        mutating func insert(_ new: [String: Cached], at now: Date) {
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
        let fingerprint = hasher.fingerprint(accessToken)
        let now = clock.now
        let (cached, endings) = cache.withLock { ($0.entries[fingerprint], $0.endings) }
        if let cached {
            if cached.answers(at: now) { return cached.account }
            if cached.expiresAt <= now { return nil }
        }
        let holder = try await directory.readInline {
            try SessionRepository.holder(of: fingerprint, at: now, in: $0)
        }
        guard let holder else { return nil }
        var found = Cached(account: holder.account, expiresAt: holder.expiresAt)
        found.rememberedUntil = holder.goodUntil
        if let token = found.account.token, !token.isDevice {
            let sessionId = found.account.sessionId
            // conformance: allow write - when a token was used last, which no command does
            try await directory.write { try SessionRepository.touch(sessionId, at: now, in: $0) }
            found.rememberedUntil = min(found.expiresAt, now.addingTimeInterval(Self.tokenUseInterval))
        }
        remember([fingerprint: found], at: now, ifNoneEndedSince: endings)
        return found.account
    }

    /// Looks up all at once who holds the tokens that are good now, so that after a start nobody waits for a
    /// look-up of their own; and who runs the server.
    public func rememberSessions() async throws {
        try await rememberOperator()
        let (now, endings) = (clock.now, cache.withLock(\.endings))
        let holders = try await directory.read {
            try SessionRepository.people(at: now, limit: Self.cacheLimit, in: $0)
        }
        let found = holders.map { ($0.fingerprint, Cached(account: $0.account, expiresAt: $0.expiresAt)) }
        remember(Dictionary(found) { $1 }, at: now, ifNoneEndedSince: endings)
    }

    /// Forgets who holds which token: another process may have ended sessions.
    public func forgetSessions() { forget { _ in true } }

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

    /// Whether anybody has an account on this server yet.
    public func hasAccounts() async throws -> Bool {
        try await directory.read { try !AccountRepository.isEmpty(in: $0) }
    }

    // MARK: - For the block's commands

    /// Starts a session within a command's transaction, in the place of the one that the caller's device had.
    func start(
        for account: Account, deviceId: UUID, hasSecondFactor: Bool = false, through identity: UUID? = nil,
        in context: CommandContext
    ) throws -> SessionTokens {
        // A device in a child's hands is one session as well: whoever signs in on it takes its place.
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

    /// Ends a session within a command's transaction; its tokens are good for nothing afterwards.
    func end(_ sessionId: UUID, in context: CommandContext) throws {
        try SessionRepository.end(sessionId, at: context.now, in: context.sql)
        context.sql.afterCommit { [self] in forget(sessionId: sessionId) }
    }

    /// Ends one of the account's own sessions within a command's transaction.
    func end(_ sessionId: UUID, of accountId: UUID, in context: CommandContext) throws {
        guard try SessionRepository.end(sessionId, of: accountId, at: context.now, in: context.sql) else {
            throw Problem.notFound
        }
        context.sql.afterCommit { [self] in forget(sessionId: sessionId) }
    }

    /// Ends all sessions of an account but one, within a command's transaction.
    func endAll(of accountId: UUID, but kept: UUID?, in context: CommandContext) throws {
        try SessionRepository.endAll(of: accountId, but: kept, at: context.now, in: context.sql)
        context.sql.afterCommit { [self] in
            forget { $0.id == accountId && $0.sessionId != kept }
        }
    }

    /// Notes that this session has shown a second factor.
    func markSecondFactor(of sessionId: UUID, in context: CommandContext) throws {
        try SessionRepository.markSecondFactor(sessionId, at: context.now, in: context.sql)
        context.sql.afterCommit { [self] in forget(sessionId: sessionId) }
    }

    /// Notes that no session of the account has a second factor any more, unless it has others.
    func forgetSecondFactor(of accountId: UUID, in context: CommandContext) throws {
        guard try !SecondFactorState.has(accountId, in: context.sql) else { return }
        try SessionRepository.forgetSecondFactor(of: accountId, in: context.sql)
        context.sql.afterCommit { [self] in forget { $0.id == accountId } }
    }

    func newTokens(deviceId: UUID, at now: Date) -> SessionTokens {
        SessionTokens(
            deviceId: deviceId, accessToken: ids.token(),
            accessExpiresAt: now.addingTimeInterval(Self.accessLifetime), refreshToken: ids.token(),
            refreshExpiresAt: now.addingTimeInterval(Self.refreshLifetime))
    }

    /// Stores the fingerprints and remembers the holder, whose first request follows at once.
    func store(
        _ tokens: SessionTokens, of holder: SignedInAccount, at now: Date, in sql: any SQLWriting
    ) throws {
        let access = hasher.fingerprint(tokens.accessToken)
        try SessionRepository.insert(
            fingerprint: access, .access, sessionId: holder.sessionId, expiresAt: tokens.accessExpiresAt, in: sql)
        try SessionRepository.insert(
            fingerprint: hasher.fingerprint(tokens.refreshToken), .refresh, sessionId: holder.sessionId,
            expiresAt: tokens.refreshExpiresAt, in: sql)
        // What is open on a narrowed device ends by the clock: its first request looks it up.
        guard holder.token == nil else { return }
        // In the order of commits, so that a session that a later one ends is forgotten after this.
        sql.afterCommit { [self] in
            cache.withLock { cache in
                cache.insert([access: Cached(account: holder, expiresAt: tokens.accessExpiresAt)], at: now)
            }
        }
    }

    private func remember(_ found: [String: Cached], at now: Date, ifNoneEndedSince endings: Int) {
        cache.withLock { cache in
            if cache.endings == endings { cache.insert(found, at: now) }
        }
    }

    /// Forgets what is remembered of an account's sessions: its name or its address has changed.
    func forget(accountId: UUID) { forget { $0.id == accountId } }

    func forget(sessionId: UUID) { forget { $0.sessionId == sessionId } }

    private func forget(_ isOver: (SignedInAccount) -> Bool) {
        cache.withLock { cache in
            cache.endings += 1
            cache.open.removeAll()
            cache.entries = cache.entries.filter { !isOver($0.value.account) }
        }
    }
}
