import Domain
import FeatureKit
import Foundation

/// The things that a guide has to do for the children today.
struct DayAsks: Sendable {
    static let limit = 60

    /// The lessons and tasks that are due, earliest day first.
    let work: [StudentWork]
    /// The observations that the guide wanted to follow up by today.
    let followUps: [Observation]
    /// The daily habits of children who are present and have not done them yet.
    let habits: [Habit]

    init(of children: [UUID: Student], guide: UUID, today: Day, in sql: any SQLReading) throws {
        let ids = Array(children.keys)
        guard !ids.isEmpty else {
            (work, followUps, habits) = ([], [], [])
            return
        }
        work = try WorkRepository.due(of: ids, until: today, limit: Self.limit, in: sql)
        followUps = try ObservationRepository.followUps(of: guide, until: today, limit: Self.limit, in: sql)
            .filter { children[$0.primaryStudentId] != nil }
        let daily = try HabitRepository.habits(of: ids, in: sql).filter {
            $0.cadence == .daily && $0.pausedOn == nil
        }
        let done = try HabitRepository.doneDays(of: daily.map(\.id), since: today, in: sql)
        let away = try AttendanceRepository.absent(of: ids, today, in: sql)
        habits = Array(
            daily.filter { done[$0.id] == nil && !away.contains($0.studentId) }.prefix(Self.limit))
    }
}
