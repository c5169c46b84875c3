import AuthInterface
import ClassroomInterface
import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import OrganizationInterface
import Persistence
import RosterInterface
import RosterTesting
import Synchronization
import TestKit
import Testing

@testable import Classroom
@testable import Organization
@testable import Roster

/// A school with the real blocks for people, classrooms and import, on SQLite.
struct RosterFixture {
    let school: TestSchool
    let roster: RosterImport
    let admin: Caller
    let memberships: DirectoryMembershipService
    private let roles: LateRoles

    /// - Parameter courses: `nil` for a school without courses.
    init(courses: RosterImport.Courses? = nil) async throws {
        let roles = LateRoles()
        let clock = FixedClock()
        roster = Self.make(SQLPeopleService(), roles, clock, courses)
        self.roles = roles
        var organization = Feature("Organization", catalog: try StringCatalog(json: Self.noTexts))
        organization.storage.directoryMigrations = OrganizationMigrations.directory
        organization.storage.schoolMigrations = OrganizationMigrations.school
        var classroom = Feature("Classroom", catalog: try StringCatalog(json: Self.noTexts))
        classroom.storage.schoolMigrations = ClassroomMigrations.school
        school = try await TestSchool([organization, classroom, try RosterFeature.make(roster)], clock: clock)
        memberships = DirectoryMembershipService(
            directory: school.environment.directory, accounts: NoAccounts(), schools: school.environment.schools,
            clock: clock,
            ids: SystemIDGenerator())
        roles.fill(memberships)
        let row = school.organization
        try await school.environment.directory.write { try OrganizationRepository.insert(row, in: $0) }
        admin = school.makeCaller(.admin)
    }

    private static func make(
        _ people: any PeopleImporting & PeopleService, _ roles: LateRoles, _ clock: FixedClock,
        _ courses: RosterImport.Courses? = nil
    ) -> RosterImport {
        RosterImport(
            people: people, classrooms: SQLClassroomService(), families: SQLFamilyImport(), roles: roles,
            courses: courses,
            kinds: KernelRecordStore.kinds + OrganizationRecordStore.kinds + ClassroomRecordStore.kinds,
            unpacker: FixedUnpacking(), packer: ListingPacking(),
            hasher: FastHasher(), clock: clock, ids: SystemIDGenerator())
    }

    /// The same import with another people service.
    func roster(over people: any PeopleImporting & PeopleService) -> RosterImport {
        Self.make(people, roles, school.clock)
    }

    private static let noTexts = Data(#"{"sourceLanguage":"en","version":"1.0","strings":{}}"#.utf8)

    // MARK: - Actions

    static func files(_ bundle: [RosterFile]) -> InputValue {
        .list(bundle.map { .file(UploadedFile(name: $0.name, contentType: "text/csv", bytes: $0.bytes)) })
    }

    func preview(_ bundle: [RosterFile], as caller: Caller? = nil) async throws -> RosterReport {
        try await school.execute(
            "roster.preview", .object(["files": Self.files(bundle)]), as: caller ?? admin, isForm: true
        ).result()
    }

    @discardableResult
    func importing(
        _ bundle: [RosterFile], as caller: Caller? = nil, confirmed: Bool = true
    ) async throws -> RosterReport {
        try await school.execute(
            "roster.import",
            .object(["files": Self.files(bundle), "confirmed": .text(confirmed ? "true" : "false")]),
            as: caller ?? admin, isForm: true
        ).result()
    }

    // MARK: - State

    func people() async throws -> [String: Person] {
        let orgId = school.organization.id
        return try await school.database.read { sql in
            try SQLPeopleService().everybody(of: orgId, in: sql)
                .reduce(into: [:]) { people, one in one.externalId.map { people[$0] = one.person } }
        }
    }

    func holdings() async throws -> ClassroomHoldings {
        try await school.database.read { try SQLClassroomService().holdings(in: $0) }
    }

    func roles(of personId: UUID) async throws -> Set<Role> {
        try await memberships.roles(of: personId, in: school.organization.id)
    }

    /// Parents and children by the ids of the other system: `parent-0 child-0`.
    func families() async throws -> Set<String> {
        let ids = try await people().reduce(into: [UUID: String]()) { $0[$1.value.id] = $1.key }
        let links = try await school.database.read { try SQLFamilyImport().links(in: $0) }
        return Set(links.map { "\(ids[$0.guardianId] ?? "?") \(ids[$0.childId] ?? "?")" })
    }

    /// How many rows each table of the school has.
    func sizes() async throws -> [String: Int] {
        try await school.database.read { sql in
            var sizes: [String: Int] = [:]
            sizes["people"] = try sql.value("SELECT COUNT(*) FROM people")
            sizes["classrooms"] = try sql.value("SELECT COUNT(*) FROM classrooms")
            sizes["students"] = try sql.value("SELECT COUNT(*) FROM students")
            sizes["guides"] = try sql.value("SELECT COUNT(*) FROM classroom_guides")
            sizes["places"] = try sql.value("SELECT COUNT(*) FROM classroom_students")
            sizes["guardians"] = try sql.value("SELECT COUNT(*) FROM guardians")
            sizes["roles"] = try sql.value("SELECT COUNT(*) FROM roster_roles")
            sizes["log"] = try sql.value("SELECT COUNT(*) FROM change_log")
            return sizes
        }
    }

    func memberCount() async throws -> Int {
        try await school.environment.directory.read { try $0.value("SELECT COUNT(*) FROM memberships") } ?? 0
    }
}

/// Writes people and then stops, as a process does that is killed in the middle.
struct FailingPeople: PeopleImporting, PeopleService {
    struct Stopped: Error {}
    private let inner = SQLPeopleService()

    var tables: Set<String> { inner.tables }

    func everybody(of orgId: UUID, in sql: any SQLReading) throws -> [ImportedPerson] {
        try inner.everybody(of: orgId, in: sql)
    }
    func insert(_ people: [ImportedPerson], in sql: any SQLWriting) throws {
        try inner.insert(people, in: sql)
        throw Stopped()
    }
    func update(_ people: [Person], in sql: any SQLWriting) throws { try inner.update(people, in: sql) }
    func remove(_ personIds: [UUID], in sql: any SQLWriting) throws {
        try inner.remove(personIds, in: sql)
        throw Stopped()
    }
    func people(_ ids: [UUID], of orgId: UUID, in sql: any SQLReading) throws -> [UUID: Person] {
        try inner.people(ids, of: orgId, in: sql)
    }
    func add(_ draft: PersonDraft, in context: CommandContext) throws -> Person { throw unexpectedCall() }
    func update(_ id: UUID, _ draft: PersonDraft, in context: CommandContext) throws -> Person {
        throw unexpectedCall()
    }
    func remove(_ id: UUID, in context: CommandContext) throws { throw unexpectedCall() }
}

/// Roles that are set after the environment was made.
final class LateRoles: RoleAssigning {
    private let inner = Mutex<(any RoleAssigning)?>(nil)

    func fill(_ roles: any RoleAssigning) { inner.withLock { $0 = roles } }

    let tables: Set<String> = ["memberships"]

    private var real: any RoleAssigning {
        get throws {
            guard let roles = inner.withLock({ $0 }) else { throw unexpectedCall() }
            return roles
        }
    }

    func give(_ role: Role, to personIds: [UUID], in orgId: UUID) async throws -> Set<UUID> {
        try await real.give(role, to: personIds, in: orgId)
    }

    func take(_ role: Role, from personIds: [UUID], in orgId: UUID) async throws {
        try await real.take(role, from: personIds, in: orgId)
    }

    func assigned(in orgId: UUID) async throws -> [UUID: Set<Role>] { try await real.assigned(in: orgId) }

    func takeAll(from personId: UUID, in orgId: UUID) async throws {
        try await real.takeAll(from: personId, in: orgId)
    }
}

private struct NoAccounts: AccountReading {
    func accounts(_ ids: [UUID]) async throws -> [UUID: Account] { [:] }
    func account(email: String) async throws -> Account? { throw unexpectedCall() }
}
