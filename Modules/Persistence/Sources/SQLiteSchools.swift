import Domain
public import FeatureKit
public import Foundation
import Synchronization

/// A folder with one database file per school, opened on demand.
///
/// A handle never expires: the file behind it is closed when it is idle and opened again on the next use.
public final class SQLiteSchools: SchoolDatabases {
    private enum Slot {
        case opening(Task<Void, any Error>)
        case open(Open)
        case closing(Task<Void, Never>)
    }
    private struct Open {
        let database: SQLiteDatabase
        var uses = 0
        var lastUse: UInt64 = 0
        /// Whether the database may hold readers and cached pages.
        var isWarm = true
    }
    private struct State {
        var slots: [UUID: Slot] = [:]
        var clock: UInt64 = 0
        var isClosed = false
        var openings = 0
    }
    private let state = Mutex(State())
    let folder: URL
    let migrator: Migrator
    private let configuration: SQLiteConfiguration
    private let maximumOpen: Int
    private let maximumWarm: Int
    private let opened: @Sendable (UUID, any Database) async -> Void
    private let foundDamaged: @Sendable (UUID) -> Void
    /// The schools whose damage was reported already.
    private let reportedDamage = Mutex<Set<UUID>>([])

    /// Opens the folder and removes files that a crash left unfinished.
    ///
    /// - Parameters:
    ///   - maximumOpen: The number of files that stay open. More are open only while more are in use.
    ///   - maximumWarm: The number of open files that keep readers and cached pages; the others are shrunk.
    ///   - opened: Called with each database after it is opened and before it is used.
    ///   - foundDamaged: Called once for each school whose file is damaged.
    public init(
        in folder: URL, migrations: [MigrationSet], maximumOpen: Int = 300, maximumWarm: Int = 60,
        configuration: SQLiteConfiguration = SQLiteConfiguration(),
        opened: @escaping @Sendable (UUID, any Database) async -> Void = { _, _ in },
        foundDamaged: @escaping @Sendable (UUID) -> Void = { _ in }
    ) throws {
        self.opened = opened
        self.foundDamaged = foundDamaged
        self.folder = folder
        migrator = Migrator(migrations)
        self.maximumOpen = max(1, maximumOpen)
        self.maximumWarm = max(1, maximumWarm)
        self.configuration = configuration
        try PrivateFiles.makeFolder(folder)
        // Files of schools whose creation was interrupted.
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
        where name.hasPrefix(SQLiteSchools.unfinished) {
            try FileManager.default.removeItem(at: folder.appending(path: name))
        }
    }

    public func school(_ id: UUID) async throws -> any Database {
        let open = try await acquire(id)
        release(id, open)
        return SchoolHandle(id: id, schools: self)
    }

    public func create(_ id: UUID) async throws -> any Database {
        guard !state.withLock({ $0.isClosed }) else { throw SQLiteSchools.closed }
        try await Blocking.run { [self] in try makeFile(of: id) }
        return try await school(id)
    }

    /// Returns the ids of all schools in this folder, in the order of their creation.
    public func all() async throws -> [UUID] {
        let path = folder.path
        return try await Blocking.run {
            try FileManager.default.contentsOfDirectory(atPath: path).compactMap { name in
                name.hasSuffix(".sqlite") ? UUID(text: String(name.dropLast(7))) : nil
            }.sorted()
        }
    }

    /// Closes every file after running work has ended. All later reads and writes throw.
    public func close() async throws {
        let slots = state.withLock { state in
            state.isClosed = true
            return Array(state.slots.values)
        }
        for slot in slots {
            switch slot {
            case .opening(let task): _ = await task.result
            case .closing(let task): await task.value
            case .open: break
            }
        }
        let databases = state.withLock { state in
            defer { state.slots = [:] }
            return state.slots.values.compactMap { if case .open(let open) = $0 { open.database } else { nil } }
        }
        for database in databases { try await database.close() }
    }

    /// Returns the query plan of a statement in one school; see `SQLiteDatabase.queryPlan`.
    public func queryPlan(_ sql: SQL, of id: UUID) async throws -> [String] {
        let database = try await acquire(id)
        defer { release(id, database) }
        return try await database.queryPlan(sql)
    }

    /// The number of school files that are open, for metrics and tests.
    public var openCount: Int {
        state.withLock { state in state.slots.values.count { if case .open = $0 { true } else { false } } }
    }

    /// The number of times a file was opened, for tests.
    var openings: Int { state.withLock { $0.openings } }

    // MARK: - Opening

    private static let closed = DatabaseFault.other("the schools' databases were closed")
    static let unfinished = ".unfinished-"
    /// The prefix of the copy of a school's previous state while a restored one replaces it.
    static let previous = ".kept-"

    func file(of id: UUID) -> URL { folder.appending(path: "\(id.text).sqlite") }

    /// Returns the open database of a school. It counts as in use until `release`.
    func acquire(_ id: UUID) async throws -> SQLiteDatabase {
        while true {
            enum Step {
                case use(SQLiteDatabase, toShrink: SQLiteDatabase?)
                case open(Task<Void, any Error>)
                case close(Task<Void, Never>)
            }
            let step = try state.withLock { state -> Step in
                guard !state.isClosed else { throw SQLiteSchools.closed }
                switch state.slots[id] {
                case .open(var open):
                    state.clock += 1
                    open.uses += 1
                    open.lastUse = state.clock
                    let wasWarm = open.isWarm
                    open.isWarm = true
                    state.slots[id] = .open(open)
                    return .use(open.database, toShrink: wasWarm ? nil : coolest(&state))
                case .opening(let task): return .open(task)
                case .closing(let task): return .close(task)
                case nil:
                    let task = Task { try await open(id) }
                    state.slots[id] = .opening(task)
                    return .open(task)
                }
            }
            switch step {
            case .use(let database, let toShrink):
                toShrink?.shrink()
                return database
            case .open(let task): try await task.value
            case .close(let task): await task.value
            }
        }
    }

    func release(_ id: UUID, _ database: SQLiteDatabase) {
        state.withLock { state in
            guard case .open(var open) = state.slots[id], open.database === database else { return }
            open.uses -= 1
            state.slots[id] = .open(open)
            evict(&state)
        }
    }

    private func open(_ id: UUID) async throws {
        do {
            let url = file(of: id)
            let (migrator, configuration) = (migrator, configuration)
            let database = try await Blocking.run {
                guard FileManager.default.fileExists(atPath: url.path) else { throw DatabaseFault.missing }
                return try SQLiteDatabase(at: url, migrator, configuration: configuration)
            }
            await opened(id, database)
            let toShrink = state.withLock { state in
                state.clock += 1
                state.openings += 1
                state.slots[id] = .open(Open(database: database, lastUse: state.clock))
                evict(&state)
                return coolest(&state)
            }
            toShrink?.shrink()
        } catch {
            state.withLock { $0.slots[id] = nil }
            note(error, of: id)
            throw error
        }
    }

    /// Reports a damaged file once.
    func note(_ error: any Error, of id: UUID) {
        guard let fault = error as? DatabaseFault, fault == .damaged else { return }
        if reportedDamage.withLock({ $0.insert(id).inserted }) { foundDamaged(id) }
    }

    func clearDamage(of id: UUID) { reportedDamage.withLock { _ = $0.remove(id) } }

    /// Closes the files that lost their name because another process removed or replaced the school. The next use opens
    /// the current file. Files in use are left for the next call.
    public func closeRemoved() {
        let open = state.withLock { state in
            state.slots.compactMap { id, slot -> (UUID, SQLiteDatabase)? in
                if case .open(let open) = slot, open.uses == 0 { (id, open.database) } else { nil }
            }
        }
        for (id, database) in open where !database.isFile(at: file(of: id).path) {
            state.withLock { state in
                guard case .open(let now) = state.slots[id], now.database === database, now.uses == 0 else {
                    return
                }
                state.slots[id] = .closing(closing(id, database))
            }
        }
    }

    /// Whether the school's open file was removed or replaced by another one.
    func isRemoved(_ id: UUID, _ database: SQLiteDatabase) -> Bool { !database.isFile(at: file(of: id).path) }

    /// Closes a school's file after running work has ended and runs `work` before it can be opened again.
    func retire(_ id: UUID, _ work: @escaping @Sendable () throws -> Void) async throws {
        enum Step {
            case wait(Task<Void, Never>)
            case end(Task<Void, any Error>)
        }
        while true {
            let step = try state.withLock { state -> Step in
                guard !state.isClosed else { throw SQLiteSchools.closed }
                switch state.slots[id] {
                case .opening(let task): return .wait(Task { _ = await task.result })
                case .closing(let task): return .wait(task)
                case .open(let open): return .end(retirement(id, open.database, work, &state))
                case nil: return .end(retirement(id, nil, work, &state))
                }
            }
            switch step {
            case .wait(let task): await task.value
            case .end(let task): return try await task.value
            }
        }
    }

    private func retirement(
        _ id: UUID, _ database: SQLiteDatabase?, _ work: @escaping @Sendable () throws -> Void,
        _ state: inout State
    ) -> Task<Void, any Error> {
        let ending = Task { [self] in
            defer { self.state.withLock { $0.slots[id] = nil } }
            try await database?.close()
            try await Blocking.run(work)
        }
        state.slots[id] = .closing(Task { _ = await ending.result })
        return ending
    }

    /// Starts closing the least recently used idle files while more than `maximumOpen` are open.
    private func evict(_ state: inout State) {
        guard state.slots.count > maximumOpen else { return }
        var idle: [(id: UUID, open: Open)] = []
        var count = 0
        for case (let id, .open(let open)) in state.slots {
            count += 1
            if open.uses == 0 { idle.append((id, open)) }
        }
        guard count > maximumOpen else { return }
        // The newest stays open: it was just requested.
        for (id, open) in idle.sorted(by: { $0.open.lastUse < $1.open.lastUse }).prefix(count - maximumOpen)
        where open.lastUse < state.clock {
            state.slots[id] = .closing(closing(id, open.database))
        }
    }

    private func closing(_ id: UUID, _ database: SQLiteDatabase) -> Task<Void, Never> {
        Task {
            do {
                try await database.close()
            } catch {
                // The file is closed with its last reference. Every commit is on disk already.
                assertionFailure("an idle database could not be closed: \(error)")
            }
            self.state.withLock { $0.slots[id] = nil }
        }
    }

    /// The least recently used idle database with warm caches, if there are more than `maximumWarm`.
    private func coolest(_ state: inout State) -> SQLiteDatabase? {
        var warm = 0
        var oldest: (id: UUID, open: Open)?
        for case (let id, .open(let open)) in state.slots where open.isWarm {
            warm += 1
            if open.uses == 0, open.lastUse < state.clock, open.lastUse < oldest?.open.lastUse ?? .max {
                oldest = (id, open)
            }
        }
        guard warm > maximumWarm, var found = oldest else { return nil }
        found.open.isWarm = false
        state.slots[found.id] = .open(found.open)
        return found.open.database
    }

    /// Creates a school's file under a temporary name and links it to its own when it is complete.
    ///
    /// No half-made school can be found that way.
    private func makeFile(of id: UUID) throws {
        let final = file(of: id)
        guard !FileManager.default.fileExists(atPath: final.path) else { return }
        let draft = folder.appending(path: "\(SQLiteSchools.unfinished)\(UUID().text).sqlite")
        defer { unlink(draft.path) }
        try EmptyDatabase.make(draft, migrator)
        // Unlike a rename, a link does not replace a file that a concurrent call has created.
        guard link(draft.path, final.path) == 0 || errno == EEXIST else {
            throw DatabaseFault.cannotWrite("a school's file could not be made (\(errno))")
        }
        try Folder.sync(folder)
    }
}

/// A handle to one school's database, which is opened again if it was closed.
private struct SchoolHandle: Database {
    let id: UUID
    let schools: SQLiteSchools

    func read<Value: Sendable>(
        _ work: @escaping @Sendable (any SQLReading) throws -> Value
    ) async throws -> Value {
        try await opened { try await $0.read(work) }
    }

    func readInline<Value: Sendable>(
        _ work: @escaping @Sendable (any SQLReading) throws -> Value
    ) async throws -> Value {
        try await opened { try await $0.readInline(work) }
    }

    @discardableResult
    func write<Value: Sendable>(
        _ work: @escaping @Sendable (any SQLWriting) throws -> Value
    ) async throws -> Value {
        do {
            return try await opened { try await $0.write(work) }
        } catch DatabaseFault.closed {
            // The closed file belonged to a removed school. A file that now has its name is another one.
            guard try await opened({ schools.isRemoved(id, $0) }) else { throw DatabaseFault.closed }
            schools.closeRemoved()
            return try await opened { try await $0.write(work) }
        }
    }

    func stamp() async throws -> DatabaseStamp? { try await opened { try await $0.stamp() } }

    func purge(upTo limit: Int?) async throws -> Bool { try await opened { try await $0.purge(upTo: limit) } }

    private func opened<Value: Sendable>(
        _ work: (SQLiteDatabase) async throws -> Value
    ) async throws -> Value {
        let database = try await schools.acquire(id)
        defer { schools.release(id, database) }
        do {
            return try await work(database)
        } catch {
            schools.note(error, of: id)
            throw error
        }
    }
}
