public import Domain
public import FeatureKit
public import Foundation
public import OrganizationInterface
import Synchronization

/// A substitute for Organization in the tests of other blocks: the table of people and the service on it.
///
/// It has no members, invites or directory. `PeopleContract` checks that it behaves like the block.
public struct TestPeople: PeopleService {
    public init() {}

    /// Returns a block with the table of people and nothing else, for a `TestSchool`.
    public static func feature() throws -> Feature {
        var feature = Feature("Organization", catalog: try StringCatalog(json: Data(#"{"strings": {}}"#.utf8)))
        feature.storage.schoolMigrations = [
            PeopleTable.creation, PeopleTable.schoolRecord, PeopleTable.portraits,
        ]
        return feature
    }

    /// Adds a person to a school outside of any command, as an actor of the test.
    public static func insert(_ id: UUID, _ name: String, into school: any Database) async throws {
        let person = Person(
            id: id, orgId: id, name: PersonName(fullName: name), email: nil, avatarTint: Tint(for: id),
            createdAt: Date(timeIntervalSince1970: 1_793_000_000))
        // conformance: allow write - prepares a test
        try await school.write { try TestPeople.insert(person, externalId: nil, in: $0) }
    }

    /// Adds the person of a caller to a school and returns the caller.
    public static func add(_ caller: Caller, _ name: String, to school: any Database) async throws -> Caller {
        if let id = caller.membership?.personId { try await insert(id, name, into: school) }
        return caller
    }

    public func people(_ ids: [UUID], of orgId: UUID, in sql: any SQLReading) throws -> [UUID: Person] {
        guard !ids.isEmpty else { return [:] }
        return try sql.rows("SELECT * FROM people WHERE id IN \(list: ids)").map {
            try PeopleTable.person($0, orgId: orgId)
        }
        .reduce(into: [:]) { $0[$1.id] = $1 }
    }

    public func add(_ draft: PersonDraft, in context: CommandContext) throws -> Person {
        let id = context.newId()
        let person = Person(
            id: id, orgId: try context.membership.organization.id, name: draft.name, email: draft.email,
            number: draft.number, gradeLevel: draft.gradeLevel, avatarTint: draft.avatarTint ?? Tint(for: id),
            createdAt: context.now)
        try TestPeople.insert(person, externalId: draft.externalId, in: context.sql)
        return person
    }

    public func update(_ id: UUID, _ draft: PersonDraft, in context: CommandContext) throws -> Person {
        guard var person = try people([id], of: context.membership.organization.id, in: context.sql)[id] else {
            throw Problem.notFound
        }
        person.name = draft.name
        person.email = draft.email
        (person.number, person.gradeLevel) = (draft.number, draft.gradeLevel)
        person.avatarTint = draft.avatarTint ?? person.avatarTint
        try context.sql.execute(
            """
            UPDATE people SET given_name = \(person.name.given), family_name = \(person.name.family),
                preferred_name = \(person.name.preferred), email = \(person.email),
                number = \(person.number), grade_level = \(person.gradeLevel), avatar_tint = \(person.avatarTint), sort_key = \(person.name.sortKey),
                search_text = \(person.name.searchText)
            WHERE id = \(person.id)
            """)
        return person
    }

    public func remove(_ id: UUID, in context: CommandContext) throws {
        guard try context.sql.execute("DELETE FROM people WHERE id = \(id)") > 0 else { throw Problem.notFound }
    }

    private static func insert(_ person: Person, externalId: String?, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO people (id, given_name, family_name, preferred_name, email, number, grade_level,
                avatar_tint, sort_key, search_text, external_id, created_at)
            VALUES (\(person.id), \(person.name.given), \(person.name.family), \(person.name.preferred),
                \(person.email), \(person.number), \(person.gradeLevel), \(person.avatarTint), \(person.name.sortKey), \(person.name.searchText),
                \(externalId), \(person.createdAt))
            """)
    }
}

/// A substitute for the roles of people, in memory, which records the people whose roles were all taken.
public final class TestRoles: RoleAssigning {
    private let taken = Mutex<[UUID]>([])

    public init() {}

    /// The people whose roles were all taken, in order.
    public var dismissed: [UUID] { taken.withLock { $0 } }

    public let tables: Set<String> = []

    public func give(_ role: Role, to personIds: [UUID], in orgId: UUID) async throws -> Set<UUID> {
        Set(personIds)
    }
    public func take(_ role: Role, from personIds: [UUID], in orgId: UUID) async throws {}
    public func assigned(in orgId: UUID) async throws -> [UUID: Set<Role>] { [:] }
    public func takeAll(from personId: UUID, in orgId: UUID) async throws { taken.withLock { $0.append(personId) } }
}

/// A substitute for the guide service, with the guides that a test names.
public struct TestGuides: GuideService {
    public var guides: [Guide]

    public init(_ guides: [Guide] = []) { self.guides = guides }

    public func guides(of orgId: UUID) async throws -> [Guide] { guides.filter { $0.orgId == orgId } }
}

/// Founds schools in tests: their databases are real, and the directory is an array.
public final class TestFounding: SchoolFounding {
    private let schools: any SchoolDatabases
    private let founded = Mutex<[Founding]>([])

    public init(schools: any SchoolDatabases) { self.schools = schools }

    /// The schools that were founded during the test, in order.
    public var all: [Founding] { founded.withLock { $0 } }

    public func prepareFounding(
        _ draft: OrganizationDraft, in context: RequestContext,
        filling fill: @escaping @Sendable (inout CommandContext) throws -> Void
    ) async throws -> Founding {
        let account = try context.account
        let organization = Organization(
            id: context.ids.id(at: context.now), name: draft.name, avatarTint: draft.avatarTint ?? .berry,
            timeZone: draft.timeZone ?? "America/Toronto", createdAt: context.now)
        let personId = context.ids.id(at: context.now)
        let founder = Caller(
            account: account,
            membership: ActiveMembership(organization: organization, personId: personId, roles: [.superAdmin]))
        let school = try await schools.create(organization.id)
        try await TestPeople.insert(personId, account.name, into: school)
        // conformance: allow write - stands in for the block's own founding
        try await school.write { sql in
            var inside = CommandContext(
                caller: founder, now: context.now, ids: context.ids, words: context.words, sql: sql)
            try fill(&inside)
            _ = try ChangeLog.append(inside.changes, at: context.now, actor: personId, in: sql)
        }
        return Founding(organization: organization, personId: personId)
    }

    public func create(_ founding: Founding, in context: CommandContext) throws {
        context.sql.afterCommit { [self] in founded.withLock { $0.append(founding) } }
    }
}
