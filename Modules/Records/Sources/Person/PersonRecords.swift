public import AuthInterface
import Domain
public import FeatureKit
import Foundation
public import OrganizationInterface
import RecordsInterface

/// Everything that a school stores about one person: told, and erased.
public struct PersonRecords: Sendable {
    private let readKinds: @Sendable () -> [RecordKind]
    var kinds: [RecordKind] { readKinds() }
    let people: any PeopleService
    let register: any SchoolRegister
    let accountMemberships: any AccountMemberships
    let accounts: any AccountReading
    let archives: any Archiving

    public init(
        kinds: @autoclosure @escaping @Sendable () -> [RecordKind], people: any PeopleService,
        register: any SchoolRegister, accountMemberships: any AccountMemberships,
        accounts: any AccountReading, archives: any Archiving
    ) {
        readKinds = kinds
        self.people = people
        self.register = register
        self.accountMemberships = accountMemberships
        self.accounts = accounts
        self.archives = archives
    }

    /// The person, their roles, and what records name them by.
    struct Subject: Sendable {
        let person: Person
        let roles: [Role]
        let records: RecordSubject
    }

    func subject(_ personId: UUID, in context: RequestContext) async throws -> Subject {
        let orgId = try context.membership.organization.id
        guard
            let person = try await context.school.read({ try people.people([personId], of: orgId, in: $0) })[
                personId]
        else { throw Problem.notFound }
        let places = try await register.entry(of: orgId).places.filter { $0.personId == personId }
        return Subject(
            person: person, roles: places.map(\.role),
            records: RecordSubject(
                schoolId: orgId, personId: personId, accountId: places.compactMap(\.accountId).first,
                placeholder: context.words("records.removedPerson"), email: person.email))
    }

    /// Those whom the school knows for this person's sake alone: a parent who was invited and never came. Nobody who has
    /// another role is among them.
    func dependents(of subject: Subject, in context: RequestContext) async throws -> [Subject] {
        let membership = try context.membership
        let ids = try await context.school.read { try dependentIds(of: subject.records, in: $0) }
        guard !ids.isEmpty else { return [] }
        let orgId = membership.organization.id
        let places = try await register.entry(of: orgId).places
        let found = try await context.school.read { try people.people(ids, of: orgId, in: $0) }
        return found.values.sorted { $0.id.text < $1.id.text }.compactMap { person in
            let own = places.filter { $0.personId == person.id }
            guard person.id != membership.personId, own.allSatisfy({ $0.role == .parent && $0.accountId == nil })
            else {
                return nil
            }
            return Subject(
                person: person, roles: own.map(\.role),
                records: RecordSubject(
                    schoolId: orgId, personId: person.id, accountId: nil, placeholder: subject.records.placeholder,
                    email: person.email))
        }
    }

    func dependentIds(of subject: RecordSubject, in sql: any SQLReading) throws -> [UUID] {
        var ids: [UUID] = []
        for table in kinds.flatMap(\.tables) {
            guard let statement = table.dependents?(subject) else { continue }
            ids += try sql.rows(statement).compactMap { row in row.values.first.flatMap(UUID.init(sqlValue:)) }
        }
        return ids
    }

    // MARK: - Export

    /// A zip with a JSON file for each kind that has anything about the person.
    ///
    /// Of the account only what belongs to this school: its other schools are none of this one's business.
    func export(_ subject: Subject, in context: RequestContext, to file: URL) async throws {
        var parts: [ArchivePart] = []
        var cited: Set<BlobHash> = []
        var lines: [String] = []
        for kind in kinds where kind.erasure != .withAccount {
            var tables: [String: [[String: String]]] = [:]
            for table in kind.tables {
                guard let statement = table.about?(subject.records) else { continue }
                let database = kind.store == .school ? try context.school : context.directory
                let rows = try await database.read { try $0.rows(statement) }
                if !rows.isEmpty { tables[table.name] = rows.map(Self.told) }
                if table.files != nil {
                    cited.formUnion(rows.flatMap(\.values).compactMap(BlobHash.init(sqlValue:)))
                }
            }
            guard !tables.isEmpty else { continue }
            parts.append(ArchivePart("\(kind.id).json", .bytes(try Self.json(tables))))
            lines.append("\(kind.id).json — \(context.words(kind.title))")
        }
        let files = try await context.files.parts(cited)
        if !files.isEmpty { lines.append("files — \(context.words("records.export.files"))") }
        let note =
            context.words("records.person.readme", subject.person.name.display) + "\n\n"
            + lines.joined(separator: "\n") + "\n"
        try await archives.zip([ArchivePart("README.txt", .bytes(Data(note.utf8)))] + parts + files, into: file)
    }

    private static func told(_ row: SQLRow) -> [String: String] {
        zip(row.columns, row.values).reduce(into: [:]) { told, field in
            told[field.0] = RecordText.of(field.1, in: field.0)
        }
    }

    private static func json(_ tables: [String: [[String: String]]]) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(tables)
    }

    // MARK: - Erasure

    /// Refuses where the school would be without a super admin, where an admin would erase a super admin, and
    /// where somebody would erase themselves.
    func checkErasure(_ subject: Subject, typed: String, in context: RequestContext) async throws {
        let membership = try context.membership
        guard NameFolding.fold(typed) == NameFolding.fold(subject.person.name.display) else {
            throw Problem.invalid("name", "records.name", [.text(subject.person.name.display)])
        }
        if subject.roles.contains(.superAdmin) {
            guard try await accountMemberships.superAdminCount(in: membership.organization.id) > 1 else {
                throw Problem(409, "records.lastSuperAdmin")
            }
            guard membership.roles.contains(.superAdmin) else { throw Problem.notAllowed }
        }
        guard subject.person.id != membership.personId else { throw Problem(409, "records.oneself") }
    }

    /// The statements that erase what a database holds about the person, in the order of their declaration:
    /// what hangs on others goes before them.
    func erase(_ subject: RecordSubject, _ store: RecordKind.Store, in sql: any SQLWriting) throws {
        // The person's own row is declared first and goes last.
        for kind in kinds.reversed() where kind.store == store {
            for table in kind.tables {
                if let statement = table.erase?(subject) { try sql.execute(statement) }
            }
        }
    }
}
