import AuthInterface
import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Auth

@Suite("Lock-outs of sign-in")
struct SignInLockOutTests {
    let auth: AuthFixture

    init() async throws { auth = try await AuthFixture() }

    /// The seconds to wait after each wrong attempt, each made as soon as allowed.
    private func waits(_ tries: Int, _ email: String) async throws -> [Int] {
        var waits: [Int] = []
        for _ in 0..<tries {
            #expect(try await problem { try await auth.signIn(email, password: "a guess") }?.status == 401)
            let refusal = try await problem { try await auth.signIn(email, password: "a guess") }
            if let wait = refusal?.retryAfter {
                waits.append(wait)
                auth.environment.clock.advance(by: TimeInterval(wait))
            } else {
                waits.append(0)
            }
        }
        return waits
    }

    @Test("the lock grows, and does so for unknown addresses too")
    func grows() async throws {
        try await auth.signUp()
        // Every attempt counts; the fifth locks.
        let known = try await waits(6, "ana@maple.example")
        #expect(known == [0, 0, 30, 60, 120, 240])
        #expect(try await waits(6, "nobody@maple.example") == known)
    }

    @Test("the refusal says for how long, in the reader's language")
    func sentence() async throws {
        for _ in 0..<7 {
            _ = try await problem { try await auth.signIn(password: "a guess") }
            auth.environment.clock.advance(by: 60)
        }
        let refusal = try await problem { try await auth.signIn(password: "a guess") }
        #expect(refusal?.retryAfter == 60)
        #expect(
            refusal?.sentence(try auth.environment.words()) == "Too many attempts. Try again in 1 minute.")
        auth.environment.clock.advance(by: 60)
        _ = try await problem { try await auth.signIn(password: "a guess") }
        let later = try await problem { try await auth.signIn(password: "a guess") }
        #expect(
            later?.sentence(try auth.environment.words(.french))
                == "Trop d’essais. Réessayez dans 4 minutes.")
    }

    @Test("setting the clock back a day does not prolong a lock")
    func clockSetBack() async throws {
        try await auth.signUp()
        for _ in 0..<5 { _ = try await problem { try await auth.signIn(password: "a guess") } }
        auth.environment.clock.advance(by: -86_400)
        #expect(try await problem { try await auth.signIn() }?.retryAfter == 30)
        auth.environment.clock.advance(by: 29)
        #expect(try await problem { try await auth.signIn() }?.retryAfter == 1)
        auth.environment.clock.advance(by: 1)
        try await auth.signIn()
    }

    @Test("a restart keeps wrong attempts, a successful sign-in clears them")
    func restart() async throws {
        try await auth.signUp()
        for _ in 0..<5 { _ = try await problem { try await auth.signIn(password: "a guess") } }
        // A new process reads the attempts from the directory.
        let again = LockOuts(directory: auth.environment.directory)
        let key = "sign-in \(auth.hasher.fingerprint("ana@maple.example"))"
        let now = auth.environment.clock.now
        #expect(try await again.lockedUntil(key, at: now) == now.addingTimeInterval(30))
        auth.environment.clock.advance(by: 30)
        try await auth.signIn()
        #expect(try await again.lockedUntil(key, at: auth.environment.clock.now) == nil)
        for _ in 0..<5 {
            #expect(try await problem { try await auth.signIn(password: "a guess") }?.status == 401)
        }
    }

    @Test("attempts at an address are stored hashed and removed after a day")
    func forgets() async throws {
        _ = try await problem { try await auth.signIn("child@maple.example", password: "a guess") }
        let stored: String? = try await auth.environment.directory.read {
            try $0.value("SELECT key FROM lock_outs")
        }
        #expect(stored?.contains("child") == false)
        auth.environment.clock.advance(by: 86_401)
        _ = try await problem { try await auth.signIn("other@maple.example", password: "a guess") }
        let count: Int? = try await auth.environment.directory.read {
            try $0.value("SELECT COUNT(*) FROM lock_outs")
        }
        #expect(count == 1)
    }

    @Test("the queries use their indexes")
    func indexed() async throws {
        try await auth.environment.expectIndexed("SELECT failures, last_try FROM lock_outs WHERE key = \("a")")
        try await auth.environment.expectIndexed(
            "DELETE FROM lock_outs WHERE last_try < \(auth.environment.clock.now)")
        try await auth.environment.expectIndexed(
            "DELETE FROM pending_sign_ins WHERE expires_at < \(auth.environment.clock.now)")
        try await auth.environment.expectIndexed(
            "DELETE FROM passkey_challenges WHERE expires_at < \(auth.environment.clock.now)")
    }
}
