import Domain
public import Foundation
public import Observation

/// The root of an app's data: all stores, the state of the sync, and the account's file on the device.
///
/// Built for the signed-in person from one API manager and one auth manager. After signing out or in, an app makes a
/// new one; this one then loads and sends nothing.
@MainActor @Observable
public final class AppStore {
    public let pgStore: PGStore
    public let chatStore: ChatStore
    public let attendanceStore: AttendanceStore
    public let foodStore: FoodStore
    public let pageStore: PageStore
    public let questStore: QuestStore
    /// The routines of the pages that the app has read.
    public let routineRepository: PageRoutineRepository

    /// The number of changes of any store. Observers of `AppStore` that read it see each change of a nested store.
    public private(set) var revision = 0
    /// The state of all changes on their way to the server.
    public private(set) var syncSummary = SyncSummary()

    @ObservationIgnored private let engine: SyncEngine
    @ObservationIgnored private let follower: LiveFollower
    @ObservationIgnored private let storage: ClientStorage

    /// Opens the file of the signed-in account and shows what it holds, unsent changes included.
    public static func open(
        api: any APIManager, auth: any AuthManager, storage: ClientStorage,
        environment: ClientEnvironment = ClientEnvironment()
    ) async throws -> AppStore {
        let account = auth.userId
        let (database, stored, deviceId) = try await Task.detached { () throws in
            // Nobody's data is not stored.
            let database = try ClientDatabase(file: account.flatMap(storage.file))
            let stored = try StoredState(reading: database)
            if let account {
                // What the end of the app left behind between a copy and its command.
                try storage.waitingFiles(of: account).removeAll(except: stored.entries.flatMap(\.change.files))
            }
            return (database, stored, try storage.installationId())
        }.value
        let engine = SyncEngine(
            api: api, auth: auth, environment: environment, database: database, account: account,
            entries: stored.entries, notices: stored.notices)
        return try AppStore(engine, stored, deviceId: deviceId, storage)
    }

    private init(
        _ engine: SyncEngine, _ stored: StoredState, deviceId: String, _ storage: ClientStorage
    ) throws {
        self.engine = engine
        self.storage = storage
        follower = try LiveFollower(engine)
        pgStore = PGStore(engine, deviceId: deviceId, stored)
        chatStore = ChatStore(engine, stored)
        attendanceStore = AttendanceStore(engine, stored)
        foodStore = FoodStore(engine, stored)
        pageStore = PageStore(engine, files: engine.account.map(storage.waitingFiles))
        questStore = QuestStore(engine, pageStore, stored)
        routineRepository = PageRoutineRepository(pageStore, engine)
        syncSummary = engine.summary
        engine.feed.onChange = { [weak self] in self?.note() }
    }

    private func note() {
        revision += 1
        let summary = engine.summary
        if summary != syncSummary { syncSummary = summary }
    }

    /// A stream with an element after each change of any store, for those who do not observe.
    public var changes: AsyncStream<Void> { engine.feed.stream() }

    /// Whether the person is signed in whose data this is.
    public var isAuthenticated: Bool {
        do {
            _ = try engine.owner()
            return true
        } catch { return false }
    }

    /// The id of the signed-in person in the school.
    public var profileId: UUID? { engine.auth.profileId }
    /// The id of the residence that the person looks at.
    public var currentPgId: UUID? { engine.auth.currentPgId }
    /// The roles of the signed-in person.
    public var userRole: [String] { engine.auth.userRole }

    /// The time of the device, with which changes are recorded.
    public var now: Date { engine.now }

    /// Begins to send unsent changes and to follow the server's events.
    public func start() {
        engine.connectionReturned()
        follower.start()
    }

    /// Sends what waits without waiting longer, such as when the network returned or the person pulled to refresh.
    public func retry() {
        engine.forgetWaits()
        engine.connectionReturned()
    }

    /// Ends sending and following. Unsent changes stay in the file.
    public func stop() {
        follower.stop()
        questStore.rest()
        engine.stop()
    }

    /// Loads everything that the stores show anew.
    public func refresh() async {
        async let residences: Void = pgStore.refresh()
        async let chats: Void = chatStore.refresh()
        async let leaves: Void = attendanceStore.refresh()
        _ = await (residences, chats, leaves)
    }

    // MARK: - Notifications

    /// Whether the person turned notifications on for this device and did not turn them off since. A new session, or a new
    /// device token, has to be registered again.
    public var wantsNotifications: Bool {
        do {
            return try engine.database.read { try $0.meta(.notifications) } != nil
        } catch { return false }
    }

    /// Registers this device for notifications of the active school. Throws `StoreError`.
    ///
    /// - Parameter token: The device token of Apple's push service.
    public func registerForNotifications(token: Data) async throws {
        let target = token.map { byte in
            let text = String(byte, radix: 16)
            return byte < 16 ? "0\(text)" : text
        }.joined()
        do {
            let account = try engine.owner()
            _ = try await engine.api.send(
                APIRequest(
                    .post, "/api/v1/notifications/device",
                    body: try APIJSON.encode(["kind": "apns", "target": target]), account: account))
            try engine.database.commit { try $0.put("on", meta: .notifications) }
        } catch { throw StoreError(error) }
    }

    // MARK: - What is outside of the stores

    /// Returns a page of the server for a web view, with the session of the person. Throws `StoreError`.
    public func webPage(at address: String) async throws -> WebPage {
        do {
            return try await engine.api.webPage(at: address, for: try engine.owner())
        } catch { throw StoreError(error) }
    }

    /// Reads a value that no store holds. Throws `StoreError`.
    func read<Value: Decodable>(_ type: Value.Type, at path: String) async throws -> Value {
        do {
            let data = try await engine.api.send(APIRequest(.get, path, account: try engine.owner()))
            // Another person may have signed in meanwhile.
            _ = try engine.owner()
            return try APIJSON.decode(type, from: data)
        } catch { throw StoreError(error) }
    }

    /// Runs a command that no store has, and returns its answer. Throws `StoreError`.
    func send<Value: Decodable>(_ fields: [String: String], to path: String) async throws -> Value {
        do {
            let request = APIRequest(
                .post, path, body: try APIJSON.encode(fields), account: try engine.owner())
            return try APIJSON.decode(Value.self, from: try await engine.api.send(request))
        } catch { throw StoreError(unsent: error) }
    }

    // MARK: - Notices

    /// The notices about changes that were not applied, the oldest first.
    public var notices: [SyncNotice] {
        // Read so that observers learn of new ones.
        _ = syncSummary
        return engine.notices
    }

    /// Removes a notice that the person has read.
    public func dismiss(_ id: UUID) throws {
        if let notice = engine.notices.first(where: { $0.id == id }) {
            try questStore.remember(refused: notice.recordId)
        }
        try engine.dismiss(id)
    }

    // MARK: - Signing out

    /// Signs out, and clears the stores, the queue and the account's file.
    ///
    /// - Parameter discardingUnsent: Whether the person agreed to lose what was not sent. Without it, throws
    ///   `unsentChanges` if there is any.
    public func signOut(discardingUnsent: Bool = false) async throws {
        if !engine.entries.isEmpty, !discardingUnsent { throw StoreError.unsentChanges(engine.entries.count) }
        follower.stop()
        engine.drop()
        pgStore.clear()
        chatStore.clear()
        attendanceStore.clear()
        foodStore.clear()
        pageStore.clear()
        questStore.clear()
        await engine.auth.signOut()
        try engine.database.close()
        if let account = engine.account { try storage.erase(account) }
    }

    /// The number of times that the server's log was found to be another one than before.
    var reloads: Int { follower.reloads }
    /// The number of the last event that was taken in.
    var lastEvent: Int64? { follower.anchor?.seq }
}
