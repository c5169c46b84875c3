import AppRouter
import Domain
import Foundation
import ShellModel
import SwiftUI
import Synchronization
import TestKit
import Testing
import WidgetKit

@testable import PinkTowerWidgets
@testable import Widgets

/// The widgets on the home screen of a device.
@Suite("The widgets of the app")
@MainActor
struct WidgetTests {
    /// Tuesday, 24 November 2026, 09:00 in Paris.
    nonisolated private static let now = Date(timeIntervalSince1970: 1_795_507_200)
    nonisolated private static let hour: TimeInterval = 3600
    private let server: URL

    init() throws { server = try #require(URL(string: "https://school.example")) }

    private func work(
        _ title: String, in hours: Double, of student: String? = nil, link: String = "/open?link=assignment%3A7f"
    ) -> SharedWidgetData.DueWork {
        SharedWidgetData.DueWork(
            id: UUID(), title: title, course: "Geometry", student: student,
            dueAt: Self.now.addingTimeInterval(hours * Self.hour), link: link)
    }

    private func makeContent(
        _ due: [SharedWidgetData.DueWork] = [], count: Int? = nil, lessonIn hours: Double? = nil,
        readAt: Date = now
    ) -> WidgetContainer.Content {
        let lesson = hours.map { hours in
            SharedWidgetData.Lesson(
                title: "Botany", place: "Garden", startsAt: Self.now.addingTimeInterval(hours * Self.hour),
                endsAt: Self.now.addingTimeInterval((hours + 1) * Self.hour), link: "/open?link=course%3A3a")
        }
        return WidgetContainer.Content(
            server: server,
            data: SharedWidgetData(
                readAt: readAt, timeZone: "Europe/Paris", due: due, dueCount: count ?? due.count,
                nextLesson: lesson, unread: 3))
    }

    private func draw(
        _ view: some View, _ family: WidgetFamily = .systemSmall
    ) -> (texts: [String], root: RecordedView, recorder: ViewRecorder) {
        let recorder = ViewRecorder(environment: .recorded(family: family))
        let root = recorder.record(view)
        return (root.texts, root, recorder)
    }

    private func due(
        _ content: WidgetContainer.Content?, _ family: WidgetFamily = .systemSmall, at date: Date = now,
        _ language: Language = .english
    ) throws -> (texts: [String], root: RecordedView, recorder: ViewRecorder) {
        draw(
            DueWidgetView(
                entry: WidgetEntry(date: date, content: content), words: try WidgetTexts.words(language)), family)
    }

    private func lesson(
        _ content: WidgetContainer.Content?, at date: Date = now, _ language: Language = .english
    ) throws -> (texts: [String], root: RecordedView, recorder: ViewRecorder) {
        draw(
            LessonWidgetView(
                entry: WidgetEntry(date: date, content: content), words: try WidgetTexts.words(language)))
    }

    /// The address that a tap on the widget opens.
    private func address(_ root: RecordedView) throws -> URL? {
        let modifier = try #require(root.all.compactMap { $0.modifier("widgetURL") }.first)
        return modifier.value()
    }

    @Test("the timeline changes when work is due, a lesson begins or ends, a day begins, or the content gets old")
    func timeline() throws {
        let content = makeContent([work("Triangles", in: 2), work("Reading", in: 100)], lessonIn: 1)
        let entries = WidgetEntry.all(of: content, from: Self.now)
        // 15 hours remain of the day; the content is old after 24.
        #expect(entries.map { $0.date.timeIntervalSince(Self.now) / Self.hour } == [0, 1, 2, 15, 24, 39])
        #expect(entries.map(\.due.count) == [2, 2, 1, 1, 1, 1])
        #expect(entries.map { $0.lesson != nil } == [true, true, false, false, false, false])
        #expect(entries.map { $0.oldSince != nil } == [false, false, false, false, true, true])
        #expect(WidgetEntry.all(of: nil, from: Self.now).map(\.date) == [Self.now])
    }

    @Test("the system asks again after two days, and gets what the app shared until then")
    func provider() throws {
        let folder = try TemporaryFolder()
        let container = WidgetContainer(folder: folder.url)
        let words = try WidgetTexts.words(.english)
        let provider = WidgetProvider(container: container, words: words, now: { Self.now })
        let shared = makeContent([work("Triangles", in: 2)])
        try container.write(shared)
        let made = Mutex<(entries: [WidgetEntry], next: Date)?>(nil)
        provider.getTimeline(in: .recorded()) { timeline in
            let (entries, next) = (timeline.entries, timeline.policy.moment)
            made.withLock { $0 = (entries, next) }
        }
        let timeline = try #require(made.withLock { $0 })
        #expect(timeline.entries == WidgetEntry.all(of: shared, from: Self.now))
        #expect(timeline.next == Self.now.addingTimeInterval(48 * Self.hour))
        let shot = Mutex<[WidgetEntry]>([])
        provider.getSnapshot(in: .recorded()) { entry in shot.withLock { $0.append(entry) } }
        provider.getSnapshot(in: .recorded(isPreview: true)) { entry in shot.withLock { $0.append(entry) } }
        let entries = shot.withLock { $0 }
        #expect(entries.first?.content == shared)
        #expect(entries.last?.due.map(\.title) == ["Triangles in the garden"], "a sample for the list of widgets")
        #expect(provider.placeholder(in: .recorded()).lesson != nil)
    }

    @Test("the app replaces and removes the shared file, and asks the system to draw the widgets again")
    func container() throws {
        let folder = try TemporaryFolder()
        let container = WidgetContainer(folder: folder.url)
        #expect(try container.read() == nil)
        let before = RecordedReloads.count.withLock { $0 }
        let first = makeContent([work("Triangles", in: 2)])
        try container.write(first)
        #expect(try container.read() == first)
        try container.clear()
        try container.clear()
        #expect(try container.read() == nil)
        #expect(RecordedReloads.count.withLock { $0 } >= before + 3)
    }

    @Test("a document in a newer form is not stored, and a damaged file is like none")
    func versions() throws {
        let folder = try TemporaryFolder()
        let container = WidgetContainer(folder: folder.url)
        let first = makeContent([work("Triangles", in: 2)])
        try container.write(first)
        let file = folder.url.appending(path: "widget.json")
        let newer = try String(contentsOf: file, encoding: .utf8).replacing("\"version\":1", with: "\"version\":2")
        try container.write(JSONDecoder().decode(WidgetContainer.Content.self, from: Data(newer.utf8)))
        #expect(try container.read() == first)
        try Data("{".utf8).write(to: file)
        #expect(throws: (any Error).self) { _ = try container.read() }
        let provider = WidgetProvider(
            container: container, words: try WidgetTexts.words(.english), now: { Self.now })
        let shot = Mutex<WidgetEntry?>(nil)
        provider.getSnapshot(in: .recorded()) { entry in shot.withLock { $0 = entry } }
        #expect(shot.withLock { $0 } == WidgetEntry(date: Self.now, content: nil))
    }

    @Test("the folder is that of the group in the Info.plist, and without the group there is none")
    func group() throws {
        let folder = try TemporaryFolder()
        let name = "group.\(UUID())"
        #expect(WidgetContainer(group: nil) == nil)
        #expect(WidgetContainer(group: name) == nil)
        RecordedGroups.folders.withLock { $0[name] = folder.url }
        let content = makeContent()
        try #require(WidgetContainer(group: name)).write(content)
        #expect(try WidgetContainer(folder: folder.url).read() == content)
    }

    @Test(
        "a small widget shows the nearest work and the number of the rest, and opens that work",
        .requirement("WW-1.13"))
    func small() throws {
        let content = makeContent([work("Triangles", in: 5), work("Reading", in: 30)], count: 7)
        let (texts, root, recorder) = try due(content)
        #expect(texts == ["Due next", "Triangles", "Geometry", "Today, 2:00\u{202F}PM", "6 more"])
        #expect(
            try address(root)?.absoluteString == "https://school.example/open?link=assignment%3A7f")
        #expect(recorder.faults == [])
        // Names and titles are hidden on a locked device.
        #expect(root.all.contains { $0.modifier("privacySensitive") != nil && $0.texts.contains("Triangles") })
    }

    @Test("each row of a larger widget opens its own work, and the rest of it the list", .requirement("WW-1.13"))
    func medium() throws {
        let content = makeContent([
            work("Triangles", in: 5), work("Reading", in: 30, of: "Sami", link: "/open?link=quiz%3A9c"),
            work("Map", in: 90),
        ])
        let (texts, root, _) = try due(content, .systemMedium)
        #expect(texts.contains("Sami, Geometry"))
        #expect(texts.contains("Tomorrow, 3:00\u{202F}PM") && texts.last == "One more")
        let links = root.all("Link").map { $0.values.first?.value as? URL }
        #expect(
            links.map { $0?.absoluteString } == [
                "https://school.example/open?link=assignment%3A7f", "https://school.example/open?link=quiz%3A9c",
            ])
        #expect(try address(root)?.absoluteString == "https://school.example/open?link=assignments")
    }

    @Test("the addresses of the widgets lead to pages of the server in the app's router", .requirement("WW-1.13"))
    func links() throws {
        let link = try #require(WidgetDeepLink(server: server, path: "/open?link=course%3A3a"))
        #expect(AppRouter(server: server).destination(of: link.url) == .page(path: "/open?link=course%3A3a"))
        for path in ["//evil.example/a", "https://evil.example", "open", ""] {
            #expect(WidgetDeepLink(server: server, path: path) == nil, "\(path)")
        }
    }

    @Test("the next lesson is shown with its time and place, and until its end while it takes place")
    func lessons() throws {
        let content = makeContent(lessonIn: 2)
        let before = try lesson(content)
        #expect(before.texts == ["Next course", "Botany", "Today, 11:00\u{202F}AM", "Garden"])
        #expect(try address(before.root)?.absoluteString == "https://school.example/open?link=course%3A3a")
        let during = try lesson(content, at: Self.now.addingTimeInterval(2.5 * Self.hour))
        #expect(during.texts[2] == "Now, until 12:00\u{202F}PM")
        let after = try lesson(content, at: Self.now.addingTimeInterval(4 * Self.hour))
        #expect(after.texts == ["Next course", "No course in the next two weeks."])
        #expect(try address(after.root)?.absoluteString == "https://school.example/open?link=schedule")
    }

    @Test("the widgets say so when nothing is due, nobody is signed in, or the content is old")
    func states() throws {
        #expect(try due(makeContent()).texts == ["Due next", "Nothing is due."])
        let signedOut = try due(nil)
        #expect(signedOut.texts == ["Due next", "Open PinkTower and sign in."])
        #expect(try address(signedOut.root) == nil)
        let old = makeContent([work("Map", in: 90)], readAt: Self.now.addingTimeInterval(-30 * Self.hour))
        #expect(try due(old).texts.last?.hasPrefix("As of ") == true)
    }

    @Test("the widgets speak French as well")
    func french() throws {
        let content = makeContent([work("Triangles", in: 5), work("Carte", in: 90)], lessonIn: 26)
        #expect(
            try due(content, at: Self.now, .french).texts.suffix(2) == ["Aujourd’hui, 14:00", "Encore un autre"])
        #expect(try lesson(content, at: Self.now, .french).texts[2] == "Demain, 11:00")
        #expect(try due(nil, at: Self.now, .french).texts.last == "Ouvrez PinkTower et connectez-vous.")
        #expect(try due(makeContent(), at: Self.now, .french).texts.last == "Rien à rendre.")
    }

    @Test("the extension has two widgets with a name and an explanation in the language of the device")
    func bundle() throws {
        let widgets = RecordedWidget.all(of: PinkTowerWidgets())
        #expect(widgets.map(\.kind) == ["due", "lesson"])
        #expect(widgets.map(\.families) == [["systemSmall", "systemMedium"], ["systemSmall"]])
        #expect(widgets.allSatisfy { !$0.name.isEmpty && !$0.explanation.isEmpty })
        let french = RecordedWidget(DueWidget(words: try WidgetTexts.words(.french)).body)
        #expect(french.name == "À rendre" && french.explanation == "Les prochains travaux à rendre.")
        let drawn = draw(french.view(WidgetEntry(date: Self.now, content: makeContent())))
        #expect(drawn.texts == ["À rendre", "Rien à rendre."])
    }
}
