import AuthInterface
import ClassroomInterface
import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import Persistence
import RosterInterface
import Synchronization
import TestKit
import Testing

@testable import Classroom
@testable import Organization
@testable import Roster

/// A school with the real blocks of people, classrooms and import on SQLite.
struct RosterHouse {
    let school: TestSchool
    let roster: RosterImport
    let admin: Caller
    let memberships: DirectoryMembershipService

    init() async throws {
        let roles = LateRoles()
        let clock = FixedClock()
        roster = RosterImport(
            people: SQLPeopleService(), classrooms: SQLClassroomService(), roles: roles, clock: clock,
            ids: SystemIDGenerator())
        var organization = Feature("Organization", catalog: try StringCatalog(json: Self.noTexts))
        organization.directoryMigrations = OrganizationMigrations.directory
        organization.schoolMigrations = OrganizationMigrations.school
        var classroom = Feature("Classroom", catalog: try StringCatalog(json: Self.noTexts))
        classroom.schoolMigrations = ClassroomMigrations.school
        school = try await TestSchool([organization, classroom, try RosterFeature.make(roster)], clock: clock)
        memberships = DirectoryMembershipService(
            directory: school.house.directory, accounts: NoAccounts(), schools: school.house.schools, clock: clock,
            ids: SystemIDGenerator())
        roles.fill(memberships)
        let row = school.organization
        try await school.house.directory.write { try OrganizationRepository.insert(row, in: $0) }
        admin = school.makeCaller(.admin)
    }

    private static let noTexts = Data(#"{"sourceLanguage":"en","version":"1.0","strings":{}}"#.utf8)

    // MARK: - Acts

    static func files(_ bundle: [RosterFile]) -> InputValue {
        .list(bundle.map { .file(UploadedFile(name: $0.name, contentType: "text/csv", bytes: $0.bytes)) })
    }

    func preview(_ bundle: [RosterFile], as caller: Caller? = nil) async throws -> RosterReport {
        try await school.execute(
            "roster.preview", .object(["files": Self.files(bundle)]), as: caller ?? admin, isForm: true
        ).result()
    }

    @discardableResult
    func importing(_ bundle: [RosterFile], as caller: Caller? = nil) async throws -> RosterReport {
        try await school.execute(
            "roster.import", .object(["files": Self.files(bundle)]), as: caller ?? admin, isForm: true
        ).result()
    }

    // MARK: - What is there

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

    /// How many rows each table of the school has.
    func sizes() async throws -> [String: Int] {
        try await school.database.read { sql in
            var sizes: [String: Int] = [:]
            sizes["people"] = try sql.value("SELECT COUNT(*) FROM people")
            sizes["classrooms"] = try sql.value("SELECT COUNT(*) FROM classrooms")
            sizes["students"] = try sql.value("SELECT COUNT(*) FROM students")
            sizes["guides"] = try sql.value("SELECT COUNT(*) FROM classroom_guides")
            sizes["places"] = try sql.value("SELECT COUNT(*) FROM classroom_students")
            sizes["roles"] = try sql.value("SELECT COUNT(*) FROM roster_roles")
            sizes["log"] = try sql.value("SELECT COUNT(*) FROM change_log")
            return sizes
        }
    }

    func memberCount() async throws -> Int {
        try await school.house.directory.read { try $0.value("SELECT COUNT(*) FROM memberships") } ?? 0
    }
}

/// Roles that are given once the house stands.
final class LateRoles: RoleAssigning {
    private let inner = Mutex<(any RoleAssigning)?>(nil)

    func fill(_ roles: any RoleAssigning) { inner.withLock { $0 = roles } }

    func give(_ role: Role, to personIds: [UUID], in orgId: UUID) async throws {
        guard let roles = inner.withLock({ $0 }) else { throw unexpectedCall() }
        try await roles.give(role, to: personIds, in: orgId)
    }

    func takeAll(from personId: UUID, in orgId: UUID) async throws {
        guard let roles = inner.withLock({ $0 }) else { throw unexpectedCall() }
        try await roles.takeAll(from: personId, in: orgId)
    }
}

private struct NoAccounts: AccountReading {
    func accounts(_ ids: [UUID]) async throws -> [UUID: Account] { [:] }
    func account(email: String) async throws -> Account? { throw unexpectedCall() }
}
