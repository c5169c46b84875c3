import Client
import Domain
import Foundation
import Integrations
import ResidenceModel
import ServerProcess
import TestKit
import Testing

/// The client library against the real server, over sockets.
@MainActor
@Suite("The client against the real server", .serialized)
struct ClientSyncTests {
    private struct Home: Sendable {
        let token: String
        let pgId: String
        let studentId: String
    }

    private nonisolated func addRoom(_ number: String, _ home: Home, _ server: RealServer) async throws {
        _ = try await Wire(port: server.port).run(
            "/residences/\(home.pgId)/rooms", ["number": number, "type": "Twin"], as: home.token)
    }

    /// Founds a school with a residence, a room and a resident.
    private nonisolated func found(_ server: RealServer) async throws -> Home {
        let wire = try Wire(port: server.port)
        let (token, _) = try await wire.foundSchool()
        let residence = try await wire.run(
            "/residences", ["name": "Birch", "schoolNightCurfew": "20:00", "weekendCurfew": "22:00"], as: token)
        let pgId = try residence.text("id")
        let classroom = try await wire.run("/classrooms", ["name": "Maple room"], as: token).text("id")
        let student = try await wire.run(
            "/students", ["firstName": "Bea", "lastName": "Ruiz", "classroomId": classroom], as: token
        ).text("id")
        _ = try await wire.run("/residences/\(pgId)/rooms", ["number": "1", "type": "Twin"], as: token)
        _ = try await wire.run("/residences/\(pgId)/students", ["studentId": student], as: token)
        return Home(token: token, pgId: pgId, studentId: student)
    }

    /// Adds Bea, a resident with an account, and a meal of the day after tomorrow.
    private nonisolated func addResident(_ home: Home, _ server: RealServer) async throws {
        let wire = try Wire(port: server.port)
        let code = try await wire.run("/invites", ["role": "student"], as: home.token).text("code")
        let token = try await wire.run("/auth/sign-up", Tower.NewPerson(name: "Bea", email: "bea@maple.example"))
            .text("accessToken")
        _ = try await wire.run("/invites/redeem", ["code": code], as: token)
        let me: (status: Int, headers: [String: String], body: String) = try await wire.get(
            "/api/v1/auth/me", as: token)
        let id = try Answer(value: try JSONSerialization.jsonObject(with: Data(me.body.utf8))).text("profileId")
        _ = try await wire.run("/residences/\(home.pgId)/students", ["studentId": id], as: home.token)
        // Residents choose until the evening before.
        let day = Day(Date(), in: .gmt).adding(days: 2).description
        _ = try await wire.run(
            "/residences/\(home.pgId)/meals",
            [
                "day": day, "cutOff": "18:00", "breakfastTime": "07:30", "lunchTime": "12:30",
                "dinnerTime": "19:00",
                "dinner": "Soup",
            ], as: home.token)
    }

    /// The code that an authenticator app shows now.
    private nonisolated func code(of secret: String, steps: Int = 0) -> String {
        let bits = secret.compactMap { Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567").firstIndex(of: $0) }
            .flatMap { value in (0..<5).reversed().map { (value >> $0) & 1 } }
        let bytes = stride(from: 0, to: bits.count / 8 * 8, by: 8).map { start in
            bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | UInt8($1) }
        }
        let step = Int(Date().timeIntervalSince1970) / 30 + steps
        return SystemCryptography(key: Array(repeating: 0, count: 32))
            .oneTimePassword(bytes, counter: UInt64(step), digits: 6)
    }

    @Test("a person with an authenticator app signs in with its code, and not with a wrong one")
    func secondFactor() async throws {
        let folder = try TemporaryFolder()
        let server = try RealServer.start(folder.url.appending(path: "data"), in: folder)
        defer { server.kill() }
        let home = try await found(server)
        let wire = try Wire(port: server.port)
        let secret = try await wire.run("/auth/authenticator", ["password": Tower.password], as: home.token)
            .text("secret")
        _ = try await wire.run("/auth/authenticator/confirm", ["code": code(of: secret)], as: home.token)
        let auth = try LiveAuthManager(
            server: try #require(URL(string: "http://127.0.0.1:\(server.port)")),
            storage: SessionFile(folder.url.appending(path: "session")))
        guard
            case .needsCode(let token) = try await auth.signIn(email: "ana@maple.example", password: Tower.password)
        else {
            Issue.record("the password alone was enough")
            return
        }
        #expect(!auth.isAuthenticated)
        await #expect(throws: APIError.self) { try await auth.signIn(code: "000000", token: token) }
        #expect(!auth.isAuthenticated)
        // A code is good once: the next one of the app, which the server takes half a minute early.
        try await auth.signIn(code: code(of: secret, steps: 1), token: token)
        #expect(auth.isAuthenticated && auth.currentPgId == UUID(uuidString: home.pgId))
    }

    @Test(
        "two devices agree after one was offline and the server was killed between",
        .requirement("PG-8.06.b"))
    func twoDevices() async throws {
        let folder = try TemporaryFolder()
        let data = folder.url.appending(path: "data")
        let first = try RealServer.start(data, in: folder)
        defer { first.kill() }
        _ = try await found(first)
        let (phone, tablet) = (
            try await ClientDevice("phone", first, in: folder), try await ClientDevice("tablet", first, in: folder)
        )
        #expect(phone.numbers == ["1"] && tablet.numbers == ["1"])
        let room = try #require(tablet.pg.state.rooms(of: tablet.pgId).first)
        tablet.proxy.set(.cut)
        _ = try await phone.pg.createRoom(pgId: phone.pgId, number: "2", type: "Single", bedCount: 1)
        _ = try await phone.pg.updateRoom(room.id, type: "Suite")
        _ = try await tablet.pg.createRoom(pgId: tablet.pgId, number: "3", type: "Single", bedCount: 1)
        _ = try await tablet.pg.updateRoom(room.id, number: "1b")
        let student = try #require(tablet.pg.state.students(of: tablet.pgId).first)
        _ = try await tablet.pg.recordPassage(of: student.id, .checkOut)
        #expect(tablet.numbers == ["1b", "3"] && tablet.store.syncSummary.unsent == 3)
        first.kill()
        first.process.waitUntilExit()
        let second = try RealServer.start(data, in: folder)
        defer { second.kill() }
        phone.proxy.move(to: second.port)
        tablet.proxy.move(to: second.port)
        tablet.proxy.set(.none)
        tablet.store.retry()
        try await settled { phone.numbers == ["1b", "2", "3"] && tablet.numbers == ["1b", "2", "3"] }
        try await settled { tablet.store.syncSummary.unsent == 0 }
        try await settled { phone.pg.state.students[student.id]?.checkInStatus == .checkedOut }
        #expect(phone.numbers == ["1b", "2", "3"] && tablet.numbers == ["1b", "2", "3"])
        #expect(phone.pg.state.rooms[room.id]?.type == "Suite" && tablet.pg.state.rooms[room.id]?.type == "Suite")
        #expect(phone.pg.state.students[student.id]?.checkInStatus == .checkedOut)
        #expect(tablet.store.notices.isEmpty)
        phone.end()
        tablet.end()
    }

    @Test("a network that loses answers and requests and delivers twice changes nothing twice")
    func faultyNetwork() async throws {
        let folder = try TemporaryFolder()
        let server = try RealServer.start(folder.url.appending(path: "data"), in: folder)
        defer { server.kill() }
        let home = try await found(server)
        let device = try await ClientDevice("phone", server, in: folder)
        device.proxy.set(.mixed)
        for number in 2..<32 {
            _ = try await device.pg.createRoom(
                pgId: device.pgId, number: String(number), type: "Single", bedCount: 1)
        }
        try await settled { device.store.syncSummary.unsent == 0 }
        device.proxy.set(.none)
        let answer = try await Wire(port: server.port).rooms(of: home.pgId, as: home.token)
        let wanted = (1..<32).map(String.init).sorted()
        #expect(answer.sorted() == wanted && device.numbers == wanted)
        #expect(device.store.notices.isEmpty && device.store.syncSummary.unsent == 0)
        device.end()
    }

    @Test("a page and a command that get no answer within seconds are sent again, and the command runs once")
    func silentConnection() async throws {
        let folder = try TemporaryFolder()
        let server = try RealServer.start(folder.url.appending(path: "data"), in: folder)
        defer { server.kill() }
        let home = try await found(server)
        let device = try await ClientDevice("silent", server, in: folder)
        let accept = "application/vnd.pinktower.screen+json;version=1"
        device.proxy.set(.ignoresNext("/home"))
        let page = try await device.store.pageStore.load("/home", accept: accept)
        let document = try JSONSerialization.jsonObject(with: page.body) as? [String: Any]
        #expect(document?["screen"] != nil)
        #expect(device.proxy.fault == .none)
        device.proxy.set(.ignoresNext("/api/v1/classrooms"))
        let result = try await device.store.pageStore.run(
            PageCommand(path: "/api/v1/classrooms", fields: ["name": "Pine room"], key: "page-classroom-1"),
            isQueued: false)
        guard case .answered = result else {
            Issue.record("the command waits")
            return
        }
        #expect(device.proxy.fault == .none)
        let names = try await Wire(port: server.port).items("/api/v1/classrooms", as: home.token)
            .compactMap { $0["name"] as? String }
        #expect(names.sorted() == ["Maple room", "Pine room"])
        device.end()
    }

    @Test("pages come as screens, redirects are followed, and a command says what it did and where it leads")
    func pages() async throws {
        let folder = try TemporaryFolder()
        let server = try RealServer.start(folder.url.appending(path: "data"), in: folder)
        defer { server.kill() }
        let home = try await found(server)
        let device = try await ClientDevice("page", server, in: folder)
        let accept = "application/vnd.pinktower.screen+json;version=1"
        let page = try await device.store.pageStore.load("/", accept: accept)
        #expect(page.found != "/", "the start page leads to the first tab")
        let document = try #require(try JSONSerialization.jsonObject(with: page.body) as? [String: Any])
        #expect(document["screen"] != nil && document["chrome"] != nil)

        let result = try await device.store.pageStore.run(
            PageCommand(
                path: "/api/v1/residences/\(home.pgId)/rooms",
                fields: ["number": "9", "type": "Twin", "bedCount": "2"], key: "page-room-9"), isQueued: false)
        guard case .answered(let added) = result else {
            Issue.record("the command waits")
            return
        }
        #expect(added.feedback != nil)
        // The page's form names the next page; the server leads to none.
        #expect(added.next == nil)
        let created = try await device.store.pageStore.run(
            PageCommand(path: "/api/v1/classrooms", fields: ["name": "Pine room"], key: "page-classroom-1"),
            isQueued: false)
        guard case .answered(let answer) = created else {
            Issue.record("the command waits")
            return
        }
        #expect(answer.next?.hasPrefix("/classrooms/") == true)
        await #expect(throws: StoreError.self) {
            try await device.store.pageStore.load("//evil.example/", accept: accept)
        }
        device.end()
    }

    @Test("a resident checks in and chooses a meal without a network, and the server learns of both once")
    func resident() async throws {
        let folder = try TemporaryFolder()
        let server = try RealServer.start(folder.url.appending(path: "data"), in: folder)
        defer { server.kill() }
        let home = try await found(server)
        try await addResident(home, server)
        let device = try await ClientDevice("phone", server, in: folder, email: "bea@maple.example")
        #expect(device.pgId == UUID(text: home.pgId))
        let food = device.store.foodStore
        try await food.loadMeals(pgId: device.pgId, from: Day(Date(), in: .gmt).adding(days: 2))
        let meal = try #require(food.state.meals.values.first { $0.isOpen })
        device.proxy.set(.cut)
        let record = try await device.pg.checkIn(method: .qr)
        try await food.choose(.skip, mealId: meal.id)
        #expect(food.state.meals[meal.id]?.choice == .skip && device.store.syncSummary.unsent == 2)
        device.proxy.set(.mixed)
        device.store.retry()
        try await settled { device.store.syncSummary.unsent == 0 }
        device.proxy.set(.none)
        #expect(device.store.notices.isEmpty && food.state.meals[meal.id]?.choice == .skip)
        let wire = try Wire(port: server.port)
        let passages = try await wire.items("/api/v1/residences/\(home.pgId)/passages", as: home.token)
        #expect(passages.compactMap { $0["id"] as? String }.map { UUID(text: $0) } == [record.id])
        device.end()
    }

    @Test("a client notices that the server was restored from a backup, and loads everything anew")
    func restored() async throws {
        let folder = try TemporaryFolder()
        let (data, backup) = (folder.url.appending(path: "data"), folder.url.appending(path: "backup"))
        let first = try RealServer.start(data, in: folder)
        defer { first.kill() }
        let home = try await found(first)
        first.kill()
        first.process.waitUntilExit()
        try FileManager.default.copyItem(at: data, to: backup)
        let second = try RealServer.start(data, in: folder)
        defer { second.kill() }
        let device = try await ClientDevice("phone", second, in: folder)
        let other = try await ClientDevice("tablet", second, in: folder)
        _ = try await device.pg.createRoom(pgId: device.pgId, number: "2", type: "Single", bedCount: 1)
        try await settled { other.numbers == ["1", "2"] }
        #expect(other.numbers == ["1", "2"])
        second.kill()
        second.process.waitUntilExit()
        try FileManager.default.removeItem(at: data)
        try FileManager.default.copyItem(at: backup, to: data)
        let third = try RealServer.start(data, in: folder)
        defer { third.kill() }
        try await addRoom("9", home, third)
        // The sessions of the two devices began after the backup: they sign in again.
        for one in [device, other] {
            one.proxy.move(to: third.port)
            _ = try await one.auth.signIn(email: "ana@maple.example", password: Tower.password)
            one.store.retry()
        }
        try await settled { device.numbers == ["1", "9"] && other.numbers == ["1", "9"] }
        #expect(device.numbers == ["1", "9"] && other.numbers == ["1", "9"])
        device.end()
        other.end()
    }
}

extension Wire {
    /// The numbers of a residence's rooms.
    fileprivate func rooms(of pgId: String, as bearer: String) async throws -> [String] {
        try await items("/api/v1/residences/\(pgId)/rooms", as: bearer).compactMap { $0["number"] as? String }
    }
}
