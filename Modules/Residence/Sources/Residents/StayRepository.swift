import Domain
import FeatureKit
import Foundation
import OrganizationInterface
import ResidenceModel

/// The SQL of the days that residents live in rooms.
enum StayRepository {
    /// Who lives in these rooms on a day, in the order of their names.
    static func residents(ofRooms rooms: [UUID], on day: Day, in sql: any SQLReading) throws -> [UUID: [UUID]] {
        guard !rooms.isEmpty else { return [:] }
        let rows = try sql.rows(
            """
            SELECT residence_stays.room_id, residence_stays.student_id
            FROM residence_stays LEFT JOIN \(PeopleTable.name) ON \(PeopleTable.id) = residence_stays.student_id
            WHERE residence_stays.room_id IN \(list: rooms) AND \(includes(day))
            ORDER BY \(PeopleTable.order), residence_stays.student_id
            """)
        return try rows.reduce(into: [:]) { found, row in
            try found[row.get("room_id"), default: []].append(row.get("student_id"))
        }
    }

    /// The residents of a residence on a day with the numbers of their rooms, in the order of their names.
    static func roomNumbers(
        of residenceId: UUID, on day: Day, in sql: any SQLReading
    ) throws -> [(studentId: UUID, room: String?)] {
        try sql.rows(
            """
            SELECT residence_stays.student_id, residence_rooms.number
            FROM residence_stays LEFT JOIN residence_rooms ON residence_rooms.id = residence_stays.room_id
                LEFT JOIN \(PeopleTable.name) ON \(PeopleTable.id) = residence_stays.student_id
            WHERE residence_stays.residence_id = \(residenceId) AND \(includes(day))
            ORDER BY \(PeopleTable.order), residence_stays.student_id
            """
        ).map { (try $0.get("student_id"), try $0.optional("number")) }
    }

    /// The stays of a residence that include a day.
    static func stays(of residenceId: UUID, on day: Day, in sql: any SQLReading) throws -> [ResidenceStay] {
        try stays("residence_id = \(residenceId) AND \(includes(day))", in: sql)
    }

    /// All stays of a resident, the latest first.
    static func history(of studentId: UUID, in sql: any SQLReading) throws -> [ResidenceStay] {
        try stays("student_id = \(studentId)", in: sql).reversed()
    }

    /// The stay of a resident that has no end.
    static func open(of studentId: UUID, in sql: any SQLReading) throws -> ResidenceStay? {
        try stays("student_id = \(studentId) AND left_on IS NULL", in: sql).first
    }

    private static func includes(_ day: Day) -> SQL {
        """
        residence_stays.first_day <= \(day)
            AND (residence_stays.left_on IS NULL OR residence_stays.left_on > \(day))
        """
    }

    fileprivate static func stays(_ condition: SQL, in sql: any SQLReading) throws -> [ResidenceStay] {
        try sql.rows("SELECT * FROM residence_stays WHERE \(condition) ORDER BY first_day, id").map { row in
            try ResidenceStay(
                id: row.get("id"), pgId: row.get("residence_id"), studentId: row.get("student_id"),
                roomId: row.optional("room_id"), firstDay: row.get("first_day"), leftOn: row.optional("left_on"))
        }
    }

    static func insert(_ stay: ResidenceStay, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO residence_stays (id, residence_id, student_id, room_id, first_day, left_on)
            VALUES (\(stay.id), \(stay.pgId), \(stay.studentId), \(stay.roomId), \(stay.firstDay), \(stay.leftOn))
            """)
    }

    /// Ends a stay. One that began on that day or later never was and is removed.
    static func end(_ stay: ResidenceStay, on day: Day, in sql: any SQLWriting) throws {
        if stay.firstDay >= day {
            try sql.execute("DELETE FROM residence_stays WHERE id = \(stay.id)")
        } else {
            try sql.execute("UPDATE residence_stays SET left_on = \(day) WHERE id = \(stay.id)")
        }
    }
}

extension StayRepository {
    /// Whether anyone has ever lived in a residence.
    static func hasAny(in residenceId: UUID, _ sql: any SQLReading) throws -> Bool {
        try sql.exists("SELECT 1 FROM residence_stays WHERE residence_id = \(residenceId) LIMIT 1")
    }

    /// The stays in a room that last on a day or begin later.
    static func stays(ofRoom roomId: UUID, from day: Day, in sql: any SQLReading) throws -> [ResidenceStay] {
        try stays("room_id = \(roomId) AND (left_on IS NULL OR left_on > \(day))", in: sql)
    }

    /// The largest number of residents who are in a room on the same day, from a day on.
    static func mostResidents(ofRoom roomId: UUID, from day: Day, in sql: any SQLReading) throws -> Int {
        let stays = try stays(ofRoom: roomId, from: day, in: sql)
        // The number grows only on days on which a stay begins.
        return Set(stays.map { max($0.firstDay, day) }).map { day in stays.count { $0.includes(day) } }.max() ?? 0
    }
}

extension StayRepository {
    /// The stays of the school that have no end, by resident.
    static func allOpen(in sql: any SQLReading) throws -> [UUID: ResidenceStay] {
        try stays("left_on IS NULL", in: sql).reduce(into: [:]) { $0[$1.studentId] = $1 }
    }

    /// Everyone of the school who lives in some residence now.
    static func settled(in sql: any SQLReading) throws -> Set<UUID> {
        try Set(
            sql.rows("SELECT student_id FROM residence_stays WHERE left_on IS NULL").map {
                try $0.get("student_id")
            })
    }
}
