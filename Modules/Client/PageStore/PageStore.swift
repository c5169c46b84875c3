public import Foundation
public import Observation

/// A page as it was read from the server.
public struct StoredPage: Sendable, Hashable {
    /// The address that was asked for.
    public let address: String
    /// The address after redirects.
    public let found: String
    /// The content, in the media type that was asked for.
    public let body: Data
    public let readAt: Date

    public init(address: String, found: String, body: Data, readAt: Date) {
        self.address = address
        self.found = found
        self.body = body
        self.readAt = readAt
    }
}

/// A command of a page that waits for the network, or that the server has just run.
public struct RecentCommand: Sendable, Hashable, Identifiable {
    public let command: PageCommand
    /// The time of the server's answer; `nil` while the command waits.
    public internal(set) var answeredAt: Date?

    public var id: UUID { command.id }
}

/// The state of `PageStore`: which pages the events of the server have made stale.
public struct PageStoreState: StoreState, Sendable, Hashable {
    /// The number of changes of each topic since the start.
    var changes: [String: Int] = [:]
    /// The number of times that everything became stale.
    var reloads = 0
    /// The queued commands in their order, and the last ones that the server ran.
    public internal(set) var commands: [RecentCommand] = []
    public internal(set) var lastSyncTime: Date?
    public internal(set) var syncInProgress = false

    public init() {}

    /// A number that grows when a page with these topics has to be read again.
    public func version(of topics: [String]) -> Int { topics.reduce(reloads) { $0 + (changes[$1] ?? 0) } }

    /// The queued commands, in their order, that a page does not contain yet because they wait or ran after it was read.
    public func commands(missingSince readAt: Date) -> [PageCommand] {
        commands.filter { $0.answeredAt.map { $0 > readAt } ?? true }.map(\.command)
    }
}

/// The store of the server's pages: those that were read, which are there without a network, and their commands.
@MainActor @Observable
public final class PageStore: Store {
    public private(set) var state = PageStoreState()

    /// The pages that are stored; beyond it, those that were read longest ago are removed.
    nonisolated static let limit = 200
    /// The commands that ran and are still known, which is enough until the open pages are read again.
    nonisolated static let answeredLimit = 200

    @ObservationIgnored private let engine: SyncEngine
    /// The copies of files that wait; `nil` if nobody is signed in.
    @ObservationIgnored private let files: WaitingFiles?
    /// The ids of uploads of files that do not wait, so that the person who sends a form again goes on with them.
    @ObservationIgnored private var uploadIds: [URL: UUID] = [:]
    @ObservationIgnored var order = LoadOrder()

    init(_ engine: SyncEngine, files: WaitingFiles?) {
        self.engine = engine
        self.files = files
        engine.register(self)
        for case .page(let command) in engine.entries.map(\.change) {
            state.commands.append(RecentCommand(command: command))
        }
    }

    public func clear() {
        state = PageStoreState()
        uploadIds = [:]
        engine.feed.publish()
    }

    /// Makes all open pages stale, so that they are read again.
    public func refresh() async {
        state.reloads += 1
        engine.feed.publish()
    }

    // MARK: - Pages

    /// Returns a page as it was last read; `nil` if it was not, or by another account.
    public func stored(_ address: String) throws -> StoredPage? {
        _ = try engine.owner()
        return try engine.database.read { try $0.page(at: Self.key(address)) }
    }

    /// Reads a page from the server and stores it. Throws `StoreError`.
    ///
    /// A page that is missing or forbidden is no longer stored afterwards.
    ///
    /// - Parameter accept: The media type in which the app reads pages.
    public func load(_ address: String, accept: String) async throws -> StoredPage {
        let address = Self.key(address)
        do {
            let account = try engine.owner()
            var request = APIRequest(.get, address, account: account)
            request.accept = accept
            let (readAt, answer) = try await current(.page(address: address)) {
                // What happens while the server answers is not on the page for certain.
                (engine.now, try await engine.api.answer(request))
            }
            _ = try engine.owner()
            let page = StoredPage(
                address: address, found: answer.address, body: answer.body, readAt: readAt)
            try engine.database.commit { transaction in
                try transaction.put(page, limit: Self.limit)
                // The page that a redirect led to is there under its own address as well.
                let target = StoredPage(
                    address: Self.key(page.found), found: page.found, body: page.body, readAt: page.readAt)
                if target.address != page.address { try transaction.put(target, limit: Self.limit) }
            }
            state.lastSyncTime = page.readAt
            return page
        } catch APIError.refused(let refusal) where !refusal.isTransient {
            if [403, 404, 410].contains(refusal.status) {
                try engine.database.commit { try $0.removePage(at: address) }
            }
            throw StoreError.refused(refusal)
        } catch { throw StoreError(error) }
    }

    /// The address without the place on the page.
    private static func key(_ address: String) -> String { String(address.prefix { $0 != "#" }) }

    // MARK: - Commands

    /// Runs a command of a page. Throws `StoreError`.
    ///
    /// - Parameters:
    ///   - files: The files of the form by the names of their fields. They stay where they are; a command that waits has
    ///     copies.
    ///   - uploads: The path to which large files are sent in parts before the command; `nil` if they go with it.
    ///   - isQueued: Whether the command waits on the device if the server is not reached, instead of failing.
    public func run(
        _ command: PageCommand, files: [String: [FormFile]] = [:], uploads: String? = nil, isQueued: Bool
    ) async throws -> PageCommandResult {
        var command = command.recorded(at: engine.now)
        let files = files.sorted { $0.key < $1.key }.flatMap { field, files in
            files.map { (field: field, file: $0) }
        }
        guard isQueued else { return try await send(command, files, uploads, unreached: .notSent) }
        if !files.isEmpty {
            if let error = try tooLarge(files) {
                // They can still be sent at once.
                return try await send(command, files, uploads, unreached: error)
            }
            command.files = try await copy(files)
            command.uploads = uploads
        }
        let stored = command
        let answer: ChangeAnswer?
        do {
            answer = try await engine.perform(.page(stored), show: { _ in append(stored) })
        } catch {
            // A command that was refused has removed them already.
            if !engine.entries.contains(where: { $0.change.recordId == stored.id }) { remove(stored) }
            throw error
        }
        guard case .page(let answer) = answer else { return .waits }
        return .answered(answer)
    }

    /// Stores a command, and begins to send it without waiting for the server. Throws `StoreError`.
    func enqueue(_ command: PageCommand) throws {
        let command = command.recorded(at: engine.now)
        try engine.enqueue(.page(command), id: engine.environment.newId(engine.now)) { _ in append(command) }
    }

    /// The error of files that are too large to wait; `nil` if they can.
    private func tooLarge(_ files: [(field: String, file: FormFile)]) throws -> StoreError? {
        let (form, all) = (engine.environment.bounds.formFileBytes, engine.environment.bounds.waitingFileBytes)
        let size: Int
        do {
            size = try files.reduce(0) { $0 + (try WaitingFiles.size(of: $1.file.content)) }
        } catch { throw StoreError(error) }
        if size > form { return .filesTooLarge(form >> 20) }
        let waiting = engine.entries.flatMap(\.change.files).reduce(0) { $0 + $1.size }
        return waiting + size > all ? .tooManyFilesWait(all >> 20) : nil
    }

    private func copy(_ added: [(field: String, file: FormFile)]) async throws -> [WaitingFile] {
        do {
            _ = try engine.owner()
            guard let files else { throw StoreError.userNotAuthenticated }
            let ids = added.map { _ in engine.environment.newId(engine.now) }
            return try await Task.detached {
                var next = ids.makeIterator()
                return try files.add(added) { next.next() ?? UUID() }
            }.value
        } catch { throw StoreError(error) }
    }

    private func remove(_ command: PageCommand) {
        if let copies = command.files { files?.remove(copies) }
    }

    private func append(_ command: PageCommand) {
        let surplus = state.commands.filter { $0.answeredAt != nil }.dropLast(Self.answeredLimit)
        if !surplus.isEmpty { state.commands.removeAll { surplus.contains($0) } }
        state.commands.append(RecentCommand(command: command))
    }

    /// The waits in seconds after a cut before a file that does not wait goes on.
    private static let waits: [TimeInterval] = [0.5, 2, 8]

    /// Sends a command that does not wait.
    ///
    /// - Parameter error: The error if the server is not reached.
    private func send(
        _ command: PageCommand, _ added: [(field: String, file: FormFile)], _ uploads: String?,
        unreached error: StoreError
    ) async throws -> PageCommandResult {
        do {
            let account = try engine.owner()
            let files = added.map { field, file in
                let id = uploadIds[file.content] ?? engine.environment.newId(engine.now)
                uploadIds[file.content] = id
                return SentFile(id: id, field: field, file: file)
            }
            var tries = Self.waits.makeIterator()
            while true {
                do {
                    let answer = try await exchange(command, files, uploads, for: account)
                    for file in files { uploadIds[file.file.content] = nil }
                    return .answered(answer)
                } catch APIError.unreachable where uploads != nil && !files.isEmpty {
                    guard let wait = tries.next() else { throw StoreError.unreachable }
                    try await engine.environment.sleep(wait)
                }
            }
        } catch let failure {
            let failure = StoreError(failure)
            throw failure == .unreachable ? error : failure
        }
    }

    /// A file on the device that is sent with a command, or in parts before it.
    private struct SentFile: Sendable {
        let id: UUID
        let field: String
        let file: FormFile
    }

    /// Sends a command with its files, and returns the server's answer. Throws `APIError`, or the error of a file.
    private func exchange(
        _ command: PageCommand, _ files: [SentFile], _ uploads: String?, for account: UUID
    ) async throws -> PageCommandAnswer {
        var rest: [(name: String, file: FormFile)] = []
        var sent: [UUID] = []
        for file in files {
            if let uploads, try WaitingFiles.size(of: file.file.content) > PartUpload.least {
                try await PartUpload(
                    api: engine.api, account: account, path: uploads, id: file.id, name: file.file.name,
                    content: file.file.content
                ).run()
                sent.append(file.id)
            } else {
                rest.append((file.field, file.file))
            }
        }
        let (command, now) = (command.naming(sent), engine.now)
        guard !rest.isEmpty else {
            let answer = PageCommandAnswer(try await engine.api.answer(command.request(at: now, for: account)))
            if command.path == Self.notificationsOff {
                try engine.database.commit { try $0.put(nil, meta: .notifications) }
            }
            return answer
        }
        let small = rest
        let body = try await Task.detached { try command.body(with: small, at: now) }.value
        defer { body.remove() }
        return PageCommandAnswer(try await engine.api.answer(command.request(with: body, for: account)))
    }

    /// The command that turns notifications off for this device.
    private static let notificationsOff = "/api/v1/notifications/device/off"

    // MARK: - Files

    /// Reads a file of the server, such as a picture or a video, into a file on the device. Throws `StoreError`.
    ///
    /// - Returns: The media type of the content, such as `image/jpeg`; `nil` if the server names none.
    @discardableResult
    public func download(_ address: String, to file: URL) async throws -> String? {
        do {
            let answer = try await engine.api.download(
                APIRequest(.get, address, account: try engine.owner()), to: file)
            _ = try engine.owner()
            return answer.headers["content-type"]
        } catch { throw StoreError(error) }
    }
}

extension PageStore: ChangeHandler, PartLoader {
    func handles(_ change: PendingChange) -> Bool { if case .page = change { true } else { false } }

    func send(_ entry: OutboxEntry) async throws -> ChangeAnswer {
        guard case .page(let command) = entry.change else { return .done }
        let sent = (command.files ?? []).compactMap { copy in
            files.map {
                SentFile(
                    id: copy.id, field: copy.field,
                    file: FormFile(name: copy.name, mediaType: copy.mediaType, content: $0.place(of: copy)))
            }
        }
        return .page(try await exchange(command, sent, command.uploads, for: try engine.sender()))
    }

    func store(_ answer: ChangeAnswer, to change: PendingChange, in transaction: ClientTransaction) throws {}

    func settle(_ change: PendingChange, _ answer: ChangeAnswer?) {
        guard case .page(let command) = change else { return }
        remove(command)
        if let index = state.commands.firstIndex(where: { $0.id == command.id }) {
            if answer == nil {
                state.commands.remove(at: index)
            } else {
                state.commands[index].answeredAt = engine.now
            }
        }
        // The pages that are open show the server's answer, or the state before a refused command.
        state.reloads += 1
    }

    /// The notice about the refusal is shown in any case.
    func show(_ error: StoreError, of change: PendingChange) {}

    func load(_ stale: Set<Stale>) async throws {
        if stale.contains(.everything) { state.reloads += 1 }
        for case .topic(let topic) in stale { state.changes[topic, default: 0] += 1 }
    }
}
