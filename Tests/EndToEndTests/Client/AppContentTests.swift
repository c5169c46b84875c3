import Client
import Domain
import Foundation
import ServerProcess
import TestKit
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What an app needs besides pages, against the real server over sockets: files of forms, pictures.
@MainActor
@Suite("Files of the app against the real server", .serialized)
struct AppContentTests {
    /// An app that is signed in as the founder of a school with a student.
    @MainActor
    private struct Phone {
        let server: RealServer
        let address: URL
        let auth: LiveAuthManager
        let store: AppStore
        let studentId: String
        let folder: URL

        init(_ server: RealServer, in folder: URL) async throws {
            self.server = server
            self.folder = folder
            let wire = try Wire(port: server.port)
            let (token, _) = try await wire.foundSchool()
            let classroom = try await wire.run("/classrooms", ["name": "Maple room"], as: token).text("id")
            studentId = try await wire.run(
                "/students", ["firstName": "Bea", "lastName": "Ruiz", "classroomId": classroom], as: token
            ).text("id")
            address = try #require(URL(string: "http://127.0.0.1:\(server.port)"))
            auth = try LiveAuthManager(
                server: address, storage: SessionFile(folder.appending(path: "session")))
            try #require(
                try await auth.signIn(email: "ana@maple.example", password: Tower.password) == .signedIn)
            store = try await AppStore.open(
                api: LiveAPIManager(server: address, auth: auth), auth: auth,
                storage: ClientStorage(folder: folder))
        }

        var observations: String { "/api/v1/students/\(studentId)/observations" }
    }

    private func phone(_ work: @MainActor (Phone) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let server = try RealServer.start(folder.url.appending(path: "data"), in: folder)
        defer { server.kill() }
        let home = folder.url.appending(path: "phone")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        let phone = try await Phone(server, in: home)
        try await work(phone)
        phone.store.stop()
    }

    @Test("a form with photos arrives as from a browser, and its photo is read into a file on the device")
    func photos() async throws {
        try await phone { phone in
            let photo = phone.folder.appending(path: "chosen")
            try Data(TestPictures.photo).write(to: photo)
            let command = PageCommand(
                path: phone.observations, fields: ["content": "Built the \"tower\"\r\n– twice"], key: "0199f2c4-o-1"
            )
            let files = ["photos": [FormFile(name: "été \"1\".jpg", mediaType: "image/jpeg", content: photo)]]
            // The same form twice, as after an answer that was lost, is one observation.
            for _ in 0..<2 {
                guard case .answered = try await phone.store.pageStore.run(command, files: files, isQueued: true)
                else { throw CocoaError(.featureUnsupported) }
            }
            let list = try await LiveAPIManager(server: phone.address, auth: phone.auth).send(
                APIRequest(.get, phone.observations, account: phone.auth.userId))
            struct Observations: Decodable {
                struct Item: Decodable {
                    struct Photo: Decodable { let hash: String }
                    let id: String
                    let content: String
                    let attachments: [Photo]
                }
                let items: [Item]
            }
            let items = try JSONDecoder().decode(Observations.self, from: list).items
            #expect(items.count == 1)
            let item = try #require(items.first)
            #expect(item.content.contains("Built the \"tower\"") && item.content.contains("– twice"))
            let hash = try #require(item.attachments.first?.hash)
            let file = phone.folder.appending(path: "read")
            let type = try await phone.store.pageStore.download(
                "/students/\(phone.studentId)/observations/\(item.id)/photos/\(hash)", to: file)
            #expect(type == "image/jpeg")
            // JPEG files begin so (ITU-T T.81, section B.1.1.3).
            #expect(try Data(contentsOf: file).prefix(2) == Data([0xFF, 0xD8]))
            #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test("a refused form and a missing file give the server's sentence, and nothing stays in the folder for them")
    func refusals() async throws {
        try await phone { phone in
            let text = phone.folder.appending(path: "chosen")
            try Data("no picture".utf8).write(to: text)
            let command = PageCommand(path: phone.observations, fields: ["content": "Note"], key: "0199f2c4-o-2")
            let files = ["photos": [FormFile(name: "a.jpg", mediaType: "image/jpeg", content: text)]]
            await #expect(throws: StoreError.self) {
                try await phone.store.pageStore.run(command, files: files, isQueued: false)
            }
            #expect(FileManager.default.fileExists(atPath: text.path), "the person can send it again")
            let file = phone.folder.appending(path: "read")
            do {
                try await phone.store.pageStore.download("/students/\(UUID())/photo", to: file)
                Issue.record("a missing file was read")
            } catch StoreError.refused(let refusal) {
                #expect(refusal.status == 404)
            }
            let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int
            #expect(size == 0, "the refusal is not in the file")
        }
    }

    /// The status of a page, or of a command, for a browser with a cookie, and where it leads.
    private func visit(
        _ path: String, _ method: String = "GET", cookie: HTTPCookie, _ server: RealServer
    ) async throws -> (status: Int, location: String?) {
        let wire = try Wire(port: server.port)
        let request =
            "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: \(cookie.name)=\(cookie.value)\r\n"
            + "Sec-Fetch-Site: same-origin\r\nAccept: text/html\r\nConnection: close\r\n"
            + (method == "POST"
                ? "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 0\r\n\r\n" : "\r\n")
        try await wire.onQueue { try wire.send(request) }
        let answer = try await wire.answer()
        return (answer.status, answer.headers["location"])
    }

    @Test("a web view has the session of the app: renewed with it, hidden from scripts, and ended with it")
    func webView() async throws {
        try await phone { phone in
            let page = try await phone.store.webPage(at: "/settings/devices?sheet=a")
            #expect(
                page.request.url?.absoluteString == "http://127.0.0.1:\(phone.server.port)/settings/devices?sheet=a"
            )
            #expect(page.cookie.name == "pt_access" && page.cookie.isHTTPOnly && page.cookie.path == "/")
            #expect(page.cookie.expiresDate == nil, "the token ends by itself")
            #expect(try await visit("/settings/devices", cookie: page.cookie, phone.server).status == 200)
            // No other session was made.
            let devices = try await LiveAPIManager(server: phone.address, auth: phone.auth).send(
                APIRequest(.get, "/api/v1/auth/devices", account: phone.auth.userId))
            struct Devices: Decodable {
                struct Item: Decodable { let isCurrent: Bool }
                let items: [Item]
            }
            // Signing up and signing in made one each.
            #expect(try JSONDecoder().decode(Devices.self, from: devices).items.count { $0.isCurrent } == 1)

            let account = try #require(phone.auth.userId)
            let renewed = try await phone.auth.renew(page.cookie.value, for: account)
            let next = try await phone.store.webPage(at: "/settings/devices")
            #expect(next.cookie.value == renewed && renewed != page.cookie.value)
            #expect(try await visit("/settings/devices", cookie: next.cookie, phone.server).status == 200)
            await #expect(throws: StoreError.self, "the session goes to no other server") {
                try await phone.store.webPage(at: "//evil.example/settings")
            }

            try await phone.store.signOut()
            for cookie in [page.cookie, next.cookie] {
                let answer = try await visit("/settings/devices", cookie: cookie, phone.server)
                #expect(answer.status == 303 && answer.location?.hasPrefix("/sign-in") == true)
            }
        }
    }

    @Test("signing out in a web view ends the session of the app, too")
    func webSignOut() async throws {
        try await phone { phone in
            let page = try await phone.store.webPage(at: "/settings/devices")
            #expect(
                try await visit("/api/v1/auth/sign-out", "POST", cookie: page.cookie, phone.server).status == 303)
            await #expect(throws: StoreError.userNotAuthenticated) {
                try await phone.store.pageStore.load(
                    "/settings/devices", accept: "application/vnd.pinktower.screen+json;version=1")
            }
            #expect(!phone.auth.isAuthenticated)
        }
    }

    @Test("an app reads what its widgets and the system's search show")
    func system() async throws {
        try await phone { phone in
            // It can be read by the client.
            _ = try await phone.store.widget()
            let wire = try Wire(port: phone.server.port)
            let token = try await phone.auth.accessToken(for: try #require(phone.auth.userId))
            let course = try await wire.run("/courses", ["name": "Geometry", "subject": "Mathematics"], as: token)
                .text("id")
            struct Draft: Encodable, Sendable {
                let title = "Triangles"
                let kinds = ["text"]
            }
            let work = try await wire.run("/courses/\(course)/assignments", Draft(), as: token).text("id")
            let entries = try await phone.store.searchEntries()
            #expect(entries.map(\.kind) == [.course, .assignment])
            #expect(entries.map(\.id.text) == [course, work] && entries.map(\.title) == ["Geometry", "Triangles"])
            #expect(entries.map(\.detail) == ["Mathematics", "Geometry"])
        }
    }
}
