public import CalendarFeedInterface
import ClassroomInterface
public import Domain
public import FeatureKit
import Foundation
import OrganizationInterface

/// Contributes planned lessons and tasks to the calendar feeds of the guides of a child's classrooms.
///
/// Students and parents see no plans on their pages (decision 17), so their feeds have none.
public struct WorkCalendar: CalendarSource {
    /// Creates the source of lessons and tasks, which has no state.
    public init() {}

    public func events(
        for membership: ActiveMembership, on days: ClosedRange<Day>, _ words: Words, in sql: any SQLReading
    ) throws -> [CalendarEvent] {
        guard Permission.viewClassrooms.isGiven(to: membership.roles) else { return [] }
        let planned = try WorkRepository.planned(forChildrenOf: membership.personId, on: days, in: sql)
        let names = try PeopleTable.names(Array(Set(planned.map(\.studentId))), in: sql)
        return planned.compactMap { work in
            guard let day = work.scheduledFor else { return nil }
            let child = names[work.studentId]?.display ?? ""
            return CalendarEvent(
                id: "work-\(work.id.text)",
                title: words(work.completedAt == nil ? "work.calendar" : "work.calendar.done", work.title, child),
                time: .days(day...day), path: "/students/\(work.studentId.text)")
        }
    }
}
