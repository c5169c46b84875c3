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

/// A school with people who have devices, and what they were told there.
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

    static func feature(_ push: StandInPush, _ sessions: Sessions) throws -> Feature {
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
            push: PushPorts(sender: push, sessions: sessions, memberships: sessions, preferences: sessions))
    }

    /// Lets notifications come to the device on which somebody is signed in.
    func turnOn(_ caller: Caller, at target: String? = nil) async throws {
        let target = target ?? "https://push.example.com/\(caller.account?.sessionId.text ?? "")"
        try await school.execute(
            TurnOnNotifications.self,
            ["kind": "web", "target": .text(target), "key": "key", "secret": "secret"], as: caller)
        // What happens in the very same moment happened before.
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

    /// Does what the server does when something happened or a minute is over.
    /// - Parameter feature: the block of a server that was started anew.
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

    /// Moves the clock to a time of day in the school, which is in Toronto.
    func advance(to time: String) throws {
        let wanted = try #require(TimeOfDay(text: time))
        let timeZone = try #require(ana.membership?.timeZone)
        for _ in 0..<TimeOfDay.minutesOfDay where TimeOfDay(school.clock.now, in: timeZone) != wanted {
            school.clock.advance(by: 60)
        }
    }
}

extension InputValue {
    /// Every toggle is on and the hours from nine in the evening to seven in the morning are quiet.
    static func quiet(from: String = "21:00", until: String = "07:00") -> InputValue {
        [
            "message": true, "announcement": true, "assignment": true, "grade": true, "quiet": true,
            "quietFrom": .text(from), "quietUntil": .text(until),
        ]
    }
}

@Suite("Devices are told")
struct PushDeliveryTests {
    @Test(
        "everybody concerned is told once on each device, in order; whoever did it is not",
        .requirement("WW-9.04.a"))
    func once() async throws {
        let environment = try await PushFixture()
        try await environment.turnOn(environment.ana)
        try await environment.turnOn(environment.ben)
        try await environment.happen("one", by: environment.ana)
        try await environment.happen("two", by: environment.ana)
        try await environment.happen("for nobody here", to: [.role(.parent)])
        try await environment.happen("untold", kind: "attendance.marked")
        for _ in 0..<3 { await environment.deliver() }
        let target = "https://push.example.com/\(try #require(environment.ben.account).sessionId.text)"
        #expect(environment.push.sent.map(\.target) == [target, target])
        #expect(environment.push.texts == ["Told: one", "Told: two"])
        let first = try #require(environment.push.sent.first?.message)
        #expect(first.title == "Maple Montessori")
        #expect(first.path == "/messages/1")
        #expect(first.badge == 2)
        #expect(first.accountId == environment.ben.account?.id)
        #expect(first.id.utf8.count <= 64)
        #expect(Set(environment.push.sent.map(\.message.id)).count == 2)
    }

    @Test("what was there before the device, and what was read in the app, is not told")
    func notAgain() async throws {
        let environment = try await PushFixture()
        try await environment.happen("before")
        environment.school.clock.advance(by: 1)
        try await environment.turnOn(environment.ana)
        try await environment.happen("read")
        try await environment.school.execute(MarkNotificationsRead.self, as: environment.ana)
        try await environment.happen("new")
        await environment.deliver()
        #expect(environment.push.texts == ["Told: new"])
        // A device that says again where it is stays the one that it was.
        try await environment.turnOn(environment.ana)
        await environment.deliver()
        #expect(environment.push.texts == ["Told: new"])
    }

    @Test(
        "a service that fails is tried again later and later, in order, with the same notification",
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
        #expect(environment.push.sent.count == 2, "it did not wait as long as it was told")
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

    @Test("pauses grow from half a minute to an hour and never beyond a day")
    func pauses() {
        #expect([1, 2, 3, 4].map(PushCursor.pause(afterTries:)) == [30, 60, 120, 240])
        #expect(PushCursor.pause(afterTries: 50) == 3600)
        let now = Date(timeIntervalSince1970: 0)
        let cursor = PushCursor(deviceId: UUID(), personId: UUID()).failed(at: now, retryAfter: 10_000_000)
        #expect(cursor.notBefore == now.addingTimeInterval(86_400))
        #expect(cursor.pauses(at: now) && !cursor.pauses(at: now.addingTimeInterval(86_400)))
        #expect(!cursor.pauses(at: now.addingTimeInterval(-1)), "a clock that was set back prolongs no pause")
    }

    @Test("what a service refuses is left out, and nothing waits behind it")
    func refused() async throws {
        let environment = try await PushFixture()
        try await environment.turnOn(environment.ana)
        try await environment.happen("one")
        try await environment.happen("two")
        environment.push.answer(.refused)
        for _ in 0..<2 { await environment.deliver() }
        #expect(environment.push.texts == ["Told: one", "Told: two"])
    }

    @Test("a device that has taken its address back is forgotten")
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
        "a server killed between a push and its commit sends the very same one again, and nothing else",
        .requirement("BY-1.10.c"))
    func killed() async throws {
        let environment = try await PushFixture()
        try await environment.turnOn(environment.ana)
        try await environment.happen("one")
        try await environment.happen("two")
        await environment.deliver()
        #expect(environment.push.sent.count == 2)
        // As the disk is when the second commit was never made.
        let last = try #require(environment.push.sent.last)
        try await environment.school.database.write { try $0.execute("UPDATE push_cursors SET seq = seq - 1") }
        await environment.deliver(try PushFixture.feature(environment.push, environment.sessions))
        #expect(environment.push.sent.count == 3)
        #expect(environment.push.sent.last == last)
    }

    @Test("a summary that was begun is sent again as it was; what came since is told beside it")
    func killedInSummary() async throws {
        let environment = try await PushFixture()
        try await environment.turnOn(environment.ana)
        for number in 1...5 { try await environment.happen("\(number)") }
        await environment.deliver()
        #expect(environment.push.texts == ["You have 5 new notifications."])
        let first = try #require(environment.push.sent.first?.message)
        #expect(first.path == "/notifications")
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

    @Test("ten looks at a time tell nobody twice", .requirement("BY-1.10.c"))
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

    @Test("nobody is told on a device where they signed out, and its address is removed", .requirement("WW-9.04.d"))
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

    @Test("a browser in which somebody else signs in tells that one alone")
    func takenOver() async throws {
        let environment = try await PushFixture()
        try await environment.turnOn(environment.ana, at: "https://push.example.com/shared")
        try await environment.turnOn(environment.ben, at: "https://push.example.com/shared")
        try await environment.happen("one")
        await environment.deliver()
        #expect(environment.push.sent.map(\.message.accountId) == [environment.ben.account?.id])
    }

    @Test("who has left the school, or looks at another one on that device, is told nothing of it")
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

    @Test("a device in a child's hands gets no notifications of its grown-up, and a program has no device")
    func narrowed() async throws {
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

    @Test("each is told in their own language; without a choice in that of the device")
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

    @Test("a long text is cut, and what nobody fetched in a day is told no more")
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

    @Test("an address that no push service has is refused, and the newest twenty devices are kept")
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
        let kept = Set(try await environment.devices().map(\.address.target))
        #expect(kept == Set((5..<25).map { "https://push.example.com/\($0)" }))
    }

    @Test("a test comes to this device at once; a device that is gone, or was never there, is told so")
    func trying() async throws {
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

    @Test("turned off on a device, nothing comes there any more")
    func off() async throws {
        let environment = try await PushFixture()
        try await environment.turnOn(environment.ana)
        try await environment.school.execute(TurnOffNotifications.self, as: environment.ana)
        try await environment.happen("one")
        await environment.deliver()
        #expect(environment.push.sent.isEmpty)
    }

    @Test("what devices are looked up by reads no table in whole")
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
