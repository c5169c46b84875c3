import Domain
import Foundation
import ResidenceModel
import Synchronization
import TestKit
import Testing

@testable import Client

/// The clocks of a device that a test sets.
private final class DoorClocks: Sendable {
    private let state = Mutex((wall: Date(timeIntervalSince1970: 1_700_000_000), uptime: 500.0))

    /// Lets time pass on both clocks.
    func pass(_ seconds: TimeInterval) {
        state.withLock {
            $0.wall += seconds
            $0.uptime += seconds
        }
    }

    /// Sets the device's time, as a person may at any moment.
    func setWall(by seconds: TimeInterval) { state.withLock { $0.wall += seconds } }

    func device(boot: String) -> DeviceClocks {
        DeviceClocks(
            wall: { self.state.withLock { $0.wall } }, uptime: { self.state.withLock { $0.uptime } }, boot: boot)
    }
}

/// A device that is a gate, with a scripted server.
@MainActor
private struct Door {
    nonisolated static let list = "GET /api/v1/gate/list"
    nonisolated static let passages = "POST /api/v1/gate/passages"
    nonisolated static let pgId = UUID()
    nonisolated static let gate = Gate(
        id: UUID(), pgId: pgId, name: "Main door", allowedAt: Date(timeIntervalSince1970: 1_793_600_000))
    /// Thursday 12 November 2026 at 18:00 UTC; the curfew is at 20:00.
    nonisolated static let evening = Date(timeIntervalSince1970: 1_794_506_400)

    let api: FakeAPI
    let auth: FakeAuth
    let clocks: DoorClocks
    let store: GateStore

    init(
        api: FakeAPI = FakeAPI(), auth: FakeAuth? = nil, storage: ClientStorage = .memory,
        clocks: DoorClocks = DoorClocks(), boot: String = "first", sleep: ManualSleep = ManualSleep()
    ) async throws {
        let auth = auth ?? FakeAuth(pgId: Door.pgId)
        (self.api, self.auth, self.clocks) = (api, auth, clocks)
        store = try await GateStore.open(
            api: api, auth: auth, storage: storage, clock: ServerClock(clocks.device(boot: boot)),
            environment: ClientEnvironment(random: { 1 }, sleep: { try await sleep.sleep($0) }))
    }

    /// A gate that has loaded a list and whose server accepts all passages.
    static func loaded(
        _ residents: [GateList.Resident], now: Date = Door.evening, _ door: Door? = nil
    ) async throws -> Door {
        let door = if let door { door } else { try await Door() }
        door.api.on(list, makeList(residents, now: now))
        door.acceptPassages()
        await door.store.refresh()
        try #require(door.store.state.error == nil)
        return door
    }

    nonisolated static func makeList(_ residents: [GateList.Resident], now: Date = Door.evening) -> GateList {
        let start = evening.addingTimeInterval(-12.5 * 3600)
        return GateList(
            gate: gate, residence: "Birch", now: now, timeZone: "UTC",
            days: (0..<15).map { day in
                GateList.Day(
                    start: start.addingTimeInterval(Double(day) * 86_400),
                    curfew: evening.addingTimeInterval(Double(day) * 86_400 + 7200))
            }, residents: residents)
    }

    nonisolated static func resident(
        _ name: String = "Bea Ruiz", card: String = "04A2B9C1", isLost: Bool = false, id: UUID = UUID(),
        last: LastPassage? = nil, leaves: [GateList.Leave] = []
    ) -> GateList.Resident {
        GateList.Resident(
            id: id, name: name, initials: "BR", room: "201", photo: nil, type: last?.type, lastPassage: last?.at,
            changedAt: last?.changedAt,
            tags: [GateList.Tag(id: UUID(), fingerprint: SHA256.hex(Array(card.utf8)), isLost: isLost)],
            leaves: leaves)
    }

    struct Sent: Decodable {
        let id: UUID
        let studentId: UUID
        let type: RecordType
        let at: String

        init(_ request: APIRequest) throws {
            self = try JSONDecoder().decode(Sent.self, from: request.body ?? Data())
        }

        var time: Date {
            get throws { try Date(at, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)) }
        }
    }

    /// The server answers a passage as it was sent.
    func acceptPassages() {
        api.on(Door.passages) { request in
            let sent = try Sent(request)
            return try FakeAPI.json(
                CheckInOutRecord(
                    id: sent.id, studentId: sent.studentId, pgId: Door.pgId, method: .kiosk, type: sent.type,
                    timestamp: try sent.time))
        }
    }

    func isOffline() { api.on(Door.passages, failing: .unreachable("cut")) }

    var sent: [Sent] { get throws { try api.requests(Door.passages).map(Sent.init) } }

    /// Waits until a condition holds, at most a minute. The caller checks the result.
    func settled(_ isSo: @MainActor () throws -> Bool) async throws {
        let start = ContinuousClock.now
        while try !isSo(), start.duration(to: .now) < .seconds(60) { try await Task.sleep(for: .milliseconds(2)) }
    }

    func allSent() async throws {
        try await settled { store.syncSummary.unsent == 0 }
        #expect(store.syncSummary.unsent == 0)
    }

    /// Reads a tag and returns the decision; `nil` if no passage was recorded.
    func pass(_ code: String = "04:a2:b9:c1") throws -> GateDecision? {
        if case .passage(let passage) = try store.read(code) { passage.decision } else { nil }
    }
}

@MainActor
@Suite("A gate on a device")
struct GateStoreTests {
    @Test("a read is a passage at once, and is sent once under its own id")
    func passage() async throws {
        let bea = Door.resident()
        let door = try await Door.loaded([bea])
        guard case .passage(let passage) = try door.store.read("04:a2:b9:c1") else {
            Issue.record("no passage")
            return
        }
        #expect(passage.resident.name == "Bea Ruiz" && passage.decision.type == .checkIn)
        #expect(passage.at == Door.evening && door.store.syncSummary.unsent == 1)
        try await door.allSent()
        let requests = door.api.requests(Door.passages)
        #expect(requests.map(\.idempotencyKey) == [passage.id])
        #expect(try door.sent.map(\.id) == [passage.id] && door.sent.map(\.studentId) == [bea.id])
    }

    @Test("two reads within 10 s are one, and a later one goes the other way")
    func repeated() async throws {
        let door = try await Door.loaded([Door.resident()])
        #expect(try door.pass()?.type == .checkIn)
        for _ in 0..<3 {
            door.clocks.pass(9)
            #expect(try door.store.read("04A2B9C1") == .repeated, "a tag that stays at the reader is one read")
        }
        door.clocks.pass(11)
        #expect(try door.pass()?.type == .checkOut)
        try await door.allSent()
        #expect(try door.sent.map(\.type) == [.checkIn, .checkOut])
    }

    @Test("a started gate loads its list at once and decides by it")
    func starts() async throws {
        let door = try await Door()
        door.api.on(Door.list, Door.makeList([Door.resident()]))
        door.acceptPassages()
        door.store.start()
        try await eventually { door.store.state.list != nil }
        #expect(try door.pass()?.type == .checkIn)
        door.store.stop()
    }

    @Test("a started gate knows of a revoked tag after a minute, and at most a minute after its network returns")
    func revoked() async throws {
        let sleep = ManualSleep()
        let door = try await Door(sleep: sleep)
        door.api.on(Door.list, Door.makeList([Door.resident()]))
        door.store.start()
        try await eventually { sleep.waits == [60] }
        door.api.on(Door.list, Door.makeList([Door.resident(card: "FFFF0001")]))
        sleep.fire()
        try await eventually { sleep.waits == [60, 60] }
        #expect(try door.store.read("04A2B9C1") == .unknown)
        door.api.on(Door.list, failing: .unreachable("cut"))
        for count in 3..<12 {
            sleep.fire()
            try await eventually { sleep.waits.count == count }
        }
        #expect(sleep.waits.max() == 60)
        door.store.stop()
    }

    @Test("a cleared gate no longer knows any tag")
    func clears() async throws {
        let door = try await Door.loaded([Door.resident()])
        door.store.clear()
        #expect(door.store.state.list == nil)
        #expect(try door.store.read("04A2B9C1") == .unknown)
    }

    @Test("an unknown tag and one that was reported lost record nothing, until the lost one is found")
    func refused() async throws {
        let lost = Door.resident(isLost: true)
        let door = try await Door.loaded([lost])
        #expect(try door.store.read("DEADBEEF") == .unknown)
        #expect(try door.store.read("DEADBEEF") == .repeated)
        #expect(try door.store.read("x") == .unknown)
        #expect(try door.store.read("04A2B9C1") == .lost)
        #expect(door.store.syncSummary.unsent == 0)
        _ = try await Door.loaded([Door.resident(id: lost.id)], door)
        door.clocks.pass(11)
        #expect(try door.pass()?.type == .checkIn)
        // A revoked tag is no longer in the list.
        _ = try await Door.loaded([], door)
        door.clocks.pass(11)
        #expect(try door.store.read("04A2B9C1") == .unknown)
    }

    @Test("passages that were recorded without a network outlive a restart, keep their order and are sent once")
    func restarted() async throws {
        let folder = try TemporaryFolder()
        let storage = ClientStorage(folder: folder.url)
        let (bea, clocks, auth) = (Door.resident(), DoorClocks(), FakeAuth(pgId: Door.pgId))
        let first = try await Door(auth: auth, storage: storage, clocks: clocks)
        _ = try await Door.loaded([bea], first)
        first.isOffline()
        #expect(try first.pass()?.type == .checkIn)
        first.store.stop()
        // The program is started again at once: the tag is still at the reader.
        let second = try await Door(auth: auth, storage: storage, clocks: clocks)
        second.isOffline()
        #expect(second.store.state.list?.residents == [bea] && second.store.syncSummary.unsent == 1)
        #expect(try second.store.read("04A2B9C1") == .repeated)
        clocks.pass(60)
        #expect(try second.pass()?.type == .checkOut)
        try await second.settled { second.store.syncSummary.isOffline }
        _ = try await Door.loaded([bea], now: Door.evening.addingTimeInterval(60), second)
        try await second.allSent()
        #expect(try second.sent.suffix(2).map(\.type) == [.checkIn, .checkOut])
        let ids = try (first.sent + second.sent).map(\.id)
        #expect(Set(ids).count == 2, "a passage that is sent again has the same id")
    }

    @Test("a list does not undo what this gate recorded meanwhile, and a later passage elsewhere counts")
    func merged() async throws {
        let id = UUID()
        let door = try await Door.loaded([Door.resident(id: id)])
        door.isOffline()
        #expect(try door.pass()?.type == .checkIn)
        // The server does not know of the passage yet.
        _ = try await Door.loaded([Door.resident(id: id)], door)
        try await door.allSent()
        door.clocks.pass(20)
        #expect(try door.pass()?.type == .checkOut)
        try await door.allSent()
        let elsewhere = Door.evening.addingTimeInterval(30)
        let last = LastPassage(type: .checkIn, at: elsewhere, changedAt: elsewhere)
        _ = try await Door.loaded([Door.resident(id: id, last: last)], now: elsewhere, door)
        door.clocks.pass(20)
        #expect(try door.pass()?.type == .checkOut)
    }

    @Test("a clock that is a day off, or set in between, changes no time")
    func wrongClock() async throws {
        let folder = try TemporaryFolder()
        let (clocks, auth) = (DoorClocks(), FakeAuth(pgId: Door.pgId))
        let storage = ClientStorage(folder: folder.url)
        let door = try await Door(auth: auth, storage: storage, clocks: clocks)
        _ = try await Door.loaded([Door.resident()], door)
        clocks.setWall(by: -86_400)
        clocks.pass(60)
        #expect(try door.pass() != nil)
        try await door.allSent()
        #expect(try door.sent.last?.time == Door.evening.addingTimeInterval(60))
        door.store.stop()
        // The program is started again without a network, and the clock was set meanwhile.
        clocks.setWall(by: 3 * 86_400)
        let again = try await Door(auth: auth, storage: storage, clocks: clocks)
        clocks.pass(60)
        #expect(again.store.now == Door.evening.addingTimeInterval(120))
    }

    @Test(
        "an answer that fits the clock never sets it back, and one that does not fit sets it",
        arguments: [
            (told: 0.0, expected: 2.0), (told: 1, expected: 2), (told: -1, expected: -1), (told: 3, expected: 3),
        ])
    func steadyClock(told: Double, expected: Double) async throws {
        let clocks = DoorClocks()
        let door = try await Door.loaded([], Door(clocks: clocks))
        clocks.pass(0.5)
        // The question takes a second and a half. The server tells whole seconds.
        door.api.on(Door.list) { _ in
            clocks.pass(1.5)
            return try FakeAPI.json(Door.makeList([], now: Door.evening.addingTimeInterval(told)))
        }
        await door.store.refresh()
        #expect(door.store.now == Door.evening.addingTimeInterval(expected))
    }

    @Test("a device that restarts with a wrong clock corrects the times before it sends them")
    func powerCut() async throws {
        let folder = try TemporaryFolder()
        let (clocks, auth, bea) = (DoorClocks(), FakeAuth(pgId: Door.pgId), Door.resident())
        let storage = ClientStorage(folder: folder.url)
        let first = try await Door(auth: auth, storage: storage, clocks: clocks)
        _ = try await Door.loaded([bea], first)
        first.store.stop()
        // Three hours without power, which a computer without a battery for its clock does not notice.
        let second = try await Door(auth: auth, storage: storage, clocks: clocks, boot: "second")
        second.isOffline()
        clocks.pass(30)
        #expect(try second.pass() != nil)
        #expect(second.store.now == Door.evening.addingTimeInterval(30))
        clocks.pass(30)
        try await second.settled { second.store.syncSummary.isOffline }
        let truth = Door.evening.addingTimeInterval(3 * 3600)
        _ = try await Door.loaded([bea], now: truth, second)
        try await second.allSent()
        #expect(try second.sent.last?.time == truth.addingTimeInterval(-30))
    }

    @Test("a gate that a warden ended records nothing, and sends what it still has once it is paired again")
    func ended() async throws {
        let folder = try TemporaryFolder()
        let storage = ClientStorage(folder: folder.url)
        let (bea, clocks) = (Door.resident(), DoorClocks())
        let first = try await Door(storage: storage, clocks: clocks)
        _ = try await Door.loaded([bea], first)
        first.isOffline()
        #expect(try first.pass() != nil)
        try await first.settled { first.store.syncSummary.isOffline }
        let id = try #require(try first.sent.first?.id)
        first.api.on(
            Door.list,
            failing: .refused(Refusal(status: 404, code: "residence.noGate", title: "This device is no gate")))
        await first.store.refresh()
        #expect(first.store.state.isOver && first.auth.signOuts == 1)
        clocks.pass(60)
        #expect(try first.store.read("04A2B9C1") == .over)
        first.store.stop()
        #expect(try storage.gateFiles().map(\.unsent) == [1])
        // Another warden pairs it again, with another account.
        let second = try await Door(auth: FakeAuth(pgId: Door.pgId), storage: storage, clocks: clocks)
        _ = try await Door.loaded([bea], now: Door.evening.addingTimeInterval(60), second)
        try await second.allSent()
        #expect(try second.sent.map(\.id) == [id])
    }

    @Test(
        "a refusal that is about the gate keeps the passages, and one about the resident is told and not repeated",
        arguments: [423, 403, 404])
    func refusals(status: Int) async throws {
        let door = try await Door.loaded([Door.resident()])
        door.api.on(
            Door.passages, failing: .refused(Refusal(status: status, code: "notAllowed", title: "Not now")))
        #expect(try door.pass()?.type == .checkIn)
        try await door.settled { door.store.state.error != nil }
        #expect(door.store.syncSummary.unsent == 1 && door.store.notices.isEmpty && !door.store.state.isOver)
        door.acceptPassages()
        await door.store.refresh()
        try await door.allSent()
        door.clocks.pass(60)
        door.api.on(
            Door.passages, failing: .refused(Refusal(status: 409, code: "residence.movedOut", title: "Moved out")))
        #expect(try door.pass()?.type == .checkOut)
        try await door.settled { !door.store.notices.isEmpty }
        #expect(door.store.notices.map(\.localText) == [["name": "Bea Ruiz"]])
        #expect(door.store.notices.map(\.sentence) == ["Moved out"] && door.store.syncSummary.unsent == 0)
        door.clocks.pass(60)
        #expect(try door.pass()?.type == .checkOut, "the refused passage does not count")
    }

    @Test("a session that the server ended ends the gate, and stopping the program does not")
    func session() async throws {
        let door = try await Door.loaded([Door.resident()])
        door.store.stop()
        await door.store.refresh()
        #expect(door.auth.signOuts == 0 && !door.store.state.isOver)
        let other = try await Door.loaded([Door.resident()])
        let auth = other.auth
        other.api.on(Door.list) { _ in
            await MainActor.run { auth.userId = nil }
            throw APIError.signInNeeded
        }
        await other.store.refresh()
        #expect(other.store.state.isOver)
        #expect(try other.store.read("04A2B9C1") == .over)
    }

    @Test("the session of a gate is read from the headers of its pairing")
    func cookies() {
        let headers =
            "pt_access=abc.def; Max-Age=2592000; Path=/; HttpOnly, pt_refresh=XYZ-1; Path=/; Secure, pt_device=1"
        #expect(LiveAuthManager.cookie("pt_access", in: headers) == "abc.def")
        #expect(LiveAuthManager.cookie("pt_refresh", in: headers) == "XYZ-1")
        #expect(LiveAuthManager.cookie("pt_acc", in: headers) == nil)
    }
}
