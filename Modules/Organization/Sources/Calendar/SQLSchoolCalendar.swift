public import Domain
public import FeatureKit
import Foundation
public import OrganizationInterface

/// Reads from the school's database on which days there is school.
public struct SQLSchoolCalendar: SchoolCalendar {
    public init() {}

    public func schoolDays(from first: Day, through last: Day, in sql: any SQLReading) throws -> SchoolDays {
        SchoolDays(
            weekdays: try CalendarRepository.weekdays(in: sql),
            daysOff: try sql.rows(CalendarRepository.daysOffQuery(first, last)).map(CalendarRepository.daysOff))
    }
}

/// The SQL of days with and without school.
enum CalendarRepository {
    static func weekdays(in sql: any SQLReading) throws -> [Int] {
        try sql.rows("SELECT weekday FROM school_weekdays ORDER BY weekday").map { try $0.get("weekday") }
    }

    static func setWeekdays(_ weekdays: [Int], in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM school_weekdays")
        for weekday in weekdays {
            try sql.execute("INSERT INTO school_weekdays (weekday) VALUES (\(weekday))")
        }
    }

    static func daysOffQuery(_ first: Day, _ last: Day) -> SQL {
        """
        SELECT * FROM days_off WHERE last_day >= \(first) AND first_day <= \(last) ORDER BY first_day, id
        """
    }

    static func all(in sql: any SQLReading) throws -> [DaysOff] {
        try sql.rows("SELECT * FROM days_off ORDER BY first_day, id").map(daysOff)
    }

    static func count(in sql: any SQLReading) throws -> Int { try sql.value("SELECT COUNT(*) FROM days_off") ?? 0 }

    static func insert(_ daysOff: DaysOff, in sql: any SQLWriting) throws {
        try sql.execute(
            """
            INSERT INTO days_off (id, name, first_day, last_day)
            VALUES (\(daysOff.id), \(daysOff.name), \(daysOff.firstDay), \(daysOff.lastDay))
            """)
    }

    static func daysOff(_ id: UUID, in sql: any SQLReading) throws -> DaysOff? {
        try sql.row("SELECT * FROM days_off WHERE id = \(id)").map(daysOff)
    }

    static func remove(_ id: UUID, in sql: any SQLWriting) throws {
        try sql.execute("DELETE FROM days_off WHERE id = \(id)")
    }

    static func daysOff(_ row: SQLRow) throws -> DaysOff {
        try DaysOff(
            id: row.get("id"), name: row.get("name"), firstDay: row.get("first_day"), lastDay: row.get("last_day"))
    }
}
