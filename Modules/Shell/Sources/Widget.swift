public import CalendarFeedInterface
import Domain
import FeatureKit
import Foundation
public import OrganizationInterface
public import RemindersInterface
import ScreenKit
public import ShellInterface
import ShellModel

/// Reads the document for widgets.
struct ReadWidget: Query {
    static let contract = Contract(
        "widget.read", "/api/v1/widget", access: .member(.belong),
        summary: "What is due, the next lesson and the number of unread conversations, for widgets of a device.")
    typealias Result = SharedWidgetData

    init(_ fields: inout FieldReader) {}
}

/// The feature blocks' parts of the document for widgets. Without a block its part is empty.
public struct WidgetSources: Sendable {
    let work: [any DueWorkSource]
    let calendar: [any CalendarSource]
    let unread: (any UnreadCounting)?
    let families: any FamilyLinks

    public init(
        work: [any DueWorkSource], calendar: [any CalendarSource], unread: (any UnreadCounting)?,
        families: any FamilyLinks
    ) {
        self.work = work
        self.calendar = calendar
        self.unread = unread
        self.families = families
    }
}

/// Makes the document for widgets.
struct WidgetHandlers: Sendable {
    /// How far the document looks ahead, in days.
    static let span = 14

    let sources: WidgetSources

    var queries: [QueryRegistration] {
        [
            .handle(ReadWidget.self) { _, context in
                let membership = try context.membership
                return try await context.school.read { sql in
                    let due = try due(membership, context, in: sql)
                    return SharedWidgetData(
                        readAt: context.now, timeZone: membership.timeZone.identifier,
                        due: Array(due.prefix(SharedWidgetData.dueLimit)), dueCount: due.count,
                        nextLesson: try nextLesson(membership, context, in: sql),
                        unread: try sources.unread?.unread(for: context, in: sql) ?? 0)
                }
            }
        ]
    }

    /// The open work of a student, or of the children of a parent, that is due in the coming days, the nearest first.
    private func due(
        _ membership: ActiveMembership, _ context: RequestContext, in sql: any SQLReading
    ) throws -> [SharedWidgetData.DueWork] {
        let now = context.now
        let span = now..<now.addingTimeInterval(Double(Self.span) * 86_400)
        let own = membership.roles.contains(.student) ? [(id: membership.personId, name: String?.none)] : []
        let children = try sources.families.children(of: membership, in: sql)
            .map { (id: $0.id, name: String?.some($0.name.given)) }
        var all: [SharedWidgetData.DueWork] = []
        for student in own + children {
            for source in sources.work {
                let open = try source.open(for: student.id, dueIn: span, at: now, in: sql)
                let named = try source.named(Set(open.map(\.workId)), for: student.id, at: now, in: sql)
                all += open.compactMap { work in
                    named[work.workId].map {
                        SharedWidgetData.DueWork(
                            id: work.workId, title: $0.title, course: $0.course, student: student.name,
                            dueAt: work.dueAt, link: DeepLink.address(of: $0.path))
                    }
                }
            }
        }
        return all.sorted { ($0.dueAt, $0.title, $0.student ?? "") < ($1.dueAt, $1.title, $1.student ?? "") }
    }

    /// The meeting of a course that takes place now or begins next. Only meetings repeat weekly in a calendar feed.
    private func nextLesson(
        _ membership: ActiveMembership, _ context: RequestContext, in sql: any SQLReading
    ) throws -> SharedWidgetData.Lesson? {
        let zone = membership.timeZone
        let today = Day(context.now, in: zone)
        let days = today...today.adding(days: Self.span)
        let events = try sources.calendar.flatMap {
            try $0.events(for: membership, on: days, context.words, in: sql)
        }
        let lessons = events.compactMap { event -> SharedWidgetData.Lesson? in
            guard case .weekly(let time) = event.time,
                let span = time.span(endingAfter: context.now, from: today, through: days.upperBound, in: zone)
            else { return nil }
            return SharedWidgetData.Lesson(
                title: event.title, place: event.place, startsAt: span.lowerBound, endsAt: span.upperBound,
                link: DeepLink.address(of: event.path ?? HomeScreen.path))
        }
        return lessons.min { ($0.startsAt, $0.title) < ($1.startsAt, $1.title) }
    }
}

extension WeeklyTime {
    /// Returns the first meeting that ends after an instant, on one of some days; `nil` if there is none.
    func span(
        endingAfter instant: Date, from start: Day, through end: Day, in zone: TimeZone
    ) -> Range<Date>? {
        let ahead = max(0, start.number - first.number)
        var day = first.adding(days: (ahead + 6) / 7 * 7)
        while day <= min(last, end) {
            let (from, to) = (
                Self.instant(minutes.lowerBound, day, zone), Self.instant(minutes.upperBound, day, zone)
            )
            if !except.contains(day), to > instant, from <= to { return from..<to }
            day = day.adding(days: 7)
        }
        return nil
    }

    /// The instant at which a number of minutes since midnight is reached on the wall clock of a day.
    private static func instant(_ minute: Int, _ day: Day, _ zone: TimeZone) -> Date {
        ClockTime(minutes: minute)?.instant(on: day, in: zone) ?? day.adding(days: 1).start(in: zone)
    }
}
