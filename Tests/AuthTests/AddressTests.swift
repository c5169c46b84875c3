import AuthInterface
import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import Synchronization
import TestKit
import Testing

@testable import Auth

/// The requests that take an address without a session, where addresses are confirmed.
@Suite("Answers that do not reveal accounts")
struct AddressTests {
    /// What the server knows of the address.
    enum AddressState: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case unknown, confirmed, unconfirmed, childWaiting
        var testDescription: String { rawValue }
    }

    enum Request: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case signUp, signUpAsChild, signIn, reset
        var testDescription: String { rawValue }
    }

    /// The visible part of an answer, without the secrets that differ each time.
    struct Seen: Equatable {
        let status: Int
        let body: String
        let destination: String?
        let hasSession: Bool
        /// Slow hashes and write transactions, which determine the time.
        let hashes: Int
        let commits: Int
    }

    private let address = "ana@maple.example"

    private func auth(_ state: AddressState) async throws -> AuthFixture {
        let auth = try await AuthFixture(confirmsMail: true)
        switch state {
        case .unknown: break
        case .confirmed:
            try await auth.apply(address)
            try await auth.environment.directory.write { try $0.execute("UPDATE accounts SET confirmed_at = 1") }
        case .unconfirmed: try await auth.apply(address)
        case .childWaiting:
            try await auth.apply(address, bornOn: "2016-05-01", parent: "mother@maple.example")
        }
        // All limits have expired by now.
        auth.environment.clock.advance(by: 3 * 86_400)
        return auth
    }

    private func input(_ request: Request, password: String) -> (command: String, InputValue) {
        var fields: [String: InputValue] = ["email": .text(address)]
        if request != .reset { fields["password"] = .text(password) }
        switch request {
        case .signUp, .signUpAsChild:
            fields["name"] = "Eve"
            fields["agrees"] = true
            fields["bornOn"] = request == .signUp ? "1990-02-28" : "2016-05-01"
            if request == .signUpAsChild { fields["parentEmail"] = "eve@elsewhere.example" }
            return ("auth.signUp", .object(fields))
        case .signIn: return ("auth.signIn", .object(fields))
        case .reset: return ("auth.requestReset", .object(fields))
        }
    }

    private func seen(_ request: Request, _ auth: AuthFixture, password: String = "the words of a thief")
        async throws
        -> Seen
    {
        let (command, input) = input(request, password: password)
        let (hashes, commits) = (auth.hasher.work, auth.recorder.statements.count)
        let own = RecordingDatabase(auth.environment.directory)
        func seen(_ status: Int, _ body: String, _ destination: String?, _ hasSession: Bool) -> Seen {
            Seen(
                status: status, body: body, destination: destination, hasSession: hasSession,
                hashes: auth.hasher.work - hashes,
                commits: auth.recorder.statements.count - commits + own.statements.count)
        }
        do {
            let outcome = try await execute(command, input, auth, through: own)
            return seen(
                outcome.status, String(decoding: outcome.body, as: UTF8.self), outcome.destination,
                outcome.session != nil)
        } catch let problem as Problem {
            return seen(problem.status, "\(problem)", nil, false)
        }
    }

    @Test(
        "a known address gets the answer, hashes and commits of an unknown one",
        arguments: Request.allCases, AddressState.allCases)
    func sameAnswer(_ request: Request, _ state: AddressState) async throws {
        let expected = try await seen(request, auth(.unknown))
        let found = try await seen(request, auth(state))
        #expect(found == expected)
        #expect(found.commits > 0, "the count sees something")
    }

    @Test(
        "signing in after a sign-up does not reveal whether that made the account",
        arguments: [Request.signUp, .signUpAsChild])
    func signInAfterSignUp(_ request: Request) async throws {
        var all: [[Seen]] = []
        for state in AddressState.allCases {
            let auth = try await auth(state)
            var answers: [Seen] = []
            for request in [request, .signIn, request, .signIn, .signIn, .signIn] {
                answers.append(try await seen(request, auth))
            }
            all.append(answers)
        }
        for (state, answers) in zip(AddressState.allCases, all) { #expect(answers == all[0], "\(state)") }
        #expect(all[0].last?.status == 429, "tries are counted for an address that nobody has as well")
    }

    @Test("a sign-up with a known address emails its owner and leaves the account unchanged")
    func tellsTheOwner() async throws {
        let auth = try await auth(.confirmed)
        let before = try await accounts(auth)
        let count = auth.mailer.mails.count
        _ = try await seen(.signUp, auth)
        let mail = try #require(auth.mailer.mails.last)
        #expect(auth.mailer.mails.count == count + 1)
        #expect(mail.to == address && mail.subject == "You already have an account")
        #expect(mail.text.contains("https://tower.example/sign-in"))
        #expect(mail.text.contains("https://tower.example/forgot"))
        #expect(try await accounts(auth) == before)
        #expect(try await auth.signIn(address).accessToken.isEmpty == false)
    }

    @Test("repeated sign-ups send an address a limited number of emails")
    func limitsMails() async throws {
        let auth = try await auth(.confirmed)
        let count = auth.mailer.mails.count
        for _ in 0..<8 {
            _ = try await seen(.signUp, auth)
            auth.environment.clock.advance(by: 300)
        }
        #expect(auth.mailer.mails.count - count == 5)
    }

    @Test("repeating a sign-up with the same password before the link is used emails the link again")
    func repeatsSignUp() async throws {
        let auth = try await auth(.unconfirmed)
        let count = auth.mailer.mails.count
        let answer = try await auth.apply(address)
        #expect(answer.waitsFor == .mail && answer.session == nil)
        #expect(auth.mailer.mails.count == count + 1)
        #expect(auth.mailer.mails.last?.text.contains("https://tower.example/confirm/") == true)
    }

    @Test("two simultaneous sign-ups make one account and get the same answer")
    func atOnce() async throws {
        let auth = try await AuthFixture(confirmsMail: true)
        let answers = try await withThrowingTaskGroup(of: SignInAnswer.self) { group in
            for number in 0..<4 {
                group.addTask { [address] in try await auth.apply(address, password: "some long password \(number)")
                }
            }
            return try await group.reduce(into: [SignInAnswer]()) { $0.append($1) }
        }
        #expect(answers.count == 4 && Set(answers).count == 1)
        #expect(try await accounts(auth).count == 1)
    }

    @Test("a sign-up on a server without email says that the address is taken")
    func withoutMails() async throws {
        let auth = try await AuthFixture()
        try await auth.signUp()
        #expect(
            try await problem { try await auth.signUp(password: "the words of a thief") }
                == .invalid("email", "auth.emailTaken"))
    }

    /// Runs a command through a pipeline whose transactions are recorded.
    private func execute(
        _ name: String, _ input: InputValue, _ auth: AuthFixture, through database: RecordingDatabase
    ) async throws -> Pipeline.Outcome {
        let fixture = auth.environment
        let command = try #require(
            fixture.features.flatMap(\.endpoints.commands).first { $0.contract.name == name })
        let pipeline = Pipeline(
            directory: database, schools: fixture.schools, blobs: fixture.blobs, hub: fixture.hub,
            clock: fixture.clock,
            ids: fixture.ids, hasher: fixture.hasher)
        return try await pipeline.execute(
            command, input, isForm: false, key: nil, in: fixture.context(of: .nobody))
    }

    @Test(
        "a reset and a refused sign-in write the same kinds of statements for every address",
        arguments: [Request.reset, .signIn], [AddressState.confirmed, .unconfirmed])
    func sameStatements(_ request: Request, _ state: AddressState) async throws {
        func statements(_ state: AddressState) async throws -> [[String]] {
            let auth = try await auth(state)
            let before = auth.recorder.statements.count
            let own = RecordingDatabase(auth.environment.directory)
            let (command, input) = input(request, password: AuthFixture.password)
            // The right password would sign in to a confirmed account.
            let (_, guess) = self.input(request, password: "the words of a thief")
            _ = try await problem {
                _ = try await execute(command, state == .confirmed ? guess : input, auth, through: own)
            }
            return Array(auth.recorder.statements[before...]) + own.statements
        }
        let found = try await statements(state)
        #expect(try await found == statements(.unknown))
        #expect(found.last == ["DELETE", "INSERT"])
    }

    private func accounts(_ auth: AuthFixture) async throws -> [String] {
        try await auth.environment.directory.read { sql in
            try sql.rows("SELECT * FROM accounts ORDER BY id").map { "\($0.values)" }
        }
    }
}
