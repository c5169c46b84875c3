import Domain
import FeatureKit
import Foundation

/// What a day asks of a guide across her children.
struct DayAsks: Sendable {
    static let limit = 60

    /// Lessons and tasks that are due, the oldest day first.
    let work: [StudentWork]
    /// Second looks that she promised herself.
    let followUps: [Observation]
    /// Daily habits of children who are here and have not done them yet.
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
