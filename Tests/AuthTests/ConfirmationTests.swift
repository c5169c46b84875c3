import AuthInterface
import DesignSystem
import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import TestKit
import Testing

@testable import Auth

@Suite("Confirmations of new accounts")
struct ConfirmationTests {
    @Test(
        "a child is under 13 until the day before the birthday, leap days included", .requirement("WW-20.02.b"),
        arguments: [
            ("2013-11-22", "2026-11-21", "2026-11-22"), ("2013-11-21", "2026-11-21", nil),
            ("2012-02-29", "2025-02-28", "2025-03-01"), ("2012-02-29", "2025-03-01", nil),
            ("2026-11-21", "2026-11-21", "2039-11-21"), ("1950-01-01", "2026-11-21", nil),
        ])
    func ages(_ born: String, _ today: String, _ thirteen: String?) throws {
        let day = try AgeGate.thirteenOn(bornOn: #require(Day(born)), today: #require(Day(today)))
        #expect(day?.description == thirteen)
    }

    @Test(
        "a date of birth in the future or over 120 years ago is refused",
        arguments: ["2026-11-22", "1905-12-31"])
    func absurd(_ born: String) throws {
        let (day, today) = (try #require(Day(born)), try #require(Day("2026-11-21")))
        #expect(throws: Problem.invalid("bornOn", "auth.bornOn")) {
            try AgeGate.thirteenOn(bornOn: day, today: today)
        }
    }

    @Test(
        "a sign-up without agreement is refused; with it the versions are recorded",
        .requirement("WW-20.03.a", "WW-20.03.b"))
    func consent() async throws {
        let auth = try await AuthFixture()
        let refusal = try await problem {
            try await auth.environment.execute(
                "auth.signUp",
                [
                    "name": "Ana", "email": "ana@maple.example", "password": .text(AuthFixture.password),
                    "bornOn": "1990-01-01",
                ],
                as: .nobody)
        }
        #expect(refusal?.faults.map(\.code) == ["auth.agreeNeeded"])
        let account = try #require(try await auth.caller(auth.signUp()).account)
        let consents = try await auth.environment.directory.read {
            try ConsentRepository.consents(of: account.id, in: $0)
        }
        #expect(consents.map(\.purpose).sorted() == ["privacy", "terms"])
        #expect(consents.allSatisfy { $0.version == Agreement.version && $0.giver == .holder })
        #expect(consents.allSatisfy { $0.at == auth.environment.clock.now })
    }

    @Test("the date of birth of a person of 13 or older is not stored")
    func ageNotStored() async throws {
        let auth = try await AuthFixture()
        try await auth.apply(bornOn: "1987-06-05")
        #expect(try await !auth.stored().contains("1987"))
    }

    // MARK: - A confirmed address

    @Test(
        "a sign-up that needs a confirmed address has no session until the link is used",
        .requirement("WW-8.07.b"))
    func confirmation() async throws {
        let auth = try await AuthFixture(confirmsMail: true)
        let answer = try await auth.apply()
        #expect(answer.waitsFor == .mail && answer.session == nil)
        #expect(try await problem { try await auth.signIn() } == Problem(401, "auth.wrongSignIn"))
        // The refused sign-in mailed a second link. Either works, and using one invalidates the other.
        #expect(auth.mailer.mails.count == 2)
        let (old, new) = (try token("confirm", auth.mailer.mails[0]), try token("confirm", auth.mailer.mails[1]))
        #expect(try await auth.environment.outline("/confirm/\(new)", as: .nobody).contains("[Confirm]"))
        try await confirm(old, auth)
        #expect(try await problem { try await confirm(old, auth) }?.status == 410)
        #expect(try await problem { try await confirm(new, auth) }?.status == 410)
        try await auth.signIn()
    }

    @Test("a link expires after a week")
    func expiry() async throws {
        let auth = try await AuthFixture(confirmsMail: true)
        try await auth.apply()
        auth.environment.clock.advance(by: MailedLinks.lifetime)
        let token = try token("confirm", auth.mailer.mails[0])
        #expect(try await problem { try await confirm(token, auth) }?.status == 410)
    }

    @Test("a wrong password sends no email and reveals no missing confirmation")
    func wrongPassword() async throws {
        let auth = try await AuthFixture(confirmsMail: true)
        try await auth.apply()
        #expect(
            try await problem { try await auth.signIn(password: "something else") }
                == Problem(401, "auth.wrongSignIn"))
        #expect(auth.mailer.mails.count == 1)
    }

    @Test("repeated sign-ins send a limited number of emails")
    func mailLimit() async throws {
        let auth = try await AuthFixture(confirmsMail: true)
        try await auth.apply()
        for _ in 0..<8 {
            _ = try await problem { try await auth.signIn() }
            // Each of these counts as a wrong attempt and locks the address for a while.
            auth.environment.clock.advance(by: 300)
        }
        #expect(auth.mailer.mails.count == 6)
    }

    @Test("the pages say what to do, also for an expired link", .requirement("WW-8.07.a"))
    func pages() async throws {
        let auth = try await AuthFixture(confirmsMail: true)
        try await auth.apply()
        let waiting = try await auth.environment.outline("/sign-up/mail", as: .nobody)
        #expect(waiting.lines.first?.hasPrefix("# Verify your email") == true)
        let link = "/confirm/\(try token("confirm", auth.mailer.mails[0]))"
        #expect(try await auth.environment.outline(link, as: .nobody).contains("[Confirm]"))
        #expect(try await auth.environment.outline("/confirm/x", as: .nobody).contains("no longer valid"))
    }

    // MARK: - A parent's consent

    @Test("a child under 13 names a parent's address, other than the child's", .requirement("WW-20.02.b"))
    func parentNeeded() async throws {
        let auth = try await AuthFixture()
        #expect(
            try await problem { try await auth.apply(bornOn: "2016-05-01") }
                == .invalid("parentEmail", "auth.parentNeeded"))
        #expect(
            try await problem { try await auth.apply(bornOn: "2016-05-01", parent: "ana@maple.example") }
                == .invalid("parentEmail", "auth.parentOther"))
        #expect(auth.mailer.mails.isEmpty)
    }

    @Test("a child's account works once the parent's consent is recorded", .requirement("WW-20.02.c"))
    func parentAgrees() async throws {
        let auth = try await AuthFixture()
        let answer = try await auth.apply(bornOn: "2016-05-01", parent: "mother@maple.example")
        #expect(answer.waitsFor == .parent && answer.session == nil)
        #expect(try await problem { try await auth.signIn() } == Problem(403, "auth.parentFirst"))
        let mail = try #require(auth.mailer.mails.last)
        #expect(mail.to == "mother@maple.example")
        let secret = try token("consent", mail)
        #expect(
            try await problem { try await self.answer("agree", secret, isParent: false, auth) }
                == .invalid("isParent", "auth.parentOnly"))
        try await self.answer("agree", secret, isParent: true, auth)
        let account = try #require(try await auth.caller(auth.signIn()).account)
        let consents = try await auth.environment.directory.read {
            try ConsentRepository.consents(of: account.id, in: $0)
        }
        let parental = try #require(consents.first { $0.purpose == "childAccount" })
        #expect(
            parental.giverEmail == "mother@maple.example" && parental.giver == .parent
                && parental.version == Agreement.version)
        #expect(try await problem { try await self.answer("refuse", secret, isParent: true, auth) }?.status == 410)
    }

    @Test("repeated sign-ins of a child email the parent once an hour and keep earlier links working")
    func parentLinksStay() async throws {
        let auth = try await AuthFixture()
        try await auth.apply(bornOn: "2016-05-01", parent: "mother@maple.example")
        for _ in 0..<4 {
            #expect(try await problem { try await auth.signIn() } == Problem(403, "auth.parentFirst"))
        }
        #expect(auth.mailer.mails.count == 1)
        auth.environment.clock.advance(by: MailedLinks.parentPause)
        for _ in 0..<2 {
            #expect(try await problem { try await auth.signIn() } == Problem(403, "auth.parentFirst"))
        }
        #expect(auth.mailer.mails.count == 2)
        let (first, second) = (
            try token("consent", auth.mailer.mails[0]), try token("consent", auth.mailer.mails[1])
        )
        #expect(first != second)
        for secret in [first, second] {
            #expect(
                try await !auth.environment.outline("/consent/\(secret)", as: .nobody).contains("no longer valid")
            )
        }
        try await answer("agree", first, isParent: true, auth)
        try await auth.signIn()
        #expect(
            try await problem { try await self.answer("refuse", second, isParent: true, auth) }?.status == 410,
            "the request is decided")
    }

    @Test(
        "a parent withdraws the consent by the emailed link, once, and the account is deleted")
    func parentTakesBack() async throws {
        let auth = try await AuthFixture()
        try await auth.apply(bornOn: "2016-05-01", parent: "mother@maple.example")
        try await answer("agree", token("consent", #require(auth.mailer.mails.last)), isParent: true, auth)
        let account = try #require(try await auth.caller(auth.signIn()).account)
        let mail = try #require(auth.mailer.mails.last)
        #expect(mail.to == "mother@maple.example")
        let secret = try token("consent/back", mail)
        // The link still works years later.
        auth.environment.clock.advance(by: 3 * 366 * 86_400)
        func takeBack(_ token: String, _ understands: Bool) async throws {
            try await auth.environment.execute(
                "auth.withdrawConsent", ["token": .text(token), "understands": .bool(understands)], as: .nobody)
        }
        #expect(
            try await problem { try await takeBack(secret, false) }
                == .invalid("understands", "auth.delete.understand"))
        #expect(try await problem { try await takeBack("another", true) }?.status == 410)
        #expect(
            try await auth.environment.outline("/consent/back/\(secret)", as: .nobody).contains(
                "Delete account"))
        try await takeBack(secret, true)
        #expect(try await problem { try await auth.signIn() } == Problem(401, "auth.wrongSignIn"))
        let left = try await auth.environment.directory.read {
            try AccountRepository.confirmations(account.id, in: $0)
        }
        #expect(left == nil)
        #expect(try await problem { try await takeBack(secret, true) }?.status == 410)
        #expect(
            try await auth.environment.outline("/consent/back/\(secret)", as: .nobody)
                .contains("This link is no longer valid"))
    }

    @Test(
        "a new password by email does not sign in a child whose parent has not agreed", .requirement("WW-20.02.c"))
    func noWayAround() async throws {
        let auth = try await AuthFixture()
        try await auth.apply(bornOn: "2016-05-01", parent: "mother@maple.example")
        try await auth.environment.execute("auth.requestReset", ["email": "ana@maple.example"], as: .nobody)
        let secret = try token("reset", #require(auth.mailer.mails.last))
        let outcome = try await auth.environment.execute(
            "auth.reset", ["token": .text(secret), "password": "another long password"], as: .nobody)
        #expect(outcome.session == nil)
        #expect(outcome.destination == "/sign-up/parent")
        #expect(try JSON.decode(SignInAnswer.self, from: outcome.body).waitsFor == .parent)
        // The password was changed nevertheless.
        #expect(
            try await problem { try await auth.signIn(password: "another long password") }
                == Problem(403, "auth.parentFirst"))
    }

    @Test("a parent's refusal deletes the account and its data")
    func parentRefuses() async throws {
        let auth = try await AuthFixture()
        try await auth.apply(bornOn: "2016-05-01", parent: "mother@maple.example")
        try await answer("refuse", token("consent", auth.mailer.mails[0]), isParent: false, auth)
        let rest = try await auth.stored()
        #expect(!rest.contains("maple.example"))
        #expect(try await problem { try await auth.signIn() } == Problem(401, "auth.wrongSignIn"))
    }

    @Test("no parent has to agree from the 13th birthday on")
    func birthday() async throws {
        let auth = try await AuthFixture()
        let today = Day(auth.environment.clock.now, in: .gmt)
        let tomorrow = today.adding(days: 1)
        let born = try #require(Day(year: tomorrow.year - 13, month: tomorrow.month, day: tomorrow.day))
        try await auth.apply(bornOn: born.description, parent: "mother@maple.example")
        #expect(try await problem { try await auth.signIn() } == Problem(403, "auth.parentFirst"))
        auth.environment.clock.advance(by: 86_400)
        try await auth.signIn()
    }

    // MARK: - Helpers

    private func token(_ kind: String, _ mail: Mail) throws -> String {
        let start = try #require(mail.text.range(of: "https://tower.example/\(kind)/"))
        return String(mail.text[start.upperBound...].prefix { !$0.isWhitespace })
    }

    private func confirm(_ token: String, _ auth: AuthFixture) async throws {
        try await auth.environment.execute("auth.confirmAddress", ["token": .text(token)], as: .nobody)
    }

    private func answer(_ answer: String, _ token: String, isParent: Bool, _ auth: AuthFixture) async throws {
        try await auth.environment.execute(
            "auth.answerForChild", ["token": .text(token), "answer": .text(answer), "isParent": .bool(isParent)],
            as: .nobody)
    }
}
