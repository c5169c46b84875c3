import Domain
import FeatureKit
import Foundation
import NotificationsInterface
import RemindersInterface

/// Reads which reminders students have.
struct ReminderReader: Sendable {
    /// The longest time between a reminder and the due time, in seconds.
    static let longest = TimeInterval((ReminderChoices.offered.max() ?? 0) * 3600)

    let sources: [any DueWorkSource]
    /// The quiet hours of people; `nil` without the block that stores them.
    let quiet: (any QuietTimes)?
    /// The categories that people turned off; `nil` without the block that stores them.
    let muted: (any MutedCategories)?

    /// The reminders of one student for the next seven days. There are none for a student who turned off notifications
    /// about assignments.
    func reminders(of studentId: UUID, at now: Date, in sql: any SQLReading) throws -> [PlannedReminder] {
        guard try !isMuted(studentId, in: sql) else { return [] }
        let works = try sources.flatMap {
            try $0.open(for: studentId, dueIn: now..<now + ReminderPlan.span, at: now, in: sql)
        }
        let choices = try ReminderRepository.choices(of: [studentId], in: sql)[studentId] ?? ReminderChoices()
        let sent = try ReminderRepository.sent(of: Set(works.map(\.workId)), dueAfter: now, in: sql)
        return ReminderPlan.reminders(for: works, choices, sent: sent, at: now)
    }

    /// Whether a student turned off notifications about assignments.
    func isMuted(_ studentId: UUID, in sql: any SQLReading) throws -> Bool {
        try muted?.muted(.assignment, among: [studentId], sql).contains(studentId) ?? false
    }

    /// The reminders of all students that are to be sent now.
    /// - Parameter workIds: looks only at this work; `nil` looks at all.
    func due(
        _ workIds: Set<UUID>? = nil, at now: Date, in timeZone: TimeZone, _ sql: any SQLReading
    ) throws -> [PlannedReminder] {
        // Work that is due later has no reminder yet.
        let works = try sources.flatMap {
            try $0.open(workIds, dueIn: now..<now + Self.longest + 1, at: now, in: sql)
        }
        guard !works.isEmpty else { return [] }
        let byStudent = Dictionary(grouping: works, by: \.studentId)
        let students: Set<UUID>? = workIds == nil ? nil : Set(byStudent.keys)
        let choices = try ReminderRepository.choices(of: students, in: sql)
        let sent = try ReminderRepository.sent(of: workIds, dueAfter: now, in: sql)
        let due = byStudent.flatMap { studentId, works in
            ReminderPlan.reminders(for: works, choices[studentId] ?? ReminderChoices(), sent: sent, at: now)
                .filter { $0.at <= now }
        }
        guard !due.isEmpty else { return due }
        let people = Set(due.map(\.work.studentId))
        let silent = try (quiet?.quiet(among: people, at: now, in: timeZone, sql) ?? [])
            .union(muted?.muted(.assignment, among: people, sql) ?? [])
        return due.filter { !silent.contains($0.work.studentId) }
    }
}
