import Domain
import FeatureKit
import Foundation
import ResidenceModel

/// A residence's attendance of a day, read from the database.
struct DayReader: Sendable {
    let residence: Residence
    let calendar: ResidenceCalendar

    init(_ residence: Residence, in timeZone: TimeZone) {
        self.residence = residence
        calendar = ResidenceCalendar(timeZone: timeZone)
    }

    /// Returns the attendance of the day of the residence that lasts now, or of an earlier one at its end.
    func attendance(on day: Day, at now: Date, in sql: any SQLReading) throws -> DailyAttendance {
        let moment = min(now, calendar.end(of: day))
        let isCurrent = now < calendar.end(of: day)
        let presences =
            try isCurrent
            ? PassageRepository.current(of: residence.id, in: sql).mapValues(\.presence)
            : pastPresences(on: day, in: sql)
        let leaves = Dictionary(
            grouping: try LeaveRepository.leaves(
                of: residence.id, from: calendar.start(of: day), until: moment, in: sql), by: \.studentId)
        let engine = AttendanceEngine(residence: residence, calendar: calendar)
        let inactive = Set(
            isCurrent
                ? try ResidentRepository.residents(of: residence.id, statuses: [.inactive], in: sql).map(
                    \.resident.personId) : [])
        let students = try StayRepository.stays(of: residence.id, on: day, in: sql).map(\.studentId)
            .filter { !inactive.contains($0) }
        return DailyAttendance(
            date: day,
            students: engine.students(students, on: day, at: moment, presences: presences, leaves: leaves))
    }

    /// The presence of each resident at the end of a day that is over.
    private func pastPresences(on day: Day, in sql: any SQLReading) throws -> [UUID: Presence] {
        let end = calendar.end(of: day)
        return try StayRepository.stays(of: residence.id, on: day, in: sql).reduce(into: [:]) { found, stay in
            found[stay.studentId] = Presence(
                try PassageRepository.log(of: stay.studentId, until: end, in: sql), at: end)
        }
    }
}
