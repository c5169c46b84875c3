public import CalendarFeedInterface
public import Domain
public import FeatureKit
import Foundation
public import OrganizationInterface
import ResidenceModel

/// Contributes approved leaves to the calendar feeds of residents and their parents.
public struct LeaveCalendar: CalendarSource {
    private let families: any FamilyLinks

    /// Creates the source of leaves, with the parents of residents.
    public init(families: any FamilyLinks) { self.families = families }

    public func events(
        for membership: ActiveMembership, on days: ClosedRange<Day>, _ words: Words, in sql: any SQLReading
    ) throws -> [CalendarEvent] {
        guard Permission.askForLeave.isGiven(to: membership.roles) else { return [] }
        let timeZone = membership.timeZone
        let children = try families.children(of: membership, in: sql).reduce(into: [UUID: Person]()) {
            $0[$1.id] = $1
        }
        return try families.learners(of: membership, in: sql).flatMap { learner in
            try LeaveRepository.leaves(of: learner, in: sql).compactMap { leave in
                // The state at the beginning: an approved leave stays approved when it is over.
                guard leave.state(at: leave.from) == .approved, days.contains(Day(leave.to, in: timeZone)) else {
                    return nil
                }
                return CalendarEvent(
                    id: "leave-\(leave.id.text)",
                    title: children[learner].map { words("residence.calendar.leaveOf", $0.name.display) }
                        ?? words("residence.calendar.leave"),
                    place: leave.place, time: .span(leave.from..<leave.to), path: LeaveScreens.own)
            }
        }
    }
}
