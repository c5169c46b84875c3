public import Client
public import Domain
import Foundation
import ResidenceModel

/// The reasons for which a command of the program fails.
public enum GateFault: Error, Sendable, Hashable {
    /// The text is no address of a server.
    case noServer(String)
    case noAnswer(String)
    /// The server refuses, with its sentence.
    case refused(String)
    /// Another process uses the folder.
    case inUse(String)
    case notPaired

    /// Returns the sentence for the person at the terminal.
    public func message(_ words: Words) -> String {
        switch self {
        case .noServer(let text): words("door.noServer", text)
        case .noAnswer(let server): words("door.noAnswer", server)
        case .refused(let sentence): sentence
        case .inUse(let folder): words("door.inUse", folder)
        case .notPaired: words("door.notPaired")
        }
    }
}

/// The program at a door: pairs the device, reads tags, and shows what each read means.
@MainActor
public final class GateProgram {
    /// The seconds between two looks for a session while the device is not paired.
    private static let pairingLook = 2
    /// The seconds for which the end of the standard input waits for passages that can be sent.
    private static let lastSending: TimeInterval = 10

    private let folder: GateFolder
    private let display: Display
    private let environment: ClientEnvironment
    private var language: Language { display.words.language }
    private var store: GateStore?
    private var auth: LiveAuthManager?
    private var lock: FolderLock?
    private var hasSaidUnpaired = false
    /// The last line about the network, which is not shown twice.
    private var lastNote: String?
    /// The refused passages that were shown.
    private var shownNotices: Set<UUID> = []

    public init(
        folder: GateFolder, display: Display, environment: ClientEnvironment = ClientEnvironment()
    ) {
        self.folder = folder
        self.display = display
        self.environment = environment
    }

    // MARK: - Pair

    /// Pairs the device with the code that a warden shows, and stores its first list. Throws `GateFault`.
    public func pair(server text: String, code: String) async throws {
        guard let server = GateFolder.address(text) else { throw GateFault.noServer(text) }
        guard let lock = try folder.lock() else { throw GateFault.inUse(folder.url.path) }
        defer { withExtendedLifetime(lock) {} }
        let clock = ServerClock()
        let auth = try LiveAuthManager(server: server, storage: folder.session, clock: clock, language: language)
        let list: GateList
        do {
            try folder.save(server: server)
            list = try await auth.pairGate(code: code)
        } catch let error as APIError {
            switch error {
            case .refused(let refusal): throw GateFault.refused(refusal.errors?.first?.message ?? refusal.title)
            default: throw GateFault.noAnswer(server.absoluteString)
            }
        }
        let store = try await GateStore.open(
            api: LiveAPIManager(server: server, auth: auth, language: language), auth: auth,
            storage: folder.storage, clock: clock,
            environment: environment)
        await store.refresh()
        store.stop()
        display.say(
            display.words("door.paired", list.gate.name, list.residence, list.residents.count))
    }

    // MARK: - Status

    /// Shows whether the device is paired, what it holds, and what was refused. Uses no network.
    ///
    /// - Returns: Whether the device is paired.
    public func status() throws -> Bool {
        let words = display.words
        let session = try folder.server().map { try LiveAuthManager(server: $0, storage: folder.session) }
        if let server = try folder.server() { display.say(words("door.status.server", server.absoluteString)) }
        let paired = session?.currentPgId
        if paired == nil { display.say(words("door.notPaired")) }
        for file in try folder.storage.gateFiles() where file.pgId == paired || file.unsent > 0 {
            if let list = file.list {
                display.say(words("door.paired", list.gate.name, list.residence, list.residents.count))
                let timeZone = TimeZone(identifier: list.timeZone) ?? .gmt
                display.say(words("door.status.list", words.dateAndTime(list.now, in: timeZone)))
            } else {
                display.say(words("door.status.noList"))
            }
            display.say(
                file.unsent == 0
                    ? words("door.sent")
                    : file.pgId == paired ? words("door.unsent", file.unsent) : words("door.kept", file.unsent))
            for notice in file.notices.suffix(10) { display.say(text(of: notice)) }
        }
        return paired != nil
    }

    private func text(of notice: SyncNotice) -> String {
        display.words("door.refusedPassage", notice.localText["name"] ?? "", notice.sentence ?? "")
    }

    // MARK: - Run

    /// Reads tags until the reader's stream ends, which only that of the standard input does.
    public func run(_ reader: Reader) async throws {
        guard try await open() else { throw GateFault.inUse(folder.url.path) }
        let supervisor = Task { [weak self] in
            while !Task.isCancelled {
                do { try await Task.sleep(for: .seconds(Self.pairingLook)) } catch { return }
                await self?.look()
            }
        }
        defer { supervisor.cancel() }
        for await event in reader.events() {
            switch event {
            case .ready: if reader != .standardInput { note(display.words("door.reader", reader.name)) }
            case .missing: display.show(.refused, [display.words("door.noReader", reader.name)])
            case .code(let code): read(code)
            }
        }
        await finish()
    }

    private func read(_ code: String) {
        guard let store, let list = store.state.list else { return display.show(.over, timeZone: .gmt, unsent: 0) }
        let timeZone = TimeZone(identifier: list.timeZone) ?? .gmt
        do {
            let read = try store.read(code)
            let summary = store.syncSummary
            display.show(read, timeZone: timeZone, unsent: summary.isOffline ? summary.unsent : 0)
        } catch {
            display.show(.refused, [display.words("door.notStored")])
        }
    }

    /// Opens the gate if the device is paired. Returns `false` if another process uses the folder.
    private func open() async throws -> Bool {
        guard store == nil else { return true }
        guard let server = try folder.server() else {
            sayUnpaired()
            return true
        }
        let clock = ServerClock()
        let auth = try LiveAuthManager(server: server, storage: folder.session, clock: clock, language: language)
        guard auth.isAuthenticated else {
            sayUnpaired()
            return true
        }
        guard let lock = try folder.lock() else { return false }
        let store = try await GateStore.open(
            api: LiveAPIManager(server: server, auth: auth, language: language), auth: auth,
            storage: folder.storage, clock: clock,
            environment: environment)
        (self.store, self.auth, self.lock) = (store, auth, lock)
        hasSaidUnpaired = false
        shownNotices = Set(store.notices.map(\.id))
        if let list = store.state.list { note(display.words("door.ask", list.gate.name, list.residence)) }
        let changes = store.changes
        Task { [weak self] in
            for await _ in changes { self?.follow() }
        }
        store.start()
        return true
    }

    private func sayUnpaired() {
        guard !hasSaidUnpaired else { return }
        hasSaidUnpaired = true
        display.show(.refused, [display.words("door.over")])
    }

    /// Looks whether the gate was ended or paired again.
    private func look() async {
        if let store, store.state.isOver {
            store.stop()
            sayUnpaired()
            let unsent = store.syncSummary.unsent
            if unsent > 0 { note(display.words("door.kept", unsent)) }
            (self.store, auth, lock, lastNote) = (nil, nil, nil, nil)
        }
        if store == nil {
            // What fails now, such as a folder that cannot be read, is tried again.
            _ = try? await open()
        }
    }

    /// Shows how the sending goes, and what was refused.
    private func follow() {
        guard let store, !store.state.isOver else { return }
        for notice in store.notices where shownNotices.insert(notice.id).inserted {
            display.show(.refused, [text(of: notice)])
        }
        let summary = store.syncSummary
        switch store.state.error {
        case .refused(let refusal): once(display.words("door.serverSays", refusal.title))
        case .notStored: once(display.words("door.notStored"))
        case nil where !summary.isOffline:
            if summary.unsent == 0, store.state.lastSyncTime != nil { once(display.words("door.sent")) }
        default: once(display.words("door.offline"))
        }
    }

    private func once(_ text: String) {
        guard text != lastNote else { return }
        lastNote = text
        note(text)
    }

    private func note(_ text: String) { display.show(.note, [text]) }

    /// Sends what can be sent at the end of the standard input. The rest stays in the file.
    private func finish() async {
        let end = Date().addingTimeInterval(Self.lastSending)
        while let store, store.syncSummary.unsent > 0, !store.syncSummary.isOffline, !store.state.isOver,
            Date() < end
        {
            do { try await Task.sleep(for: .milliseconds(20)) } catch { break }
        }
        store?.stop()
    }
}
