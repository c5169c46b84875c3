import Client
import Domain
import Foundation
import ShellModel
import Synchronization
import TestKit
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Pages of the server and their commands, on a device.
@Suite("The store of pages")
@MainActor
struct PageStoreTests {
    private static let accept = "application/vnd.pinktower.screen+json"
    private static let path = "/api/v1/attendance/mark"
    private static let mark = PageCommand(
        path: path, fields: ["status": "present", "note": "Late & sorry", "recordedAt": "", "sentAt": ""],
        lists: ["students": ["a", "b"]], key: "0199f2c4-mark-1")

    private func fields(of request: APIRequest) throws -> [String: [String]] {
        var parts = URLComponents()
        parts.percentEncodedQuery = String(decoding: try #require(request.body), as: UTF8.self)
        return Dictionary(grouping: parts.queryItems ?? [], by: \.name).mapValues { $0.compactMap(\.value) }
    }

    @Test("a page that was read is there without a network, and after the app was closed")
    func offline() async throws {
        let folder = try TemporaryFolder()
        let auth = FakeAuth()
        let storage = ClientStorage(folder: folder.url)
        let device = try await Device(auth: auth, storage: storage)
        device.api.on("GET /students/7?tab=work", json: #"{"version":1}"#)
        device.api.on("GET /students/7?tab=work", headers: ["content-location": "/students/7/work"])
        let page = try await device.store.pageStore.load("/students/7?tab=work#notes", accept: Self.accept)
        #expect(page.found == "/students/7/work")
        #expect(device.api.requests.last?.accept == Self.accept)
        #expect(try device.store.pageStore.stored("/students/7/work")?.body == page.body)
        device.store.stop()

        let next = try await Device(auth: auth, storage: storage)
        #expect(try next.store.pageStore.stored("/students/7?tab=work") == page)
        next.api.on("GET /students/7?tab=work", failing: .unreachable("no network"))
        await #expect(throws: StoreError.unreachable) {
            try await next.store.pageStore.load("/students/7?tab=work", accept: Self.accept)
        }
        #expect(try next.store.pageStore.stored("/students/7?tab=work") == page)
    }

    @Test("an earlier request of a page that is answered last does not replace the newer page")
    func outOfOrder() async throws {
        let device = try await Device()
        let (store, route, latch) = (device.store.pageStore, "GET /students/7", Latch())
        device.api.on(route) { [api = device.api] _ in
            let number = api.requests(route).count
            if number == 1 { await latch.wait() }
            return Data(#"{"version":\#(number)}"#.utf8)
        }
        let first = Task { try await store.load("/students/7", accept: Self.accept) }
        try await eventually { device.api.requests(route).count == 1 }
        let second = try await store.load("/students/7", accept: Self.accept)
        #expect(second.body == Data(#"{"version":2}"#.utf8))
        latch.open()
        #expect(try await first.value.body == Data(#"{"version":3}"#.utf8))
        #expect(try store.stored("/students/7")?.body == Data(#"{"version":3}"#.utf8))
    }

    @Test("a page that is now missing or forbidden is no longer on the device")
    func forbidden() async throws {
        let device = try await Device()
        device.api.on("GET /students/7", json: "{}")
        _ = try await device.store.pageStore.load("/students/7", accept: Self.accept)
        let refusal = Refusal(status: 404, code: "notFound", title: "There is no such page.")
        device.api.on("GET /students/7", failing: .refused(refusal))
        await #expect(throws: StoreError.refused(refusal)) {
            try await device.store.pageStore.load("/students/7", accept: Self.accept)
        }
        #expect(try device.store.pageStore.stored("/students/7") == nil)
    }

    @Test(
        "a form with files is sent from a file, which is gone afterwards, and one that does not wait stays with the person"
    )
    func files() async throws {
        let device = try await Device()
        let folder = try TemporaryFolder()
        let photo = folder.url.appending(path: "photo")
        // More than what is copied at once.
        let content = Data((0..<600_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
        try content.write(to: photo)
        let sent = Mutex<(body: Data, file: URL?)>((Data(), nil))
        device.api.on("POST \(Self.path)") { request in
            let file = try #require(request.bodyFile)
            sent.withLock { $0 = (FileManager.default.contents(atPath: file.path) ?? Data(), file) }
            return Data("{}".utf8)
        }
        let files = ["photos": [FormFile(name: "a\"b.jpg", mediaType: "image/jpeg", content: photo)], "none": []]
        _ = try await device.store.pageStore.run(Self.mark, files: files, isQueued: false)
        let request = try #require(device.api.requests.last)
        #expect(request.body == nil && request.accept == "application/json")
        let boundary = try #require(request.contentType?.split(separator: "=").last)
        let body = sent.withLock { $0.body }
        #expect(body.range(of: content) != nil)
        func has(_ text: String) -> Bool { body.range(of: Data(text.utf8)) != nil }
        #expect(has("name=\"photos\"; filename=\"a%22b.jpg\"\r\nContent-Type: image/jpeg\r\n\r\n"))
        #expect(has("name=\"note\"\r\n\r\nLate & sorry\r\n"))
        #expect(has("name=\"students\"\r\n\r\na\r\n") && has("name=\"students\"\r\n\r\nb\r\n"))
        #expect(has("name=\"_key\"\r\n\r\n0199f2c4-mark-1\r\n") && has("--\(boundary)--\r\n"))
        let written = sent.withLock { $0.file }
        let gone = try #require(written)
        #expect(!FileManager.default.fileExists(atPath: gone.path))

        device.api.on("POST \(Self.path)", failing: .unreachable("no network"))
        await #expect(throws: StoreError.notSent) {
            try await device.store.pageStore.run(Self.mark, files: files, isQueued: false)
        }
        #expect(device.store.syncSummary.unsent == 0)
        #expect(FileManager.default.fileExists(atPath: photo.path), "the person can send it again")
    }

    @Test("a file of the server is read into a file on the device, and a refusal says why not")
    func download() async throws {
        let device = try await Device()
        let folder = try TemporaryFolder()
        device.api.on("GET /photos/7") { _ in Data("picture".utf8) }
        device.api.on("GET /photos/7", headers: ["content-type": "image/jpeg"])
        let file = folder.url.appending(path: "photo")
        #expect(try await device.store.pageStore.download("/photos/7", to: file) == "image/jpeg")
        #expect(try Data(contentsOf: file) == Data("picture".utf8))
        let refusal = Refusal(status: 404, code: "notFound", title: "There is no such photo.")
        device.api.on("GET /photos/7", failing: .refused(refusal))
        await #expect(throws: StoreError.refused(refusal)) {
            try await device.store.pageStore.download("/photos/7", to: file)
        }
    }

    @Test("a web view gets a page with the session of the person, and none after the sign-out")
    func webPage() async throws {
        let device = try await Device()
        let page = try await device.store.webPage(at: "/quests/7")
        #expect(page.request.url?.path == "/quests/7" && WebPage.address(of: page.request) == page.request.url)
        #expect(page.cookie.value == "token-1" && page.cookie.isHTTPOnly && page.cookie.isSecure)
        try await device.store.signOut()
        await #expect(throws: StoreError.userNotAuthenticated) {
            try await device.store.webPage(at: "/quests/7")
        }
    }

    @Test("the widgets' content and the entries of the search are what the server lists for the person")
    func system() async throws {
        let device = try await Device()
        let course = UUID()
        device.api.on(
            "GET /api/v1/widget",
            json:
                #"{"version":1,"readAt":"2026-11-26T07:30:00Z","timeZone":"UTC","unread":2,"due":[],"dueCount":0}"#)
        #expect(try await device.store.widget().unread == 2)
        device.api.on(
            "GET /api/v1/courses",
            json: #"{"items":[{"id":"\#(course.text)","name":"Geometry","subject":"Mathematics"}]}"#)
        device.api.on(
            "GET /api/v1/courses/\(course.text)/assignments",
            json: #"{"items":[{"id":"\#(course.text)","title":"Triangles"}]}"#)
        // A school without quizzes.
        device.api.on(
            "GET /api/v1/courses/\(course.text)/quizzes",
            failing: .refused(Refusal(status: 404, code: "notFound", title: "No such page.")))
        #expect(
            try await device.store.searchEntries() == [
                SearchEntry(kind: .course, id: course, title: "Geometry", detail: "Mathematics"),
                SearchEntry(kind: .assignment, id: course, title: "Triangles", detail: "Geometry"),
            ])
        device.api.on("GET /api/v1/widget", json: "<html>")
        await #expect(throws: StoreError.unreachable) { try await device.store.widget() }
    }

    @Test("of more than 200 pages, those that were read longest ago leave")
    func limit() async throws {
        let device = try await Device()
        for number in 0...200 {
            device.api.on("GET /students/\(number)", json: "{}")
            _ = try await device.store.pageStore.load("/students/\(number)", accept: Self.accept)
            device.clock.advance(by: 60)
        }
        #expect(try device.store.pageStore.stored("/students/0") == nil)
        #expect(try device.store.pageStore.stored("/students/1") != nil)
        #expect(try device.store.pageStore.stored("/students/200") != nil)
    }

    @Test("another account does not see the pages, and signing out removes them from the device")
    func accounts() async throws {
        let folder = try TemporaryFolder()
        let (auth, storage) = (FakeAuth(), ClientStorage(folder: folder.url))
        let account = try #require(auth.userId)
        let device = try await Device(auth: auth, storage: storage)
        device.api.on("GET /students/7", json: "{}")
        _ = try await device.store.pageStore.load("/students/7", accept: Self.accept)
        auth.userId = UUID()
        #expect(throws: StoreError.userNotAuthenticated) { try device.store.pageStore.stored("/students/7") }
        auth.userId = account
        try await device.store.signOut()
        auth.userId = account
        let next = try await Device(auth: auth, storage: storage)
        #expect(try next.store.pageStore.stored("/students/7") == nil)
    }

    @Test("a command is sent as a form, with its key and the times that its page asks for")
    func form() async throws {
        let device = try await Device()
        device.api.on("POST \(Self.path)", json: "{}")
        let result = try await device.store.pageStore.run(Self.mark, isQueued: false)
        #expect(result == .answered(PageCommandAnswer()))
        let request = try #require(device.api.requests.last)
        #expect(request.contentType == "application/x-www-form-urlencoded")
        let now = device.clock.now.formatted(.iso8601)
        #expect(
            try fields(of: request) == [
                "status": ["present"], "note": ["Late & sorry"], "recordedAt": [now], "sentAt": [now],
                "students": ["a", "b"], "_key": ["0199f2c4-mark-1"],
            ])
    }

    @Test("the answer to a command has the server's message and the page that it leads to")
    func answer() async throws {
        let device = try await Device()
        device.api.on("POST \(Self.path)", json: "{}")
        let message = Data(#"{"style":"burst","text":"Maple room is ready"}"#.utf8).base64EncodedString()
        device.api.on(
            "POST \(Self.path)",
            headers: ["location": "/classrooms/7", "x-pinktower-feedback": message.replacing("=", with: "")])
        let result = try await device.store.pageStore.run(Self.mark, isQueued: false)
        #expect(
            result
                == .answered(
                    PageCommandAnswer(
                        feedback: .init(style: .burst, text: "Maple room is ready"), next: "/classrooms/7")))
    }

    @Test("without a network a queued command waits and is sent later with the same key, and another one fails")
    func queue() async throws {
        let device = try await Device()
        device.api.on("POST \(Self.path)", failing: .unreachable("no network"))
        await #expect(throws: StoreError.notSent) {
            try await device.store.pageStore.run(Self.mark, isQueued: false)
        }
        #expect(device.store.syncSummary.unsent == 0)
        #expect(try await device.store.pageStore.run(Self.mark, isQueued: true) == .waits)
        #expect(device.store.syncSummary.unsent == 1)
        let tapped = device.clock.now.formatted(.iso8601)

        device.clock.advance(by: 3600)
        device.api.on("POST \(Self.path)", json: "{}")
        let before = device.store.pageStore.state.version(of: [])
        device.store.retry()
        try await eventually { device.store.syncSummary.unsent == 0 }
        let sent = try fields(of: try #require(device.api.requests.last))
        #expect(sent["_key"] == ["0199f2c4-mark-1"])
        #expect(sent["recordedAt"] == [tapped])
        #expect(sent["sentAt"] == [device.clock.now.formatted(.iso8601)])
        #expect(device.store.pageStore.state.version(of: []) > before, "open pages are read again")
    }

    /// The arguments of a command with JSON.
    private struct Marks: Codable, Equatable {
        let residents: [String]
        let at: Date
    }

    @Test("a command with JSON waits over a restart with its key, and is known until a page has what it did")
    func json() async throws {
        let folder = try TemporaryFolder()
        let (auth, storage) = (FakeAuth(), ClientStorage(folder: folder.url))
        let device = try await Device(auth: auth, storage: storage)
        let marks = Marks(residents: ["a", "b"], at: device.clock.now)
        let key = UUID()
        let command = try PageCommand(path: Self.path, json: marks, key: key)
        device.api.on("POST \(Self.path)", failing: .unreachable("no network"))
        #expect(try await device.store.pageStore.run(command, isQueued: true) == .waits)
        #expect(device.store.pageStore.state.commands(missingSince: .distantFuture).map(\.key) == [key.text])
        device.store.stop()

        let next = try await Device(auth: auth, storage: storage)
        let pages = next.store.pageStore
        let waiting = try #require(pages.state.commands.first)
        #expect(waiting.answeredAt == nil)
        #expect(try waiting.command.arguments(Marks.self) == marks)
        next.api.on("GET /residences/7/roll-call", json: "{}")
        let early = try await pages.load("/residences/7/roll-call", accept: Self.accept)
        next.clock.advance(by: 60)
        next.api.on("POST \(Self.path)", json: "{}")
        next.store.retry()
        try await eventually { next.store.syncSummary.unsent == 0 }
        let request = try #require(next.api.requests.last)
        #expect(request.idempotencyKey == key && request.contentType == nil && request.body == waiting.command.json)
        #expect(pages.state.commands(missingSince: early.readAt).count == 1, "that page was read before")
        next.clock.advance(by: 60)
        let late = try await pages.load("/residences/7/roll-call", accept: Self.accept)
        #expect(pages.state.commands(missingSince: late.readAt).isEmpty)
    }

    @Test("a queued command that is refused leaves a notice with what the person typed")
    func refused() async throws {
        let device = try await Device()
        let refusal = Refusal(status: 422, code: "invalid", title: "The note is too long.")
        device.api.on("POST \(Self.path)", failing: .refused(refusal))
        await #expect(throws: StoreError.refused(refusal)) {
            try await device.store.pageStore.run(Self.mark, isQueued: true)
        }
        let notice = try #require(device.store.notices.first)
        #expect(notice.sentence == "The note is too long.")
        #expect(notice.localText == ["note": "Late & sorry", "status": "present"])
        #expect(device.store.pageStore.state.commands.isEmpty)
    }

    @Test("the notice about a refused command with JSON has the texts that the person typed, without ids and times")
    func refusedJSON() async throws {
        struct Note: Encodable {
            let status = "out"
            let reason = "Choir"
            let count = 2
            let residents = ["a"]
            let residentId = UUID().text
            let recordedAt = Date()
        }
        let device = try await Device()
        let refusal = Refusal(status: 409, code: "closed", title: "It is closed.")
        device.api.on("POST \(Self.path)", failing: .refused(refusal))
        await #expect(throws: StoreError.refused(refusal)) {
            let command = try PageCommand(path: Self.path, json: Note(), key: UUID())
            _ = try await device.store.pageStore.run(command, isQueued: true)
        }
        #expect(device.store.notices.first?.localText == ["status": "out", "reason": "Choir"])
    }

    @Test("pulling to refresh makes all open pages stale, and signing out forgets what was stale")
    func refresh() async throws {
        let device = try await Device()
        await device.store.pageStore.refresh()
        #expect(device.store.pageStore.state.version(of: ["classroom:maple"]) == 1)
        device.store.pageStore.clear()
        #expect(device.store.pageStore.state.version(of: ["classroom:maple"]) == 0)
    }

    @Test("an event makes the pages stale that name its topic")
    func live() async throws {
        let device = try await Device()
        device.store.start()
        try await eventually { !device.api.places.isEmpty }
        device.api.push(.opened)
        let (maple, birch) = (["classroom:maple"], ["classroom:birch"])
        try await eventually { device.store.pageStore.state.version(of: maple) > 0 }
        let state = device.store.pageStore.state
        device.api.push(.event(LiveEvent(seq: 1, kind: "attendance.marked", topics: maple)))
        try await eventually { device.store.pageStore.state.version(of: maple) > state.version(of: maple) }
        #expect(device.store.pageStore.state.version(of: birch) == state.version(of: birch))
        device.store.stop()
    }

    @Test("a device registers for notifications with its token in hexadecimal")
    func notifications() async throws {
        let device = try await Device()
        device.api.on("POST /api/v1/notifications/device", json: "{}")
        try await device.store.registerForNotifications(token: Data([0x0A, 0xFF, 0x00]))
        let body = try #require(device.api.requests.last?.body)
        #expect(
            try JSONDecoder().decode([String: String].self, from: body) == ["kind": "apns", "target": "0aff00"])
    }

    @Test("a device wants notifications from a successful registration until they are turned off")
    func wantsNotifications() async throws {
        let device = try await Device()
        let off = PageCommand(path: "/api/v1/notifications/device/off", fields: [:], key: "0199f2c4-off-1")
        device.api.on("POST /api/v1/notifications/device", failing: .unreachable("no network"))
        await #expect(throws: StoreError.unreachable) {
            try await device.store.registerForNotifications(token: Data([1]))
        }
        #expect(!device.store.wantsNotifications)
        device.api.on("POST /api/v1/notifications/device", json: "{}")
        try await device.store.registerForNotifications(token: Data([1]))
        #expect(device.store.wantsNotifications)
        device.api.on("POST \(off.path)", failing: .unreachable("no network"))
        await #expect(throws: StoreError.notSent) { try await device.store.pageStore.run(off, isQueued: false) }
        #expect(device.store.wantsNotifications)
        device.api.on("POST \(off.path)", json: "{}")
        _ = try await device.store.pageStore.run(off, isQueued: false)
        #expect(!device.store.wantsNotifications)
    }
}
