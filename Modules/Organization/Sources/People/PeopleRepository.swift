public import Domain
public import FeatureKit
public import Foundation
public import OrganizationInterface

enum PeopleRepository {
    static func insert(_ person: Person, externalId: String?, accountId: UUID?, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO people (id, account_id, given_name, family_name, preferred_name, email, number,
                grade_level, avatar_tint, sort_key, search_text, external_id, created_at)
            VALUES (\(person.id), \(accountId), \(person.name.given), \(person.name.family),
                \(person.name.preferred), \(person.email), \(person.number), \(person.gradeLevel),
                \(person.avatarTint), \(person.name.sortKey), \(person.name.searchText), \(externalId),
                \(person.createdAt))
            """)
    }

    static func insert(_ people: [ImportedPerson], in sql: any SQLWriting) throws {
        let rows = people.map { new -> [SQLValue] in
            let person = new.person
            return [
                person.id.sqlValue, person.name.given.sqlValue, person.name.family.sqlValue,
                person.name.preferred?.sqlValue ?? .null, person.email?.sqlValue ?? .null,
                person.number?.sqlValue ?? .null, person.gradeLevel?.sqlValue ?? .null,
                person.avatarTint.sqlValue, person.name.sortKey.sqlValue, person.name.searchText.sqlValue,
                new.externalId?.sqlValue ?? .null, person.createdAt.sqlValue,
            ]
        }
        for portion in SQL.portions(of: rows) {
            try sql.execute(
                """
                INSERT INTO people (id, given_name, family_name, preferred_name, email, number, grade_level,
                    avatar_tint, sort_key, search_text, external_id, created_at)
                VALUES \(rows: portion)
                """)
        }
    }

    /// Updates a person. Returns whether the person exists.
    static func update(_ person: Person, in sql: any SQLWriting) throws -> Bool {
        try sql.execute(
            """
            UPDATE people SET given_name = \(person.name.given), family_name = \(person.name.family),
                preferred_name = \(person.name.preferred), email = \(person.email),
                number = \(person.number), grade_level = \(person.gradeLevel), avatar_tint = \(person.avatarTint), sort_key = \(person.name.sortKey),
                search_text = \(person.name.searchText)
            WHERE id = \(person.id)
            """) > 0
    }

    static func delete(_ id: UUID, in sql: any SQLWriting) throws -> Bool {
        try sql.execute("DELETE FROM people WHERE id = \(id)") > 0
    }

    static func people(_ ids: [UUID], of orgId: UUID, in sql: any SQLReading) throws -> [UUID: Person] {
        try sql.rows(ofEach: ids) { "SELECT * FROM people WHERE id IN \(list: $0)" }
            .map { try PeopleTable.person($0, orgId: orgId) }.reduce(into: [:]) { $0[$1.id] = $1 }
    }

    static func names(_ ids: [UUID], in sql: any SQLReading) throws -> [UUID: String] {
        try PeopleTable.names(ids, in: sql).mapValues(\.display)
    }

    static func everybody(of orgId: UUID, in sql: any SQLReading) throws -> [ImportedPerson] {
        try sql.rows(
            """
            SELECT id, given_name, family_name, preferred_name, email, number, grade_level, avatar_tint,
                portrait, created_at, external_id, account_id
            FROM people
            """
        ).map {
            try ImportedPerson(
                person: PeopleTable.person($0, orgId: orgId), externalId: $0.optional("external_id"),
                hasAccount: $0.optional("account_id", as: UUID.self) != nil)
        }
    }

    /// Returns the people with an account, oldest first.
    static func linked(in sql: any SQLReading) throws -> [(person: UUID, account: UUID)] {
        try sql.rows("SELECT id, account_id FROM people WHERE account_id IS NOT NULL ORDER BY created_at, id")
            .map { (try $0.get("id"), try $0.get("account_id")) }
    }

    static func set(portrait hash: BlobHash?, of personId: UUID, in sql: any SQLWriting) throws {
        try sql.execute("UPDATE people SET portrait = \(hash) WHERE id = \(personId)")
    }

    /// Returns the hash of the picture that a person chose; `nil` if there is none.
    static func portrait(of personId: UUID, in sql: any SQLReading) throws -> BlobHash? {
        try sql.value("SELECT portrait FROM people WHERE id = \(personId)")
    }

    static func hasAccount(_ personId: UUID, in sql: any SQLReading) throws -> Bool {
        try sql.exists("SELECT 1 FROM people WHERE id = \(personId) AND account_id IS NOT NULL")
    }

    static func personId(ofAccount accountId: UUID, in sql: any SQLReading) throws -> UUID? {
        try sql.value("SELECT id FROM people WHERE account_id = \(accountId)")
    }

    /// Links an account to a person without one. Returns `false` if the person is unknown or has an account.
    static func link(_ personId: UUID, accountId: UUID, in sql: any SQLWriting) throws -> Bool {
        try sql.execute(
            "UPDATE people SET account_id = \(accountId) WHERE id = \(personId) AND account_id IS NULL") > 0
    }

    static func unlink(_ personId: UUID, in sql: any SQLWriting) throws {
        try sql.execute("UPDATE people SET account_id = NULL WHERE id = \(personId)")
    }
}

/// Reads and changes the people of a school in the feature block's own tables.
public struct SQLPeopleService: PeopleService, PeopleImporting {
    public init() {}

    public func people(_ ids: [UUID], of orgId: UUID, in sql: any SQLReading) throws -> [UUID: Person] {
        try PeopleRepository.people(ids, of: orgId, in: sql)
    }

    public func add(_ draft: PersonDraft, in context: CommandContext) throws -> Person {
        let id = context.newId()
        let person = Person(
            id: id, orgId: try context.membership.organization.id, name: draft.name, email: draft.email,
            number: draft.number, gradeLevel: draft.gradeLevel,
            avatarTint: draft.avatarTint ?? Tint(for: id), createdAt: context.now)
        try PeopleRepository.insert(person, externalId: draft.externalId, accountId: nil, in: context.sql)
        return person
    }

    public func update(_ id: UUID, _ draft: PersonDraft, in context: CommandContext) throws -> Person {
        let orgId = try context.membership.organization.id
        guard var person = try PeopleRepository.people([id], of: orgId, in: context.sql)[id] else {
            throw Problem.notFound
        }
        person.name = draft.name
        person.email = draft.email
        (person.number, person.gradeLevel) = (draft.number, draft.gradeLevel)
        person.avatarTint = draft.avatarTint ?? person.avatarTint
        _ = try PeopleRepository.update(person, in: context.sql)
        return person
    }

    public func remove(_ id: UUID, in context: CommandContext) throws {
        guard try PeopleRepository.delete(id, in: context.sql) else { throw Problem.notFound }
    }
    // MARK: - PeopleImporting

    public func everybody(of orgId: UUID, in sql: any SQLReading) throws -> [ImportedPerson] {
        try PeopleRepository.everybody(of: orgId, in: sql)
    }

    public func insert(_ people: [ImportedPerson], in sql: any SQLWriting) throws {
        try PeopleRepository.insert(people, in: sql)
    }

    public func update(_ people: [Person], in sql: any SQLWriting) throws {
        for person in people where try !PeopleRepository.update(person, in: sql) { throw Problem.notFound }
    }

    public func remove(_ personIds: [UUID], in sql: any SQLWriting) throws {
        for portion in SQL.portions(of: personIds.map { [$0.sqlValue] }) {
            try sql.execute("DELETE FROM people WHERE id IN (VALUES \(rows: portion))")
        }
    }

    public var tables: Set<String> { ["people"] }
}
