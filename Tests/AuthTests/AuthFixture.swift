import AuthInterface
import DesignSystem
import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import Synchronization
import TestKit
import Testing

@testable import Auth

/// Counts slow hashes, for tests that compare the work of two requests.
final class CountingHasher: SecretHasher {
    private let inner = FastHasher()
    private let count = Mutex(0)
    /// The number of slow hashes so far.
    var work: Int { count.withLock { $0 } }

    func hash(password: String) async throws -> String {
        count.withLock { $0 += 1 }
        return try await inner.hash(password: password)
    }
    func verify(password: String, against hash: String) async throws -> Bool {
        count.withLock { $0 += 1 }
        return try await inner.verify(password: password, against: hash)
    }
    func fingerprint(_ token: String) -> String { inner.fingerprint(token) }
}

/// Records the statements of each write transaction, for tests that compare the work of two requests.
final class RecordingDatabase: Database {
    private let database: any Database
    private let transactions = Mutex<[[String]]>([])

    init(_ database: any Database) { self.database = database }

    /// The kinds of writing statements, such as `INSERT`, by transaction.
    var statements: [[String]] { transactions.withLock { $0 } }

    private final class Recorder: SQLWriting {
        let inner: any SQLWriting
        var statements: [String] = []

        init(_ inner: any SQLWriting) { self.inner = inner }

        func rows(_ sql: SQL) throws -> [SQLRow] { try inner.rows(sql) }
        func afterCommit(_ action: @escaping @Sendable () -> Void) { inner.afterCommit(action) }
        func execute(_ sql: SQL) throws -> Int {
            statements.append(String(sql.text.drop(while: \.isWhitespace).prefix { $0.isLetter }))
            return try inner.execute(sql)
        }
    }

    func read<Value: Sendable>(_ work: @escaping @Sendable (any SQLReading) throws -> Value) async throws -> Value {
        try await database.read(work)
    }

    func write<Value: Sendable>(
        _ work: @escaping @Sendable (any SQLWriting) throws -> Value
    ) async throws -> Value {
        let (value, statements) = try await database.write { sql in
            let recorder = Recorder(sql)
            return (try work(recorder), recorder.statements)
        }
        if !statements.isEmpty { transactions.withLock { $0.append(statements) } }
        return value
    }
}

/// The block in its own environment, with accounts that sign in.
struct AuthFixture {
    static let password = "a few words in a row"

    let environment: TestEnvironment
    let mailer: RememberingMailer
    let auth: AuthService
    let hasher: CountingHasher
    /// The directory that the service reads.
    let directory: InterruptedDatabase
    /// The directory that the block's commands write outside of their own transaction.
    let recorder: RecordingDatabase

    init(confirmsMail: Bool = false, provider: (any IdentityProvider)? = nil) async throws {
        let hasher = CountingHasher()
        var made: (AuthService, InterruptedDatabase, RememberingMailer, RecordingDatabase)?
        environment = try await TestEnvironment { ports in
            let directory = InterruptedDatabase(ports.directory)
            let auth = AuthService(directory: directory, hasher: hasher, clock: ports.clock, ids: ports.ids)
            let recorder = RecordingDatabase(ports.directory)
            made = (auth, directory, ports.mailer, recorder)
            let feature = try AuthFeature.make(
                auth: auth, directory: recorder, hasher: hasher, ids: ports.ids, mailer: ports.mailer,
                outbox: EmptyOutbox(), cryptography: ports.cryptography, qr: TestQRCode(),
                publicURL: "https://tower.example", confirmsMail: confirmsMail,
                addresses: AddressChanges(
                    auth: auth, directory: recorder, hasher: hasher, ids: ports.ids, mailer: ports.mailer,
                    publicURL: "https://tower.example", confirmsMail: confirmsMail),
                provider: provider, erasing: nil,
                allFeatures: ports.allFeatures)
            return [feature]
        }
        guard let made else { throw TestEnvironment.Unknown(description: "no service was made") }
        (auth, directory, mailer, recorder) = made
        self.hasher = hasher
    }

    @discardableResult
    func signUp(
        _ email: String = "ana@maple.example", password: String = AuthFixture.password, name: String = "Ana Kovač"
    ) async throws -> SessionTokens {
        try #require(try await apply(email, password: password, name: name).session)
    }

    /// Signs up with a date of birth; the account may need a confirmation.
    @discardableResult
    func apply(
        _ email: String = "ana@maple.example", password: String = AuthFixture.password, name: String = "Ana Kovač",
        bornOn: String = "1990-02-28", parent: String? = nil
    ) async throws -> SignInAnswer {
        try await environment.execute(
            SignUp.self,
            [
                "name": .text(name), "email": .text(email), "password": .text(password), "bornOn": .text(bornOn),
                "agrees": true, "parentEmail": parent.map(InputValue.text) ?? nil,
            ], as: .nobody)
    }

    @discardableResult
    func signIn(
        _ email: String = "ana@maple.example", password: String = AuthFixture.password
    ) async throws -> SessionTokens {
        try #require(try await answer(email, password: password).session)
    }

    /// The answer of a sign-in: a session or its second step.
    func answer(
        _ email: String = "ana@maple.example", password: String = AuthFixture.password
    ) async throws -> SignInAnswer {
        try await environment.execute(
            SignIn.self, ["email": .text(email), "password": .text(password)], as: .nobody)
    }

    func caller(_ tokens: SessionTokens) async throws -> Caller {
        Caller(account: try await auth.account(accessToken: tokens.accessToken), membership: nil)
    }

    /// The contents of all tables of the directory, as text.
    func stored() async throws -> String {
        try await environment.directory.read { sql in
            try ["accounts", "sessions", "session_tokens", "idempotency", "lock_outs"].flatMap { table in
                try sql.rows(SQL(stringLiteral: "SELECT * FROM \(table)")).map { "\($0.values)" }
            }.joined(separator: "\n")
        }
    }
}

/// The outbox of a server that has sent all of its mails.
struct EmptyOutbox: MailOutbox {
    func mails() async throws -> [OutboxMail] { [] }
    func mail(_ id: String) async throws -> (OutboxMail, Mail)? { nil }
    func remove(where isOver: @escaping @Sendable (OutboxMail) -> Bool) async throws {}
}
