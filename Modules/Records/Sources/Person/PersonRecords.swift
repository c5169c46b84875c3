public import AuthInterface
import Domain
public import FeatureKit
import Foundation
public import OrganizationInterface
import RecordsInterface

/// Export and erasure of everything that a school stores about one person.
public struct PersonRecords: Sendable {
    private let readKinds: @Sendable () -> [RecordKind]
    var kinds: [RecordKind] { readKinds() }
    let people: any PeopleService
    let register: any SchoolRegister
    let accountMemberships: any AccountMemberships
    let accounts: any AccountReading
    let archives: any Archiving

    /// Creates the service that exports and erases one person's records. The record kinds are those of all feature
    /// blocks, read at each use.
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

    /// A person, her roles, and the values by which records refer to her.
    struct Subject: Sendable {
        let person: Person
        let roles: [Role]
        let records: RecordSubject
    }

    /// The person with an id. Throws `Problem.notFound` if she is not in the caller's school.
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

    /// The people whom the school knows only because of this person, such as invited parents without an account. People
    /// with another role are not among them.
    func dependents(of subject: Subject, in context: RequestContext) async throws -> [Subject] {
        let membership = try context.membership
        let ids = try await context.school.read { try dependentIds(of: subject.records, in: $0) }
        guard !ids.isEmpty else { return [] }
        let orgId = membership.organization.id
        let places = try await register.entry(of: orgId).places
        let found = try await context.school.read { try people.people(ids, of: orgId, in: $0) }
        return found.values.sorted { $0.id < $1.id }.compactMap { person in
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

    /// The ids of people who may be dependents, within the caller's database transaction.
    func dependentIds(of subject: RecordSubject, in sql: any SQLReading) throws -> [UUID] {
        var ids: [UUID] = []
        for table in kinds.flatMap(\.tables) {
            guard let statement = table.dependents?(subject) else { continue }
            ids += try sql.rows(statement).compactMap { row in row.values.first.flatMap(UUID.init(sqlValue:)) }
        }
        return ids
    }

    // MARK: - Export

    /// Writes a ZIP file with a JSON file for each kind of record that has rows about the person.
    ///
    /// The account's own records are left out, because they include other schools.
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
                if !rows.isEmpty { tables[table.name] = rows.map(Self.readable) }
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

    private static func readable(_ row: SQLRow) -> [String: String] {
        zip(row.columns, row.values).reduce(into: [:]) { readable, field in
            readable[field.0] = RecordText.of(field.1, in: field.0)
        }
    }

    private static func json(_ tables: [String: [[String: String]]]) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(tables)
    }

    // MARK: - Erasure

    /// Throws if the typed name is wrong, if a caller would erase herself, or if the school would lose its last super
    /// admin. Only super admins can erase a super admin.
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

    /// Erases what a database stores about the person. Kinds are erased in reverse order, because later ones refer to
    /// earlier ones.
    func erase(_ subject: RecordSubject, _ store: RecordKind.Store, in sql: any SQLWriting) throws {
        // The person's own row is declared first, so it is erased last.
        for kind in kinds.reversed() where kind.store == store {
            for table in kind.tables {
                if let statement = table.erase?(subject) { try sql.execute(statement) }
            }
        }
    }
}
