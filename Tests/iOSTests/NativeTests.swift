import Client
import DesignSystem
import Domain
import Foundation
import MessagingModel
import NativeViews
import ResidenceModel
import ScreenUI
import SwiftUI
import TestKit
import Testing

@testable import AppShell

/// The views on the stores of Client.
@Suite("Native views on the stores")
@MainActor
struct NativeTests {
    private static let pgId = UUID()
    private static let base = "/api/v1/residences/\(pgId.text)"
    private static let now = FixedClock().now
    private static let tabs = [PTNavigationEntry(title: "Residence", icon: .bed, path: "/residences")]

    private struct Listing<Item: Codable & Sendable>: Codable, Sendable {
        let items: [Item]
        var next: String?
    }

    private static func room(_ number: String, _ type: String, beds: Int = 2, taken: Int = 0) -> RoomListItem {
        RoomListItem(
            id: UUID(), number: number, type: type, bedCount: beds, occupiedBeds: taken, createdAt: now,
            updatedAt: now)
    }

    private static func whole(_ item: RoomListItem, details: String? = nil, students: [UUID] = []) -> Room {
        Room(
            id: item.id, pgId: pgId, number: item.number, type: item.type, bedCount: item.bedCount,
            details: details,
            studentIds: students, occupiedBeds: item.occupiedBeds, createdAt: now, updatedAt: now)
    }

    private static func student(_ name: String, in room: UUID? = nil) -> StudentDto {
        StudentDto(id: UUID(), name: name, email: nil, phone: nil, roomId: room, status: "ACTIVE")
    }

    /// The app of a signed-in warden with the page at an address in front.
    private func open(
        _ address: String, rooms: [RoomListItem] = [], students: [StudentDto] = [],
        day: [AttendanceStudent] = [], roles: [String] = ["warden"], abilities: Abilities = Abilities(),
        _ prepare: (AppDevice) -> Void = { _ in }
    ) async throws -> AppDevice {
        let device = try AppDevice(
            auth: ScriptedSession(pgId: Self.pgId, roles: roles), abilities: abilities)
        for path in ["/", "/residences"] {
            device.server.on(page: path, Screen(title: "Residence"), tabs: Self.tabs)
        }
        device.server.on("GET \(Self.base)/rooms", Listing(items: rooms))
        device.server.on("GET \(Self.base)/students", Listing(items: students))
        device.server.on(
            "GET \(Self.base)/attendance",
            DailyAttendance(date: ResidenceCalendar(timeZone: .gmt).day(of: Self.now), students: day))
        device.server.on("GET \(Self.base)/passages", Listing(items: [CheckInOutRecord]()))
        prepare(device)
        await device.session.start()
        device.show()
        await device.appear()
        device.session.signedIn?.navigator.open(address, isReplacing: false)
        device.show()
        return device
    }

    private static let rooms = "/residences/\(pgId.text)/rooms"

    // MARK: - Rooms

    @Test(
        "the rooms come from the store: a placeholder while they load at appearance, then the list",
        .requirement("PG-4.01.a", "PG-4.01.b"))
    func rooms() async throws {
        let latch = Gate()
        let twin = Self.room("12", "Twin", taken: 1)
        let device = try await open(Self.rooms) { device in
            device.server.on("GET \(Self.base)/rooms") { _ in
                await latch.wait()
                let encoder = JSONEncoder()
                encoder.dateEncodingStrategy = .iso8601
                return try encoder.encode(Listing(items: [twin]))
            }
        }
        #expect(device.has("RoomsListView"))
        let appearing = Task { await device.appear() }
        try await device.wait("the placeholder is shown") { device.has("SkeletonShapes") }
        await latch.open()
        await appearing.value
        device.show()
        #expect(device.texts.contains("Room 12") && device.texts.contains("Twin · 1 of 2 beds taken"))
        #expect(!device.has("SkeletonShapes"))
        #expect(device.recorder.faults == [])
    }

    @Test("a residence without rooms says so, and how to add one", .requirement("PG-4.01.b"))
    func noRooms() async throws {
        let device = try await open(Self.rooms)
        await device.appear()
        #expect(device.texts.contains("No rooms yet"))
        #expect(device.texts.contains("Add the first room with the plus button."))
    }

    @Test("the search finds rooms by number or type in upper and lower case, and an empty one shows all")
    func search() async throws {
        let device = try await open(
            Self.rooms, rooms: [Self.room("12", "Twin"), Self.room("B7", "Single"), Self.room("3", "Suite")])
        await device.appear()
        let store = try #require(device.session.signedIn?.store)
        func shown(_ query: String) -> [String] {
            let recorder = ViewRecorder(environment: device.root.all("RoomsListView")[0].environment)
            let view = RoomsListView(pgId: Self.pgId, query: query, handler: RecordingHandler())
            return recorder.record(view).all("Text").compactMap(\.text).filter { $0.hasPrefix("Room ") }
        }
        #expect(store.pgStore.state.rooms(of: Self.pgId).count == 3)
        #expect(shown("b7") == ["Room B7"])
        #expect(shown("tWIN") == ["Room 12"])
        #expect(shown("") == ["Room 12", "Room B7", "Room 3"])
    }

    @Test(
        "the plus button opens the sheet, and the new room is in the list before the server has answered",
        .requirement("PG-4.03.a"))
    func add() async throws {
        let device = try await open(Self.rooms, rooms: [Self.room("12", "Twin")])
        await device.appear()
        let latch = Gate()
        let added = Self.whole(Self.room("14", "Single", beds: 1))
        device.server.on("POST \(Self.base)/rooms") { _ in
            await latch.wait()
            let encoder = JSONEncoder()
            encoder.dateEncodingStrategy = .iso8601
            return try encoder.encode(added)
        }
        try device.press("Add a room")
        try device.enter("14", into: "Number")
        try device.enter("Single", into: "Type")
        let submit = try #require(
            device.root.all("SheetView").first?.all("Button").first { $0.spoken.contains("Add a room") })
        submit.press()
        try await device.wait("the room is shown") { device.texts.contains("Room 14") }
        #expect(device.texts.contains("Waiting"))
        #expect(device.session.signedIn?.store.pgStore.state.rooms[added.id] == nil, "the server has not answered")
        await latch.open()
        try await device.wait("the server has the room") { !device.texts.contains("Waiting") }
        #expect(device.texts.contains("Room 14"))
        try await device.wait("the sheet closes") { !device.has("SheetView") }
    }

    @Test("a room that the server refuses stays in the form, with the fault beside its field, and leaves the list")
    func refusedRoom() async throws {
        let device = try await open(Self.rooms, rooms: [Self.room("12", "Twin")])
        await device.appear()
        let fault = Refusal.FieldFault(field: "number", code: "taken", message: "There is a room 12 already.")
        device.server.on(
            "POST \(Self.base)/rooms",
            failing: .refused(Refusal(status: 422, code: "invalid", title: "Check the number.", errors: [fault])))
        try device.press("Add a room")
        try device.enter("12", into: "Number")
        try device.enter("Single", into: "Type")
        let submit = try #require(
            device.root.all("SheetView").first?.all("Button").first { $0.spoken.contains("Add a room") })
        submit.press()
        try await device.wait("the fault is shown") { device.texts.contains("There is a room 12 already.") }
        let number = try #require(device.root.all("TextField").first { $0.spoken.contains("Number") })
        #expect(number.input?.value as? String == "12")
        #expect(device.session.signedIn?.store.pgStore.state.rooms(of: Self.pgId).count == 1)
    }

    @Test("pulling down loads the rooms again through the store", .requirement("PG-4.03.b"))
    func pull() async throws {
        let device = try await open(Self.rooms, rooms: [Self.room("12", "Twin")])
        await device.appear()
        device.server.on("GET \(Self.base)/rooms", Listing(items: [Self.room("99", "Suite")]))
        device.server.on("GET /api/v1/conversations", Listing(items: [Conversation]()))
        device.server.on("GET \(Self.base)/leaves", Listing(items: [Leave]()))
        let list = try #require(device.root.all("RoomsListView").first?.all("List").first)
        let refresh = try #require(list.modifier("refreshable")?.work)
        await refresh()
        device.show()
        #expect(device.texts.contains("Room 99"))
    }

    @Test(
        "the row of a room leads to its detail, which reads residents and free beds from the store",
        .requirement("PG-4.04"))
    func detail() async throws {
        let twin = Self.room("12", "Twin", beds: 3, taken: 1)
        let bea = Self.student("Bea Ruiz", in: twin.id)
        let device = try await open(Self.rooms, rooms: [twin], students: [bea]) { device in
            device.server.on(
                "GET \(Self.base)/rooms/\(twin.id.text)",
                Self.whole(twin, details: "By the garden.", students: [bea.id]))
        }
        await device.appear()
        try device.press("Room 12")
        await device.appear()
        #expect(device.has("RoomDetailView"))
        #expect(device.texts.contains("By the garden.") && device.texts.contains("Bea Ruiz"))
        let detail = try #require(device.root.all("RoomDetailView").first)
        #expect(detail.all("Text").filter { $0.text == "Free bed" }.count == 2)
    }

    // MARK: - Residents and the day

    @Test(
        "the residents come from the store, and a move to another room shows before the server has answered",
        .requirement("PG-6.02.a"))
    func members() async throws {
        let (old, new) = (Self.room("12", "Twin", taken: 1), Self.room("14", "Single", beds: 1))
        let bea = Self.student("Bea Ruiz", in: old.id)
        let device = try await open(
            "/residences/\(Self.pgId.text)/residents", rooms: [old, new], students: [bea])
        await device.appear()
        #expect(device.has("MembersManagementView") && device.texts.contains("Room 12"))
        let latch = Gate()
        device.server.on("POST \(Self.base)/students/\(bea.id.text)/room") { _ in
            await latch.wait()
            return try JSONEncoder().encode(
                StudentDto(id: bea.id, name: bea.name, email: nil, phone: nil, roomId: new.id, status: "ACTIVE"))
        }
        try device.press("Move to a room")
        let pickers = device.root.all("Picker")
        try #require(pickers.first { $0.spoken.contains("Room") }).enter(new.id.text)
        device.show()
        let submit = try #require(
            device.root.all("SheetView").first?.all("Button").first { $0.spoken.contains("Move to a room") })
        submit.press()
        try await device.wait("the new room is shown") {
            device.root.all("MembersManagementView").first?.all("Text").contains { $0.text == "Room 14" } == true
        }
        await latch.open()
        try await device.wait("the server has the move") {
            device.session.signedIn?.store.syncSummary.unsent == 0
        }
        #expect(device.texts.contains("Room 14"))
    }

    @Test("the day shows its five counts and the residents from the store", .requirement("PG-6.03"))
    func day() async throws {
        let people = ["Ana", "Bea", "Cleo", "Dan"].map { Self.student($0) }
        let device = try await open(
            "/residences/\(Self.pgId.text)", students: people,
            day: [
                AttendanceStudent(id: people[0].id, status: .checkedIn),
                AttendanceStudent(id: people[1].id, status: .checkedOut),
                AttendanceStudent(id: people[2].id, status: .notReturned),
                AttendanceStudent(id: people[3].id, status: .absent, absence: .notSeen),
            ])
        await device.appear()
        let view = try #require(device.root.all("DailyAttendanceView").first)
        let counts = view.all("DefinitionListView").flatMap(\.texts)
        #expect(counts == ["Residents", "4", "In", "1", "Out", "1", "Not back", "1", "Absent", "1"])
        for person in people { #expect(view.texts.contains(person.name)) }
    }

    @Test(
        "a passage that a warden records changes the resident and the counts before the server has answered",
        .requirement("PG-6.02.b"))
    func passage() async throws {
        let bea = Self.student("Bea")
        let device = try await open(
            "/residences/\(Self.pgId.text)#attendance", students: [bea],
            day: [AttendanceStudent(id: bea.id, status: .checkedOut)])
        await device.appear()
        #expect(device.has("AttendanceView"))
        let latch = Gate()
        device.server.on("POST \(Self.base)/passages") { request in
            await latch.wait()
            throw APIError.refused(Refusal(status: 409, code: "passage.tooLate", title: "Too late."))
        }
        try device.press("Check in: Bea")
        try await device.wait("the resident is in") {
            device.root.all("Button").contains { $0.spoken == "Check out: Bea" }
        }
        let store = try #require(device.session.signedIn?.store)
        #expect(store.pgStore.state.attendance(of: Self.pgId, today: store.pgStore.today)?.summary.checkedIn == 1)
        await latch.open()
        try await device.wait("the refused passage is taken back") {
            device.root.all("Button").contains { $0.spoken == "Check in: Bea" }
        }
        #expect(store.pgStore.state.attendance(of: Self.pgId, today: store.pgStore.today)?.summary.checkedOut == 1)
    }

    @Test("a resident checks in with the card at the door, and without one where the device reads none")
    func card() async throws {
        let reader = Reader()
        let device = try await open(
            "/residences/\(Self.pgId.text)#check-in", roles: ["student"], abilities: Abilities(cards: reader))
        await device.appear()
        #expect(device.has("CheckInView"))
        device.server.on("POST \(Self.base)/check-in", failing: .unreachable("no network"))
        try device.press("Check in with the card at the door")
        try await device.wait("the passage waits") { device.texts.contains("Came in") }
        #expect(reader.prompts == ["Hold the phone to the tag at the door."])
        let store = try #require(device.session.signedIn?.store)
        let record = try #require(store.pgStore.state.checkInOutRecords.values.first)
        #expect(record.method == .nfc && record.nfcTagId == "04a1b2" && record.type == .checkIn)

        let plain = try await open("/residences/\(Self.pgId.text)#check-in", roles: ["student"])
        await plain.appear()
        #expect(!plain.root.all("Button").contains { $0.spoken.contains("card") })
        #expect(plain.root.all("Button").contains { $0.spoken == "Check in" })
    }

    // MARK: - Chat

    @Test(
        "a conversation of two runs on the chat store: what is written shows at once and waits without a network",
        .requirement("PG-6.04"))
    func chat() async throws {
        let (talk, other) = (UUID(), UUID())
        let message = ChatMessage(
            id: UUID(), conversationId: talk, seq: 1, senderId: other, text: "Is Noor well?", timestamp: Self.now,
            isRead: false, isDeleted: false, files: [])
        let conversation = Conversation(
            id: talk, kind: .direct, title: "Luz Ruiz", memberIds: [other], unread: 1, isMuted: false,
            isClosed: false, lastMessage: message)
        let device = try await open("/residences") { device in
            device.server.on("GET /api/v1/conversations", Listing(items: [conversation]))
            device.server.on("GET /api/v1/conversations/\(talk.text)/messages", Listing(items: [message]))
            device.server.on("POST /api/v1/conversations/\(talk.text)/read", json: "{}")
            device.server.on(
                "POST /api/v1/conversations/\(talk.text)/messages", failing: .unreachable("no network"))
        }
        let person = try #require(device.session.signedIn)
        try await person.store.chatStore.loadConversations(pgId: Self.pgId)
        person.navigator.open("/messages/\(talk.text)", isReplacing: false)
        device.show()
        await device.appear()
        #expect(device.has("ChatView") && device.texts.contains("Is Noor well?"))
        try await device.wait("the conversation is read, and nothing else waits") {
            !device.server.requests("/api/v1/conversations/\(talk.text)/read").isEmpty
                && person.store.syncSummary.unsent == 0
        }
        try device.enter("Very well", into: "Message")
        try device.press("Send")
        try await device.wait("the message is shown") { device.texts.contains("Very well") }
        try await device.wait("it waits") { device.texts.contains("Waiting") }
        #expect(person.store.syncSummary.unsent == 1)
    }

    // MARK: - Pages

    @Test("addresses of residences and of conversations of two are native, and all others are the server's")
    func pages() async throws {
        let device = try await open("/residences")
        let store = try #require(device.session.signedIn?.store)
        let (pg, room) = (Self.pgId.text, UUID())
        let native: [(String, NativePage)] = [
            ("/residences/\(pg)", .day(pgId: Self.pgId)),
            ("/residences/\(pg)#attendance", .attendance(pgId: Self.pgId)),
            ("/residences/\(pg)#check-in", .checkIn(pgId: Self.pgId)),
            ("/residences/\(pg)/rooms?q=b%207", .rooms(pgId: Self.pgId, query: "b 7")),
            ("/residences/\(pg)/rooms/\(room.text)", .room(pgId: Self.pgId, roomId: room)),
            ("/residences/\(pg)/residents", .members(pgId: Self.pgId, query: "")),
        ]
        for (address, page) in native { #expect(NativePage(address, in: store) == page) }
        for address in [
            "/residences", "/residences/\(pg)/roll-call", "/residences/\(pg)/rooms/\(room.text)/edit",
            "/messages/\(room.text)", "/today", "/residences/7",
        ] { #expect(NativePage(address, in: store) == nil, "\(address)") }
    }
}

/// Holds answers until a test lets them go.
actor Gate {
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func wait() async {
        if isOpen { return }
        await withCheckedContinuation { waiting.append($0) }
    }

    func open() {
        isOpen = true
        for one in waiting { one.resume() }
        waiting = []
    }
}

@MainActor
private final class Reader: CardReader {
    let isAvailable = true
    private(set) var prompts: [String] = []

    func read(prompt: String) async throws -> String? {
        prompts.append(prompt)
        return "04a1b2"
    }
}
