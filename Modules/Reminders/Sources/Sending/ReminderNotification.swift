import DesignSystem
import Domain
import FeatureKit
import Foundation
import NotificationsInterface
import RemindersInterface
import ScreenKit

/// The notification of a reminder, with a sentence for each work.
struct ReminderNotification: Sendable {
    static let kind = "reminders.due"
    /// The number of works that one notification names.
    private static let named = 3

    let sources: [any DueWorkSource]

    var notification: NotificationKind {
        NotificationKind(Self.kind, icon: .clock, category: .assignment) { logged, context in
            let (membership, now, words) = (try context.membership, context.now, context.words)
            guard let batch = logged.change.payload["batch"].flatMap(UUID.init(text:)) else {
                return (words("reminders.notification.gone"), nil)
            }
            let (sent, names) = try await context.school.read { sql in
                let sent = try ReminderRepository.sent(in: batch, to: membership.personId, sql)
                let ids = Set(sent.map(\.work.workId))
                return (
                    sent, try named(ids, for: membership.personId, at: now, in: sql)
                )
            }
            let known = sent.compactMap { one in names[one.work.workId].map { (one, $0) } }
            guard let first = known.first?.1 else { return (words("reminders.notification.gone"), nil) }
            var sentences = known.prefix(Self.named).map { one, name in
                let when = ReminderWords(words: words, timeZone: membership.timeZone).when(one.work.dueAt)
                return one.hours == 1
                    ? words("reminders.notification.soon", name.title, when)
                    : words("reminders.notification", name.title, name.course, when)
            }
            if known.count > Self.named {
                sentences.append(words("reminders.notification.more", known.count - Self.named))
            }
            return (sentences.joined(separator: " "), first.path)
        }
    }

    /// The names of work that a student may see.
    func named(
        _ ids: Set<UUID>, for studentId: UUID, at now: Date, in sql: any SQLReading
    ) throws -> [UUID: NamedWork] {
        try sources.reduce(into: [:]) { all, source in
            all.merge(try source.named(ids, for: studentId, at: now, in: sql)) { first, _ in first }
        }
    }
}

/// Texts about times that the page and the notification show.
struct ReminderWords: Sendable {
    let words: Words
    let timeZone: TimeZone

    /// A time as "Fri 12 Nov, 16:00".
    func when(_ instant: Date) -> String {
        let day = Day(instant, in: timeZone)
        return words(
            "reminders.when", words.weekday(day), words.dayAndMonth(day), words.time(instant, in: timeZone))
    }
}
