import AuthInterface
import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Auth

/// Expiry by a stored instant when the clock is set back. Lock-outs have their own tests.
@Suite("Lifetimes after the clock was set back")
struct LifetimeTests {
    private func token(_ kind: String, _ auth: AuthFixture) throws -> String {
        let text = try #require(auth.mailer.mails.last).text
        let start = try #require(text.range(of: "https://tower.example/\(kind)/"))
        return String(text[start.upperBound...].prefix { !$0.isWhitespace })
    }

    @Test("an older reset link has expired and one emailed since works", arguments: [true, false])
    func reset(_ isFar: Bool) async throws {
        let auth = try await AuthFixture()
        try await auth.signUp()
        func reset() async throws -> Int {
            let secret = try token("reset", auth)
            return try await problem {
                try await auth.environment.execute(
                    "auth.reset", ["token": .text(secret), "password": "another long password"], as: .nobody)
            }?.status ?? 200
        }
        try await auth.environment.execute("auth.requestReset", ["email": "ana@maple.example"], as: .nobody)
        auth.environment.clock.advance(by: isFar ? -86_400 : -30)
        #expect(try await reset() == (isFar ? 410 : 200), "a small correction of the clock changes nothing")
        try await auth.environment.execute("auth.requestReset", ["email": "ana@maple.example"], as: .nobody)
        #expect(try await reset() == 200)
    }

    @Test("an older confirmation link has expired")
    func confirmation() async throws {
        let auth = try await AuthFixture(confirmsMail: true)
        try await auth.apply()
        auth.environment.clock.advance(by: -86_400)
        let secret = try token("confirm", auth)
        #expect(
            try await problem {
                try await auth.environment.execute("auth.confirmAddress", ["token": .text(secret)], as: .nobody)
            } == Problem(410, "auth.linkOver"))
    }

    @Test("an older access token has expired, cached or not, and the session refreshes")
    func accessToken() async throws {
        let auth = try await AuthFixture()
        let tokens = try await auth.signUp()
        #expect(try await auth.caller(tokens).account != nil)
        auth.environment.clock.advance(by: -86_400)
        #expect(try await auth.caller(tokens).account == nil)
        auth.auth.clearSessionCache()
        #expect(try await auth.caller(tokens).account == nil)
        let renewed = try #require(try await auth.auth.refresh(refreshToken: tokens.refreshToken))
        #expect(try await auth.caller(renewed).account != nil)
        auth.environment.clock.advance(by: AuthService.accessLifetime)
        #expect(try await auth.caller(renewed).account == nil)
    }

    @Test("a refresh token is valid for at most twice its lifetime")
    func refreshToken() async throws {
        let auth = try await AuthFixture()
        let tokens = try await auth.signUp()
        auth.environment.clock.advance(by: -AuthService.refreshLifetime - 120)
        #expect(try await auth.auth.refresh(refreshToken: tokens.refreshToken) == nil)
    }
}
