public import Domain
public import Foundation
import ShellModel
public import WidgetKit

/// Tells the system when the widgets change.
public struct WidgetProvider: TimelineProvider {
    private let container: WidgetContainer?
    private let words: Words
    private let now: @Sendable () -> Date

    /// - Parameters:
    ///   - container: the folder that the app shares; without one, nobody is signed in.
    ///   - now: the present moment.
    public init(container: WidgetContainer?, words: Words, now: @escaping @Sendable () -> Date = { Date() }) {
        self.container = container
        self.words = words
        self.now = now
    }

    public func placeholder(in context: Context) -> WidgetEntry { sample }

    public func getSnapshot(in context: Context, completion: @escaping @Sendable (WidgetEntry) -> Void) {
        completion(context.isPreview ? sample : WidgetEntry(date: now(), content: content))
    }

    public func getTimeline(in context: Context, completion: @escaping @Sendable (Timeline<WidgetEntry>) -> Void) {
        let start = now()
        let entries = WidgetEntry.all(of: content, from: start)
        completion(Timeline(entries: entries, policy: .after(start.addingTimeInterval(WidgetEntry.span))))
    }

    private var content: WidgetContainer.Content? {
        // A file that cannot be read is like none: the widget asks to open the app, which writes it again.
        try? container?.read()
    }

    /// The content that the list of widgets shows.
    private var sample: WidgetEntry {
        let start = now()
        let hour: TimeInterval = 3600
        let work = SharedWidgetData.DueWork(
            id: UUID(), title: words("widget.sample.work"), course: words("widget.sample.course"), student: nil,
            dueAt: start.addingTimeInterval(24 * hour), link: "/home")
        let lesson = SharedWidgetData.Lesson(
            title: words("widget.sample.course"), place: words("widget.sample.place"),
            startsAt: start.addingTimeInterval(hour), endsAt: start.addingTimeInterval(2 * hour), link: "/home")
        let data = SharedWidgetData(
            readAt: start, timeZone: TimeZone.current.identifier, due: [work], dueCount: 1, nextLesson: lesson,
            unread: 0)
        guard let server = URL(string: "https://school.example") else {
            preconditionFailure("the address of the sample is not a URL")
        }
        return WidgetEntry(date: start, content: WidgetContainer.Content(server: server, data: data))
    }
}
