import Foundation
import HTTPTypes
import HummingbirdTesting
import ServerApp
import TestKit
import Testing

/// What a sign-up over HTTP reveals about an address on a server that confirms addresses.
@Suite("Sign-up with a known address")
struct AddressTests {
    private static let known = "known@maple.example"

    private struct Seen: Equatable {
        let status: HTTPResponse.Status
        let headers: [String]
        let body: String

        init(_ answer: TestResponse) {
            status = answer.status
            // The id of the request differs each time.
            headers = answer.headers.filter { $0.name.rawName.lowercased() != "x-request-id" }
                .map { "\($0.name.rawName.lowercased()): \($0.value)" }.sorted()
            body = answer.text
        }
    }

    @Test(
        "a sign-up with a known address gets the answer of a new one, in the API and in the browser",
        .requirement("WW-8.07.a"))
    func sameAnswer() async throws {
        try await Tower.with(in: nil, { $0.confirmsMail = true }) { tower in
            func signUp(_ email: String) async throws -> Seen {
                Seen(
                    try await tower.post(
                        "/api/v1/auth/sign-up",
                        Tower.NewPerson(name: "Eve", email: email, password: email + " words")))
            }
            func signUpInBrowser(_ email: String) async throws -> Seen {
                Seen(
                    try await tower.form(
                        "/api/v1/auth/sign-up",
                        [
                            ("name", "Eve"), ("email", email), ("password", "the words of a thief"),
                            ("bornOn", "1990-02-28"), ("agrees", "on"),
                        ]))
            }
            let first = try await signUp(Self.known)
            #expect(first.status == .created && first.body.contains("mail"))
            let again = try await tower.post(
                "/api/v1/auth/sign-up",
                Tower.NewPerson(name: "Eve", email: Self.known, password: "the words of a thief"))
            #expect(try await Seen(again) == signUp("new@maple.example"))
            let (browserKnown, browserNew) = try await (
                signUpInBrowser(Self.known), signUpInBrowser("newer@maple.example")
            )
            #expect(browserKnown == browserNew)
            #expect(browserKnown.headers.contains("location: /sign-up/mail"))
        }
    }
}
