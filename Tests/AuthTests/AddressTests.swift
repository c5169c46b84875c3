import AuthInterface
import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import Synchronization
import TestKit
import Testing

@testable import Auth

/// Everything that takes an address from somebody who has not signed in, where addresses are confirmed.
@Suite("Whether an address has an account shows in no answer")
struct AddressTests {
    /// What an address is when it is tried.
    enum Standing: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case unknown, confirmed, unconfirmed, childWaiting
        var testDescription: String { rawValue }
    }

    enum Way: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case signUp, signUpAsChild, signIn, reset
        var testDescription: String { rawValue }
    }

    /// What somebody sees of an answer, without the secrets that differ each time.
    struct Seen: Equatable {
        let status: Int
        let body: String
        let destination: String?
        let hasSession: Bool
        /// Slow hashes and transactions that write, on which the time depends.
        let hashes: Int
        let commits: Int
    }

    private let address = "ana@maple.example"

    private func auth(_ standing: Standing) async throws -> AuthFixture {
        let auth = try await AuthFixture(confirmsMail: true)
        switch standing {
        case .unknown: break
        case .confirmed:
            try await auth.apply(address)
            try await auth.environment.directory.write { try $0.execute("UPDATE accounts SET confirmed_at = 1") }
        case .unconfirmed: try await auth.apply(address)
        case .childWaiting:
            try await auth.apply(address, bornOn: "2016-05-01", parent: "mother@maple.example")
        }
        // Whatever this has counted is forgotten.
        auth.environment.clock.advance(by: 3 * 86_400)
        return auth
    }

    private func input(_ way: Way, password: String) -> (command: String, InputValue) {
        var fields: [String: InputValue] = ["email": .text(address)]
        if way != .reset { fields["password"] = .text(password) }
        switch way {
        case .signUp, .signUpAsChild:
            fields["name"] = "Eve"
            fields["agrees"] = true
            fields["bornOn"] = way == .signUp ? "1990-02-28" : "2016-05-01"
            if way == .signUpAsChild { fields["parentEmail"] = "eve@elsewhere.example" }
            return ("auth.signUp", .object(fields))
        case .signIn: return ("auth.signIn", .object(fields))
        case .reset: return ("auth.requestReset", .object(fields))
        }
    }

    private func seen(_ way: Way, _ auth: AuthFixture, password: String = "the words of a thief") async throws
        -> Seen
    {
        let (command, input) = input(way, password: password)
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
        "the answer, the slow hashes and the commits are the same as for an address that nobody has",
        arguments: Way.allCases, Standing.allCases)
    func sameAnswer(_ way: Way, _ standing: Standing) async throws {
        let expected = try await seen(way, auth(.unknown))
        let found = try await seen(way, auth(standing))
        #expect(found == expected)
        #expect(found.commits > 0, "the count sees something")
    }

    @Test(
        "signing in after a sign-up does not tell whether that made the account",
        arguments: [Way.signUp, .signUpAsChild])
    func signInAfterSignUp(_ way: Way) async throws {
        var all: [[Seen]] = []
        for standing in Standing.allCases {
            let auth = try await auth(standing)
            var answers: [Seen] = []
            for way in [way, .signIn, way, .signIn, .signIn, .signIn] { answers.append(try await seen(way, auth)) }
            all.append(answers)
        }
        for (standing, answers) in zip(Standing.allCases, all) { #expect(answers == all[0], "\(standing)") }
        #expect(all[0].last?.status == 429, "tries are counted for an address that nobody has as well")
    }

    @Test("the owner of a known address learns of the sign-up by mail, and nothing of the account changes")
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

    @Test("nobody is mailed without end by sign-ups with their address")
    func limitsMails() async throws {
        let auth = try await auth(.confirmed)
        let count = auth.mailer.mails.count
        for _ in 0..<8 {
            _ = try await seen(.signUp, auth)
            auth.environment.clock.advance(by: 300)
        }
        #expect(auth.mailer.mails.count - count == 5)
    }

    @Test("whoever repeats a sign-up with the same password before the link was used gets the link again")
    func repeatsSignUp() async throws {
        let auth = try await auth(.unconfirmed)
        let count = auth.mailer.mails.count
        let answer = try await auth.apply(address)
        #expect(answer.waitsFor == .mail && answer.session == nil)
        #expect(auth.mailer.mails.count == count + 1)
        #expect(auth.mailer.mails.last?.text.contains("https://tower.example/confirm/") == true)
    }

    @Test("two sign-ups with one address at the same moment make one account and get the same answer")
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

    @Test("where no mails are sent a sign-up says that the address is taken")
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
        arguments: [Way.reset, .signIn], [Standing.confirmed, .unconfirmed])
    func sameStatements(_ way: Way, _ standing: Standing) async throws {
        func statements(_ standing: Standing) async throws -> [[String]] {
            let auth = try await auth(standing)
            let before = auth.recorder.statements.count
            let own = RecordingDatabase(auth.environment.directory)
            let (command, input) = input(way, password: AuthFixture.password)
            // A confirmed account would be signed in with the right password.
            let (_, guess) = self.input(way, password: "the words of a thief")
            _ = try await problem {
                _ = try await execute(command, standing == .confirmed ? guess : input, auth, through: own)
            }
            return Array(auth.recorder.statements[before...]) + own.statements
        }
        let found = try await statements(standing)
        #expect(try await found == statements(.unknown))
        #expect(found.last == ["DELETE", "INSERT"])
    }

    private func accounts(_ auth: AuthFixture) async throws -> [String] {
        try await auth.environment.directory.read { sql in
            try sql.rows("SELECT * FROM accounts ORDER BY id").map { "\($0.values)" }
        }
    }
}
