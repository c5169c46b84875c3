import Domain
import FeatureKit
import Foundation
import RemindersInterface

/// The caller's reminder choices, and the reminders of the next seven days.
struct ReminderSettings: Codable, Sendable, Hashable {
    let isOn: Bool
    /// Whether the caller turned off notifications about assignments, so that no reminders come.
    let isMuted: Bool
    /// The chosen hours before the due time, the earliest reminder first.
    let hours: [Int]
    /// The reminders of the next seven days, by due time.
    let reminders: [UpcomingReminder]
}

/// A reminder that the caller will get.
struct UpcomingReminder: Codable, Sendable, Hashable {
    let workId: UUID
    let title: String
    let course: String
    let dueAt: Date
    /// The time of the reminder.
    let at: Date
    /// The number of hours between the reminder and the due time.
    let hours: Int
    /// The path of the page with the work.
    let path: String
}

/// Returns the caller's reminder choices and reminders.
struct ShowReminders: Query {
    static let contract = Contract(
        "reminders.show", "/api/v1/reminders", access: .member(.getReminders),
        summary: "The caller's reminder choices, and the reminders of work that is due in the next seven days.")
    typealias Result = ReminderSettings

    init(_ fields: inout FieldReader) {}
}

/// Stores when the caller wants to be reminded.
struct ChooseReminders: Command {
    static let contract = Contract(
        "reminders.choose", "/api/v1/reminders", access: .member(.getReminders), replay: .natural,
        summary: "Turns the caller's reminders on or off, and chooses how many hours before the due time they come."
    )
    typealias Result = Done

    let isOn: Bool
    let hours: Set<Int>

    init(_ fields: inout FieldReader) {
        let isOn = fields.flag("isOn")
        let named = fields.texts("hours", max: ReminderChoices.offered.count)
        let hours = Set(named.compactMap { Int($0) }.filter(ReminderChoices.offered.contains))
        fields.refuse("hours", "reminders.hours", unless: hours.count == Set(named).count)
        fields.refuse("hours", "reminders.noHours", unless: !isOn || !hours.isEmpty || !named.isEmpty)
        self.isOn = isOn
        self.hours = hours
    }
}

/// The endpoints of reminders.
struct ReminderHandlers: Sendable {
    let reader: ReminderReader

    var queries: [QueryRegistration] {
        [.handle(ShowReminders.self) { _, context in try await settings(context) }]
    }

    var commands: [CommandRegistration] {
        [
            .handle(ChooseReminders.self) { command, context in
                let (personId, now) = (try context.membership.personId, context.now)
                var choices =
                    try ReminderRepository.choices(of: [personId], in: context.sql)[personId]
                    ?? ReminderChoices()
                choices.isOn = command.isOn
                // Turning reminders off does not change the times, so that they are there when it is turned on again.
                if command.isOn { choices.hours = command.hours }
                try ReminderRepository.set(choices, of: personId, at: now, in: context.sql)
                context.feedback = Feedback(.toast, context.words("reminders.saved"))
                return Done()
            }
        ]
    }

    /// The caller's choices, with the reminders that follow from them.
    func settings(_ context: RequestContext) async throws -> ReminderSettings {
        let (personId, now) = (try context.membership.personId, context.now)
        let notification = ReminderNotification(sources: reader.sources)
        return try await context.school.read { sql in
            let choices = try ReminderRepository.choices(of: [personId], in: sql)[personId] ?? ReminderChoices()
            let planned = try reader.reminders(of: personId, at: now, in: sql)
            let names = try notification.named(Set(planned.map(\.work.workId)), for: personId, at: now, in: sql)
            return ReminderSettings(
                isOn: choices.isOn, isMuted: try reader.isMuted(personId, in: sql),
                hours: ReminderChoices.offered.filter(choices.hours.contains),
                reminders: planned.compactMap { one in
                    names[one.work.workId].map {
                        UpcomingReminder(
                            workId: one.work.workId, title: $0.title, course: $0.course, dueAt: one.work.dueAt,
                            at: one.at, hours: one.hours, path: $0.path)
                    }
                })
        }
    }
}

extension Permission {
    /// Allows getting reminders of one's own work.
    static let getReminders = Permission("reminders.get", [.student])
}
