import Domain
import FeatureKit
import Foundation
import ResidenceModel

/// What a person does for a residence.
enum ResidenceJob: String, Codable, Sendable, Hashable, CaseIterable, SQLConvertible {
    /// Runs the residence: residents, passages, roll call, leave.
    case warden
    /// Plans meals and sees allergies.
    case kitchen
}

/// The SQL of residences and of those who work for them.
enum ResidenceRepository {
    /// The number of residences of the school.
    static func count(in sql: any SQLReading) throws -> Int {
        try sql.value("SELECT COUNT(*) FROM residences") ?? 0
    }

    /// The residences with these ids, by name.
    static func residences(_ condition: SQL, in sql: any SQLReading) throws -> [Residence] {
        try sql.rows("SELECT * FROM residences WHERE \(condition) ORDER BY sort_key, id").map { row in
            try Residence(
                id: row.get("id"), name: row.get("name"), schoolNightCurfew: row.get("school_night_curfew"),
                weekendCurfew: row.get("weekend_curfew"), recordsLocation: row.get("records_location"),
                tellsParents: row.get("tells_parents"))
        }
    }

    /// A condition for the residences in which a person has a job.
    static func served(by personId: UUID, as job: ResidenceJob) -> SQL {
        """
        id IN (SELECT residence_id FROM residence_staff WHERE person_id = \(personId) AND job = \(job))
        """
    }

    static func save(_ residence: Residence, at now: Date, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO residences (id, name, school_night_curfew, weekend_curfew, records_location, tells_parents,
                sort_key, created_at)
            VALUES (\(residence.id), \(residence.name), \(residence.schoolNightCurfew), \(residence.weekendCurfew),
                \(residence.recordsLocation), \(residence.tellsParents), \(NameFolding.fold(residence.name)), \(now))
            ON CONFLICT (id) DO UPDATE SET name = excluded.name,
                school_night_curfew = excluded.school_night_curfew, weekend_curfew = excluded.weekend_curfew,
                records_location = excluded.records_location, tells_parents = excluded.tells_parents,
                sort_key = excluded.sort_key
            """)
    }

    static func delete(_ id: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM residences WHERE id = \(id)")
    }

    /// The people who do a job for a residence.
    static func staff(of id: UUID, as job: ResidenceJob, in sql: any SQLReading) throws -> [UUID] {
        try sql.rows(
            "SELECT person_id FROM residence_staff WHERE residence_id = \(id) AND job = \(job) ORDER BY person_id"
        ).map { try $0.get("person_id") }
    }

    /// The residences in which a person has a job.
    static func residenceIds(servedBy personId: UUID, as job: ResidenceJob, in sql: any SQLReading) throws -> [UUID]
    {
        try sql.rows(
            "SELECT residence_id FROM residence_staff WHERE person_id = \(personId) AND job = \(job)"
        ).map { try $0.get("residence_id") }
    }

    static func setStaff(_ people: [UUID], of id: UUID, as job: ResidenceJob, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM residence_staff WHERE residence_id = \(id) AND job = \(job)")
        for person in Set(people) {
            try sql.execute(
                "INSERT INTO residence_staff (residence_id, person_id, job) VALUES (\(id), \(person), \(job))")
        }
    }
}
