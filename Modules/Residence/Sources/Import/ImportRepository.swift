import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ResidenceModel

/// An import that changed a residence.
struct PastResidenceImport: Sendable, Hashable {
    let id: UUID
    let personId: UUID
    let steps: [ImportStep]
    let at: Date
    let undoneAt: Date?
}

/// The SQL of files that wait for their import, and of past imports.
enum ImportRepository {
    /// The time for which a file waits.
    static let lifetime: TimeInterval = 86_400

    /// Stores a file in the place of the person's former one.
    static func replace(
        _ id: UUID, _ file: ResidenceFile, of personId: UUID, for residenceId: UUID, at now: Date,
        in sql: any SQLWriting
    ) throws {
        try remove(of: personId, in: sql)
        let body = String(decoding: try JSON.encode(file), as: UTF8.self)
        try sql.execute(
            """
            INSERT INTO residence_uploads (id, residence_id, person_id, body, created_at)
            VALUES (\(id), \(residenceId), \(personId), \(body), \(now))
            """)
    }

    static func remove(of personId: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM residence_uploads WHERE person_id = \(personId)")
    }

    /// The person's file; `nil` if it is gone or older than a day.
    static func file(
        _ id: UUID, of personId: UUID, for residenceId: UUID, at now: Date, in sql: any SQLReading
    ) throws -> ResidenceFile? {
        try sql.row(
            """
            SELECT body FROM residence_uploads WHERE id = \(id) AND person_id = \(personId)
                AND residence_id = \(residenceId) AND created_at >= \(now - lifetime)
            """
        ).map { try JSON.decode(ResidenceFile.self, from: Data($0.get("body", as: String.self).utf8)) }
    }

    static func record(
        _ id: UUID, _ steps: [ImportStep], by personId: UUID, for residenceId: UUID, at now: Date,
        in sql: any SQLWriting
    ) throws {
        let text = String(decoding: try JSON.encode(steps), as: UTF8.self)
        try sql.execute(
            """
            INSERT INTO residence_imports (id, residence_id, person_id, steps, created_at, undone_at)
            VALUES (\(id), \(residenceId), \(personId), \(text), \(now), NULL)
            """)
    }

    /// The imports of a residence, the latest first.
    static func imports(of residenceId: UUID, in sql: any SQLReading) throws -> [PastResidenceImport] {
        try sql.rows(
            """
            SELECT * FROM residence_imports WHERE residence_id = \(residenceId)
            ORDER BY created_at DESC, id DESC LIMIT 50
            """
        ).map { row in
            try PastResidenceImport(
                id: row.get("id"), personId: row.get("person_id"),
                steps: JSON.decode([ImportStep].self, from: Data(row.get("steps", as: String.self).utf8)),
                at: row.get("created_at"), undoneAt: row.optional("undone_at"))
        }
    }

    static func markUndone(_ id: UUID, at now: Date, in sql: any SQLWriting) throws {
        try sql.execute("UPDATE residence_imports SET undone_at = \(now) WHERE id = \(id)")
    }

    /// What a file is compared with.
    static func school(
        _ residence: Residence, of orgId: UUID, on today: Day, in sql: any SQLReading
    ) throws -> ImportPlan.School {
        let people = try ResidentRepository.everyone(of: orgId, in: sql)
        let known: [UUID] = try sql.rows("SELECT person_id FROM residents").map { try $0.get("person_id") }
        return ImportPlan.School(
            residence: residence, rooms: try RoomRepository.rooms(of: residence.id, on: today, in: sql),
            people: people, open: try StayRepository.allOpen(in: sql), known: Set(known),
            names: try ResidenceRepository.residences("1 = 1", in: sql).reduce(into: [:]) { $0[$1.id] = $1.name },
            today: today)
    }
}
