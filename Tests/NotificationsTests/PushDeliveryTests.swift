import DesignSystem
import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import NotificationsInterface
import ScreenKit
import TestKit
import Testing

@testable import Notifications

/// A school with two people, their devices, and the messages that were sent to them.
struct PushFixture {
    let school: TestSchool
    let feature: Feature
    let push = StandInPush()
    let sessions = Sessions()
    let ana: Caller
    let ben: Caller

    init() async throws {
        feature = try Self.feature(push, sessions)
        school = try await TestSchool([feature])
        (ana, ben) = (school.makeCaller(.guide), school.makeCaller(.guide))
        for caller in [ana, ben] { sessions.signIn(caller) }
    }

    static func feature(
        _ push: StandInPush, _ sessions: Sessions, opensLinks: Bool = true
    ) throws -> Feature {
        func kind(_ name: String, _ category: NotificationCategory?, path: String? = nil) -> NotificationKind {
            NotificationKind(name, icon: .bell, category: category) { logged, context in
                let french = context.words.language == .french
                return ("\(french ? "Dit" : "Told"): \(logged.change.payload["what"] ?? "?")", path)
            }
        }
        return try NotificationsFeature.make(
            kinds: [
                kind("message.news", .message, path: "/messages/1"), kind("announcement.published", .announcement),
                kind("members.joined", nil),
            ], audiences: [], catalogs: [],
            push: PushPorts(
                sender: push, sessions: sessions, memberships: sessions, preferences: sessions,
                opensLinks: opensLinks))
    }

    /// Turns notifications on for the device on which the caller is signed in.
    func turnOn(_ caller: Caller, at target: String? = nil) async throws {
        let target = target ?? "https://push.example.com/\(caller.account?.sessionId.text ?? "")"
        try await school.execute(
            TurnOnNotifications.self,
            ["kind": "web", "target": .text(target), "key": "key", "secret": "secret"], as: caller)
        // A change at the moment of the registration counts as earlier.
        school.clock.advance(by: 1)
    }

    func happen(
        _ what: String, kind: String = "message.news", by actor: Caller? = nil, to audience: [Audience] = [.school]
    ) async throws {
        let now = school.clock.now
        let (hub, schoolId) = (school.environment.hub, school.organization.id)
        try await school.database.write { sql in
            let logged = try ChangeLog.append(
                [Change(kind, topics: [], audience: audience, payload: ["what": what])], at: now,
                actor: actor?.membership?.personId, in: sql)
            sql.afterCommit { hub.publish(logged, of: schoolId) }
        }
    }

    /// Runs the jobs as the server does after a change or a minute.
    /// - Parameter feature: the block after a restart of the server.
    func deliver(_ feature: Feature? = nil) async {
        let id = school.organization.id
        await JobRunner(
            (feature ?? self.feature).jobs, directory: school.environment.directory,
            schools: school.environment.schools,
            allSchools: { [id] }, hub: school.environment.hub, clock: school.clock, ids: school.ids
        ) { fault in
            Issue.record("the job \(fault.job) failed: \(fault.error)")
        }.runDue()
    }

    func devices() async throws -> [PushDevice] {
        let id = school.organization.id
        return try await school.environment.directory.read { try PushDeviceRepository.devices(of: id, in: $0) }
    }

    func choose(_ input: InputValue, as caller: Caller) async throws {
        try await school.execute(ChooseNotifications.self, input, as: caller)
    }

    /// Moves the clock forward to a time of day in the school, which is in Toronto.
    func advance(to time: String) throws {
        let wanted = try #require(ClockTime(time))
        let timeZone = try #require(ana.membership?.timeZone)
        for _ in 0..<24 * 60 where ClockTime(school.clock.now, in: timeZone) != wanted {
            school.clock.advance(by: 60)
        }
    }
}

extension InputValue {
    /// The fields with every category on and quiet hours, by default from nine in the evening to seven in the morning.
    static func quiet(from: String = "21:00", until: String = "07:00") -> InputValue {
        [
            "message": true, "announcement": true, "assignment": true, "grade": true, "quiet": true,
            "quietFrom": .text(from), "quietUntil": .text(until),
        ]
    }
}

@Suite("Push messages")
struct PushDeliveryTests {
    @Test(
        "each device of the people concerned gets each change once and in order, except the author's",
        .requirement("WW-9.04.a"))
    func once() async throws {
        let environment = try await PushFixture()
        try await environment.turnOn(environment.ana)
        try await environment.turnOn(environment.ben)
        try await environment.happen("one", by: environment.ana)
        try await environment.happen("two", by: environment.ana)
        try await environment.happen("for nobody here", to: [.role(.parent)])
        try await environment.happen("unknown kind", kind: "attendance.marked")
        for _ in 0..<3 { await environment.deliver() }
        let target = "https://push.example.com/\(try #require(environment.ben.account).sessionId.text)"
        #expect(environment.push.sent.map(\.target) == [target, target])
        #expect(environment.push.texts == ["Told: one", "Told: two"])
        let first = try #require(environment.push.sent.first?.message)
        #expect(first.title == "Maple Montessori")
        #expect(first.badge == 2)
        #expect(first.accountId == environment.ben.account?.id)
        #expect(first.id.utf8.count <= 64)
        #expect(Set(environment.push.sent.map(\.message.id)).count == 2)
    }

    @Test("a notification goes through the page that opens links, where there is one", .requirement("WW-1.12.e"))
    func opensLinks() async throws {
        let environment = try await PushFixture()
        try await environment.turnOn(environment.ben)
        try await environment.happen("one", by: environment.ana)
        await environment.deliver()
        #expect(environment.push.sent.last?.message.path == "/open?link=%2Fmessages%2F1")
        try await environment.happen("two", kind: "announcement.published", by: environment.ana)
        await environment.deliver()
        #expect(environment.push.sent.last?.message.path == "/open?link=%2Fnotifications", "of no page")
        try await environment.happen("three", by: environment.ana)
        await environment.deliver(
            try PushFixture.feature(environment.push, environment.sessions, opensLinks: false))
        #expect(environment.push.sent.last?.message.path == "/messages/1", "on a server without that page")
    }

    @Test("what happened before the registration, or was read in the app, is not sent")
    func earlierAndReadChanges() async throws {
        let environment = try await PushFixture()
        try await environment.happen("before")
        environment.school.clock.advance(by: 1)
        try await environment.turnOn(environment.ana)
        try await environment.happen("read")
        try await environment.school.execute(MarkNotificationsRead.self, as: environment.ana)
        try await environment.happen("new")
        await environment.deliver()
        #expect(environment.push.texts == ["Told: new"])
        // A device that registers again is the same device.
        try await environment.turnOn(environment.ana)
        await environment.deliver()
        #expect(environment.push.texts == ["Told: new"])
    }

    @Test(
        "a failing push service is tried again after growing pauses, in order and with the same message",
        .requirement("BY-1.10.c"))
    func backoff() async throws {
        let environment = try await PushFixture()
        try await environment.turnOn(environment.ana)
        try await environment.happen("one")
        try await environment.happen("two")
        environment.push.answer(.unreachable, .busy(retryAfter: 600), .busy(retryAfter: nil))
        await environment.deliver()
        #expect(environment.push.texts == ["Told: one"])
        environment.school.clock.advance(by: 29)
        await environment.deliver()
        #expect(environment.push.sent.count == 1, "it waited less than half a minute")
        environment.school.clock.advance(by: 1)
        await environment.deliver()
        #expect(environment.push.sent.count == 2)
        environment.school.clock.advance(by: 599)
        await environment.deliver()
        #expect(environment.push.sent.count == 2, "it did not wait as long as the service asked")
        environment.school.clock.advance(by: 1)
        await environment.deliver()
        #expect(environment.push.sent.count == 3)
        environment.school.clock.advance(by: 120)
        await environment.deliver()
        #expect(environment.push.texts == ["Told: one", "Told: one", "Told: one", "Told: one", "Told: two"])
        #expect(Set(environment.push.sent.map(\.message.id)).count == 2)
        await environment.deliver()
        #expect(environment.push.sent.count == 5)
    }

    @Test("pauses grow from half a minute to an hour and never exceed a day")
    func pauses() {
        #expect([1, 2, 3, 4].map(PushCursor.pause(afterTries:)) == [30, 60, 120, 240])
        #expect(PushCursor.pause(afterTries: 50) == 3600)
        let now = Date(timeIntervalSince1970: 0)
        let cursor = PushCursor(deviceId: UUID(), personId: UUID()).failed(at: now, retryAfter: 10_000_000)
        #expect(cursor.notBefore == now.addingTimeInterval(86_400))
        #expect(cursor.pauses(at: now) && !cursor.pauses(at: now.addingTimeInterval(86_400)))
        #expect(!cursor.pauses(at: now.addingTimeInterval(-1)), "a clock that was set back does not extend a pause")
    }

    @Test("a message that the service refuses is skipped, and the next one is sent")
    func refused() async throws {
        let environment = try await PushFixture()
        try await environment.turnOn(environment.ana)
        try await environment.happen("one")
        try await environment.happen("two")
        environment.push.answer(.refused)
        for _ in 0..<2 { await environment.deliver() }
        #expect(environment.push.texts == ["Told: one", "Told: two"])
    }

    @Test("a device whose address has expired is removed")
    func gone() async throws {
        let environment = try await PushFixture()
        try await environment.turnOn(environment.ana)
        try await environment.happen("one")
        environment.push.answer(.gone)
        for _ in 0..<2 { await environment.deliver() }
        #expect(environment.push.sent.count == 1)
        #expect(try await environment.devices().isEmpty)
    }

    @Test(
        "a server killed between a message and its commit sends the same message again and nothing else",
        .requirement("BY-1.10.c"))
    func killed() async throws {
        let environment = try await PushFixture()
        try await environment.turnOn(environment.ana)
        try await environment.happen("one")
        try await environment.happen("two")
        await environment.deliver()
        #expect(environment.push.sent.count == 2)
        // The database as it is when the second commit was lost.
        let last = try #require(environment.push.sent.last)
        try await environment.school.database.write { try $0.execute("UPDATE push_cursors SET seq = seq - 1") }
        await environment.deliver(try PushFixture.feature(environment.push, environment.sessions))
        #expect(environment.push.sent.count == 3)
        #expect(environment.push.sent.last == last)
    }

    @Test("a summary that was begun is sent again unchanged, and later changes come beside it")
    func killedInSummary() async throws {
        let environment = try await PushFixture()
        try await environment.turnOn(environment.ana)
        for number in 1...5 { try await environment.happen("\(number)") }
        await environment.deliver()
        #expect(environment.push.texts == ["You have 5 new notifications."])
        let first = try #require(environment.push.sent.first?.message)
        #expect(first.path == "/open?link=%2Fnotifications")
        try await environment.school.database.write {
            try $0.execute("UPDATE push_cursors SET summary_through = seq, seq = 0")
        }
        try await environment.happen("6")
        await environment.deliver(try PushFixture.feature(environment.push, environment.sessions))
        #expect(environment.push.texts.dropFirst() == ["You have 5 new notifications.", "Told: 6"])
        #expect(environment.push.sent[1].message.id == first.id)
        await environment.deliver()
        #expect(environment.push.sent.count == 3)
    }

    @Test("ten deliveries at a time send each message once", .requirement("BY-1.10.c"))
    func together() async throws {
        let environment = try await PushFixture()
        try await environment.turnOn(environment.ana)
        try await environment.turnOn(environment.ben)
        try await environment.happen("one")
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<10 { group.addTask { await environment.deliver() } }
        }
        #expect(environment.push.sent.count == 2)
        #expect(Set(environment.push.sent.map(\.target)).count == 2)
    }

    @Test("a device whose session has ended gets no message and is removed", .requirement("WW-9.04.d"))
    func signedOut() async throws {
        let environment = try await PushFixture()
        try await environment.turnOn(environment.ana)
        try await environment.turnOn(environment.ben)
        environment.sessions.signOut(environment.ana)
        try await environment.happen("one")
        await environment.deliver()
        #expect(environment.push.sent.map(\.message.accountId) == [environment.ben.account?.id])
        #expect(try await environment.devices().map(\.accountId) == [environment.ben.account?.id])
    }

    @Test("a shared browser gets the messages of the account that signed in last")
    func takenOver() async throws {
        let environment = try await PushFixture()
        try await environment.turnOn(environment.ana, at: "https://push.example.com/shared")
        try await environment.turnOn(environment.ben, at: "https://push.example.com/shared")
        try await environment.happen("one")
        await environment.deliver()
        #expect(environment.push.sent.map(\.message.accountId) == [environment.ben.account?.id])
    }

    @Test("a person who left the school, or opened another one on the device, gets no message of it")
    func elsewhere() async throws {
        let environment = try await PushFixture()
        try await environment.turnOn(environment.ana)
        try await environment.happen("one")
        environment.sessions.signIn(Caller(account: environment.ana.account, membership: nil))
        await environment.deliver()
        let birch = try await environment.school.environment.makeSchool("Birch")
        environment.sessions.signIn(
            birch.makeCaller(
                .guide, personId: environment.ana.membership?.personId, account: environment.ana.account))
        await environment.deliver()
        #expect(environment.push.sent.isEmpty)
    }

    @Test("a child's device and a program cannot be registered for notifications")
    func narrowedTokens() async throws {
        let environment = try await PushFixture()
        let account = try #require(environment.ana.account)
        for isDevice in [true, false] {
            let narrowed = SignedInAccount(
                id: account.id, sessionId: UUID(), deviceId: account.deviceId, email: account.email,
                name: account.name,
                token: TokenRights(
                    scopes: [TokenScope(area: "notifications", mayChange: true)],
                    organizationId: environment.school.organization.id, isDevice: isDevice))
            let caller = Caller(account: narrowed, membership: environment.ana.membership)
            #expect(try await problem { try await environment.turnOn(caller) }?.status == 403)
        }
        #expect(try await environment.devices().isEmpty)
    }

    @Test("a message is in the person's language, or in the device's without a choice")
    func languages() async throws {
        let environment = try await PushFixture()
        environment.sessions.signIn(environment.ana, language: .french)
        for caller in [environment.ana, environment.ben] { try await environment.turnOn(caller) }
        try await environment.happen("un")
        await environment.deliver()
        let texts = Dictionary(
            uniqueKeysWithValues: environment.push.sent.map { ($0.message.accountId, $0.message.body) })
        #expect(texts[try #require(environment.ana.account).id] == "Dit: un")
        #expect(texts[try #require(environment.ben.account).id] == "Told: un")
    }

    @Test("a long text is cut, and a change is not sent after a day")
    func bounds() async throws {
        let environment = try await PushFixture()
        try await environment.turnOn(environment.ana)
        try await environment.happen(String(repeating: "long ", count: 100))
        await environment.deliver()
        let text = try #require(environment.push.texts.first)
        #expect(text.count == PushDelivery.textLimit && text.hasSuffix("…"))
        environment.push.answer(.unreachable)
        try await environment.happen("old")
        await environment.deliver()
        environment.school.clock.advance(by: PushPlan.lifetime + 60)
        await environment.deliver()
        #expect(environment.push.sent.count == 2)
    }

    @Test("an invalid address is refused, and an account has at most its twenty newest devices")
    func registering() async throws {
        let environment = try await PushFixture()
        let refused = try await problem { try await environment.turnOn(environment.ana, at: "http://10.0.0.1/x") }
        #expect(refused?.faults.map(\.field) == ["target"])
        let account = try #require(environment.ana.account)
        for number in 0..<25 {
            let session = SignedInAccount(
                id: account.id, sessionId: environment.school.ids.id(at: environment.school.clock.now),
                deviceId: UUID(),
                email: account.email, name: account.name)
            try await environment.turnOn(
                Caller(account: session, membership: environment.ana.membership),
                at: "https://push.example.com/\(number)")
        }
        let stored = Set(try await environment.devices().map(\.address.target))
        #expect(stored == Set((5..<25).map { "https://push.example.com/\($0)" }))
    }

    @Test("a test message comes at once, and fails with a reason on a device that is not registered")
    func testMessage() async throws {
        let environment = try await PushFixture()
        #expect(
            try await problem { try await environment.school.execute(TestNotifications.self, as: environment.ana) }?
                .status
                == 409)
        try await environment.turnOn(environment.ana)
        let outcome = try await environment.school.execute("notifications.test", as: environment.ana)
        #expect(outcome.feedback?.text == "Test sent.")
        #expect(environment.push.sent.first?.message.id.hasPrefix("test.") == true)
        environment.push.answer(.busy(retryAfter: 9), .gone)
        let busy = try await problem {
            try await environment.school.execute(TestNotifications.self, as: environment.ana)
        }
        #expect(busy?.code == "notifications.service" && busy?.retryAfter == 9)
        try await environment.school.execute(TestNotifications.self, as: environment.ana)
        #expect(try await environment.devices().isEmpty)
        try await environment.turnOn(environment.ana)
        try await environment.school.execute(TestNotifications.self, as: environment.ana)
        #expect(
            try await problem { try await environment.school.execute(TestNotifications.self, as: environment.ana) }?
                .status
                == 429)
    }

    @Test("a device on which notifications were turned off gets no messages")
    func off() async throws {
        let environment = try await PushFixture()
        try await environment.turnOn(environment.ana)
        try await environment.school.execute(TurnOffNotifications.self, as: environment.ana)
        try await environment.happen("one")
        await environment.deliver()
        #expect(environment.push.sent.isEmpty)
    }

    @Test("the queries of push delivery use indexes")
    func indexed() async throws {
        let environment = try await PushFixture()
        try await environment.school.environment.expectIndexed(
            "SELECT * FROM push_devices WHERE organization_id = \(UUID()) ORDER BY id")
        try await environment.school.environment.expectIndexed(
            "SELECT * FROM push_devices WHERE session_id = \(UUID())")
        try await environment.school.expectIndexed("SELECT * FROM push_cursors WHERE device_id = \(UUID())")
        try await environment.school.expectIndexed("SELECT seq FROM notifications_read WHERE person_id = \(UUID())")
    }
}
