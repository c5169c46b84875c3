import Domain
import FeatureKit
import Foundation
import RemindersInterface

/// Sends the reminders that are due, each once.
///
/// What is due is read first, beside other readers. It is then sent in portions: each transaction reads the work of its
/// portion again, notes the reminders as sent and records the changes. A server that stops between two portions goes on
/// with the next one at its next run.
struct ReminderSweep: Sendable {
    /// Seconds between two runs.
    static let interval: TimeInterval = 60
    /// The number of reminders in one transaction, so that no command waits long.
    static let portion = 500
    /// The number of people whom one change reminds.
    static let people = 200

    let reader: ReminderReader
    /// Looks up a school by its id.
    let school: @Sendable (UUID) async throws -> Organization?

    var job: Job {
        .school("reminders.send", every: Self.interval) { context in
            guard let id = context.schoolId, let organization = try await school(id) else { return }
            try await run(context.now, organization.resolvedTimeZone, context.ids, context.database) { work in
                try await context.commit(recording: { $0 }) { try work($0) }
            }
        }
    }

    /// Sends what is due at an instant.
    /// - Parameter commit: runs one transaction and records the changes that it returns.
    func run(
        _ now: Date, _ timeZone: TimeZone, _ ids: any IDGenerator, _ database: any Database,
        commit: (@escaping @Sendable (any SQLWriting) throws -> [Change]) async throws -> Void
    ) async throws {
        let due = try await database.read { try reader.due(at: now, in: timeZone, $0) }.sorted(by: Self.order)
        for start in stride(from: 0, to: due.count, by: Self.portion) {
            let portion = Array(due[start..<min(start + Self.portion, due.count)])
            try await commit { sql in try send(portion, at: now, timeZone, ids, in: sql) }
        }
    }

    /// Reminders of one work follow each other, so that a portion reads as little work as possible.
    private static func order(_ left: PlannedReminder, _ right: PlannedReminder) -> Bool {
        (left.work.dueAt, left.hours, left.work.workId.text, left.work.studentId.text)
            < (right.work.dueAt, right.hours, right.work.workId.text, right.work.studentId.text)
    }

    /// Sends those of some reminders that are still due, and returns the changes to record.
    func send(
        _ portion: [PlannedReminder], at now: Date, _ timeZone: TimeZone, _ ids: any IDGenerator,
        in sql: any SQLWriting
    ) throws -> [Change] {
        let still = try Set(reader.due(Set(portion.map(\.work.workId)), at: now, in: timeZone, sql))
        struct Moment: Hashable {
            let dueAt: Date
            let hours: Int
        }
        let moments = Dictionary(grouping: portion.filter(still.contains)) {
            Moment(dueAt: $0.work.dueAt, hours: $0.hours)
        }
        return try moments.sorted { ($0.key.dueAt, $0.key.hours) < ($1.key.dueAt, $1.key.hours) }.flatMap {
            _, all in
            let byStudent = Dictionary(grouping: all, by: \.work.studentId).sorted { $0.key < $1.key }
            return try stride(from: 0, to: byStudent.count, by: Self.people).map { start in
                let people = byStudent[start..<min(start + Self.people, byStudent.count)]
                let batch = ids.id(at: now)
                try ReminderRepository.insert(people.flatMap(\.value), batch: batch, at: now, in: sql)
                return Change(
                    ReminderNotification.kind, topics: [], audience: people.map { .person($0.key) },
                    payload: ["batch": batch.text])
            }
        }
    }
}
