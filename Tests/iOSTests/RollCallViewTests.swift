import Client
import DesignSystem
import Domain
import Foundation
import ResidenceModel
import ScreenUI
import SwiftUI
import Synchronization
import TestKit
import Testing

@testable import AppShell
@testable import NativeViews

/// The native roll call on a device, with a scripted server.
@Suite("The roll call in the app")
@MainActor
struct RollCallViewTests {
    private static let path = "/residences/\(UUID().text)/roll-call"
    private static let api = "/api/v1\(path)"
    private static let day = Day("2026-11-12")

    private static let words = [
        "accounted": "{count} of {total} accounted for", "allHere": "All here", "call": "Call {name}",
        "change": "{name}: {status}. Change", "close": "Close roll call", "closing": "Closing waits",
        "counts": "Here {here} · On leave {onLeave} · Out {out}", "done": "Done",
        "gap": "Not accounted for: {count}",
        "gapTip": "Mark each one.", "here": "Here", "leave": "Cancel", "left": "{count} left", "next": "Next",
        "notYet": "Not yet", "onLeave": "On leave", "open": "Not started", "out": "Out", "outTitle": "{name}, out",
        "previous": "Previous", "reason": "Reason", "rooms": "Rooms", "said": "{reason}. Said by {source}",
        "save": "Save", "takeBack": "Take back", "waits": "Marks that wait: {count}", "whoSaid": "Who said so",
    ]

    private static func resident(
        _ name: String, _ status: RollCall.Status? = nil, leave: String? = nil, isLate: Bool = false,
        calls: [RollCallPage.Call] = []
    ) -> RollCallPage.Resident {
        RollCallPage.Resident(
            id: "id-\(name)", name: name, initials: String(name.prefix(1)), tint: .sky, shape: "a",
            line: "in at 20:10", isLate: isLate, leave: leave, status: status, calls: calls)
    }

    private static func page(_ rooms: [(number: String, residents: [RollCallPage.Resident])]) throws -> RollCallPage
    {
        RollCallPage(
            api: api, day: try #require(day), date: "Thursday 12 November",
            rooms: rooms.map { .init(title: "Room \($0.number)", number: $0.number, residents: $0.residents) },
            reasons: ["Choir", "Family"], sources: ["Parent", "Guide"], words: words)
    }

    private static func screen(_ page: RollCallPage) throws -> Screen {
        Screen(
            title: "Roll call",
            body: [.island(try PTIsland("rollcall", properties: page, fallback: "Needs a script"))])
    }

    /// The two rooms of most tests.
    private static func twoRooms() throws -> RollCallPage {
        try page([
            (
                "101",
                [
                    resident("Ana"),
                    resident(
                        "Ben",
                        calls: [.init(title: "Ben", number: "+33 (6) 12"), .init(title: "Mum", number: "34")]
                    ),
                ]
            ), ("102", [resident("Mei", .onLeave, leave: "until Sunday"), resident("Zoe", isLate: true)]),
        ])
    }

    /// The app of a warden with the roll call in front.
    private func open(_ page: RollCallPage) async throws -> AppDevice {
        let device = try AppDevice(auth: ScriptedSession(roles: ["warden"]))
        device.server.on(page: "/", Screen(title: "Today"))
        device.server.on(page: Self.path, try Self.screen(page))
        device.server.on("POST \(Self.api)/notes", json: "{}")
        device.server.on("POST \(Self.api)/close", json: "{}")
        await device.start()
        device.session.signedIn?.navigator.open(Self.path, isReplacing: false)
        device.show()
        await device.appear()
        // What is done now was done after the page was read.
        device.clock.advance(by: 1)
        return device
    }

    /// The arguments of the notes that were sent.
    private func notes(_ device: AppDevice) throws -> [RollCallNote] {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { try Date(from: $0, fractions: true) }
        return try device.server.requests("\(Self.api)/notes").map {
            try decoder.decode(RollCallNote.self, from: $0.body ?? Data())
        }
    }

    private func value(_ device: AppDevice, _ button: String) throws -> String? {
        try device.find("Button", button).modifier("accessibilityValue")?.value()
    }

    // MARK: - The page

    @Test("the island of the roll call is drawn by the app: its rooms, its residents and how many are missing")
    func drawn() async throws {
        let device = try await open(Self.twoRooms())
        #expect(device.has("RollCallView") && !device.has("WebPageView"))
        #expect(device.texts.contains("1 of 4 accounted for"))
        #expect(device.texts.contains("Here 0 · On leave 1 · Out 0"))
        #expect(try value(device, "Room 101") == "2 left" && value(device, "Room 102") == "1 left")
        #expect(device.texts.contains("Ana") && !device.texts.contains("Zoe"), "the first room with a gap is open")
        try device.press("Room 102")
        #expect(device.texts.contains("Zoe") && device.texts.contains("until Sunday"))
        let strip = device.root.all("RoomChipView").flatMap { $0.all("Button") }
        let current = strip.filter { button in
            button.modifiers.contains {
                $0.name == "accessibilityAddTraits" && $0.value() == AccessibilityTraits.isSelected
            }
        }
        #expect(current.map(\.spoken) == ["Room 102"])
        #expect(device.recorder.scrolls == ["101", "102"], "the strip follows the room")
        #expect(device.recorder.faults == [])
    }

    @Test("a newer server's properties leave the page to the web view")
    func newer() async throws {
        let device = try AppDevice(auth: ScriptedSession(roles: ["warden"]))
        device.server.on(page: "/", Screen(title: "Today"))
        device.server.on(
            page: Self.path,
            Screen(
                title: "Roll call",
                body: [
                    .island(try PTIsland("rollcall", properties: ["api": 2], fallback: "Needs a script"))
                ]))
        await device.start()
        device.session.signedIn?.navigator.open(Self.path, isReplacing: false)
        device.show()
        await device.appear()
        #expect(!device.has("RollCallView") && device.has("WebPageView"))
    }

    @Test("every control says what it does and whom it is about, and has 44 points")
    func labels() async throws {
        let device = try await open(Self.twoRooms())
        let view = try #require(device.root.all("RollCallView").first)
        let spoken = view.all("Button").map(\.spoken)
        #expect(
            Set(spoken).isSuperset(of: [
                "Room 101", "Room 102", "Ana, Here", "Ana, Out", "Ben, Here", "Ben, Out", "Call Ben",
                "Room 101, All here",
                "Close roll call", "Next, Room 102",
            ]), "\(spoken)")
        #expect(spoken.allSatisfy { !$0.isEmpty })
        for row in device.root.all("ResidentView") {
            let swipes = row.all.flatMap(\.modifiers).filter { $0.name == "swipeActions" }
            #expect(swipes.allSatisfy { $0.value("isRow") == true }, "elsewhere a device ignores them")
            #expect(swipes.flatMap(\.content).flatMap { $0.all("Button") }.map(\.spoken) == ["Here", "Out"])
            let menu = row.all.flatMap(\.modifiers).filter { $0.name == "contextMenu" }
                .flatMap(\.content).flatMap { $0.all("Button") }.map(\.spoken)
            #expect(menu.prefix(2) == ["Here", "Out"])
        }
        for button in view.children.flatMap(\.all) where button.kind == "Button" {
            let frames = button.all.flatMap(\.modifiers).filter { $0.name == "frame" }
            #expect(
                frames.contains { ($0.value("minHeight") as CGFloat?).map { $0 >= 44 } == true }
                    || button.path.contains("contextMenu") || button.path.contains("swipe"), "\(button.spoken)")
        }
    }

    // MARK: - Marks

    @Test(
        "a mark shows before the server has answered, is sent as JSON with its time, and lets itself be taken back")
    func mark() async throws {
        let device = try await open(Self.twoRooms())
        let latch = Gate()
        device.server.on("POST \(Self.api)/notes") { _ in
            await latch.wait()
            return Data("{}".utf8)
        }
        try device.press("Ana, Here")
        try await device.wait("the mark shows") { device.texts.contains("2 of 4 accounted for") }
        #expect(try value(device, "Ana: Here. Change") == "Waiting to be sent")
        #expect(device.recorder.played.contains(.impact(weight: .light)))
        #expect(!device.texts.contains { $0.hasPrefix("Marks that wait") }, "it is on its way for the first time")
        await latch.open()
        try await device.wait("it was sent") { device.session.signedIn?.store.syncSummary.unsent == 0 }
        let note = try #require(try notes(device).first)
        #expect(note.residentIds == ["id-Ana"] && note.status == .here && note.day == Self.day)
        #expect(note.recordedAt == device.clock.now)
        #expect(device.server.requests("\(Self.api)/notes").first?.idempotencyKey != nil)

        var page = try Self.twoRooms()
        page = try Self.page([
            ("101", [Self.resident("Ana", .here), page.rooms[0].residents[1]]), ("102", page.rooms[1].residents),
        ])
        device.server.on(page: Self.path, try Self.screen(page))
        await device.appear()
        #expect(try value(device, "Ana: Here. Change") == "")
        #expect(
            device.texts.count { $0 == "Take back" } == 2, "in the menu and behind the swipe of Ana's row alone")
        try device.press("Ana: Here. Change")
        try device.press("Ana, Take back")
        try await device.wait("the note is taken back") { device.texts.contains("1 of 4 accounted for") }
        try await device.wait("it was sent") { try notes(device).count == 2 }
        #expect(try notes(device).last?.status == nil)
    }

    @Test("a resident who is out needs a reason and who gave it, which the usual answers fill, and both are shown")
    func out() async throws {
        let device = try await open(Self.twoRooms())
        try device.press("Ana, Out")
        #expect(device.has("OutSheetView") && device.texts.contains("Ana, out"))
        try device.press("Save")
        #expect(device.texts.contains { $0.contains("Reason") && $0 != "Reason" }, "\(device.texts)")
        try device.press("Choir")
        try device.enter("  Ms Okoye ", into: "Who said so")
        try device.press("Save")
        try await device.wait("the mark shows and the sheet is closed") {
            !device.has("OutSheetView") && device.texts.contains("Choir. Said by Ms Okoye")
        }
        try await device.wait("it was sent") { try notes(device).count == 1 }
        let note = try #require(try notes(device).first)
        #expect(note.status == .out && note.reason == "Choir" && note.saidBy == "Ms Okoye")
    }

    @Test("a resident on leave can be noted as here, and a note that is taken back leaves the leave")
    func leave() async throws {
        let device = try await open(Self.twoRooms())
        try device.press("Room 102")
        try device.press("Mei: On leave. Change")
        #expect(!device.root.all("Button").contains { $0.spoken == "Mei, Take back" })
        try device.press("Mei, Here")
        try await device.wait("the mark shows") { device.texts.contains("Here 1 · On leave 0 · Out 0") }
        var state = RollCallState(try Self.twoRooms(), [])
        let mei = state.page.rooms[1].residents[0]
        let back = RollCallNote(day: state.page.day, residentIds: [mei.id], status: nil, recordedAt: Date())
        state = RollCallState(state.page, [(.note(back), true)])
        #expect(state.mark(of: mei) == .init(status: .onLeave, isWaiting: true))
    }

    @Test("of two marks of a resident that wait, the latest counts")
    func latest() throws {
        let page = try Self.twoRooms()
        let ana = page.rooms[0].residents[0]
        func note(_ status: RollCall.Status?) -> (RollCallCommand, Bool) {
            (.note(RollCallNote(day: page.day, residentIds: [ana.id], status: status, recordedAt: Date())), true)
        }
        #expect(RollCallState(page, [note(.here), note(.out)]).mark(of: ana).status == .out)
        #expect(RollCallState(page, [note(.here), note(nil)]).mark(of: ana).status == nil)
        #expect(RollCallState(page, [note(.here), note(.out)]).waiting == 2)
    }

    @Test("a contact is called with the digits of the number, and the menu has all contacts")
    func call() async throws {
        let device = try await open(Self.twoRooms())
        let calls = device.root.all("Button").filter { $0.spoken.hasPrefix("Call") }.map(\.spoken)
        #expect(Set(calls) == ["Call Ben", "Call Mum"])
        try device.find("Button", "Call Ben").press()
        #expect(device.session.signedIn?.navigator.outside?.absoluteString == "tel:+33612")
    }

    // MARK: - The closing

    @Test("everyone in a room is here with one tap, and the next room with a gap follows")
    func allHere() async throws {
        let device = try await open(Self.twoRooms())
        try device.press("Room 101, All here")
        try await device.wait("the marks show") { device.texts.contains("3 of 4 accounted for") }
        #expect(device.recorder.played.contains(.success))
        #expect(try value(device, "Room 101") == "Done")
        try await device.wait("they were sent at once") { try notes(device).count == 1 }
        #expect(try notes(device).first?.residentIds == ["id-Ana", "id-Ben"])
        try device.press("Next, Room 102")
        #expect(device.texts.contains("Zoe"))
    }

    @Test(
        "a roll call with a gap lists who is missing, and can be closed only once everyone is accounted for",
        .requirement("BY-1.05.a"))
    func close() async throws {
        let device = try await open(Self.twoRooms())
        try device.press("Close roll call")
        let sheet = try #require(device.root.all("GapSheetView").first)
        #expect(sheet.texts.contains("Not accounted for: 3") && sheet.texts.contains("Room 102 · in at 20:10"))
        #expect(sheet.all("Button").map(\.spoken).contains("Call Mum"))
        #expect(sheet.all("Button").last { $0.spoken == "Close roll call" }?.isEnabled == false)
        func press(_ text: String) throws {
            let sheet = try #require(device.root.all("GapSheetView").first)
            try #require(sheet.all("Button").last { $0.spoken == text }, "\(sheet.all("Button").map(\.spoken))")
                .press()
            device.show()
        }
        try press("Ana, Here")
        try press("Zoe, Here")
        try press("Ben, Out")
        #expect(device.texts.contains("Ben, out"), "the reason is asked for in the same sheet")
        try press("Family")
        try press("Save")
        // Both answers are the person's own.
        #expect(device.has("OutForm"))
        try press("Parent")
        try press("Save")
        try await device.wait("nobody is missing") { device.texts.contains("Not accounted for: 0") }
        device.server.on("POST \(Self.api)/close") { _ in throw APIError.unreachable("no network") }
        try press("Close roll call")
        try await device.wait("the closing waits") {
            !device.has("GapSheetView") && device.texts.contains("Closing waits")
        }
        #expect(try device.find("Button", "Close roll call").isEnabled == false)
        #expect(try notes(device).count == 3)
    }

    @Test("without a network the marks show as waiting, and the order of sending is that of the taps")
    func offline() async throws {
        let device = try await open(Self.twoRooms())
        let online = Mutex(false)
        for path in ["notes", "close"] {
            device.server.on("POST \(Self.api)/\(path)") { _ in
                guard online.withLock({ $0 }) else { throw APIError.unreachable("no network") }
                return Data("{}".utf8)
            }
        }
        try device.press("Ana, Here")
        try device.press("Ben, Here")
        let store = try #require(device.session.signedIn?.store)
        try await device.wait("both wait") { store.syncSummary.unsent == 2 && store.syncSummary.isOffline }
        #expect(device.texts.contains("Marks that wait: 2"))
        #expect(try value(device, "Ben: Here. Change") == "Waiting to be sent")
        let tried = try notes(device).count
        online.withLock { $0 = true }
        store.retry()
        try await device.wait("both were sent") { store.syncSummary.unsent == 0 }
        #expect(try notes(device).dropFirst(tried).map(\.residentIds) == [["id-Ana"], ["id-Ben"]])
        #expect(!device.texts.contains { $0.hasPrefix("Marks that wait") })
    }

    @Test("a mark that is refused is told with the server's sentence and taken back")
    func refused() async throws {
        let device = try await open(Self.twoRooms())
        let refusal = Refusal(
            status: 409, code: "residence.rollCallClosed", title: "Ines Costa closed this roll call at 21:38.")
        device.server.on("POST \(Self.api)/notes", failing: .refused(refusal))
        try device.press("Ana, Here")
        try await device.wait("the refusal is told") { device.texts.contains(refusal.title) }
        #expect(device.texts.contains("1 of 4 accounted for"))
        #expect(device.recorder.played.contains(.warning))
        #expect(device.session.signedIn?.store.syncSummary.unsent == 0)
    }

    // MARK: - Speed

    @Test("in a residence of 125 rooms a mark evaluates its row and its room alone")
    func counting() async throws {
        let rooms = (1...125).map { number in
            ("\(number)", (1...4).map { Self.resident("Resident \(number)-\($0)") })
        }
        let device = try await open(Self.page(rooms))
        #expect(device.recorder.evaluations["RoomChipView"] == 125)
        #expect(device.root.all("ResidentView").count == 4, "the residents of one room")
        let store = try #require(device.session.signedIn?.store)
        for place in 1...3 {
            device.recorder.resetEvaluations()
            try device.press("Resident 1-\(place), Here")
            try await device.wait("the mark shows") { device.texts.contains("\(place) of 500 accounted for") }
            // Otherwise what is sent late is counted with the next mark.
            try await device.wait("the mark was sent") { store.syncSummary.unsent == 0 }
            #expect(device.recorder.evaluations["RoomChipView"] == 1)
            // Once for the mark that waits, at most once more for the mark that was sent.
            #expect((1...2).contains(device.recorder.evaluations["ResidentView"] ?? 0))
        }
    }
}

extension Date {
    /// Reads an instant as the client writes it.
    fileprivate init(from decoder: any Decoder, fractions: Bool) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        self = try Date.ISO8601FormatStyle(includingFractionalSeconds: fractions).parse(text)
    }
}
