import ClassroomInterface
import Domain
import FeatureKit
import Foundation

/// The SQL that reads and changes many classrooms at once, for imports.
extension ClassroomRepository {
    static func holdings(in sql: any SQLReading) throws -> ClassroomHoldings {
        try ClassroomHoldings(
            classrooms: sql.rows("SELECT id, name, external_id FROM classrooms").map {
                try ImportedClassroom(
                    id: $0.get("id"), name: $0.get("name"), externalId: $0.optional("external_id"))
            },
            students: Set(sql.rows("SELECT id FROM students").map { try $0.get("id") }),
            notedStudents: Set(
                sql.rows("SELECT id FROM students WHERE notes <> '' OR picture IS NOT NULL").map {
                    try $0.get("id")
                }),
            guidePlaces: Set(
                sql.rows("SELECT classroom_id, person_id FROM classroom_guides").map {
                    try ClassroomPlace(classroomId: $0.get("classroom_id"), personId: $0.get("person_id"))
                }),
            studentPlaces: Set(
                sql.rows("SELECT classroom_id, student_id FROM classroom_students").map {
                    try ClassroomPlace(classroomId: $0.get("classroom_id"), personId: $0.get("student_id"))
                }), firstDays: StayRepository.openFirstDays(in: sql))
    }

    static func apply(
        _ additions: ClassroomAdditions, on day: Day, at instant: Date, in sql: any SQLWriting
    ) throws {
        let classrooms = additions.newClassrooms.map { room -> [SQLValue] in
            [
                room.id.sqlValue, room.name.sqlValue, Tint(for: room.id).sqlValue,
                room.externalId?.sqlValue ?? .null, instant.sqlValue,
            ]
        }
        for portion in SQL.portions(of: classrooms) {
            try sql.execute(
                """
                INSERT INTO classrooms (id, name, avatar_tint, external_id, created_at) VALUES \(rows: portion)
                """)
        }
        for room in additions.renamedClassrooms {
            try sql.execute("UPDATE classrooms SET name = \(room.name) WHERE id = \(room.id)")
        }
        for portion in SQL.portions(of: additions.students.map { [$0.sqlValue, instant.sqlValue] }) {
            try sql.execute("INSERT INTO students (id, created_at) VALUES \(rows: portion)")
        }
        for portion in SQL.portions(of: additions.guidePlaces.map(\.row)) {
            try sql.execute("INSERT INTO classroom_guides (classroom_id, person_id) VALUES \(rows: portion)")
        }
        for portion in SQL.portions(of: additions.studentPlaces.map(\.row)) {
            try sql.execute("INSERT INTO classroom_students (classroom_id, student_id) VALUES \(rows: portion)")
        }
        try StayRepository.begin(additions.studentPlaces, on: day, knowing: additions.firstDays, in: sql)
        for (place, lastDay) in additions.departures {
            try sql.execute(
                """
                DELETE FROM classroom_students
                WHERE classroom_id = \(place.classroomId) AND student_id = \(place.personId)
                """)
            try StayRepository.end(place, withLastDay: lastDay, in: sql)
        }
    }

    static func revert(_ additions: ClassroomAdditions, in sql: any SQLWriting) throws {
        for (place, lastDay) in additions.departures where try StayRepository.reopen(place, lastDay, in: sql) {
            try sql.execute(
                """
                INSERT INTO classroom_students (classroom_id, student_id)
                VALUES (\(place.classroomId), \(place.personId)) ON CONFLICT (classroom_id, student_id) DO NOTHING
                """)
        }
        for (room, places) in Dictionary(grouping: additions.studentPlaces, by: \.classroomId) {
            for portion in SQL.portions(of: places.map { [$0.personId.sqlValue] }) {
                try sql.execute(
                    """
                    DELETE FROM classroom_students
                    WHERE classroom_id = \(room) AND student_id IN (VALUES \(rows: portion))
                    """)
                try sql.execute(
                    """
                    DELETE FROM classroom_stays
                    WHERE classroom_id = \(room) AND last_day IS NULL AND student_id IN (VALUES \(rows: portion))
                    """)
            }
        }
        for (room, places) in Dictionary(grouping: additions.guidePlaces, by: \.classroomId) {
            for portion in SQL.portions(of: places.map { [$0.personId.sqlValue] }) {
                try sql.execute(
                    """
                    DELETE FROM classroom_guides
                    WHERE classroom_id = \(room) AND person_id IN (VALUES \(rows: portion))
                    """)
            }
        }
        for portion in SQL.portions(of: additions.students.map { [$0.sqlValue] }) {
            try sql.execute("DELETE FROM students WHERE id IN (VALUES \(rows: portion))")
        }
        for room in additions.renamedClassrooms {
            try sql.execute("UPDATE classrooms SET name = \(room.name) WHERE id = \(room.id)")
        }
        for portion in SQL.portions(of: additions.newClassrooms.map { [$0.id.sqlValue] }) {
            try sql.execute("DELETE FROM classrooms WHERE id IN (VALUES \(rows: portion))")
        }
    }
}

extension ClassroomPlace {
    fileprivate var row: [SQLValue] { [classroomId.sqlValue, personId.sqlValue] }
}
