public import Foundation
import ShellModel
public import WidgetKit

/// The content that the widgets show from a moment on.
public struct WidgetEntry: TimelineEntry, Hashable, Sendable {
    public let date: Date
    /// The content that the app shared; `nil` if nobody is signed in on the device.
    let content: WidgetContainer.Content?

    /// The age at which the widget says when the content was read.
    static let oldAge: TimeInterval = 24 * 3600
    /// The time for which the moments of change are listed.
    static let span: TimeInterval = 48 * 3600

    /// The work that is due after the moment of the entry, the nearest first.
    var due: [SharedWidgetData.DueWork] { content?.data.due.filter { $0.dueAt > date } ?? [] }

    /// The number of all work that is due after the moment of the entry.
    var dueCount: Int {
        guard let data = content?.data else { return 0 }
        return max(0, data.dueCount - (data.due.count - due.count))
    }

    /// The lesson that takes place at the moment of the entry, or the one after it.
    var lesson: SharedWidgetData.Lesson? { content?.data.nextLesson.flatMap { $0.endsAt > date ? $0 : nil } }

    /// The moment at which the content was read, if that was long ago.
    var oldSince: Date? {
        content.flatMap { date.timeIntervalSince($0.data.readAt) >= Self.oldAge ? $0.data.readAt : nil }
    }

    /// The time zone in which days and times are meant.
    var timeZone: TimeZone { content.flatMap { TimeZone(identifier: $0.data.timeZone) } ?? .current }

    /// Returns the address that a path of the server leads to; `nil` if nobody is signed in.
    func link(_ path: String) -> URL? {
        content.flatMap { WidgetDeepLink(server: $0.server, path: path)?.url }
    }

    /// Returns the entries for all moments at which the widgets change.
    static func all(of content: WidgetContainer.Content?, from now: Date) -> [WidgetEntry] {
        guard let content else { return [WidgetEntry(date: now, content: nil)] }
        let data = content.data
        let first = WidgetEntry(date: now, content: content)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = first.timeZone
        // At midnight "tomorrow" becomes "today".
        let midnights = (1...2).compactMap {
            calendar.date(byAdding: .day, value: $0, to: calendar.startOfDay(for: now))
        }
        let moments =
            data.due.map(\.dueAt) + midnights + [data.readAt.addingTimeInterval(oldAge)]
            + (data.nextLesson.map { [$0.startsAt, $0.endsAt] } ?? [])
        let later = Set(moments.filter { $0 > now && $0 <= now.addingTimeInterval(span) }).sorted()
        return [first] + later.map { WidgetEntry(date: $0, content: content) }
    }
}
