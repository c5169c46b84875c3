import AuthInterface
import DesignSystem
import Domain
import FeatureKit
import Foundation
import ScreenKit
import TestKit
import Testing

@testable import Auth

@Suite("Sign-in and sign-up pages")
struct SignInScreenTests {
    let auth: AuthFixture

    init() async throws { auth = try await AuthFixture() }

    @Test(
        "sign-in shows the product's name, one line, a picture and its form",
        .requirement("WW-8.01.a", "PT-1.21.a", "PT-1.21.b", "PT-1.21.c", "PT-3.35.a", "PT-3.35.c"))
    func signIn() async throws {
        let outline = try await auth.environment.outline("/sign-in", as: .nobody)
        #expect(
            outline.lines == [
                "# PinkTower · Every child’s day, one small step at a time.",
                "(picture tower)",
                "form sign-in -> /api/v1/auth/sign-in",
                "  <Email: email*>",
                "  <Password: password*>",
                "  [Sign in]",
                "form use-passkey -> /api/v1/auth/passkeys/sign-in (passkey: use)",
                "  [Sign in with a passkey]",
                "[Forgot your password?] -> /forgot",
                "--- New here?",
                "[Create an account] -> /sign-up",
            ])
    }

    @Test("sign-up asks for a name, an address and a password", .requirement("WW-20.02.a"))
    func signUp() async throws {
        let outline = try await auth.environment.outline("/sign-up", as: .nobody)
        #expect(
            outline.lines == [
                "# Create your account · It takes a minute.",
                "(picture tower)",
                "form sign-up -> /api/v1/auth/sign-up",
                "  <Your name: text*>",
                "  <Email: email*>",
                "  <Password: new password*>",
                "  <Date of birth: date*>",
                "  <Parent’s email address: email>",
                "  <I agree to the Terms of Service and the Privacy Policy: toggle*>",
                "  [Create an account]",
                "[Terms of Service] -> /terms",
                "[Privacy Policy] -> /privacy",
                "[I already have an account] -> /sign-in",
            ])
    }

    @Test(
        "Terms and Privacy are real text in both languages, public and linked from sign-up",
        .requirement("WW-20.04.a", "WW-20.04.c"), arguments: Language.allCases)
    func legal(language: Language) async throws {
        let signUp = try await auth.environment.outline("/sign-up", as: .nobody, language: language)
        for path in ["/terms", "/privacy"] {
            let page = try await auth.environment.outline(path, as: .nobody, language: language)
            #expect(page.lines.joined(separator: " ").count > 1500, "\(path) is hardly a text")
            #expect(signUp.contains("-> \(path)"))
        }
    }

    @Test("both pages are in French too")
    func french() async throws {
        let signIn = try await auth.environment.outline("/sign-in", as: .nobody, language: .french)
        #expect(signIn.lines.first == "# PinkTower · La journée de chaque enfant, un petit pas à la fois.")
        #expect(signIn.contains("[Se connecter]"))
        let signUp = try await auth.environment.outline("/sign-up", as: .nobody, language: .french)
        #expect(signUp.lines.first == "# Créez votre compte · Une minute suffit.")
        for outline in [signIn, signUp] { #expect(!outline.contains("«")) }
    }

    @Test("a refused sign-up keeps the input except the password, and shows each fault at its field")
    func refused() async throws {
        let refused = RefusedForm(
            command: "/api/v1/auth/sign-up",
            typed: ["name": "Ana", "email": "ana@maple", "password": "geheim"],
            problem: .invalid([
                Fault("email", "auth.emailTaken"), Fault("password", "tooShort", [.number(10)]),
            ]))
        let outline = try await auth.environment.outline("/sign-up", as: .nobody, refused: refused)
        #expect(outline.contains("<Your name: text* = Ana>"))
        #expect(outline.contains("<Email: email* = ana@maple>"))
        #expect(outline.contains("! There is already an account with this email."))
        #expect(!outline.contains("geheim"))
        let errors = outline.lines.filter { $0.hasPrefix("    !") }
        #expect(errors.count == 2)
    }

    @Test("a signed-in person is redirected, to pages of this site only")
    func goesOn() async throws {
        let caller = try await auth.caller(auth.signUp())
        #expect(try await auth.environment.redirect("/sign-in", as: caller) == "/")
        #expect(
            try await auth.environment.redirect("/sign-up", as: caller, query: ["next": "/my-day"]) == "/my-day")
        for hostile in [
            "//evil.example", "https://evil.example", "/\\evil.example", "\\\\evil.example", "evil", "/a\r\nX: y",
            "/\t/evil.example",
        ] {
            #expect(try await auth.environment.redirect("/sign-in", as: caller, query: ["next": hostile]) == "/")
            let page = try await auth.environment.outline("/sign-in", as: .nobody, query: ["next": hostile])
            #expect(page.contains("[Create an account] -> /sign-up"))
            #expect(!page.contains("next="))
        }
    }
}
