import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ResidenceModel

/// A resident as the block's own table holds one.
struct Resident: Sendable, Hashable {
    let personId: UUID
    var pgId: UUID
    var status: StudentStatus
    var phone: String?
    /// Whether the resident is of age, so that no parent decides on leave.
    var isOfAge: Bool
    /// Whether the resident agreed that passages carry their place.
    var allowsLocation: Bool
}

/// The SQL of residents.
enum ResidentRepository {
    static func resident(_ personId: UUID, in sql: any SQLReading) throws -> Resident? {
        try sql.row("SELECT * FROM residents WHERE person_id = \(personId)").map(resident)
    }

    /// The residents of a residence in the order of their names, with their names.
    static func residents(
        of residenceId: UUID, statuses: [StudentStatus] = StudentStatus.allCases, in sql: any SQLReading
    ) throws -> [(resident: Resident, person: PersonName, email: String?)] {
        try sql.rows(
            """
            SELECT residents.*, \(PeopleTable.columns)
            FROM residents JOIN \(PeopleTable.name) ON \(PeopleTable.id) = residents.person_id
            WHERE residents.residence_id = \(residenceId) AND residents.status IN \(list: statuses)
            ORDER BY \(PeopleTable.order)
            """
        ).map { row in
            (try resident(row), try PeopleTable.personName(row), try row.optional("email"))
        }
    }

    /// The telephone numbers of the residents of a residence.
    static func phones(of residenceId: UUID, in sql: any SQLReading) throws -> [UUID: String] {
        try sql.rows(
            "SELECT person_id, phone FROM residents WHERE residence_id = \(residenceId) AND phone IS NOT NULL"
        ).reduce(into: [:]) { found, row in found[try row.get("person_id")] = try row.get("phone", as: String.self)
        }
    }

    private static func resident(_ row: SQLRow) throws -> Resident {
        try Resident(
            personId: row.get("person_id"), pgId: row.get("residence_id"), status: row.get("status"),
            phone: row.optional("phone"), isOfAge: row.get("is_of_age"), allowsLocation: row.get("allows_location"))
    }

    /// Everyone of the school, by name.
    static func everyone(of orgId: UUID, in sql: any SQLReading) throws -> [Person] {
        try sql.rows("SELECT * FROM \(PeopleTable.name) ORDER BY \(PeopleTable.order)").map {
            try PeopleTable.person($0, orgId: orgId)
        }
    }

    /// Deletes a person's record as a resident; their stays and passages are not touched.
    static func delete(_ personId: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM residents WHERE person_id = \(personId)")
    }

    static func save(_ resident: Resident, at now: Date, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO residents (person_id, residence_id, status, phone, is_of_age, allows_location, created_at)
            VALUES (\(resident.personId), \(resident.pgId), \(resident.status), \(resident.phone),
                \(resident.isOfAge), \(resident.allowsLocation), \(now))
            ON CONFLICT (person_id) DO UPDATE SET residence_id = excluded.residence_id, status = excluded.status,
                phone = excluded.phone, is_of_age = excluded.is_of_age, allows_location = excluded.allows_location
            """)
    }
}
