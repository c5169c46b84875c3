import Domain
import Foundation
import RemindersInterface

/// The times before the due time at which a person wants to be reminded.
struct ReminderChoices: Sendable, Hashable {
    /// The hours before the due time that can be chosen, the earliest reminder first.
    static let offered = [24, 12, 6, 1]

    var isOn = true
    /// Hours before the due time. They are hours that pass: in a night in which the clocks change, 24 hours before 8:00
    /// is 7:00 or 9:00.
    var hours: Set<Int> = [24, 1]
    /// The time of the last choice; `nil` for the standard. Reminders that would have come before it are left out.
    var changedAt: Date?
}

/// A reminder of one student that waits or is due now.
struct PlannedReminder: Sendable, Hashable {
    let work: DueWork
    /// The number of hours before the due time.
    let hours: Int

    var at: Date { work.dueAt - TimeInterval(hours * 3600) }
}

/// The due time of a student's work, of which reminders were sent.
struct RemindedTime: Sendable, Hashable {
    let studentId: UUID
    let workId: UUID
    let dueAt: Date

    init(studentId: UUID, workId: UUID, dueAt: Date) {
        self.studentId = studentId
        self.workId = workId
        self.dueAt = dueAt
    }

    init(_ work: DueWork) { self.init(studentId: work.studentId, workId: work.workId, dueAt: work.dueAt) }
}

/// Computes which reminders a student has.
enum ReminderPlan {
    /// The time before the due time from which work has reminders, in seconds: seven days.
    static let span: TimeInterval = 7 * 86_400
    /// The largest number of works of one student that have reminders, the first due ones.
    static let works = 20
    /// The largest number of reminders of one student, those of the first due works.
    static let reminders = 64

    /// Returns the reminders of one student that wait or are due now, by due time.
    ///
    /// Of the reminders of one work whose time has passed, only the latest is due, and only if neither it nor a later one was
    /// sent.
    /// - Parameters:
    ///   - works: the work that the student still has to do.
    ///   - sent: the smallest number of hours of a reminder that was sent.
    static func reminders(
        for works: [DueWork], _ choices: ReminderChoices, sent: [RemindedTime: Int], at now: Date
    ) -> [PlannedReminder] {
        guard choices.isOn, !choices.hours.isEmpty else { return [] }
        let hours = choices.hours.sorted()
        let urgent = works.filter { now < $0.dueAt && $0.dueAt <= now + span }
            .sorted { ($0.dueAt, $0.workId.text) < ($1.dueAt, $1.workId.text) }.prefix(Self.works)
        var planned: [PlannedReminder] = []
        for work in urgent {
            let all = hours.map { PlannedReminder(work: work, hours: $0) }
            let latest = all.first { $0.at <= now }.flatMap { latest in
                let earliest = max(work.since, choices.changedAt ?? .distantPast)
                let isSent = sent[RemindedTime(work)].map { $0 <= latest.hours } ?? false
                return latest.at > earliest && !isSent ? latest : nil
            }
            planned += [latest].compactMap(\.self) + all.filter { $0.at > now }.reversed()
        }
        return Array(planned.prefix(Self.reminders))
    }
}
