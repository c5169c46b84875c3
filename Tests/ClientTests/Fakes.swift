import Client
import Domain
import Foundation
import MessagingModel
import ResidenceModel
import Synchronization
import TestKit
import Testing

/// A server of which each answer is scripted. A request without a script fails the test.
final class FakeAPI: APIManager {
    typealias Answer = @Sendable (APIRequest) async throws -> Data

    private struct State {
        var answers: [String: Answer] = [:]
        var headers: [String: [String: String]] = [:]
        var requests: [APIRequest] = []
        var streams: [AsyncThrowingStream<LiveItem, any Error>.Continuation] = []
        var places: [Int64?] = []
    }
    private let state = Mutex(State())

    /// Scripts the answers of a route, such as `GET /api/v1/conversations`.
    func on(_ route: String, _ answer: @escaping Answer) { state.withLock { $0.answers[route] = answer } }

    /// Scripts a JSON answer.
    func on(_ route: String, json: String) { on(route) { _ in Data(json.utf8) } }

    /// Scripts an answer from a value as the server spells it.
    func on(_ route: String, _ value: some Encodable & Sendable) {
        on(route) { _ in try Self.json(value) }
    }

    func on(_ route: String, failing error: APIError) { on(route) { _ in throw error } }

    static func json(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        return try encoder.encode(value)
    }

    var requests: [APIRequest] { state.withLock { $0.requests } }

    /// The requests of a route.
    func requests(_ route: String) -> [APIRequest] {
        requests.filter { "\($0.method.rawValue) \($0.path)" == route }
    }

    func send(_ request: APIRequest) async throws -> Data {
        let route = "\(request.method.rawValue) \(request.path)"
        let answer = state.withLock { state in
            state.requests.append(request)
            return state.answers[route]
        }
        guard let answer else { throw unexpectedCall(route) }
        return try await answer(request)
    }

    /// The headers of the answers of a route.
    func on(_ route: String, headers: [String: String]) { state.withLock { $0.headers[route] = headers } }

    func answer(_ request: APIRequest) async throws -> APIAnswer {
        let body = try await send(request)
        let headers = state.withLock { $0.headers["\(request.method.rawValue) \(request.path)"] } ?? [:]
        return APIAnswer(body: body, address: headers["content-location"] ?? request.path, headers: headers)
    }

    func webPage(at address: String, for account: UUID) async throws -> WebPage {
        guard let url = URL(string: "https://maple.example\(address)"), let page = WebPage(url, token: "token-1")
        else { throw unexpectedCall(address) }
        return page
    }

    func events(after seq: Int64?, for account: UUID) -> AsyncThrowingStream<LiveItem, any Error> {
        AsyncThrowingStream { continuation in
            state.withLock {
                $0.streams.append(continuation)
                $0.places.append(seq)
            }
        }
    }

    /// The places after which streams were opened.
    var places: [Int64?] { state.withLock { $0.places } }

    /// Sends items over the latest stream.
    func push(_ items: LiveItem...) {
        let stream = state.withLock { $0.streams.last }
        for item in items { stream?.yield(item) }
    }

    /// Breaks the latest stream.
    func cut() { state.withLock { $0.streams.last }?.finish(throwing: APIError.unreachable("cut")) }
}

/// An answer that waits until the test lets it go.
final class Latch: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func open() { continuation.finish() }
    func wait() async { for await _ in stream {} }
}

@MainActor
final class FakeAuth: AuthManager {
    var userId: UUID?
    var profileId: UUID?
    var currentPgId: UUID?
    var userRole: [String] = ["warden"]
    var signOuts = 0

    init(userId: UUID? = UUID(), profileId: UUID? = UUID(), pgId: UUID? = nil) {
        self.userId = userId
        self.profileId = profileId
        currentPgId = pgId
    }

    var isAuthenticated: Bool { userId != nil }
    func accessToken(for account: UUID) async throws -> String { throw unexpectedCall() }
    func signOut() async {
        signOuts += 1
        userId = nil
    }
}

/// Waits that end when the test says so.
final class ManualSleep: Sendable {
    private let state = Mutex((waits: [TimeInterval](), latches: [Latch]()))

    var waits: [TimeInterval] { state.withLock { $0.waits } }

    func sleep(_ seconds: TimeInterval) async throws {
        let latch = Latch()
        state.withLock {
            $0.waits.append(seconds)
            $0.latches.append(latch)
        }
        await withTaskCancellationHandler {
            await latch.wait()
        } onCancel: {
            latch.open()
        }
        try Task.checkCancellation()
    }

    /// Ends all waits that have begun.
    func fire() {
        let latches = state.withLock { state in
            defer { state.latches = [] }
            return state.latches
        }
        for latch in latches { latch.open() }
    }
}

/// A device with one signed-in person.
@MainActor
struct Device {
    let api: FakeAPI
    let auth: FakeAuth
    let clock: FixedClock
    let sleep: ManualSleep
    let store: AppStore

    nonisolated static let pgId = UUID()

    var pg: PGStore { store.pgStore }
    var chat: ChatStore { store.chatStore }

    init(
        api: FakeAPI = FakeAPI(), auth: FakeAuth? = nil, storage: ClientStorage = .memory,
        clock: FixedClock = FixedClock(), sleep: ManualSleep = ManualSleep(), bounds: MemoryBounds = MemoryBounds()
    ) async throws {
        self.api = api
        let auth = auth ?? FakeAuth(pgId: Device.pgId)
        self.auth = auth
        self.clock = clock
        self.sleep = sleep
        store = try await AppStore.open(
            api: api, auth: auth, storage: storage,
            environment: ClientEnvironment(
                clock: clock, random: { 1 }, sleep: { try await sleep.sleep($0) }, timeZone: .gmt,
                bounds: bounds))
    }

    /// A device that has loaded rooms and residents.
    static func loaded(
        rooms: [Room] = [], students: [StudentDto] = [], _ device: Device? = nil
    ) async throws -> Device {
        let device = if let device { device } else { try await Device() }
        device.api.on("GET \(Routes.rooms)", listing(rooms))
        device.api.on("GET \(Routes.students)", page(students))
        try await device.pg.loadRooms(pgId: pgId)
        try await device.pg.loadStudents(pgId: pgId)
        return device
    }

    /// The ids of the rooms as they are shown.
    var roomOrder: [UUID] { pg.state.roomsByPg[Device.pgId] ?? [] }
}

enum Routes {
    static let residence = "/api/v1/residences/\(Device.pgId.text)"
    static let rooms = "\(residence)/rooms"
    static let students = "\(residence)/students"
    static func room(_ id: UUID) -> String { "\(rooms)/\(id.text)" }
    static func student(_ id: UUID) -> String { "\(students)/\(id.text)" }
}

struct TestPage<Item: Codable & Sendable>: Codable, Sendable {
    let items: [Item]
    var next: String?
}

func page<Item: Codable & Sendable>(_ items: [Item], next: String? = nil) -> TestPage<Item> {
    TestPage(items: items, next: next)
}

/// A list of rooms as the server sends it.
func listing(_ rooms: [Room]) -> TestPage<RoomListItem> {
    page(
        rooms.map {
            RoomListItem(
                id: $0.id, number: $0.number, type: $0.type, bedCount: $0.bedCount, occupiedBeds: $0.occupiedBeds,
                createdAt: $0.createdAt, updatedAt: $0.updatedAt)
        })
}

let morning = Date(timeIntervalSince1970: 1_793_600_000)

func makeRoom(
    _ number: String, id: UUID = UUID(), beds: Int = 2, occupied: Int = 0, details: String? = nil,
    updatedAt: Date = morning
) -> Room {
    Room(
        id: id, pgId: Device.pgId, number: number, type: "Twin", bedCount: beds, details: details,
        occupiedBeds: occupied, createdAt: morning, updatedAt: updatedAt)
}

func makeStudent(_ name: String, id: UUID = UUID(), room: UUID? = nil, status: String = "active") -> StudentDto {
    StudentDto(id: id, name: name, email: "\(name)@maple.example", roomId: room, status: status)
}

func refusal(_ status: Int, _ code: String, _ title: String = "The server says no.") -> APIError {
    .refused(Refusal(status: status, code: code, title: title))
}

let offline = APIError.unreachable("no network")

/// Waits until a condition holds, at most some time. The caller checks the result.
@MainActor
func eventually(_ isSo: @MainActor () -> Bool) async throws {
    // Counted, since other tests may keep the main actor busy for long.
    var polls = 0
    while !isSo(), polls < 10_000 {
        polls += 1
        try await Task.sleep(for: .milliseconds(2))
    }
}
