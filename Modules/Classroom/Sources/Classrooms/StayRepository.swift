import ClassroomInterface
import Domain
import FeatureKit
import Foundation

/// The SQL of the days on which students belong to classrooms. `classroom_students` holds the present members, and
/// each change of it begins or ends a stay here.
enum StayRepository {
    /// The condition on `classroom_stays` that a stay contains the day.
    static func contains(_ day: Day) -> SQL {
        """
        (classroom_stays.first_day IS NULL OR classroom_stays.first_day <= \(day))
        AND (classroom_stays.last_day IS NULL OR classroom_stays.last_day >= \(day))
        """
    }

    /// Begins a stay. If an earlier stay ended the day before or later, it is continued instead, so that a student
    /// who was removed by mistake has no gap.
    static func begin(_ studentId: UUID, in classroomId: UUID, from day: Day, in sql: any SQLWriting) throws {
        let earlier = try stays(of: studentId, in: classroomId, sql)
            .filter { $0.lastDay.map { $0 >= day.adding(days: -1) } ?? true }
        let isOpen = earlier.contains { $0.firstDay == nil }
        let first = isOpen ? nil : (earlier.compactMap(\.firstDay) + [day]).min()
        try set(
            ClassroomStay(studentId: studentId, classroomId: classroomId, firstDay: first, lastDay: nil), in: sql)
    }

    /// Ends the stay of a student who leaves on a day. The last day is that day if the student was marked in this
    /// classroom on it, otherwise the day before.
    static func end(_ studentId: UUID, in classroomId: UUID, on day: Day, in sql: any SQLWriting) throws {
        let isMarked = try sql.exists(
            """
            SELECT 1 FROM attendance_marks WHERE student_id = \(studentId) AND day = \(day)
                AND (classroom_id = \(classroomId) OR classroom_id IS NULL)
            """)
        try end(
            ClassroomPlace(classroomId: classroomId, personId: studentId),
            withLastDay: isMarked ? day : day.adding(days: -1), in: sql)
    }

    /// Ends a stay with a last day. A stay that would end before it began is removed.
    static func end(_ place: ClassroomPlace, withLastDay day: Day, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            DELETE FROM classroom_stays WHERE classroom_id = \(place.classroomId) AND student_id = \(place.personId)
                AND last_day IS NULL AND first_day > \(day)
            """)
        try sql.execute(
            """
            UPDATE classroom_stays SET last_day = \(day)
            WHERE classroom_id = \(place.classroomId) AND student_id = \(place.personId) AND last_day IS NULL
            """)
    }

    /// Removes the end of a stay. Returns `false` if no stay has this last day, or if the student is a member
    /// again.
    static func reopen(_ place: ClassroomPlace, _ lastDay: Day, in sql: any SQLWriting) throws -> Bool {
        let stays = try stays(of: place.personId, in: place.classroomId, sql)
        guard !stays.contains(where: { $0.lastDay == nil }),
            let ended = stays.first(where: { $0.lastDay == lastDay })
        else { return false }
        try set(
            ClassroomStay(
                studentId: place.personId, classroomId: place.classroomId, firstDay: ended.firstDay, lastDay: nil),
            in: sql)
        return true
    }

    /// Stores a stay in place of the open stay and of all stays that it overlaps.
    static func set(_ stay: ClassroomStay, in sql: any SQLWriting) throws {
        let overlapping: SQL =
            stay.firstDay.map { day -> SQL in "(last_day IS NULL OR last_day >= \(day))" } ?? "1 = 1"
        try sql.execute(
            """
            DELETE FROM classroom_stays
            WHERE classroom_id = \(stay.classroomId) AND student_id = \(stay.studentId) AND \(overlapping)
            """)
        try sql.execute(
            """
            INSERT INTO classroom_stays (classroom_id, student_id, first_day, last_day)
            VALUES (\(stay.classroomId), \(stay.studentId), \(stay.firstDay), \(stay.lastDay))
            """)
    }

    /// Begins the stays of an import. A student who left and comes back has two stays that do not overlap, so that
    /// undoing the import removes only the second one.
    static func begin(
        _ places: [ClassroomPlace], on day: Day, knowing firstDays: [ClassroomPlace: Day], in sql: any SQLWriting
    ) throws {
        guard let earliest = (Array(firstDays.values) + [day]).min() else { return }
        var ended: [ClassroomPlace: Day] = [:]
        for room in Set(places.map(\.classroomId)) {
            for row in try sql.rows(
                """
                SELECT student_id, last_day FROM classroom_stays
                WHERE classroom_id = \(room) AND last_day >= \(earliest)
                """)
            {
                let place = try ClassroomPlace(classroomId: room, personId: row.get("student_id"))
                let last: Day = try row.get("last_day")
                ended[place] = max(last, ended[place] ?? last)
            }
        }
        let rows = places.map { place -> [SQLValue] in
            let wanted = firstDays[place] ?? day
            let first = ended[place].map { max(wanted, $0.adding(days: 1)) } ?? wanted
            return [place.classroomId.sqlValue, place.personId.sqlValue, first.sqlValue]
        }
        for portion in SQL.portions(of: rows) {
            try sql.execute(
                "INSERT INTO classroom_stays (classroom_id, student_id, first_day) VALUES \(rows: portion)")
        }
    }

    /// Returns the first days of the stays that have not ended, as far as they are known.
    static func openFirstDays(in sql: any SQLReading) throws -> [ClassroomPlace: Day] {
        let rows = try sql.rows(
            """
            SELECT classroom_id, student_id, first_day FROM classroom_stays
            WHERE last_day IS NULL AND first_day IS NOT NULL
            """)
        return try rows.reduce(into: [:]) { days, row in
            let place = try ClassroomPlace(classroomId: row.get("classroom_id"), personId: row.get("student_id"))
            days[place] = try row.get("first_day")
        }
    }

    /// Whether a student belonged to a classroom on a day.
    static func belongs(
        _ studentId: UUID, to classroomId: UUID, on day: Day, in sql: any SQLReading
    ) throws -> Bool {
        try sql.exists(belongsQuery(studentId, classroomId, day))
    }

    static func belongsQuery(_ studentId: UUID, _ classroomId: UUID, _ day: Day) -> SQL {
        """
        SELECT 1 FROM classroom_stays
        WHERE classroom_id = \(classroomId) AND student_id = \(studentId) AND \(contains(day))
        """
    }

    static func stays(of studentId: UUID, in classroomId: UUID, _ sql: any SQLReading) throws -> [ClassroomStay] {
        try sql.rows(
            """
            SELECT * FROM classroom_stays WHERE classroom_id = \(classroomId) AND student_id = \(studentId)
            """
        ).map(stay)
    }

    /// Returns the stays in a classroom that contain at least one day between two days, both included.
    static func stays(
        inClassroom classroomId: UUID, from first: Day, through last: Day, in sql: any SQLReading
    ) throws -> [ClassroomStay] {
        try sql.rows(staysQuery(classroomId, first, last)).map(stay)
    }

    static func staysQuery(_ classroomId: UUID, _ first: Day, _ last: Day) -> SQL {
        """
        SELECT * FROM classroom_stays WHERE classroom_id = \(classroomId)
            AND (first_day IS NULL OR first_day <= \(last)) AND (last_day IS NULL OR last_day >= \(first))
        """
    }

    /// Returns all stays of these students, earliest first.
    static func stays(ofStudents ids: [UUID], in sql: any SQLReading) throws -> [ClassroomStay] {
        try sql.rows(ofEach: ids) { "SELECT * FROM classroom_stays WHERE student_id IN \(list: $0)" }.map(stay)
            .sorted { ($0.firstDay?.number ?? .min) < ($1.firstDay?.number ?? .min) }
    }

    private static func stay(_ row: SQLRow) throws -> ClassroomStay {
        try ClassroomStay(
            studentId: row.get("student_id"), classroomId: row.get("classroom_id"),
            firstDay: row.optional("first_day"), lastDay: row.optional("last_day"))
    }
}
