import AuthInterface
import Domain
import FeatureKit
import FeatureRuntime
import Foundation
import TestKit
import Testing

@testable import Quest

@Suite("Player and parent mode")
struct ModesTests {
    @Test(
        "a device starts in player mode, and only the correct code shows the parent mode",
        .requirement("TQ-2.01"))
    func roleState() {
        var state = RoleState()
        #expect(state.currentRole == .player && !state.showingPINEntry)
        state.requestParentAccess()
        #expect(state.currentRole == .player && state.showingPINEntry)
        state.grantParentAccess()
        #expect(state.currentRole == .parent && !state.showingPINEntry)
        state.requestParentAccess()
        #expect(!state.showingPINEntry)
        state.exitParentMode()
        #expect(state.currentRole == .player && !state.showingPINEntry)
    }

    @Test("a child's device shows the parent mode while its rights are open")
    func readsTheSession() async throws {
        let fixture = try await QuestFixture()
        func role(_ scopes: Set<TokenScope>) -> AppRole {
            RoleState(of: fixture.tablet(scopes).account!).currentRole
        }
        #expect(role(RoleState.playing) == .player)
        #expect(role(RoleState.playing.union(RoleState.preparing)) == .parent)
        #expect(RoleState(of: try #require(fixture.ana.account)).currentRole == .player)
    }

    @Test(
        "the correct code opens the parent mode for fifteen minutes, and a wrong one does not",
        .requirement("TQ-2.04.d", "TQ-2.06.a"))
    func opens() async throws {
        let fixture = try await QuestFixture()
        let tablet = fixture.tablet()
        let account = try #require(tablet.account)
        #expect(try await fixture.school.answer(ReadGate.self, as: tablet).asks == .signIn)
        let unset = try await problem {
            try await fixture.school.execute(OpenGate.self, ["code": "1234"], as: tablet)
        }
        #expect(unset?.status == 409 && unset?.code == "auth.gateCodeUnset")
        try await fixture.codes.set("1234", for: account, at: fixture.school.clock.now)
        #expect(
            try await fixture.school.answer(ReadGate.self, as: tablet)
                == .init(role: .player, asks: .code, lockedUntil: nil))
        let wrong = try await problem {
            try await fixture.school.execute(OpenGate.self, ["code": "1235"], as: tablet)
        }
        #expect(wrong?.status == 422 && fixture.sessions.asked.isEmpty)
        let answer = try await fixture.school.execute(OpenGate.self, ["code": "1234"], as: tablet)
        #expect(answer == GateAnswer(role: .parent, path: "/quest"))
        #expect(
            fixture.sessions.asked == [
                .open(RoleState.preparing, fixture.school.clock.now.addingTimeInterval(900))
            ])
        let done = try await fixture.school.execute(CloseGate.self, as: tablet)
        #expect(done == GateAnswer(role: .player, path: "/play") && fixture.sessions.asked.last == .close)
    }

    @Test(
        "a child's device can only play, and the code opens the family's routines and nothing else",
        .requirement("TQ-2.02.b"))
    func narrows() async throws {
        let fixture = try await QuestFixture()
        let routine = try await fixture.routine()
        let tablet = fixture.tablet()
        let refused = try await problem {
            try await fixture.school.execute(ArchiveRoutine.self, ["routineId": .id(routine.id)], as: tablet)
        }
        #expect(refused?.code == "tokenScope")
        try await fixture.record(fixture.played(routine), as: tablet)
        #expect(!PermissionService.opens(DashboardScreens.area, tablet) && !PermissionService.opens(nil, tablet))
        #expect(PermissionService.opens(PlayScreen.area, tablet))
        let opened = fixture.tablet(RoleState.playing.union(RoleState.preparing))
        try await fixture.school.execute(
            ArchiveRoutine.self, ["routineId": .id(routine.id), "archived": .bool(true)], as: opened)
        #expect(PermissionService.opens(DashboardScreens.area, opened) && !PermissionService.opens(nil, opened))
    }

    @Test(
        "Done limits the session of a device with a code, so that a child cannot use the rest of the account",
        .requirement("TQ-2.11.b"))
    func doneNarrows() async throws {
        let fixture = try await QuestFixture()
        _ = try await fixture.routine()
        let handOver = "[Done] -> POST \(HandOver.contract.path) (asks: Hand over this device?)"
        let close = "[Done] -> POST \(CloseGate.contract.path)"
        let before = try await fixture.outline(DashboardScreens.home)
        #expect(before.contains(close) && !before.contains(handOver))
        try await fixture.school.execute(SetQuestCode.self, ["code": "1234", "again": "1234"], as: fixture.ana)
        #expect(try await fixture.outline(DashboardScreens.home).contains(handOver))
    }

    @Test("a new code is asked for a second time", .requirement("TQ-2.04.c"))
    func asksAgain() async throws {
        let fixture = try await QuestFixture()
        let device = try #require(fixture.ana.account?.deviceId)
        func faults(_ command: String, _ input: InputValue) async throws -> [String]? {
            try await problem { try await fixture.school.execute(command, input, as: fixture.ana) }?
                .faults.map { "\($0.field) \($0.code)" }
        }
        #expect(
            try await faults("routines.setCode", ["code": "1234", "again": "1243"]) == ["again quest.codesDiffer"])
        #expect(try await faults("routines.setCode", ["code": "1234"]) == ["again required"])
        #expect(fixture.codes.code(of: device) == nil, "nothing is set")
        #expect(try await faults("routines.setCode", ["code": "1234", "again": "1234"]) == nil)
        #expect(
            try await faults("routines.changeCode", ["currentCode": "1234", "code": "9876", "again": "9867"])
                == ["again quest.codesDiffer"])
        #expect(fixture.codes.code(of: device) == "1234")
        #expect(
            try await faults("routines.pair", ["pairingCode": "ABCD2345", "code": "4321", "again": "4312"])
                == ["again quest.codesDiffer"])
        for language in Language.allCases {
            let words = Words(language, [try StringCatalog.quest()])
            let page = try await fixture.outline(DevicesScreens.path, language: language)
            #expect(
                page.filter { $0.contains(words("quest.codeAgain")) }.count == 2, "of this device and of another")
        }
    }

    @Test("a device can be handed over only after its code was set", .requirement("TQ-2.04.b"))
    func handsOver() async throws {
        let fixture = try await QuestFixture()
        let early = try await problem { try await fixture.school.execute(HandOver.self, as: fixture.ana) }
        #expect(early?.code == "quest.codeFirst")
        try await fixture.school.execute(SetQuestCode.self, ["code": "1234", "again": "1234"], as: fixture.ana)
        try await fixture.school.execute(HandOver.self, as: fixture.ana)
        #expect(fixture.sessions.asked == [.narrow(RoleState.playing)])
        try await fixture.school.execute(
            ChangeQuestCode.self, ["currentCode": "1234", "code": "9876", "again": "9876"], as: fixture.ana)
        let device = try #require(fixture.ana.account?.deviceId)
        #expect(fixture.codes.code(of: device) == "9876")
    }

    @Test(
        "a pairing code makes one device a child's device, once and within ten minutes",
        .requirement("TQ-2.02.c", "TQ-2.04.a"))
    func pairs() async throws {
        let fixture = try await QuestFixture()
        func allow(_ code: String) async throws {
            try await fixture.school.execute(
                AllowDevice.self, ["pairingCode": .text(code), "code": "4321", "again": "4321"], as: fixture.ana)
        }
        func pair(_ code: String) async throws -> Problem? {
            try await problem {
                try await fixture.school.execute(PairDevice.self, ["pairingCode": .text(code)], as: .nobody)
            }
        }
        try await allow("ABCD2345")
        #expect(try await pair("ABCD2346")?.faults.map(\.code) == ["quest.pairingUnknown"])
        // As a person types it, and as a camera reads it from the QR code.
        #expect(try await pair("https://tower.example/play/pair/abcd-2345") == nil)
        guard case .start(let session)? = fixture.sessions.asked.last else {
            Issue.record("no session was started")
            return
        }
        #expect(session.accountId == fixture.ana.account?.id && session.scopes == RoleState.playing)
        #expect(fixture.codes.code(of: session.deviceId) == "4321")
        #expect(try await pair("ABCD2345") != nil)
        // Only the newest code works, and only for ten minutes.
        try await allow("ABCD0001")
        try await allow("ABCD0002")
        #expect(try await pair("ABCD0001") != nil)
        fixture.school.clock.advance(by: Pairing.lifetime + 1)
        #expect(try await pair("ABCD0002") != nil)
    }

    @Test("a caller has ten tries to guess a pairing code")
    func limitsGuesses() async throws {
        let fixture = try await QuestFixture()
        var statuses: [Int?] = []
        for number in 0..<12 {
            let refused = try await problem {
                try await fixture.school.execute(
                    PairDevice.self, ["pairingCode": .text("ABCD234\(number % 10)")], as: .nobody)
            }
            statuses.append(refused?.status)
        }
        #expect(statuses == Array(repeating: 422, count: 10) + [429, 429])
    }

    @Test("the directory stores no part of a pairing code")
    func storesFingerprints() async throws {
        let fixture = try await QuestFixture()
        try await fixture.school.execute(
            AllowDevice.self, ["pairingCode": "ABCD2345", "code": "4321", "again": "4321"], as: fixture.ana)
        let stored = try await fixture.school.environment.directory.read { sql in
            try sql.rows("SELECT * FROM quest_pairings").map { "\($0.values)" }.joined()
        }
        #expect(!stored.isEmpty && !stored.contains("ABCD2345") && !stored.contains("4321"))
    }

    @Test(
        "a typed code is normalized, and similar characters are not confused",
        arguments: [("oo11-ilzz", "001111ZZ"), (" abcd 2345 ", "ABCD2345"), ("x/ABCD2345", "ABCD2345")])
    func readsCodes(_ typed: String, _ code: String) {
        #expect(PairingCode.normalized(typed) == code)
        #expect(PairingCode.isOne(PairingCode.make(CountingIDs())))
    }

    @Test("on a server without schools each account is a parent with a database of its own")
    func isAtHome() async throws {
        let fixture = try await TestEnvironment { ports in
            [
                try QuestFeature.make(
                    codes: TestCodes(), sessions: TestSessions(), hasher: ports.hasher, ids: ports.ids,
                    qr: TestQRCode(),
                    publicURL: "https://tower.example")
            ]
        }
        let homes = HomeMemberships(
            schools: fixture.schools, timeZone: try #require(TimeZone(identifier: "Asia/Tokyo")))
        func caller(_ email: String) async throws -> Caller {
            let account = fixture.makeAccount(email: email)
            return Caller(account: account, membership: try await homes.activeMembership(of: account))
        }
        let (ana, luz) = try await (caller("ana@home.example"), caller("luz@home.example"))
        #expect(ana.membership?.roles == [.parent] && ana.membership?.organization.timeZone == "Asia/Tokyo")
        #expect(ana.membership?.organization.id != luz.membership?.organization.id)
        try await fixture.execute(AddPlayer.self, ["name": "Mia"], as: ana)
        #expect(try await fixture.answer(ListPlayers.self, as: ana).items.map(\.name) == ["Mia"])
        #expect(try await fixture.answer(ListPlayers.self, as: luz).items.isEmpty)
    }
}

extension QuestFixture {
    /// Ana's tablet, used by Mia.
    func tablet(_ scopes: Set<TokenScope> = RoleState.playing) -> Caller {
        let account = SignedInAccount(
            id: ana.account!.id, sessionId: school.ids.id(at: school.clock.now), deviceId: tabletId,
            email: "ana@maple.example",
            name: "Ana", token: TokenRights(scopes: scopes, organizationId: school.organization.id, isDevice: true))
        return Caller(account: account, membership: ana.membership)
    }

    private var tabletId: UUID { mia }
}
