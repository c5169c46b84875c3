import Domain
public import FeatureKit
import Foundation

extension AuthService {
    /// The outcome of a refresh.
    private enum Renewal: Sendable {
        case renewed(SessionTokens)
        /// The token is unknown or has expired.
        case over
        /// The token was replaced, and so was its successor.
        case superseded
        /// The token was used after the grace period and its successor too, so it has been copied.
        case stolen(sessionId: UUID)
    }

    /// Exchanges a refresh token for new tokens. Within `replacementGrace` a replaced token returns the same successor,
    /// unless that was exchanged too. Later it returns the same refresh token with a new access token, as long as no
    /// access token of the successor was used: the answer was lost. A session never has two refresh tokens that can be
    /// exchanged.
    ///
    /// Returns `nil` for an unknown, expired or copied token. Throws `Problem` 409 when the successor was exchanged
    /// too: the client already has newer tokens.
    public func refresh(refreshToken: String) async throws -> SessionTokens? {
        let fingerprint = hasher.fingerprint(refreshToken)
        let (now, salt) = (clock.now, ids.token())
        // conformance: allow write - a session renews itself between requests; no person asked for a command
        let renewal = try await directory.write { [self] sql -> Renewal in
            guard let token = try SessionRepository.refreshToken(fingerprint, in: sql), token.expiresAt > now,
                token.expiresAt <= Lifetime.latestEnd(2 * Self.refreshLifetime, at: now),
                let account = try SessionRepository.account(sessionId: token.sessionId, at: now, in: sql)
            else { return .over }
            if let replacedAt = token.replacedAt {
                // An instant ahead of now was stored before the clock was set back.
                guard abs(now.timeIntervalSince(replacedAt)) <= Self.replacementGrace else {
                    if let tokens = try unusedSuccessor(of: refreshToken, token, account, salt, at: now, in: sql) {
                        return .renewed(tokens)
                    }
                    try SessionRepository.end(token.sessionId, at: now, in: sql)
                    return .stolen(sessionId: token.sessionId)
                }
                return try successor(of: refreshToken, token, account, in: sql).map(Renewal.renewed) ?? .superseded
            }
            try SessionRepository.markReplaced(fingerprint, of: token.sessionId, salt: salt, at: now, in: sql)
            try SessionRepository.removeExpired(sessionId: token.sessionId, at: now, in: sql)
            try SessionRepository.touch(token.sessionId, at: now, in: sql)
            let tokens = SessionTokens(
                deviceId: account.deviceId, accessToken: derived(.access, from: refreshToken, salt),
                accessExpiresAt: now.addingTimeInterval(Self.accessLifetime),
                refreshToken: derived(.refresh, from: refreshToken, salt),
                refreshExpiresAt: now.addingTimeInterval(Self.refreshLifetime))
            try store(tokens, of: account, isRenewal: true, at: now, in: sql)
            return .renewed(tokens)
        }
        switch renewal {
        case .renewed(let tokens): return tokens
        case .over: return nil
        case .superseded: throw Problem(409, "auth.renewedFurther")
        case .stolen(let sessionId):
            evict(sessionId: sessionId)
            return nil
        }
    }

    /// The tokens that a replaced token was exchanged for; `nil` when those were exchanged too.
    private func successor(
        of refreshToken: String, _ token: SessionRepository.Token, _ account: SignedInAccount,
        in sql: any SQLReading
    ) throws -> SessionTokens? {
        guard let salt = token.successorSalt else { return nil }
        let (access, refresh) = (
            derived(.access, from: refreshToken, salt), derived(.refresh, from: refreshToken, salt)
        )
        guard
            let accessEnd = try SessionRepository.expiry(
                of: hasher.fingerprint(access), token.sessionId, in: sql),
            let refreshEnd = try SessionRepository.expiry(
                of: hasher.fingerprint(refresh), token.sessionId, in: sql)
        else { return nil }
        return SessionTokens(
            deviceId: account.deviceId, accessToken: access, accessExpiresAt: accessEnd, refreshToken: refresh,
            refreshExpiresAt: refreshEnd)
    }

    /// The refresh token that a replaced token was exchanged for, with a new access token, since the first one may have
    /// expired; `nil` when the successor was used or exchanged, or has expired.
    ///
    /// - Parameter salt: A new random text.
    private func unusedSuccessor(
        of refreshToken: String, _ token: SessionRepository.Token, _ account: SignedInAccount, _ salt: String,
        at now: Date, in sql: any SQLWriting
    ) throws -> SessionTokens? {
        guard !token.isSuccessorUsed, let successorSalt = token.successorSalt else { return nil }
        let refresh = derived(.refresh, from: refreshToken, successorSalt)
        guard
            let refreshEnd = try SessionRepository.expiry(
                of: hasher.fingerprint(refresh), token.sessionId, in: sql), refreshEnd > now
        else { return nil }
        try SessionRepository.touch(token.sessionId, at: now, in: sql)
        let tokens = SessionTokens(
            deviceId: account.deviceId, accessToken: derived(.access, from: refreshToken, salt),
            accessExpiresAt: now.addingTimeInterval(Self.accessLifetime), refreshToken: refresh,
            refreshExpiresAt: refreshEnd)
        try storeAccess(tokens, of: account, isRenewal: true, at: now, in: sql)
        return tokens
    }

    /// A token derived from its predecessor and a random salt. The directory stores the salt but not the predecessor,
    /// so that the same answer can be given twice and neither alone yields the token. The salt comes first because
    /// SHA-256 of the predecessor, which is stored, could otherwise be extended.
    private func derived(_ kind: SessionRepository.TokenKind, from token: String, _ salt: String) -> String {
        hasher.fingerprint("\(kind.rawValue) \(salt) \(token)")
    }
}
