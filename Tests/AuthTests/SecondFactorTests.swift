import AuthInterface
import DesignSystem
import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import TestKit
import Testing

@testable import Auth

@Suite("Second factor by authenticator app")
struct SecondFactorTests {
    let auth: AuthFixture
    let me: Caller
    let cryptography = TestCryptography()

    init() async throws {
        auth = try await AuthFixture()
        me = try await auth.caller(auth.signUp())
    }

    private func run<C: Command>(
        _ type: C.Type, _ fields: [String: String], as caller: Caller
    ) async throws -> C.Result {
        try await auth.environment.execute(type, .object(fields.mapValues { .text($0) }), as: caller)
    }

    private func secret() async throws -> [UInt8] {
        let id = try #require(me.account?.id)
        let sealed = try await auth.environment.directory.read {
            try AuthenticatorRepository.authenticator(of: id, in: $0)?.sealedSecret
        }
        return try cryptography.open(try #require(sealed), for: SecondFactorService.purpose(id))
    }

    /// The code of an app whose clock is off by a number of steps.
    private func code(off steps: Int64 = 0) async throws -> String {
        let step = OneTimeCode.step(at: auth.environment.clock.now) + steps
        return cryptography.oneTimePassword(try await secret(), counter: UInt64(step), digits: 6)
    }

    /// Switches the second step on and returns the recovery codes.
    private func switchOn() async throws -> [String] {
        _ = try await run(StartAuthenticator.self, ["password": AuthFixture.password], as: me)
        _ = try await run(ConfirmAuthenticator.self, ["code": code()], as: me)
        let page = try await auth.environment.outline(SecondFactorScreens.recovery, as: me)
        auth.environment.clock.advance(by: 30)
        return page.lines.filter { $0.count == 19 && $0.filter { $0 == "-" }.count == 3 }
    }

    private func secondStep(_ token: String?, _ code: String) async throws -> SessionTokens {
        try await run(SecondStep.self, ["token": token ?? "", "code": code], as: .nobody)
    }

    @Test(
        "an app is set up with the password and a code, from a QR code or as text")
    func setUp() async throws {
        #expect(
            try await problem { _ = try await run(StartAuthenticator.self, ["password": "a guess"], as: me) }?
                .faults == [Fault("password", "auth.wrongPassword")])
        let made = try await run(StartAuthenticator.self, ["password": AuthFixture.password], as: me)
        #expect(made.secret.count == 32)
        #expect(
            made.address
                == "otpauth://totp/PinkTower:ana@maple.example?secret=\(made.secret)&issuer=PinkTower&algorithm=SHA1&digits=6&period=30"
        )
        let page = try await auth.environment.outline(SecondFactorScreens.setUp, as: me)
        #expect(page.contains("(QR code)"))
        #expect(page.contains(Base32.grouped(made.secret, by: " ")))
        // Before it is confirmed, sign-in asks for no code.
        try await auth.signIn()
        #expect(
            try await problem { _ = try await run(ConfirmAuthenticator.self, ["code": "000000"], as: me) }?.faults
                == [Fault("code", "auth.wrongCode")])
        _ = try await run(ConfirmAuthenticator.self, ["code": code()], as: me)
        #expect(try await auth.answer().session == nil)
        #expect(try await auth.environment.redirect(SecondFactorScreens.setUp, as: me) == SecondFactorScreens.home)
        #expect(
            try await problem {
                _ = try await run(StartAuthenticator.self, ["password": AuthFixture.password], as: me)
            }?
            .status == 403, "another one needs the first")
    }

    @Test("an app is confirmed with the code of the step before or after too", arguments: [Int64(-1), 1])
    func setUpWindow(_ steps: Int64) async throws {
        _ = try await run(StartAuthenticator.self, ["password": AuthFixture.password], as: me)
        _ = try await run(ConfirmAuthenticator.self, ["code": code(off: steps)], as: me)
        #expect(try await auth.answer().session == nil)
    }

    @Test("no session starts before the code; the step works once, for five minutes", .requirement("BY-1.23.a"))
    func pending() async throws {
        _ = try await switchOn()
        let outcome = try await auth.environment.execute(
            "auth.signIn", ["email": "ana@maple.example", "password": .text(AuthFixture.password)], as: .nobody)
        #expect(outcome.session == nil)
        let answer: SignInAnswer = try outcome.result()
        #expect(answer.session == nil && answer.accessToken == nil && answer.refreshToken == nil)
        let token = try #require(answer.secondStepToken)
        #expect(outcome.detour == "/sign-in/code/\(token)")
        let page = try await auth.environment.outline("/sign-in/code/\(token)", as: .nobody)
        #expect(page.contains("form second-step -> /api/v1/auth/second-step"))
        #expect(
            try await problem { _ = try await secondStep("another", code()) } == Problem(410, "auth.secondStepOver")
        )
        let session = try await secondStep(token, code())
        #expect(try await auth.caller(session).account?.hasSecondFactor == true)
        auth.environment.clock.advance(by: 30)
        #expect(
            try await problem { _ = try await secondStep(token, code()) } == Problem(410, "auth.secondStepOver"))
        let late = try await auth.answer().secondStepToken
        auth.environment.clock.advance(by: 301)
        #expect(
            try await problem { _ = try await secondStep(late, code()) } == Problem(410, "auth.secondStepOver"))
        #expect(
            try await auth.environment.outline("/sign-in/code/\(late ?? "")", as: .nobody).contains(
                "This took too long"))
        let pending = try await auth.environment.directory.read { try $0.rows("SELECT * FROM pending_sign_ins") }
        #expect(!"\(pending.map(\.values))".contains(late ?? "-"), "of a token only its fingerprint is kept")
    }

    @Test("a repeated sign-up or a new password does not bypass the second step")
    func noWayAround() async throws {
        _ = try await switchOn()
        let again = try await auth.apply()
        #expect(again.session == nil && again.secondStepToken != nil)
        _ = try await run(RequestPasswordReset.self, ["email": "ana@maple.example"], as: .nobody)
        let mail = try #require(auth.mailer.mails.last)
        let link = try #require(mail.text.split(separator: "\n").first { $0.contains("/reset/") })
        let reset = try await run(
            ResetPassword.self,
            ["token": String(link.split(separator: "/").last ?? ""), "password": "quite another one"], as: .nobody)
        #expect(reset.session == nil && reset.secondStepToken != nil)
    }

    @Test(
        "a code works once, one step early or late, and no older one after it", .requirement("BY-1.23.a"))
    func window() async throws {
        _ = try await switchOn()
        for steps in [Int64(-2), 2] {
            let token = try await auth.answer().secondStepToken
            #expect(try await problem { _ = try await secondStep(token, code(off: steps)) }?.status == 422)
        }
        let token = try await auth.answer().secondStepToken
        let now = try await code()
        _ = try await secondStep(token, code(off: 1))
        let next = try await auth.answer().secondStepToken
        #expect(try await problem { _ = try await secondStep(next, now) }?.status == 422, "an older one")
        #expect(try await problem { _ = try await secondStep(next, code(off: 1)) }?.status == 422, "the same")
        auth.environment.clock.advance(by: 60)
        _ = try await secondStep(next, code())
    }

    @Test("the same code twenty times at once opens one session")
    func atOnce() async throws {
        _ = try await switchOn()
        var tokens: [String?] = []
        for _ in 0..<4 { tokens.append(try await auth.answer().secondStepToken) }
        let code = try await code()
        let opened = await withTaskGroup(of: Int.self) { group in
            for token in tokens {
                group.addTask {
                    do {
                        _ = try await secondStep(token, code)
                        return 1
                    } catch {
                        return 0
                    }
                }
            }
            return await group.reduce(0, +)
        }
        #expect(opened == 1)
    }

    @Test("wrong codes lock the second step, even after a right password")
    func lockOut() async throws {
        _ = try await switchOn()
        let token = try await auth.answer().secondStepToken
        for _ in 0..<5 {
            #expect(try await problem { _ = try await secondStep(token, "000000") }?.status == 422)
        }
        #expect(try await problem { _ = try await secondStep(token, code()) } == .tooManyTries(30))
        let fresh = try await auth.answer().secondStepToken
        #expect(try await problem { _ = try await secondStep(fresh, code()) } == .tooManyTries(30))
        auth.environment.clock.advance(by: 30)
        _ = try await secondStep(fresh, code())
    }

    @Test("ten recovery codes sign in once each, are shown until dismissed, and are stored as fingerprints")
    func recoveryCodes() async throws {
        let codes = try await switchOn()
        #expect(Set(codes).count == 10)
        let stored = try await auth.environment.directory.read { try $0.rows("SELECT * FROM recovery_codes") }
        for code in codes { #expect(!"\(stored.map(\.values))".contains(code)) }
        _ = try await run(HideRecoveryCodes.self, [:], as: me)
        #expect(
            try await auth.environment.redirect(SecondFactorScreens.recovery, as: me) == SecondFactorScreens.home)
        let typed = codes[3].lowercased().replacingOccurrences(of: "-", with: " ")
        _ = try await secondStep(try await auth.answer().secondStepToken, typed)
        let next = try await auth.answer().secondStepToken
        #expect(try await problem { _ = try await secondStep(next, codes[3]) }?.status == 422)
        #expect(try await auth.environment.outline(SecondFactorScreens.home, as: me).contains("9 left"))
        _ = try await run(RenewRecoveryCodes.self, ["code": code()], as: me)
        #expect(try await problem { _ = try await secondStep(next, codes[4]) }?.status == 422, "the old are over")
        auth.environment.clock.advance(by: 601)
        #expect(
            try await auth.environment.redirect(SecondFactorScreens.recovery, as: me) == SecondFactorScreens.home,
            "nobody finds them on a screen left open")
    }

    @Test("an app is removed with the password and a code")
    func off() async throws {
        let codes = try await switchOn()
        func remove(_ password: String, _ code: String) async throws {
            _ = try await run(RemoveAuthenticator.self, ["password": password, "code": code], as: me)
        }
        #expect(try await problem { try await remove("a guess", code()) }?.status == 422)
        #expect(try await problem { try await remove(AuthFixture.password, "000000") }?.status == 422)
        try await remove(AuthFixture.password, code())
        try await auth.signIn()
        let left: Int? = try await auth.environment.directory.read {
            try $0.value("SELECT COUNT(*) FROM recovery_codes")
        }
        #expect(left == 0)
        #expect(codes.count == 10)
    }

    @Test("a session passes the second factor later; another person's code is refused")
    func stepUp() async throws {
        let there = try await auth.caller(auth.signIn())
        _ = try await switchOn()
        #expect(there.account?.hasSecondFactor == false)
        let eve = try await auth.caller(auth.signUp("eve@maple.example"))
        #expect(try await problem { _ = try await run(StepUp.self, ["code": code()], as: eve) }?.status == 422)
        let (session, now) = (try #require(there.account?.sessionId), auth.environment.clock.now)
        _ = try await run(StepUp.self, ["code": code()], as: there)
        let shown = try await auth.environment.directory.read {
            try SessionRepository.account(sessionId: session, at: now, in: $0)
        }
        #expect(shown?.hasSecondFactor == true)
    }

    @Test("the pages are in French too")
    func french() async throws {
        let home = try await auth.environment.outline(SecondFactorScreens.home, as: me, language: .french)
        #expect(home.contains("Connexion en deux étapes"))
        #expect(!home.contains("«auth"))
        _ = try await switchOn()
        let codes = try await auth.environment.outline(SecondFactorScreens.recovery, as: me, language: .french)
        #expect(codes.contains("Je les ai enregistrés"))
    }

    @Test(
        "Base 32 follows RFC 4648",
        arguments: [
            ("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"), ("fooba", "MZXW6YTB"),
            ("foobar", "MZXW6YTBOI"),
        ])
    func base32(_ plain: String, _ encoded: String) {
        #expect(Base32.encode(Array(plain.utf8)) == encoded)
    }
}
