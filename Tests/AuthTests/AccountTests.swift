import AuthInterface
import DesignSystem
import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import TestKit
import Testing

@testable import Auth

@Suite("Accounts: sign-up and sign-in")
struct AccountTests {
    let auth: AuthFixture

    init() async throws { auth = try await AuthFixture() }

    @Test(
        "an account signs up, in and out, and each session has an access and a refresh token",
        .requirement("WW-8.01.c", "PT-1.13.c"))
    func roundTrip() async throws {
        let first = try await auth.signUp()
        let second = try await auth.signIn()
        #expect(Set([first.accessToken, first.refreshToken, second.accessToken, second.refreshToken]).count == 4)
        #expect(second.accessExpiresAt < second.refreshExpiresAt)
        let one = try #require(try await auth.caller(first).account)
        let other = try #require(try await auth.caller(second).account)
        #expect(one.id == other.id)
        #expect(one.email == "ana@maple.example")
        #expect(one.name == "Ana Kovač")
        #expect(one.sessionId != other.sessionId)
        let outcome = try await auth.environment.execute(
            "auth.signOut", as: Caller(account: other, membership: nil))
        #expect(outcome.session == .end)
        #expect(outcome.destination == "/sign-in")
        #expect(try await auth.caller(second).account == nil)
        #expect(try await auth.caller(first).account == one, "another device stays signed in")
    }

    @Test("who-am-I answers for no account, an account and a member", .requirement("PG-1.07", "WW-0.07.b"))
    func whoAmI() async throws {
        let nobody = try await auth.environment.answer(WhoAmI.self, as: .nobody)
        #expect(!nobody.isAuthenticated)
        #expect(nobody.userId == nil && nobody.profileId == nil && nobody.currentPgId == nil)
        #expect(nobody.userRole.isEmpty)

        let caller = try await auth.caller(auth.signUp())
        let account = try #require(caller.account)
        let alone = try await auth.environment.answer(WhoAmI.self, as: caller)
        #expect(alone.isAuthenticated)
        #expect(alone.userId == account.id)
        #expect(alone.currentPgId == nil)

        let school = try await auth.environment.makeSchool()
        let member = school.makeCaller(.guide, .parent, account: account)
        let inside = try await school.answer(WhoAmI.self, as: member)
        #expect(inside.userId == account.id)
        #expect(inside.profileId == member.membership?.personId)
        #expect(inside.currentPgId == school.organization.id)
        #expect(inside.userRole == ["guide", "parent"])
    }

    @Test("an email address works in any case")
    func caseOfAddress() async throws {
        let tokens = try await auth.signUp("Ana@Maple.Example")
        let again = try await auth.signIn("ANA@maple.example")
        #expect(try await auth.caller(tokens).account?.id == auth.caller(again).account?.id)
        #expect(try await auth.auth.account(email: "aNa@maple.example")?.name == "Ana Kovač")
    }

    @Test("a wrong password and an unknown address get the same answer for the same work")
    func unknownAddress() async throws {
        try await auth.signUp()
        let before = auth.hasher.work
        let wrong = try await problem { try await auth.signIn(password: "something else") }
        let afterWrong = auth.hasher.work
        let unknown = try await problem { try await auth.signIn("nobody@maple.example") }
        #expect(wrong == Problem(401, "auth.wrongSignIn"))
        #expect(unknown == wrong)
        #expect(afterWrong - before == 1)
        #expect(auth.hasher.work - afterWrong == 1)
    }

    @Test("signing up twice makes one account; another password gets a fault at the address")
    func twice() async throws {
        let first = try await auth.caller(auth.signUp())
        let again = try await auth.caller(auth.signUp(name: "Someone Else"))
        #expect(first.account?.id == again.account?.id)
        #expect(again.account?.name == "Ana Kovač", "the name stays what it was")
        let refusal = try await problem { try await auth.signUp(password: "another password") }
        #expect(refusal?.status == 422)
        #expect(refusal?.faults == [Fault("email", "auth.emailTaken")])
    }

    @Test("twelve sign-ups of one address at once make one account")
    func atOnce() async throws {
        let auth = auth
        let ids = await withTaskGroup(of: UUID?.self) { group in
            for _ in 0..<12 {
                group.addTask {
                    do {
                        return try await auth.caller(auth.signUp()).account?.id
                    } catch let problem as Problem {
                        // A sign-up that lost the race gets "taken" or "too many".
                        #expect(
                            problem.faults == [Fault("email", "auth.emailTaken")]
                                || problem.code == "tooManyTries")
                        return nil
                    } catch {
                        Issue.record(error)
                        return nil
                    }
                }
            }
            return await group.reduce(into: Set<UUID>()) { if let id = $1 { $0.insert(id) } }
        }
        #expect(ids.count == 1)
        let count: Int? = try await auth.environment.directory.read {
            try $0.value("SELECT COUNT(*) FROM accounts")
        }
        #expect(count == 1)
    }

    @Test("a refusal lists every faulty field")
    func allFaults() async throws {
        let refusal = try await problem {
            try await auth.environment.execute(
                "auth.signUp", ["name": "  ", "email": "ana@", "password": "short", "role": "superAdmin"],
                as: .nobody)
        }
        #expect(refusal?.status == 422)
        let codes = Dictionary(
            (refusal?.faults ?? []).map { ($0.field, $0.code) }, uniquingKeysWith: { first, _ in first })
        #expect(
            codes == [
                "name": "required", "email": "email", "password": "tooShort", "role": "unknown",
                "bornOn": "required", "agrees": "auth.agreeNeeded",
            ])
        #expect(auth.hasher.work == 0)
    }

    // MARK: - Limits

    @Test("five wrong passwords lock sign-in for 30 seconds, even with the right one")
    func limit() async throws {
        try await auth.signUp()
        for _ in 0..<5 {
            #expect(try await problem { try await auth.signIn(password: "a guess") }?.status == 401)
        }
        let closed = try #require(try await problem { try await auth.signIn() })
        #expect(closed == .tooManyTries(30))
        let work = auth.hasher.work
        _ = try await problem { try await auth.signIn() }
        #expect(auth.hasher.work == work, "a closed door hashes nothing")
        auth.environment.clock.advance(by: 29)
        #expect(try await problem { try await auth.signIn() }?.retryAfter == 1)
        auth.environment.clock.advance(by: 1)
        try await auth.signIn()
    }

    @Test("a successful sign-in clears the wrong attempts before it")
    func forgives() async throws {
        try await auth.signUp()
        for _ in 0..<3 {
            for _ in 0..<4 { _ = try await problem { try await auth.signIn(password: "a guess") } }
            #expect(try await problem { try await auth.signIn() } == nil)
        }
    }

    @Test("parallel guesses each count")
    func guessesAtOnce() async throws {
        try await auth.signUp()
        let work = auth.hasher.work
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<40 {
                group.addTask { [auth] in
                    do { try await auth.signIn(password: "a guess") } catch {}
                }
            }
        }
        #expect(auth.hasher.work - work == 5)
    }

    @Test("a successful sign-in does not clear guesses at other addresses from the same network")
    func networkIsNotForgiven() async throws {
        try await auth.signUp("eve@maple.example")
        var tries = 0
        var refusal: Problem?
        while refusal?.status != 429, tries < 300 {
            tries += 1
            refusal = try await problem {
                try await auth.signIn("child\(tries)@maple.example", password: "a guess")
            }
            if tries < 100, tries % 10 == 0 { try await auth.signIn("eve@maple.example") }
        }
        #expect(tries == 101, "a school's shared network may fail a hundred times, and no more")
    }

    @Test("guesses through sign-up count like guesses through sign-in")
    func guessesThroughSignUp() async throws {
        try await auth.signUp()
        for _ in 0..<5 { _ = try await problem { try await auth.signUp(password: "another guess") } }
        #expect(try await problem { try await auth.signUp(password: "another guess") }?.status == 429)
        #expect(try await problem { try await auth.signIn() }?.status == 429)
    }
}
