import ClassroomInterface
import Domain
import FeatureKit
import Foundation
import OrganizationInterface

/// The attendance of a student on a day, with the person who marked it and the time. A student without a row is not
/// marked yet.
struct AttendanceMark: Codable, Sendable, Hashable {
    enum Status: String, Codable, Sendable, CaseIterable, SQLConvertible { case present, absent }

    let studentId: UUID
    let day: Day
    let status: Status
    /// The classroom in which the mark was made; `nil` for marks from before it was recorded. A later change of the
    /// mark does not change it.
    let classroomId: UUID?
    let markedBy: UUID
    let markedAt: Date
}

/// A student who belonged to a class on a day, with the attendance mark of that day.
struct RosterEntry: Codable, Sendable, Hashable {
    let student: Student
    let mark: AttendanceMark?
    /// Whether the student is in the class now. Of students who have left, only the name is returned.
    let isMember: Bool
}

enum AttendanceRepository {
    /// Sets a mark. Returns `false` if the same mark exists already; it then keeps its first author and time.
    static func set(_ mark: AttendanceMark, in sql: any SQLWriting) throws -> Bool {
        try sql.execute(
            """
            INSERT INTO attendance_marks (student_id, day, status, classroom_id, marked_by, marked_at)
            VALUES (\(mark.studentId), \(mark.day), \(mark.status), \(mark.classroomId), \(mark.markedBy),
                \(mark.markedAt))
            ON CONFLICT (student_id, day) DO UPDATE
                SET status = excluded.status, marked_by = excluded.marked_by, marked_at = excluded.marked_at
                WHERE attendance_marks.status <> excluded.status
            """) > 0
    }

    static func clear(_ studentId: UUID, _ day: Day, in sql: any SQLWriting) throws -> Bool {
        try sql.execute("DELETE FROM attendance_marks WHERE student_id = \(studentId) AND day = \(day)") > 0
    }

    /// Marks everyone who belonged to the class on the day and has no mark as present, and returns their number.
    static func markRest(
        of classroomId: UUID, day: Day, by personId: UUID, at instant: Date, in sql: any SQLWriting
    ) throws -> Int {
        try sql.execute(
            """
            INSERT INTO attendance_marks (student_id, day, status, classroom_id, marked_by, marked_at)
            SELECT student_id, \(day), \(AttendanceMark.Status.present), \(classroomId), \(personId), \(instant)
            FROM classroom_stays WHERE classroom_id = \(classroomId) AND \(StayRepository.contains(day))
            ON CONFLICT (student_id, day) DO NOTHING
            """)
    }

    static func mark(_ studentId: UUID, _ day: Day, in sql: any SQLReading) throws -> AttendanceMark? {
        try sql.row("SELECT * FROM attendance_marks WHERE student_id = \(studentId) AND day = \(day)").map(mark)
    }

    /// The query for any mark of a class on a day.
    static func anyMarkQuery(_ classroomId: UUID, _ day: Day) -> SQL {
        """
        SELECT 1 FROM classroom_stays
        JOIN attendance_marks
            ON attendance_marks.student_id = classroom_stays.student_id AND attendance_marks.day = \(day)
        WHERE classroom_stays.classroom_id = \(classroomId) AND \(StayRepository.contains(day))
            AND attendance_marks.classroom_id = \(classroomId)
        """
    }

    /// Returns those of the students who were marked absent on a day.
    static func absent(of studentIds: [UUID], _ day: Day, in sql: any SQLReading) throws -> Set<UUID> {
        Set(
            try sql.rows(
                """
                SELECT student_id FROM attendance_marks WHERE student_id IN \(list: studentIds) AND day = \(day)
                    AND status = \(AttendanceMark.Status.absent)
                """
            ).map { try $0.get("student_id") })
    }

    /// Returns the days from `first` on which the child was marked absent.
    static func absences(of studentId: UUID, since first: Day, in sql: any SQLReading) throws -> Set<Day> {
        Set(
            try sql.rows(
                """
                SELECT day FROM attendance_marks WHERE student_id = \(studentId) AND day >= \(first)
                    AND status = \(AttendanceMark.Status.absent)
                """
            ).map { try $0.get("day") })
    }

    /// Returns the days from `first` on which any student of the child's class was marked. These are the days that
    /// had school.
    static func schoolDays(of studentId: UUID, since first: Day, in sql: any SQLReading) throws -> Set<Day> {
        Set(
            try sql.rows(
                "SELECT DISTINCT attendance_marks.day \(markedTogether(studentId, since: first))"
            ).map { try $0.get("day") })
    }

    /// Whether any student of the child's class was marked between `first`, included, and `end`, excluded.
    static func isKnown(of studentId: UUID, since first: Day, before end: Day, in sql: any SQLReading) throws
        -> Bool
    {
        try sql.exists("SELECT 1 \(markedTogether(studentId, since: first)) AND attendance_marks.day < \(end)")
    }

    /// The condition for the marks of all students who were in a class with the child on the day of the mark.
    static func markedTogether(_ studentId: UUID, since first: Day) -> SQL {
        """
        FROM classroom_stays AS own
        JOIN classroom_stays ON classroom_stays.classroom_id = own.classroom_id
        JOIN attendance_marks ON attendance_marks.student_id = classroom_stays.student_id
            AND attendance_marks.day >= \(first)
            AND (own.first_day IS NULL OR own.first_day <= attendance_marks.day)
            AND (own.last_day IS NULL OR own.last_day >= attendance_marks.day)
            AND (classroom_stays.first_day IS NULL OR classroom_stays.first_day <= attendance_marks.day)
            AND (classroom_stays.last_day IS NULL OR classroom_stays.last_day >= attendance_marks.day)
        WHERE own.student_id = \(studentId) AND (own.last_day IS NULL OR own.last_day >= \(first))
        """
    }

    /// Returns the marks of some children between two days, both included.
    static func marks(
        of studentIds: [UUID], from first: Day, through last: Day, in sql: any SQLReading
    ) throws -> [AttendanceMark] {
        guard !studentIds.isEmpty else { return [] }
        return try sql.rows(
            """
            SELECT * FROM attendance_marks
            WHERE student_id IN \(list: studentIds) AND day >= \(first) AND day <= \(last)
            """
        ).map(mark)
    }

    static func history(of studentId: UUID, limit: Int, in sql: any SQLReading) throws -> [AttendanceMark] {
        try sql.rows(
            """
            SELECT * FROM attendance_marks WHERE student_id = \(studentId) ORDER BY day DESC LIMIT \(limit)
            """
        ).map(mark)
    }

    /// Returns the students who belonged to the class on a day with their marks, in the order of a class list. One
    /// query serves the whole page.
    static func roster(
        of classroomId: UUID, day: Day, orgId: UUID, in sql: any SQLReading
    ) throws -> [RosterEntry] {
        try sql.rows(rosterQuery(classroomId, day)).map { row in
            var student = try StudentRepository.student(row, orgId)
            let status: AttendanceMark.Status? = try row.optional("status")
            let isMember: Bool = try row.optional("member", as: UUID.self) != nil
            if !isMember { student.keepNameOnly() }
            return RosterEntry(
                student: student,
                mark: try status.map {
                    try AttendanceMark(
                        studentId: student.id, day: day, status: $0, classroomId: row.optional("place"),
                        markedBy: row.get("marked_by"), markedAt: row.get("marked_at"))
                }, isMember: isMember)
        }
    }

    static func rosterQuery(_ classroomId: UUID, _ day: Day) -> SQL {
        """
        SELECT \(StudentRepository.columns), attendance_marks.status, attendance_marks.marked_by,
            attendance_marks.marked_at, attendance_marks.classroom_id AS place,
            classroom_students.student_id AS member
        FROM classroom_stays
        JOIN students ON students.id = classroom_stays.student_id
        JOIN \(PeopleTable.name) ON \(PeopleTable.id) = students.id
        LEFT JOIN attendance_marks
            ON attendance_marks.student_id = students.id AND attendance_marks.day = \(day)
        LEFT JOIN classroom_students ON classroom_students.classroom_id = classroom_stays.classroom_id
            AND classroom_students.student_id = classroom_stays.student_id
        WHERE classroom_stays.classroom_id = \(classroomId) AND \(StayRepository.contains(day))
        ORDER BY \(PeopleTable.order)
        """
    }

    private static func mark(_ row: SQLRow) throws -> AttendanceMark {
        try AttendanceMark(
            studentId: row.get("student_id"), day: row.get("day"), status: row.get("status"),
            classroomId: row.optional("classroom_id"), markedBy: row.get("marked_by"),
            markedAt: row.get("marked_at"))
    }
}

struct MarkAttendance: Command {
    static let contract = Contract(
        "attendance.mark", "/api/v1/classrooms/{classroomId}/attendance", access: .member(.markAttendance),
        isOfflineCapable: true,
        summary: """
            Marks a student of a class present or absent on a day; the same mark again changes nothing. The first mark of \
            a class on a day without school needs `onDayOff`.
            """)
    typealias Result = AttendanceMark

    let classroomId: UUID
    let studentId: UUID
    let status: AttendanceMark.Status
    let day: Day?
    /// Whether the person has confirmed to mark attendance on a day without school.
    let onDayOff: Bool

    init(_ fields: inout FieldReader) {
        classroomId = fields.id("classroomId")
        studentId = fields.id("studentId")
        status = fields.choice("status")
        day = fields.optionalDay("day")
        onDayOff = fields.flag("onDayOff")
    }
}

struct ClearAttendance: Command {
    static let contract = Contract(
        "attendance.clear", "/api/v1/classrooms/{classroomId}/attendance/clear", access: .member(.markAttendance),
        isOfflineCapable: true, summary: "Clears a student's mark of a day.")
    typealias Result = Done

    let classroomId: UUID
    let studentId: UUID
    let day: Day?

    init(_ fields: inout FieldReader) {
        classroomId = fields.id("classroomId")
        studentId = fields.id("studentId")
        day = fields.optionalDay("day")
    }
}

struct MarkTheRest: Command {
    static let contract = Contract(
        "attendance.markRest", "/api/v1/classrooms/{classroomId}/attendance/rest", access: .member(.markAttendance),
        isOfflineCapable: true,
        summary: """
            Marks everyone who belonged to a class on a day and has no mark of it as present. The first mark of a class on \
            a day without school needs `onDayOff`.
            """)
    typealias Result = MarkedCount

    let classroomId: UUID
    let day: Day?
    /// Whether the person has confirmed to mark attendance on a day without school.
    let onDayOff: Bool

    init(_ fields: inout FieldReader) {
        classroomId = fields.id("classroomId")
        day = fields.optionalDay("day")
        onDayOff = fields.flag("onDayOff")
    }
}

struct MarkedCount: Codable, Sendable { let marked: Int }

struct ClassRoster: Query {
    static let contract = Contract(
        "attendance.roster", "/api/v1/classrooms/{classroomId}/roster", access: .member(.viewClassrooms),
        summary:
            "The students who belonged to a class on a day, with their marks of it, in the order of a class list.")
    typealias Result = Page<RosterEntry>

    let classroomId: UUID
    let day: Day?

    init(_ fields: inout FieldReader) {
        classroomId = fields.id("classroomId")
        day = fields.optionalDay("day")
    }
}

struct AttendanceHandlers: Sendable {
    let calendar: any SchoolCalendar

    /// The number of days in the past for which a mark can be corrected.
    static let correctionWindow = 60

    var commands: [CommandRegistration] {
        [
            .handle(MarkAttendance.self) { command, context in
                let membership = try context.membership
                let day = try Self.checked(command.day, context.today)
                try Self.check(command.classroomId, command.studentId, day, membership, in: context.sql)
                if !command.onDayOff { try refuseDayOff(day, command.classroomId, in: context.sql) }
                let mark = AttendanceMark(
                    studentId: command.studentId, day: day, status: command.status,
                    classroomId: command.classroomId,
                    markedBy: membership.personId, markedAt: context.now)
                if try AttendanceRepository.set(mark, in: context.sql) {
                    context.record(
                        Self.change(
                            "attendance.marked", command.classroomId,
                            [
                                "student": command.studentId.text, "day": day.description,
                                "status": command.status.rawValue,
                            ]))
                    return mark
                }
                return try AttendanceRepository.mark(command.studentId, day, in: context.sql) ?? mark
            },
            .handle(ClearAttendance.self) { command, context in
                let day = try Self.checked(command.day, context.today)
                try Self.check(command.classroomId, command.studentId, day, context.membership, in: context.sql)
                if try AttendanceRepository.clear(command.studentId, day, in: context.sql) {
                    context.record(
                        Self.change(
                            "attendance.cleared", command.classroomId,
                            ["student": command.studentId.text, "day": day.description]))
                }
                return Done()
            },
            .handle(MarkTheRest.self) { command, context in
                let membership = try context.membership
                let day = try Self.checked(command.day, context.today)
                guard try ClassroomAccess.sees(membership, classroom: command.classroomId, in: context.sql) else {
                    throw Problem.notFound
                }
                if !command.onDayOff { try refuseDayOff(day, command.classroomId, in: context.sql) }
                let marked = try AttendanceRepository.markRest(
                    of: command.classroomId, day: day, by: membership.personId, at: context.now, in: context.sql)
                if marked > 0 {
                    context.record(
                        Self.change(
                            "attendance.restMarked", command.classroomId,
                            ["day": day.description, "count": String(marked)]))
                }
                context.feedback = Feedback(.toast, context.words("attendance.restMarked", marked))
                return MarkedCount(marked: marked)
            },
        ]
    }

    var queries: [QueryRegistration] {
        [
            .handle(ClassRoster.self) { query, context in
                let membership = try context.membership
                let day = query.day ?? context.today
                return try await context.school.read { sql in
                    guard try ClassroomAccess.sees(membership, classroom: query.classroomId, in: sql),
                        try ClassroomRepository.classroom(
                            query.classroomId, orgId: membership.organization.id, in: sql)
                            != nil
                    else { throw Problem.notFound }
                    return Page(
                        items: try AttendanceRepository.roster(
                            of: query.classroomId, day: day, orgId: membership.organization.id, in: sql), next: nil)
                }
            }
        ]
    }

    /// Throws if the day has no school and the class has no mark on it. The first mark on a day without school must
    /// be confirmed.
    private func refuseDayOff(_ day: Day, _ classroomId: UUID, in sql: any SQLReading) throws {
        guard try !calendar.schoolDays(from: day, through: day, in: sql).isSchoolDay(day),
            try !sql.exists(AttendanceRepository.anyMarkQuery(classroomId, day))
        else { return }
        throw Problem(409, "attendance.dayOff", [.day(day)])
    }

    /// Returns the day to mark, which is today without a given one. Throws for days in the future and for days
    /// before the correction window.
    static func checked(_ day: Day?, _ today: Day) throws -> Day {
        guard let day else { return today }
        guard day <= today else { throw Problem.invalid("day", "attendance.future") }
        guard day >= today.adding(days: -correctionWindow) else {
            throw Problem.invalid("day", "attendance.tooOld", [.number(correctionWindow)])
        }
        return day
    }

    /// Throws unless the student belonged to the class on the day.
    private static func check(
        _ classroomId: UUID, _ studentId: UUID, _ day: Day, _ membership: ActiveMembership, in sql: any SQLReading
    ) throws {
        guard try ClassroomAccess.sees(membership, classroom: classroomId, in: sql) else { throw Problem.notFound }
        let stays = try StayRepository.stays(of: studentId, in: classroomId, sql)
        guard !stays.isEmpty else { throw Problem.notFound }
        guard stays.contains(where: { $0.contains(day) }) else {
            throw Problem.invalid("day", "attendance.notInClass")
        }
    }

    private static func change(_ kind: String, _ classroomId: UUID, _ payload: [String: String]) -> Change {
        Change(
            kind, topics: ["classroom:\(classroomId.text)"], audience: ClassroomAccess.audience(classroomId),
            payload: payload.merging(["classroom": classroomId.text]) { own, _ in own })
    }
}
