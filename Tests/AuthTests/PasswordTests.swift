import AuthInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

@testable import Auth

@Suite("Passwords and devices")
struct PasswordTests {
    static let new = "quite other words here"
    let auth: AuthFixture

    init() async throws { auth = try await AuthFixture() }

    func request(_ email: String = "ana@maple.example") async throws {
        try await auth.environment.execute(RequestPasswordReset.self, ["email": .text(email)], as: .nobody)
    }

    /// The secret of the last mail's link.
    func token() throws -> String {
        let mail = try #require(auth.mailer.mails.last)
        let link = try #require(mail.text.firstMatch(of: /https:\/\/tower\.example\/reset\/([A-Za-z0-9_-]+)/))
        return String(link.output.1)
    }

    @discardableResult
    func reset(_ token: String, _ password: String = PasswordTests.new) async throws -> SessionTokens {
        try #require(
            try await auth.environment.execute(
                ResetPassword.self, ["token": .text(token), "password": .text(password)], as: .nobody
            ).session)
    }

    @Test("a mailed link sets a new password, signs in, and ends every other session")
    func forgotten() async throws {
        let before = try await auth.signUp()
        try await request()
        let mail = try #require(auth.mailer.mails.last)
        #expect(mail.to == "ana@maple.example")
        #expect(mail.text.contains("Ana Kovač"))
        let tokens = try await reset(token())
        #expect(try await auth.auth.account(accessToken: tokens.accessToken)?.email == "ana@maple.example")
        #expect(try await auth.auth.account(accessToken: before.accessToken) == nil)
        #expect(try await auth.auth.refresh(refreshToken: before.refreshToken) == nil)
        #expect(try await problem { try await auth.signIn() }?.status == 401)
        try await auth.signIn(password: Self.new)
    }

    @Test("a weak password is refused with its reason at sign-up, at a reset and at a change")
    func weak() async throws {
        let refused = Problem.invalid("password", "auth.passwordCommon")
        #expect(try await problem { try await auth.signUp(password: "password12") } == refused)
        #expect(
            try await problem { try await auth.signUp(password: "AnaKovac2026") }
                == .invalid("password", "auth.passwordOwn"))
        let tokens = try await auth.signUp()
        try await request()
        let link = try token()
        #expect(try await problem { try await reset(link, "password12") } == refused)
        #expect(
            try await problem { try await reset(link, "ana-maple-1990") }
                == .invalid("password", "auth.passwordOwn"))
        let me = try await auth.caller(tokens)
        #expect(
            try await problem {
                try await auth.environment.execute(
                    ChangePassword.self,
                    ["currentPassword": .text(AuthFixture.password), "password": "qwertyuiop"], as: me)
            } == .invalid("password", "auth.passwordSimple"))
        try await reset(link)
    }

    @Test("the owner of an account is mailed when its password changes, by a link or by hand")
    func notices() async throws {
        try await auth.signUp()
        try await request()
        let tokens = try await reset(token())
        let mail = try #require(auth.mailer.mails.last)
        #expect(mail.to == "ana@maple.example" && mail.text.contains("Your password was changed."))
        #expect(mail.text.contains("https://tower.example/forgot"))
        let count = auth.mailer.mails.count
        try await auth.environment.execute(
            ChangePassword.self, ["currentPassword": .text(Self.new), "password": "words of yet another kind"],
            as: auth.caller(tokens))
        #expect(auth.mailer.mails.count == count + 1)
        #expect(auth.mailer.mails.last?.text.contains("Your password was changed.") == true)
    }

    @Test(
        "only the newest link works, once and for an hour; its secret is not stored",
        .requirement("WW-8.03.b", "WW-8.03.c"))
    func links() async throws {
        try await auth.signUp()
        try await request()
        let first = try token()
        try await request()
        let second = try token()
        #expect(try await problem { try await reset(first) } == Problem(410, "auth.linkOver"))
        let stored = try await auth.environment.directory.read { sql in
            try sql.rows("SELECT * FROM password_resets").map { "\($0.values)" }.joined()
        }
        #expect(!stored.contains(second))
        auth.environment.clock.advance(by: 3600)
        #expect(try await problem { try await reset(second) } == Problem(410, "auth.linkOver"))
        try await request()
        let third = try token()
        #expect(
            try await problem { try await reset(third, "short") }?.faults == [
                Fault("password", "tooShort", [.number(10)])
            ])
        try await reset(third)
        #expect(try await problem { try await reset(third) } == Problem(410, "auth.linkOver"))
    }

    @Test("two simultaneous uses of one link set one password")
    func atOnce() async throws {
        try await auth.signUp()
        try await request()
        let token = try token()
        let outcomes = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<8 {
                group.addTask {
                    do {
                        try await reset(token, "password number \(number)")
                        return true
                    } catch { return false }
                }
            }
            return await group.reduce(into: [Bool]()) { $0.append($1) }
        }
        #expect(outcomes.count(where: \.self) == 1)
    }

    @Test(
        "an unknown address gets the same answer and no email; the limit does not reveal it",
        .requirement("WW-8.02.b"))
    func unknown() async throws {
        try await auth.signUp()
        for email in ["ana@maple.example", "nobody@maple.example"] {
            var statuses: [Int] = []
            for _ in 0..<4 { statuses.append(try await problem { try await request(email) }?.status ?? 200) }
            #expect(statuses == [200, 200, 200, 429], "\(email)")
        }
        #expect(auth.mailer.mails.count == 3)
        #expect(auth.mailer.mails.allSatisfy { $0.to == "ana@maple.example" })
    }

    @Test("a change asks for the current password, keeps this session and ends the others", .requirement("WW-8.05"))
    func change() async throws {
        let here = try await auth.signUp()
        let there = try await auth.signIn()
        let me = try await auth.caller(here)
        func change(_ current: String) async throws {
            try await auth.environment.execute(
                ChangePassword.self, ["currentPassword": .text(current), "password": .text(Self.new)], as: me)
        }
        let wrong = try await problem { try await change("not the password") }
        #expect(wrong?.faults == [Fault("currentPassword", "auth.wrongPassword")])
        #expect(try await auth.auth.account(accessToken: there.accessToken) != nil)
        try await change(AuthFixture.password)
        #expect(try await auth.auth.account(accessToken: here.accessToken) != nil)
        #expect(try await auth.auth.account(accessToken: there.accessToken) == nil)
        #expect(try await auth.auth.refresh(refreshToken: there.refreshToken) == nil)
        try await auth.signIn(password: Self.new)
    }

    @Test("five wrong guesses at the current password lock it")
    func guesses() async throws {
        let me = try await auth.caller(try await auth.signUp())
        var statuses: [Int] = []
        for _ in 0..<6 {
            statuses.append(
                try await problem {
                    try await auth.environment.execute(
                        ChangePassword.self, ["currentPassword": "a guess", "password": .text(Self.new)], as: me)
                }?.status ?? 200)
        }
        #expect(statuses == Array(repeating: 422, count: 5) + [429])
    }

    @Test(
        "people see only their own devices and sign out one, or all but this one",
        .requirement("BY-1.23.d"))
    func devices() async throws {
        let here = try await auth.signUp()
        auth.environment.clock.advance(by: 60)
        let there = try await auth.signIn()
        let third = try await auth.signIn()
        let me = try await auth.caller(here)
        let stranger = try await auth.caller(try await auth.signUp("eve@maple.example"))
        func list(_ caller: Caller) async throws -> [DeviceSession] {
            try await auth.environment.answer(ListDevices.self, as: caller).items
        }
        let all = try await list(me)
        #expect(all.count == 3)
        #expect(all.map(\.isCurrent) == [false, false, true], "the one used last first")
        #expect(try await list(stranger).count == 1)
        let other = try #require(try await auth.auth.account(accessToken: there.accessToken)).sessionId
        #expect(
            try await problem {
                try await auth.environment.execute(EndDevice.self, ["sessionId": .id(other)], as: stranger)
            } == .notFound)
        #expect(try await auth.auth.account(accessToken: there.accessToken) != nil)
        for _ in 0..<2 { try await auth.environment.execute(EndDevice.self, ["sessionId": .id(other)], as: me) }
        #expect(try await auth.auth.account(accessToken: there.accessToken) == nil)
        #expect(try await list(me).count == 2)
        try await auth.environment.execute(EndOtherDevices.self, as: me)
        #expect(try await auth.auth.account(accessToken: third.accessToken) == nil)
        #expect(try await list(me).map(\.isCurrent) == [true])
        auth.environment.clock.advance(by: 31 * 86_400)
        #expect(try await list(me).isEmpty, "a session that ran out is no device any more")
    }

    @Test("the pages are in both languages, and an expired link offers a new one")
    func pages() async throws {
        let me = try await auth.caller(try await auth.signUp())
        #expect(
            try await auth.environment.outline("/sign-in", as: .nobody).contains(
                "[Forgot your password?] -> /forgot"))
        let forgot = try await auth.environment.outline("/forgot", as: .nobody)
        #expect(forgot.contains("<Email: email*>"))
        #expect(
            try await auth.environment.outline("/forgot", as: .nobody, query: ["sent": "yes"]).contains(
                "Check your email"))
        #expect(
            try await auth.environment.outline("/reset/nonsense", as: .nobody).contains(
                "[Request a new link] -> /forgot")
        )
        try await request()
        let open = try await auth.environment.outline("/reset/\(try token())", as: .nobody, language: .french)
        #expect(open.contains("Nouveau mot de passe"))
        let devices = try await auth.environment.outline("/settings/devices", as: me, language: .french)
        #expect(devices.contains("Cet appareil"))
        #expect(!devices.contains("Déconnecter les autres appareils"))
        #expect(try await auth.environment.outline("/settings/password", as: me).contains("Current password"))
    }
}
