public import Domain
public import FeatureKit
public import FeatureRuntime
public import Foundation
public import Persistence
import Synchronization
public import Testing

/// A directory and schools on SQLite in a temporary folder, with the real pipeline.
///
/// It takes any features, including features whose dependencies are fakes.
public final class TestEnvironment: Sendable {
    public let features: [Feature]
    public let folder: TemporaryFolder
    /// The directory, as features see it.
    public var directory: any Database { accounts }
    public var schools: any SchoolDatabases { files }
    private let accounts: SQLiteDatabase
    public let files: SQLiteSchools
    /// The files of the schools.
    public let blobs: any SchoolBlobs
    public let hub = ChangeHub()
    public let clock: FixedClock
    public let ids: CountingIDs
    public let hasher = FastHasher()
    public let pipeline: Pipeline
    private let allFeatures: AllFeatures?
    /// The texts of the features. Every command needs them, and reading them takes milliseconds.
    private let texts = Mutex<[Language: Words]>([:])
    private static let kernelTexts = Result { try StringCatalog.featureKit() }

    public init(
        _ features: [Feature], clock: FixedClock = FixedClock(), ids: CountingIDs = CountingIDs(),
        folder: TemporaryFolder? = nil, allFeatures: AllFeatures? = nil
    ) async throws {
        self.features = features
        self.allFeatures = allFeatures
        self.clock = clock
        self.ids = ids
        let folder = try folder ?? TemporaryFolder()
        self.folder = folder
        blobs = FolderBlobs(in: Persistence.blobsFolder(in: folder.url), clock: clock)
        accounts = try await SQLiteDatabase.open(
            at: Persistence.directoryFile(in: folder.url),
            migrations: KernelMigrations.directory
                + features.map { MigrationSet(owner: $0.id, migrations: $0.storage.directoryMigrations) })
        files = try SQLiteSchools(
            in: Persistence.schoolsFolder(in: folder.url),
            migrations: KernelMigrations.school
                + features.map { MigrationSet(owner: $0.id, migrations: $0.storage.schoolMigrations) })
        pipeline = Pipeline(
            directory: accounts, schools: files, blobs: blobs, hub: hub, clock: clock, ids: ids, hasher: hasher)
    }

    /// Creates an environment with features that hold databases, which they can use after this has returned.
    public convenience init(
        clock: FixedClock = FixedClock(), _ make: (TestPorts) throws -> [Feature]
    ) async throws {
        let late = LateDatabases()
        let ids = CountingIDs()
        let folder = try TemporaryFolder()
        let allFeatures = AllFeatures(kernelRecords: KernelRecordStore.kinds)
        let ports = TestPorts(
            directory: late, schools: late, files: late,
            blobs: FolderBlobs(in: Persistence.blobsFolder(in: folder.url), clock: clock), clock: clock, ids: ids,
            mailer: RememberingMailer(), allFeatures: allFeatures)
        let features = try make(ports)
        allFeatures.set(features)
        try await self.init(features, clock: clock, ids: ids, folder: folder, allFeatures: allFeatures)
        late.set(directory, files)
    }

    deinit { allFeatures?.clear() }

    /// Creates a new, empty school.
    public func makeSchool(
        _ name: String = "Maple Montessori", timeZone: String = "America/Toronto"
    ) async throws -> TestSchool {
        let id = ids.id(at: clock.now)
        let database = try await schools.create(id)
        return TestSchool(
            environment: self, database: database,
            organization: Organization(
                id: id, name: name, avatarTint: .leaf, timeZone: timeZone, createdAt: clock.now))
    }

    /// Creates an account without a school.
    public func makeAccount(email: String = "ana@maple.example", name: String = "Ana Kovač") -> SignedInAccount {
        SignedInAccount(
            id: ids.id(at: clock.now), sessionId: ids.id(at: clock.now), deviceId: ids.id(at: clock.now),
            email: email, name: name)
    }

    public func words(_ language: Language = .english) throws -> Words {
        try texts.withLock { texts in
            if let known = texts[language] { return known }
            let words = try Words(language, features.map(\.catalog) + [Self.kernelTexts.get()])
            texts[language] = words
            return words
        }
    }

    public func context(
        of caller: Caller, language: Language = .english, ticket: String? = nil
    ) async throws -> RequestContext {
        try await pipeline.context(
            of: caller, words: words(language), remoteAddress: "192.0.2.7", ticket: ticket)
    }

    /// Runs a command by its contract's name, as an API client does.
    ///
    /// Without a `key`, every call is a new request.
    @discardableResult
    public func execute(
        _ name: String, _ input: InputValue = [:], as caller: Caller, key: String? = nil, isForm: Bool = false,
        language: Language = .english, ticket: String? = nil
    ) async throws -> Pipeline.Outcome {
        guard let command = features.flatMap(\.endpoints.commands).first(where: { $0.contract.name == name }) else {
            throw Unknown(description: "no command of \(features.map(\.id)) is named \(name)")
        }
        return try await pipeline.execute(
            command, input, isForm: isForm, key: key,
            in: context(of: caller, language: language, ticket: ticket))
    }

    /// Runs a command by its type and returns its result.
    @discardableResult
    public func execute<C: Command>(
        _ type: C.Type, _ input: InputValue = [:], as caller: Caller, key: String? = nil
    ) async throws -> C.Result {
        try await execute(C.contract.name, input, as: caller, key: key).result()
    }

    /// Runs a query by its contract's name and returns JSON. Its input consists of text, as in an address.
    public func answer(
        _ name: String, _ input: InputValue = [:], as caller: Caller, language: Language = .english
    ) async throws -> Data {
        guard let query = features.flatMap(\.endpoints.queries).first(where: { $0.contract.name == name }) else {
            throw Unknown(description: "no query of \(features.map(\.id)) is named \(name)")
        }
        return try await pipeline.answer(query, input, in: context(of: caller, language: language))
    }

    /// Runs a query by its type and returns its result.
    public func answer<Q: Query>(
        _ type: Q.Type, _ input: InputValue = [:], as caller: Caller
    ) async throws -> Q.Result {
        try JSON.decode(Q.Result.self, from: await answer(Q.contract.name, input, as: caller))
    }

    /// Fails if the engine would scan a whole table of the directory (`TestSchool.expectIndexed`).
    public func expectIndexed(
        _ sql: SQL, allowing: Set<String> = [], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await TestKit.expectIndexed(sql, in: accounts, allowing: allowing, sourceLocation: sourceLocation)
    }

    /// Closes all files. Not needed at the end of a test.
    public func close() async throws {
        hub.close()
        try await files.close()
        try await accounts.close()
    }

    /// Closes all files, opens the school's file again as after a restart, and returns what `read` reads.
    public func afterRestart<Value: Sendable>(
        of schoolId: UUID, _ read: @escaping @Sendable (any SQLReading) throws -> Value
    ) async throws -> Value {
        try await close()
        let again = try SQLiteSchools(
            in: Persistence.schoolsFolder(in: folder.url),
            migrations: KernelMigrations.school
                + features.map { MigrationSet(owner: $0.id, migrations: $0.storage.schoolMigrations) })
        let value = try await again.school(schoolId).read(read)
        try await again.close()
        return value
    }

    /// A test requested something that does not exist.
    public struct Unknown: Error, CustomStringConvertible {
        public let description: String

        public init(description: String) { self.description = description }
    }
}

/// The state of tests of a block in a school.
public protocol SchoolFixture { var school: TestSchool { get } }

extension SchoolFixture {
    /// The id of the caller's person; of a caller outside of schools, one that nobody has.
    public static func id(_ caller: Caller) -> UUID { caller.membership?.personId ?? UUID() }
}

/// One school of a `TestEnvironment`, and callers in it.
public final class TestSchool: Sendable {
    public let environment: TestEnvironment
    public let database: any Database
    public let organization: Organization

    init(environment: TestEnvironment, database: any Database, organization: Organization) {
        self.environment = environment
        self.database = database
        self.organization = organization
    }

    /// Creates an environment with this one school.
    public convenience init(_ features: [Feature], clock: FixedClock = FixedClock()) async throws {
        let first = try await TestEnvironment(features, clock: clock).makeSchool()
        self.init(environment: first.environment, database: first.database, organization: first.organization)
    }

    public var clock: FixedClock { environment.clock }
    public var ids: CountingIDs { environment.ids }

    /// Returns a caller with these roles in the school. The person has no row in any feature's table.
    public func makeCaller(_ roles: Role..., personId: UUID? = nil, account: SignedInAccount? = nil) -> Caller {
        Caller(
            account: account ?? environment.makeAccount(),
            membership: ActiveMembership(
                organization: organization, personId: personId ?? ids.id(at: clock.now), roles: Set(roles)))
    }

    @discardableResult
    public func execute(
        _ name: String, _ input: InputValue = [:], as caller: Caller, key: String? = nil, isForm: Bool = false,
        language: Language = .english
    ) async throws -> Pipeline.Outcome {
        try await environment.execute(name, input, as: caller, key: key, isForm: isForm, language: language)
    }

    @discardableResult
    public func execute<C: Command>(
        _ type: C.Type, _ input: InputValue = [:], as caller: Caller, key: String? = nil
    ) async throws -> C.Result {
        try await environment.execute(type, input, as: caller, key: key)
    }

    public func answer<Q: Query>(
        _ type: Q.Type, _ input: InputValue = [:], as caller: Caller
    ) async throws -> Q.Result {
        try await environment.answer(type, input, as: caller)
    }

    public func context(of caller: Caller, language: Language = .english) async throws -> RequestContext {
        try await environment.context(of: caller, language: language)
    }

    /// Returns all changes that commands have recorded, oldest first.
    public func changes() async throws -> [LoggedChange] {
        try await database.read { try ChangeLog.changes(after: 0, limit: 10_000, in: $0) }
    }

    /// Fails if the engine would scan a whole table for a statement. Use it for frequent queries.
    /// - Parameter allowing: names or aliases of tables that may be scanned: results of subqueries, tables with a
    ///   handful of rows.
    public func expectIndexed(
        _ sql: SQL, allowing: Set<String> = [], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        TestKit.expectIndexed(
            try await queryPlan(sql), sql.text, allowing: allowing, sourceLocation: sourceLocation)
    }

    /// Returns the query plan of a statement in the school.
    public func queryPlan(_ sql: SQL) async throws -> [String] {
        try await environment.files.queryPlan(sql, of: organization.id)
    }
}

/// Fails if the engine would scan a whole table of a database for a statement.
public func expectIndexed(
    _ sql: SQL, in database: SQLiteDatabase, allowing: Set<String> = [],
    sourceLocation: SourceLocation = #_sourceLocation
) async throws {
    let plan = try await database.queryPlan(sql)
    expectIndexed(plan, sql.text, allowing: allowing, sourceLocation: sourceLocation)
}

/// Fails if a query plan contains the scan of a whole table.
public func expectIndexed(
    _ plan: [String], _ text: String, allowing: Set<String> = [],
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(!plan.isEmpty, "the engine told no plan for \(text)", sourceLocation: sourceLocation)
    for step in plan where step.hasPrefix("SCAN ") {
        let name = String(step.dropFirst(5).prefix { $0 != " " })
        if name == "CONSTANT" || name.hasPrefix("(") || allowing.contains(name) { continue }
        Issue.record(
            """
            reads all of \(name): \(text)
            \(plan.joined(separator: "\n"))
            Add an index. If a LIMIT ends the reading early, or the table has a handful of rows, name it in 'allowing:'.
            """, sourceLocation: sourceLocation)
    }
}

extension Pipeline.Outcome {
    /// Returns the decoded result.
    public func result<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try JSON.decode(type, from: body)
    }
}
