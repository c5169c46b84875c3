import Client
import DesignSystem
import Domain
import Foundation
import NativeViews
import QuestModel
import ScreenUI
import SwiftUI
import TestKit
import Testing

@testable import AppShell

/// The pages of quests as the server describes them.
enum QuestPage {
    static let mia = PlayProperties.PlayerItem(id: UUID().text, name: "Mia")
    static let leo = PlayProperties.PlayerItem(id: UUID().text, name: "Leo")
    static let record = "/api/v1/quest/sessions"
    static let gate = "/api/v1/quest/gate"

    /// The texts of the block's catalog.
    private static func texts(_ language: Language) throws -> (words: Words, stage: [String: String]) {
        let file = URL(filePath: #filePath).appending(path: "../../../Modules/Quest/Sources/Resources")
            .appending(path: "Localizable.xcstrings").standardized
        struct Catalog: Decodable {
            struct Entry: Decodable {}
            let strings: [String: Entry]
        }
        let data = try Data(contentsOf: file)
        let words = Words(language, [try StringCatalog(json: data)])
        let keys = try JSONDecoder().decode(Catalog.self, from: data).strings.keys.filter {
            $0.hasPrefix("stage.")
        }
        return (words, Dictionary(uniqueKeysWithValues: keys.map { (String($0.dropFirst(6)), words($0)) }))
    }

    static func properties(
        of player: PlayProperties.PlayerItem = mia, players: [PlayProperties.PlayerItem] = [mia],
        routine: String = "Morning", days: [Int] = Array(1...7), discoveries: [String] = [],
        _ language: Language = .english
    ) throws -> PlayProperties {
        let (words, stage) = try texts(language)
        return PlayProperties(
            player: player, players: players, timeZone: "Europe/Paris", language: language.rawValue,
            record: record, gate: .init(path: gate, close: "\(gate)/close", signIn: "/sign-in?next=/quest"),
            routines: [
                .init(
                    id: UUID().text, displayName: routine, activeDays: days, completedSessions: 0,
                    tasks: ["Dress", "Brush teeth"].map {
                        .init(id: UUID().text, displayName: $0, referenceSeconds: nil)
                    })
            ], discoveries: discoveries,
            messages: FeedbackGenerator.catalog.map { .init($0, text: words("feedback.\($0.id)")) }, words: stage)
    }

    static func screen(_ page: PlayProperties) throws -> Screen {
        Screen(
            title: "TimeQuest", layout: .stage,
            body: [.island(try PTIsland("quest", properties: page, fallback: "Needs scripts"))])
    }
}

/// The child's page in the app.
@Suite("Quests in the app")
@MainActor
struct QuestViewTests {
    private static let tabs = [PTNavigationEntry(title: "Play", icon: .timer, path: "/play", isCurrent: true)]

    /// An app on a child's page.
    private func open(
        _ pages: PlayProperties..., auth: ScriptedSession = ScriptedSession(), folder: TemporaryFolder? = nil,
        clock: FixedClock = FixedClock(), language: Language = .english, isOffline: Bool = false
    ) async throws -> AppDevice {
        let device = try AppDevice(auth: auth, folder: folder, language: language, clock: clock)
        device.server.on("POST \(QuestPage.gate)/close", json: "{}")
        if isOffline {
            goOffline(device, pages)
        } else {
            for page in pages {
                device.server.on(
                    "GET \(PlayProperties.address(of: page.player.id))",
                    ScreenDocument(try QuestPage.screen(page), chrome: nil, seq: nil))
            }
            for path in ["/", "/play"] {
                device.server.on(page: path, try QuestPage.screen(pages[0]), tabs: Self.tabs)
            }
        }
        await device.start()
        return device
    }

    /// Lets no request of the device reach the server.
    private func goOffline(_ device: AppDevice, _ pages: [PlayProperties]) {
        let routes =
            ["GET /", "GET /play", "POST \(QuestPage.record)", "POST \(QuestPage.gate)/close"]
            + ["GET \(QuestPage.gate)", "POST \(QuestPage.gate)"]
            + pages.map { "GET \(PlayProperties.address(of: $0.player.id))" }
        for route in routes { device.server.on(route, failing: .unreachable("no network")) }
    }

    /// Does the task in front: it takes some seconds.
    private func play(_ device: AppDevice, _ seconds: TimeInterval) throws {
        try device.press("Start")
        device.clock.advance(by: seconds)
        try device.press("I’m done")
    }

    private func dial(_ device: AppDevice) throws -> RecordedView {
        try #require(
            device.root.all("QuestDial").first?.all.first { $0.modifier("accessibilityAdjustableAction") != nil })
    }

    /// Everything that can be pressed says what it does, and the view has a title.
    private func isAccessible(_ device: AppDevice, _ step: String) throws {
        let view = try #require(device.root.all("QuestView").first, "\(step)")
        #expect(!view.all("Button").isEmpty, "\(step)")
        for button in view.all("Button") { #expect(!button.spoken.isEmpty, "\(button.path) in \(step)") }
        #expect(
            view.all("Text").contains { text in
                text.modifiers.contains { modifier in
                    (modifier.name == "accessibilityAddTraits")
                        && (modifier.value() as AccessibilityTraits?)?.contains(.isHeader) == true
                }
            }, "\(step) has no title")
        #expect(!view.texts.contains { $0.contains("{") || $0.contains("«stage") }, "\(step): \(view.texts)")
        #expect(device.recorder.faults == [], "\(step)")
    }

    // MARK: - A whole quest

    @Test(
        "a whole quest is played without a network by pressing the views, over a restart of the app, and sent once",
        .requirement("BY-1.04.a", "BY-1.04.b", "TQ-2.13.a", "TQ-2.13.b", "TQ-2.13.c", "TQ-2.13.d"))
    func whole() async throws {
        let page = try QuestPage.properties(discoveries: ["Your best guess was Dress."])
        let (auth, folder, clock) = (ScriptedSession(), try TemporaryFolder(), FixedClock())
        let first = try await open(page, auth: auth, folder: folder, clock: clock)
        #expect(!first.has("WebPageView"))
        for text in ["TimeQuest", "Hello, Mia", "Morning", "2 things to do", "Your best guess was Dress."] {
            #expect(first.texts.contains(text), "\(text)")
        }
        goOffline(first, [page])
        try first.press("Morning")
        #expect(first.texts.contains("How long will it take?") && first.texts.contains("Dress"))
        try first.press("Less")
        try first.press("Start")
        clock.advance(by: 20)
        // The child's device is switched off.
        try first.press("Pause")
        #expect(first.texts.contains("0:20") && first.texts.contains("having a rest"))
        first.session.signedIn?.store.stop()

        let device = try await open(page, auth: auth, folder: folder, clock: clock, isOffline: true)
        #expect(device.texts.contains("0:20") && device.texts.contains("You guessed 1 minute 45 seconds"))
        clock.advance(by: 600)
        try device.press("Continue")
        clock.advance(by: 52)
        try device.press("I’m done")
        #expect(device.texts.contains("A discovery") && device.texts.contains("One new cube for your tower"))
        let bars = try #require(device.root.all("QuestBars").first)
        let spoken = bars.all.compactMap { $0.modifier("accessibilityValue")?.value() as String? }
        #expect(spoken == ["1 minute 45 seconds", "1 minute 12 seconds"])
        #expect(device.recorder.played == [.success])
        try device.press("Next")
        #expect(device.texts.contains("Brush teeth"))
        try play(device, 118)
        try device.press("See the path")
        #expect(device.texts.contains("Your path"))
        #expect(device.texts.contains("Safe here. It will be sent when the internet is back."))
        let store = try #require(device.session.signedIn?.store)
        #expect(store.syncSummary.unsent == 1)

        // The network is back.
        device.server.on("POST \(QuestPage.record)", json: "{}")
        for path in ["/", "/play"] {
            device.server.on(page: path, try QuestPage.screen(page), tabs: Self.tabs)
        }
        store.retry()
        try await device.wait("the session has arrived") { device.texts.contains("It has arrived.") }
        let sent = device.server.requests(QuestPage.record).compactMap { request in
            request.body.flatMap { try? JSONSerialization.jsonObject(with: $0) as? [String: Any] }
        }
        #expect(Set(sent.compactMap { $0["session"] as? String }).count == 1)
        let times = (sent.last?["estimations"] as? [[String: Any]])?.compactMap { $0["actualSeconds"] as? Double }
        #expect(times == [72, 118])
        try device.press("Back to the quests")
        #expect(device.texts.contains("Today’s quests") && store.syncSummary.unsent == 0)
        #expect(device.recorder.faults == [])
    }

    @Test(
        "every view of a quest has a title and speaks its controls, in both languages", arguments: Language.allCases
    )
    func accessible(_ language: Language) async throws {
        let both = [QuestPage.mia, QuestPage.leo]
        let page = try QuestPage.properties(players: both, routine: "Matin", discoveries: ["Bravo"], language)
        let words = QuestWords(page)
        let device = try await open(
            page, try QuestPage.properties(of: QuestPage.leo, players: both, language), language: language)
        try isAccessible(device, "home")
        try device.press("Matin")
        try isAccessible(device, "guess")
        let dial = try dial(device)
        #expect(dial.spoken == words("guess"))
        #expect(dial.modifier("accessibilityValue")?.value() == words.long(120))
        try device.press(words("start"))
        try isAccessible(device, "run")
        device.clock.advance(by: 5000)
        try device.press(words("done"))
        try isAccessible(device, "told")
        #expect(device.texts.contains(words("told.long")))
        try device.press(words("told.measured", ["time": words.long(5000)]))
        try isAccessible(device, "found")
        try device.press(words("next"))
        try device.press(words("start"))
        device.clock.advance(by: 2)
        try device.press(words("done"))
        #expect(device.texts.contains(words("quick.title")))
        try isAccessible(device, "quick")
        device.server.on("POST \(QuestPage.record)", failing: .unreachable("no network"))
        try device.press(words("told.leave"))
        #expect(device.texts.contains(words("path.title")))
        try isAccessible(device, "path")
    }

    @Test(
        "the dial is turned with a finger, adjusted by a screen reader and changed with buttons, and stops at its ends"
    )
    func dial() async throws {
        let device = try await open(try QuestPage.properties())
        try device.press("Morning")
        func value() throws -> String? { try dial(device).modifier("accessibilityValue")?.value() }
        #expect(try value() == "2 minutes")
        try dial(device).adjust(.increment)
        device.show()
        #expect(try value() == "2 minutes 15 seconds")
        try dial(device).adjust(.decrement)
        device.show()
        try device.press("Less")
        #expect(try value() == "1 minute 45 seconds")
        try device.press("More")
        #expect(try value() == "2 minutes")
        // The recorder gives each dial the width of a phone, and a height of 100.
        let center = CGPoint(x: 195, y: 50)
        try dial(device).drag(to: CGPoint(x: center.x, y: center.y + 90))
        device.show()
        let half = try value()
        #expect(try half == words(Guesses.all[Guesses.place(at: 180, from: Guesses.nearest(120))]))
        try dial(device).drag(to: CGPoint(x: center.x + 1, y: center.y))
        device.show()
        #expect(try value() == half, "the middle of the dial is no place")
        for _ in 0..<60 {
            try device.press("Less")
        }
        #expect(try value() == "5 seconds")
        try dial(device).drag(to: CGPoint(x: center.x - 5, y: center.y - 90))
        device.show()
        #expect(try value() == "5 seconds", "a turn beyond the end stops there")
    }

    private func words(_ seconds: Double) throws -> String {
        QuestWords(try QuestPage.properties()).long(seconds)
    }

    // MARK: - Interruptions

    @Test("a clock that was changed while the app was closed leads to a question, and the child tells the time")
    func changedClock() async throws {
        let page = try QuestPage.properties()
        let (auth, folder, clock) = (ScriptedSession(), try TemporaryFolder(), FixedClock())
        let first = try await open(page, auth: auth, folder: folder, clock: clock)
        try first.press("Morning")
        try first.press("Start")
        first.session.signedIn?.store.stop()
        clock.advance(by: -3600)
        let device = try await open(page, auth: auth, folder: folder, clock: clock, isOffline: true)
        try device.press("I’m done")
        #expect(
            device.texts.contains("The clock of this device was changed. About how long did it take?"))
        try device.press("More")
        try device.press("That’s about right")
        let quest = try #require(device.session.signedIn?.store.questStore.quest(of: QuestPage.mia.id))
        #expect(quest.estimations.first?.actualSeconds == 135 && quest.estimations.first?.wasStopped == true)
    }

    @Test("a running task pauses when the child goes to the quests, and is continued or left from there")
    func left() async throws {
        let device = try await open(try QuestPage.properties())
        try device.press("Morning")
        try device.press("Start")
        device.clock.advance(by: 30)
        try device.press("Back to the quests")
        #expect(
            device.texts.contains("You are in the middle of: Morning") && !device.texts.contains("Today’s quests"))
        device.clock.advance(by: 300)
        try device.press("Continue")
        #expect(device.texts.contains("0:30") && device.texts.contains("having a rest"))
        try device.press("Back to the quests")
        try device.press("Leave this quest")
        #expect(device.texts.contains("Today’s quests"))
        #expect(device.session.signedIn?.store.syncSummary.unsent == 0)
    }

    @Test("a day without quests says so")
    func none() async throws {
        let device = try await open(try QuestPage.properties(days: []))
        #expect(device.texts.contains("No quests today. Enjoy your time."))
    }

    // MARK: - Players and accounts

    @Test("another player's page is there without a network, each player goes on with their own quest")
    func players() async throws {
        let both = [QuestPage.mia, QuestPage.leo]
        let mias = try QuestPage.properties(players: both)
        let leos = try QuestPage.properties(of: QuestPage.leo, players: both, routine: "Evening")
        let device = try await open(mias, leos)
        try device.press("Morning")
        try device.press("Start")
        device.clock.advance(by: 15)
        try device.press("Back to the quests")
        goOffline(device, [mias, leos])
        let leo = try #require(device.root.all("ChipsView").first?.all("Button").first { $0.spoken == "Leo" })
        leo.press()
        try await device.wait("Leo's page is shown") { device.texts.contains("Hello, Leo") }
        #expect(device.texts.contains("Evening") && !device.has("WebPageView"))
        try device.press("Evening")
        #expect(device.texts.contains("How long will it take?"))
        try device.press("Back to the quests")
        let chips = try #require(device.root.all("ChipsView").first).all("Button")
        #expect(
            chips.map { ($0.modifier("accessibilityAddTraits")?.value() as AccessibilityTraits?) == .isSelected }
                == [false, true])
        try #require(chips.first { $0.spoken == "Mia" }).press()
        try await device.wait("Mia's quest is there") { device.texts.contains("0:15") }
    }

    @Test("signing out erases the quest of the account")
    func signOut() async throws {
        let page = try QuestPage.properties()
        let (auth, folder) = (ScriptedSession(), try TemporaryFolder())
        let device = try await open(page, auth: auth, folder: folder)
        try device.press("Morning")
        try await device.session.signOut()
        auth.userId = auth.account
        let next = try await open(page, auth: auth, folder: folder)
        #expect(next.texts.contains("Today’s quests") && next.has("QuestView"))
        #expect(next.session.signedIn?.store.questStore.state.players.isEmpty == true)
    }

    // MARK: - The parent's side

    @Test(
        "three taps on the title show a keypad, whose code opens the parent's side; each start is in player mode",
        .requirement("TQ-0.01.a", "TQ-2.03.a", "TQ-2.03.c", "TQ-2.08.a"))
    func gate() async throws {
        let device = try await open(try QuestPage.properties())
        #expect(device.server.requests("\(QuestPage.gate)/close").count == 1)
        device.server.on("GET \(QuestPage.gate)", json: #"{"role":"player","asks":"code"}"#)
        func title() throws -> RecordedView {
            try #require(
                device.root.all("QuestHomeView").first?.all("Text").first { $0.text == "TimeQuest" })
        }
        try title().tap(count: 2)
        device.show()
        #expect(!device.has("QuestKeypadView"))
        try title().tap(count: 3)
        try await device.wait("the keypad is shown") { device.has("QuestKeypadView") }
        let keypad = try #require(device.root.all("QuestKeypadView").first)
        #expect(keypad.all("Button").map(\.spoken).sorted() == (0...9).map(String.init) + ["Close", "Delete"])
        #expect(keypad.texts.contains("Enter code"))
        func dots() -> String? {
            device.root.all("QuestKeypadView").first?.all("HStack").first?.modifier("accessibilityLabel")?.value()
        }
        func key(_ name: String) throws {
            try #require(device.root.all("QuestKeypadView").first?.all("Button").first { $0.spoken == name })
                .press()
            device.show()
        }
        let refusal = Refusal(status: 422, code: "auth.wrongCode", title: "Wrong code.")
        device.server.on("POST \(QuestPage.gate)", failing: .refused(refusal))
        for digit in ["1", "2"] { try key(digit) }
        #expect(dots() == "2 of 4 digits")
        try key("Delete")
        for digit in ["1", "1", "1"] { try key(digit) }
        try await device.wait("the code is wrong") { device.texts.contains("Try again") }
        #expect(dots() == "0 of 4 digits")
        device.server.on("POST \(QuestPage.gate)", json: #"{"role":"parent","path":"/quest"}"#)
        device.server.on(page: "/quest", Screen(title: "Setup", body: [.text(PTText("Routines"))]))
        for digit in ["4", "4", "2", "0"] { try key(digit) }
        try await device.wait("the parent's side is open") {
            device.session.signedIn?.navigator.stack == [Place("/quest")]
        }
        #expect(!device.has("QuestKeypadView"))
        #expect(device.recorder.faults == [])
    }

    @Test("without a network the keypad says that it works again later, and wrong codes are followed by a wait")
    func lockedGate() async throws {
        let page = try QuestPage.properties()
        let device = try await open(page)
        goOffline(device, [page])
        let title = try #require(
            device.root.all("QuestHomeView").first?.all("Text").first { $0.text == "TimeQuest" })
        // With a screen reader: a double tap with two fingers.
        title.perform(.magicTap)
        try await device.wait("the keypad is shown") { device.has("QuestKeypadView") }
        func enter() throws {
            for _ in 0..<4 {
                let keypad = try #require(device.root.all("QuestKeypadView").first)
                try #require(keypad.all("Button").first { $0.spoken == "7" }).press()
                device.show()
            }
        }
        try enter()
        try await device.wait("the sentence is shown") {
            device.texts.contains("This works again when the internet is back.")
        }
        let locked = Refusal(status: 429, code: "auth.locked", title: "Wait.", retryAfter: 60)
        device.server.on("POST \(QuestPage.gate)", failing: .refused(locked))
        try enter()
        try await device.wait("the wait is shown") { device.texts.contains("Wait 1 minute") }
        let keypad = try #require(device.root.all("QuestKeypadView").first)
        #expect(keypad.all("Button").filter(\.isEnabled).map(\.spoken) == ["Close", "Delete"])
    }

    // MARK: - The composition

    /// A routine that no page has.
    @MainActor
    private final class OneRoutine: RoutineRepositoryProtocol {
        func fetchActiveForToday(in page: PlayProperties) -> [PlayProperties.RoutineItem] {
            [.init(id: UUID().text, displayName: "Another", activeDays: [], completedSessions: 0, tasks: [])]
        }
        func readAhead(_ addresses: [String], accept: String) async {}
    }

    /// Remembers what a child did.
    @MainActor
    private final class Actions: SessionRepositoryProtocol {
        private(set) var actions: [QuestAction] = []
        func quest(of player: String) -> CurrentQuest? { nil }
        func perform(_ action: QuestAction, in page: PlayProperties) throws { actions.append(action) }
        func waiting(in page: PlayProperties) -> Int { 1 }
        func delivery(of player: String) -> QuestDelivery { .sent }
        func gate(of page: PlayProperties) async -> QuestGate { .signIn }
        func openGate(of page: PlayProperties, code: String) async -> QuestGateAnswer { .signIn }
        func closeGate(of page: PlayProperties) async {}
    }

    @Test(
        "the views use the repositories that the environment hands down, in the app those of the person's stores",
        .requirement("TQ-1.20.b"))
    func dependencies() async throws {
        let page = try QuestPage.properties()
        let actions = Actions()
        var environment = EnvironmentValues.recorded()
        environment.appDependencies = AppDependencies(
            routineRepository: OneRoutine(), sessionRepository: actions)
        let island = try PTIsland("quest", properties: page, fallback: "Needs scripts")
        let recorder = ViewRecorder(environment: environment)
        let root = recorder.record(try #require(QuestView(island: island)))
        let row = try #require(root.all("Button").first { $0.spoken.contains("Another") })
        row.press()
        #expect(actions.actions.count == 1)
        #expect(root.texts.contains("Safe here. It will be sent when the internet is back."))

        let device = try await open(page)
        let person = try #require(device.session.signedIn)
        let handed = try #require(device.root.all("QuestView").first?.environment.appDependencies)
        #expect(handed === person.dependencies)
        #expect(handed.sessionRepository === person.store.questStore)
        #expect(handed.routineRepository as? PageRoutineRepository === person.store.routineRepository)
    }

    @Test("an island of a newer server, which the app cannot read, is not drawn by it")
    func newer() throws {
        #expect(QuestView(island: try PTIsland("quest", properties: ["level": 1], fallback: "")) == nil)
    }
}
