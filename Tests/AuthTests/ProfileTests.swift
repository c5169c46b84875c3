import AuthInterface
import DesignSystem
import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import TestKit
import Testing

@testable import Auth

@Suite("The account's own name and address")
struct ProfileTests {
    private static let new = "ana.kovac@birch.example"

    /// A person who is signed in, where addresses are confirmed or not.
    private func signedIn(confirmsMail: Bool) async throws -> (AuthFixture, SessionTokens) {
        let auth = try await AuthFixture(confirmsMail: confirmsMail)
        guard confirmsMail else { return (auth, try await auth.signUp()) }
        try await auth.apply()
        try await auth.environment.directory.write { try $0.execute("UPDATE accounts SET confirmed_at = 1") }
        return (auth, try await auth.signIn())
    }

    private func change(
        _ auth: AuthFixture, _ tokens: SessionTokens, to email: String = new,
        password: String = AuthFixture.password
    ) async throws -> Pipeline.Outcome {
        try await auth.environment.execute(
            "auth.changeAddress", ["email": .text(email), "password": .text(password)],
            as: auth.caller(tokens))
    }

    private func link(in mail: Mail?) throws -> String {
        let text = try #require(mail?.text)
        return String(try #require(text.firstMatch(of: /tower\.example\/confirm\/(\S+)/)).1)
    }

    @Test("a person can change the name of their own account, and open sessions show it")
    func rename() async throws {
        let (auth, tokens) = try await signedIn(confirmsMail: false)
        let outcome = try await auth.environment.execute(
            "auth.rename", ["name": " Ana Marić "], as: auth.caller(tokens))
        #expect(outcome.feedback?.text == "Name saved")
        #expect(try await auth.caller(tokens).account?.name == "Ana Marić")
        let page = try await auth.environment.outline("/settings/profile", as: auth.caller(tokens))
        #expect(page.contains("form name -> /api/v1/auth/name") && page.contains("Ana Marić"), "\(page)")
        let french = try await auth.environment.outline(
            "/settings/profile", as: auth.caller(tokens), language: .french)
        #expect(french.contains("# Profil"))
        let refused = try await problem {
            try await auth.environment.execute("auth.rename", ["name": "  "], as: auth.caller(tokens))
        }
        #expect(refused?.faults.map(\.field) == ["name"])
    }

    @Test(
        "without email an address changes at once, with the password; sessions stay, and the old address is notified"
    )
    func atOnce() async throws {
        let (auth, tokens) = try await signedIn(confirmsMail: false)
        let wrong = try await problem { _ = try await change(auth, tokens, password: "not the words") }
        #expect(wrong?.faults.map(\.field) == ["password"])
        let outcome = try await change(auth, tokens)
        #expect(outcome.feedback?.text == "Email changed")
        #expect(try await auth.caller(tokens).account?.email == Self.new)
        #expect(auth.mailer.mails.map(\.to) == ["ana@maple.example"])
        _ = try await auth.signIn(Self.new)
        #expect(try await problem { try await auth.signIn() } != nil)
        try await auth.signUp("ben@maple.example", name: "Ben")
        #expect(
            try await problem { _ = try await change(auth, tokens, to: "ben@maple.example") }
                == .invalid("email", "auth.emailTaken"))
    }

    @Test("a new address is confirmed by email: until its link is used, once, the account has the old one")
    func confirmed() async throws {
        let (auth, tokens) = try await signedIn(confirmsMail: true)
        let outcome = try await change(auth, tokens)
        #expect(outcome.feedback?.text.contains(Self.new) == true)
        let mail = try #require(auth.mailer.mails.last)
        #expect(mail.to == Self.new)
        let token = try link(in: mail)
        #expect(try await auth.caller(tokens).account?.email == "ana@maple.example")
        let page = try await auth.environment.outline("/confirm/\(token)", as: .nobody)
        #expect(page.contains("confirm to sign in with this address"), "\(page)")
        _ = try await auth.environment.execute("auth.confirmAddress", ["token": .text(token)], as: .nobody)
        #expect(try await auth.caller(tokens).account?.email == Self.new, "the session stays")
        #expect(auth.mailer.mails.last?.to == "ana@maple.example")
        #expect(
            try await problem {
                _ = try await auth.environment.execute("auth.confirmAddress", ["token": .text(token)], as: .nobody)
            } == Problem(410, "auth.linkOver"))
    }

    @Test("a change by email reveals to nobody whether the address has an account; its holder is notified")
    func taken() async throws {
        let (auth, tokens) = try await signedIn(confirmsMail: true)
        try await auth.apply("ben@maple.example", name: "Ben")
        let free = try await change(auth, tokens)
        let taken = try await change(auth, tokens, to: "ben@maple.example")
        #expect(free.status == taken.status && free.body == taken.body)
        #expect(auth.mailer.mails.last?.to == "ben@maple.example")
        #expect(auth.mailer.mails.last?.text.contains("/confirm/") == false)
        #expect(try await auth.caller(tokens).account?.email == "ana@maple.example")
    }

    @Test("of two accounts that ask for one address the first to use its link gets it")
    func race() async throws {
        let (auth, ana) = try await signedIn(confirmsMail: true)
        try await auth.apply("ben@maple.example", name: "Ben")
        try await auth.environment.directory.write { try $0.execute("UPDATE accounts SET confirmed_at = 1") }
        let ben = try await auth.signIn("ben@maple.example")
        _ = try await change(auth, ana)
        let first = try link(in: auth.mailer.mails.last)
        _ = try await change(auth, ben)
        let second = try link(in: auth.mailer.mails.last)
        _ = try await auth.environment.execute("auth.confirmAddress", ["token": .text(second)], as: .nobody)
        #expect(
            try await problem {
                _ = try await auth.environment.execute("auth.confirmAddress", ["token": .text(first)], as: .nobody)
            } == Problem(409, "auth.addressTaken"))
        #expect(try await auth.caller(ben).account?.email == Self.new)
    }

    @Test("links that were mailed to the old address are over once it is changed")
    func oldLinks() async throws {
        let (auth, tokens) = try await signedIn(confirmsMail: false)
        _ = try await auth.environment.execute(
            "auth.requestReset", ["email": "ana@maple.example"], as: .nobody)
        let text = try #require(auth.mailer.mails.last?.text)
        let token = String(try #require(text.firstMatch(of: /\/reset\/(\S+)/)).1)
        _ = try await change(auth, tokens)
        #expect(
            try await problem {
                _ = try await auth.environment.execute(
                    "auth.reset", ["token": .text(token), "password": "the words of a thief"], as: .nobody)
            } == Problem(410, "auth.linkOver"))
    }

    @Test("nobody but its holder changes the address of the account that runs the server")
    func operatorAddress() async throws {
        let (auth, tokens) = try await signedIn(confirmsMail: false)
        let ana = try #require(try await auth.caller(tokens).account)
        let ben = try await auth.caller(auth.signUp("ben@maple.example", name: "Ben"))
        let addresses = AddressChanges(
            auth: auth.auth, directory: auth.directory, hasher: auth.hasher, ids: auth.environment.ids,
            mailer: auth.mailer, publicURL: "https://tower.example", confirmsMail: false)
        let (now, ids) = (auth.environment.clock.now, auth.environment.ids)
        let words = try await auth.environment.context(of: ben).words
        await #expect(throws: Problem(409, "auth.addressOwn")) {
            try await auth.environment.directory.write { sql in
                let context = CommandContext(caller: ben, now: now, ids: ids, words: words, sql: sql)
                _ = try addresses.changeAddress(of: ana.id, to: Self.new, in: context)
            }
        }
    }
}
