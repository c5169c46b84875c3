public import Domain
public import FeatureKit
public import Foundation

/// Runs every query and every command.
///
/// A command is decoded and authorized, and its idempotency key is looked up. Then it runs in one transaction that
/// also appends to the change log. After the commit its changes are published.
public struct Pipeline: Sendable {
    private let directory: any Database
    private let schools: any SchoolDatabases
    private let blobs: any SchoolBlobs
    private let hub: ChangeHub
    private let clock: any WallClock
    private let ids: any IDGenerator
    private let hasher: any SecretHasher
    /// Throws the problem to answer with if the server's directory database says that a school is closed.
    public typealias ClosedCheck = @Sendable (_ schoolId: UUID, any SQLReading) throws -> Void
    private let refuseClosed: ClosedCheck
    private let probe: @Sendable () async throws -> Void
    private let pending: PendingChanges
    private let report: @Sendable (any Error) -> Void
    /// The recorder of who viewed whose data.
    public let sightings: Sightings

    /// Creates a pipeline on the databases and files of a server.
    /// - Parameters:
    ///   - refuseClosed: called in each transaction of the server's directory database that concerns a school.
    ///   - probe: throws if the data folder cannot be written.
    ///   - report: called when changes of a command in the directory database could not be copied into the school's
    ///     change log. The command has succeeded; a job copies them later.
    public init(
        directory: any Database, schools: any SchoolDatabases, blobs: any SchoolBlobs, hub: ChangeHub,
        clock: any WallClock, ids: any IDGenerator, hasher: any SecretHasher, sightings: Sightings = Sightings(),
        refuseClosed: @escaping ClosedCheck = { _, _ in }, probe: @escaping @Sendable () async throws -> Void = {},
        report: @escaping @Sendable (any Error) -> Void = { _ in }
    ) {
        self.sightings = sightings
        self.refuseClosed = refuseClosed
        self.probe = probe
        self.report = report
        pending = PendingChanges(directory: directory, schools: schools, hub: hub, clock: clock)
        self.directory = directory
        self.schools = schools
        self.blobs = blobs
        self.hub = hub
        self.clock = clock
        self.ids = ids
        self.hasher = hasher
    }

    /// The answer to a command, with what a browser does after it.
    public struct Outcome: Sendable {
        public let status: Int
        /// The result of the command as JSON.
        public let body: Data
        /// The message that the person sees after the command; `nil` for none.
        public let feedback: Feedback?
        /// The path that a browser opens after the command; `nil` for the current page.
        public let destination: String?
        /// The path that a browser must open first after the command, instead of the path that the form names
        /// (`CommandContext.detour`); `nil` for none.
        public let detour: String?
        /// The change that the command makes to the browser's session; `nil` for none.
        public let session: SessionChange?
        /// The choices of language and appearance that the browser stores from now on; `nil` to leave them as they are.
        public let display: DisplayPreferences?
        /// Whether this is the stored answer of an earlier, equal request.
        public let isReplay: Bool
    }

    /// Makes the context of a request and opens the caller's school.
    public func context(
        of caller: Caller, words: Words, remoteAddress: String, deviceId: UUID? = nil,
        client: String? = nil, ticket: String? = nil, display: DisplayPreferences = DisplayPreferences()
    ) async throws -> RequestContext {
        var school: (any Database)?
        var latest: Int64?
        if let id = caller.membership?.organization.id {
            let database = try await schools.school(id)
            school = database
            latest = hub.latest(of: id)
            if latest == nil {
                let seq = try await database.readInline { try ChangeLog.latest(in: $0) }
                hub.note(seq, of: id)
                latest = seq
            }
        }
        return RequestContext(
            caller: caller, now: clock.now, ids: ids, words: words, remoteAddress: remoteAddress,
            deviceId: deviceId, client: client, ticket: ticket, display: display, latestChange: latest,
            school: school, files: caller.membership.map { blobs.blobs(of: $0.organization.id) },
            directory: directory)
    }

    /// Throws if the server's directory database cannot be read or the data folder cannot be written.
    public func checkStorage() async throws {
        _ = try await directory.read { try $0.rows("SELECT 1 AS ready") }
        try await probe()
    }

    /// Replaces the refusal by a closed school's file with that of the directory, which names the day of the school's
    /// deletion.
    private func namingClosed<Value>(
        in context: RequestContext, _ work: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await work()
        } catch DatabaseFault.closed {
            if let id = context.caller.membership?.organization.id {
                try await directory.read { [refuseClosed] in try refuseClosed(id, $0) }
            }
            throw DatabaseFault.closed
        }
    }

    /// Runs a query and returns its answer, encoded for the response.
    public func answer(
        _ query: QueryRegistration, _ input: InputValue, in context: RequestContext
    ) async throws -> Data {
        try PermissionService.authorize(query.contract, isCommand: false, context.caller)
        return try await Pipeline.translatingFaults {
            try await namingClosed(in: context) {
                let answer = try await query.answer(input, context)
                if let seen = query.contract.seen {
                    try await sightings.note(
                        seen, input.texts, by: context.membership, at: context.now, in: context.school)
                }
                return answer
            }
        }
    }

    /// Checks whether the caller may run a command, before its body has been read. Throws `Problem`.
    public func authorize(_ command: CommandRegistration, _ caller: Caller) throws {
        try PermissionService.authorize(command.contract, isCommand: true, caller)
    }

    /// Runs a command, once for each idempotency key.
    /// - Parameters:
    ///   - isForm: whether `input` consists of text fields.
    ///   - key: the client's idempotency key; without one, every call counts as a new request.
    public func execute(
        _ command: CommandRegistration, _ input: InputValue, isForm: Bool, key: String?,
        in context: RequestContext
    ) async throws -> Outcome {
        try authorize(command, context.caller)
        if let key, !(8...100).contains(key.utf8.count) || !key.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) {
            throw Problem(400, "idempotencyKey")
        }
        return try await Pipeline.translatingFaults {
            try await namingClosed(in: context) {
                try await perform(command, input, isForm: isForm, key: key, in: context)
            }
        }
    }

    private func perform(
        _ command: CommandRegistration, _ input: InputValue, isForm: Bool, key: String?,
        in context: RequestContext
    ) async throws -> Outcome {
        let contract = command.contract
        let decoded = try command.decode(input, isForm)
        let request = contract.replay == .stored ? try idempotency(contract, input, key, context) : nil
        let database = contract.store == .directory ? directory : try context.school
        if let request, command.prepares, let answer = try await database.read({ try request.storedAnswer(in: $0) })
        {
            // The first answer may not have reached the client, because the work after the transaction failed or the
            // server stopped in it. That work is safe to repeat.
            let outcome = Outcome(stored: answer)
            if !answer.isCleared { try await decoded.finish(outcome.body, context) }
            return outcome
        }
        let prepared: PreparedCommand
        do {
            prepared = try await decoded.prepare(context)
        } catch {
            // The same request may have arrived twice. If the other one succeeded first, that is why this one cannot
            // prepare, and the stored answer is the answer to both.
            guard let request, let answer = try await database.read({ try request.storedAnswer(in: $0) }) else {
                throw error
            }
            return Outcome(stored: answer)
        }
        let (outcome, changed) = try await database.write { sql -> (Outcome, UUID?) in
            if let request, let answer = try request.storedAnswer(in: sql) { return (Outcome(stored: answer), nil) }
            return try run(prepared, contract, request, context, sql)
        }
        // Before the remaining work, because closing a school ends its log.
        await carry(changed)
        try await decoded.finish(outcome.body, context)
        let completion = outcome.isReplay ? nil : try await prepared.complete(outcome.body)
        return completion.map(outcome.completed) ?? outcome
    }

    /// Copies the changes of a directory command into the school's log. The command has succeeded, so a failure is
    /// only reported.
    private func carry(_ schoolId: UUID?) async {
        guard let schoolId else { return }
        do { try await pending.carry(to: schoolId) } catch { report(error) }
    }

    /// The job that copies changes from the server's directory database into the schools' change logs. An earlier
    /// request or a stopped server left them there.
    public var pendingChangesJob: Job {
        .server("kernel.pendingChanges", every: 60) { [pending] _ in try await pending.carryAll() }
    }

    private func run(
        _ prepared: PreparedCommand, _ contract: Contract, _ request: IdempotentRequest?,
        _ context: RequestContext, _ sql: any SQLWriting
    ) throws -> (Outcome, changed: UUID?) {
        // The caller's membership may be cached from before the school was closed.
        if contract.store == .directory, contract.access.needsOpenSchool,
            let schoolId = context.caller.membership?.organization.id
        {
            try refuseClosed(schoolId, sql)
        }
        var transaction = CommandContext(
            caller: context.caller, now: context.now, ids: context.ids, words: context.words,
            deviceId: context.deviceId, client: context.client, sql: sql)
        let body = try prepared.run(&transaction)
        let outcome = Outcome(
            status: contract.isCreation ? 201 : 200, body: body, feedback: transaction.feedback,
            destination: transaction.destination, detour: transaction.detour, session: transaction.session,
            display: transaction.display, isReplay: false)
        try request?.store(outcome, at: context.now, in: sql)
        let membership = context.caller.membership
        let schoolId = transaction.changedSchool ?? membership?.organization.id
        guard contract.store == .school, let schoolId else {
            if let other = transaction.changedSchool { try refuseClosed(other, sql) }
            guard let schoolId, !transaction.changes.isEmpty else { return (outcome, nil) }
            let isElsewhere = schoolId != membership?.organization.id
            try PendingChanges.note(
                PendingChanges.Entry(
                    id: context.ids.id(at: context.now), at: context.now,
                    actor: transaction.changedBy ?? (isElsewhere ? nil : membership?.personId),
                    changes: transaction.changes), of: schoolId, in: sql)
            return (outcome, schoolId)
        }
        let logged = try ChangeLog.append(
            transaction.changes, at: context.now, actor: membership?.personId, in: sql)
        if !logged.isEmpty { sql.afterCommit { [hub] in hub.publish(logged, of: schoolId) } }
        let signals = transaction.signals
        if !signals.isEmpty {
            sql.afterCommit { [hub] in for signal in signals { hub.send(signal, of: schoolId) } }
        }
        return (outcome, nil)
    }

    private func idempotency(
        _ contract: Contract, _ input: InputValue, _ key: String?, _ context: RequestContext
    ) throws -> IdempotentRequest? {
        guard let key else { return nil }
        let caller = context.caller.account?.id.text ?? "anyone"
        // The keys of our clients are UUIDs of version 7, which begin with their time. As a prefix it places requests
        // of one time next to each other in the table's index, so that a group commit writes one page instead of
        // many.
        let fingerprint = try hasher.fingerprint("\(caller) \(contract.name) \(key) \(input.canonical())")
        return IdempotentRequest(key: "\(key.prefix(13)) \(fingerprint)")
    }

    /// Returns the problem to answer with after a failure of a database; `nil` for failures that are errors of the
    /// program.
    public static func problem(of fault: DatabaseFault) -> Problem? {
        switch fault {
        case .cannotWrite: Problem(507, "cannotWrite", retryAfter: 30)
        // A school whose file takes no writes, and that is not closed in the directory, is about to be opened.
        case .busy, .closed: Problem(503, "busy", retryAfter: 2)
        case .damaged: Problem(503, "schoolDamaged")
        case .missing: .notFound
        case .notUnique, .constraint, .unexpectedColumn, .other: nil
        }
    }

    /// Converts failures of databases to problems.
    static func translatingFaults<Value>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch let error as any ProblemConvertible {
            throw error.problem
        } catch let fault as DatabaseFault {
            if let problem = problem(of: fault) { throw problem }
            throw fault
        }
    }
}

extension Contract.Access {
    /// Whether access needs a permission that nobody has while the school is closed.
    fileprivate var needsOpenSchool: Bool {
        if case .member(let permission) = self { !permission.holdsWhileClosed } else { false }
    }
}

extension Pipeline.Outcome {
    fileprivate init(stored answer: IdempotentRequest.StoredAnswer) {
        self.init(
            status: answer.status, body: Data(answer.body.utf8), feedback: answer.feedback,
            destination: answer.destination, detour: nil, session: nil, display: nil, isReplay: true)
    }

    /// Returns the outcome with the results of the work after the transaction.
    fileprivate func completed(_ completion: Completion) -> Self {
        Self(
            status: status, body: completion.body, feedback: completion.feedback ?? feedback,
            destination: destination, detour: detour, session: session, display: display, isReplay: isReplay)
    }
}
