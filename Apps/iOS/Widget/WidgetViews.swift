import DesignSystem
import DesignTokens
import Domain
import Foundation
import ScreenUI
import ShellModel
import SwiftUI
import WidgetKit

/// The frame of both widgets: a title, the content, and the age of old content.
private struct WidgetFrame<Content: View>: View {
    let entry: WidgetEntry
    let words: Words
    let title: String
    let icon: PTIcon
    let content: Content
    @Environment(\.design) private var design

    init(
        _ entry: WidgetEntry, _ words: Words, title: String, icon: PTIcon, @ViewBuilder content: () -> Content
    ) {
        self.entry = entry
        self.words = words
        self.title = title
        self.icon = icon
        self.content = content()
    }

    var body: some View {
        VStack(alignment: .leading, spacing: design.space(\.xs)) {
            HStack(spacing: design.space(\.xs)) {
                IconView(icon: icon).foregroundStyle(.token(.primary))
                Text(verbatim: title).textStyle(.caption, .token(.textMuted))
            }
            .accessibilityElement(children: .combine)
            .accessibilityAddTraits(.isHeader)
            if entry.content == nil {
                Text(verbatim: words("widget.signedOut")).textStyle(.callout)
            } else {
                content
            }
            Spacer(minLength: 0)
            if let since = entry.oldSince {
                Text(verbatim: words("widget.old", words.dateAndTime(since, in: entry.timeZone)))
                    .textStyle(.caption, .token(.textMuted))
            }
        }
        .frame(maxWidth: .infinity, maxHeight: .infinity, alignment: .leading)
        .containerBackground(.token(.surface), for: .widget)
    }
}

/// The work that is due next: one piece on a small widget, several with a link each on a larger one.
struct DueWidgetView: View {
    /// The most pieces of work that a widget of medium size has room for.
    static let rows = 2

    let entry: WidgetEntry
    let words: Words
    @Environment(\.widgetFamily) private var family

    var body: some View {
        let shown = Array(entry.due.prefix(family == .systemSmall ? 1 : Self.rows))
        WidgetFrame(entry, words, title: words("widget.due.title"), icon: .task) {
            if shown.isEmpty {
                Text(verbatim: words("widget.due.none")).textStyle(.callout)
            }
            ForEach(shown) { work in
                if family == .systemSmall {
                    row(work)
                } else if let url = entry.link(work.link) {
                    Link(destination: url) { row(work) }
                }
            }
            if entry.dueCount > shown.count {
                Text(verbatim: words("widget.due.more", entry.dueCount - shown.count))
                    .textStyle(.caption, .token(.textMuted))
            }
        }
        .widgetURL(entry.link(family == .systemSmall ? shown.first?.link ?? Self.list : Self.list))
    }

    /// The path of the page with all work.
    private static let list = "/open?link=assignments"

    private func row(_ work: SharedWidgetData.DueWork) -> some View {
        VStack(alignment: .leading) {
            Text(verbatim: work.title).textStyle(.headline).lineLimit(family == .systemSmall ? 2 : 1)
            Text(verbatim: work.student.map { words("widget.due.of", $0, work.course) } ?? work.course)
                .textStyle(.caption, .token(.textMuted)).lineLimit(1)
            Text(verbatim: words.widgetMoment(work.dueAt, seenAt: entry.date, in: entry.timeZone))
                .textStyle(.caption)
        }
        .privacySensitive()
        .accessibilityElement(children: .combine)
    }
}

/// The lesson that takes place now or begins next.
struct LessonWidgetView: View {
    let entry: WidgetEntry
    let words: Words

    var body: some View {
        WidgetFrame(entry, words, title: words("widget.lesson.title"), icon: .clock) {
            if let lesson = entry.lesson {
                VStack(alignment: .leading) {
                    Text(verbatim: lesson.title).textStyle(.headline).lineLimit(2)
                    Text(verbatim: time(of: lesson)).textStyle(.callout)
                    if let place = lesson.place {
                        Text(verbatim: place).textStyle(.caption, .token(.textMuted)).lineLimit(1)
                    }
                }
                .privacySensitive()
                .accessibilityElement(children: .combine)
            } else {
                Text(verbatim: words("widget.lesson.none")).textStyle(.callout)
            }
        }
        .widgetURL(entry.link(entry.lesson?.link ?? "/open?link=schedule"))
    }

    private func time(of lesson: SharedWidgetData.Lesson) -> String {
        lesson.startsAt <= entry.date
            ? words("widget.lesson.now", words.time(lesson.endsAt, in: entry.timeZone))
            : words.widgetMoment(lesson.startsAt, seenAt: entry.date, in: entry.timeZone)
    }
}

extension Words {
    /// Returns a moment as it is said on another day: with "today", "tomorrow" or the day of the week.
    fileprivate func widgetMoment(_ moment: Date, seenAt now: Date, in zone: TimeZone) -> String {
        let (day, today) = (Day(moment, in: zone), Day(now, in: zone))
        let time = time(moment, in: zone)
        switch day.number - today.number {
        case 0: return self("widget.today", time)
        case 1: return self("widget.tomorrow", time)
        case 2...6: return self("widget.day", weekdayInFull(day), time)
        default: return self("widget.day", dayAndMonth(day), time)
        }
    }
}
