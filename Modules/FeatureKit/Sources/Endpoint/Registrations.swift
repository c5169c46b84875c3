import Domain
package import Foundation

/// A query with its handler, without its own types, so that queries of all types fit into one list.
public struct QueryRegistration: Sendable {
    public let contract: Contract
    /// The descriptions of the fields that the query reads.
    public let input: [FieldReader.Specification]
    private let result: @Sendable () -> Schema
    package let answer: @Sendable (InputValue, RequestContext) async throws -> Data

    /// The schema of the query's answer, computed on access.
    ///
    /// Only the OpenAPI document needs it, and computing all of them took a seventh of the server's start.
    public var output: Schema { result() }

    /// Registers a query with the handler that answers it.
    public static func handle<Q: Query>(
        _ type: Q.Type, _ handler: @escaping @Sendable (Q, RequestContext) async throws -> Q.Result
    ) -> QueryRegistration {
        QueryRegistration(
            contract: Q.contract, input: FieldReader.describe(Q.init), result: { Schema.of(Q.Result.self) }
        ) { input, context in
            let query = try FieldReader.read(input, isForm: true, Q.init)
            let result = try await handler(query, context)
            if let file = result as? FileBody { return Data(file.bytes) }
            return try JSON.encode(result)
        }
    }
}

/// A command with its handler, without its own types, so that commands of all types fit into one list.
public struct CommandRegistration: Sendable {
    public let contract: Contract
    /// The descriptions of the fields that the command reads.
    public let input: [FieldReader.Specification]
    private let result: @Sendable () -> Schema
    /// Whether the command has slow work before its transaction, which a repeated request should not do again.
    package let prepares: Bool
    package let decode: @Sendable (InputValue, Bool) throws -> DecodedCommand

    /// The schema of the command's JSON answer, for the OpenAPI document; computed on access.
    public var output: Schema { result() }

    /// Whether the command is one transaction and its body is small, so that it needs no thread of its own.
    public var isBrief: Bool { !prepares && contract.bodyLimit <= Contract.commonBodyLimit }

    /// Registers a command with its handler, whose whole work is one transaction.
    public static func handle<C: Command>(
        _ type: C.Type, _ run: @escaping @Sendable (C, inout CommandContext) throws -> C.Result
    ) -> CommandRegistration {
        make(
            type, prepares: false, prepare: { _, _ in }, run: { command, _, context in try run(command, &context) },
            finish: nil)
    }

    /// Registers a command with slow work before its transaction, such as hashing a password or reading another
    /// database.
    /// - Parameters:
    ///   - prepare: the work before the transaction.
    ///   - run: the transaction.
    ///   - finish: work after the transaction, for commands that touch two databases. It runs again when a client
    ///     repeats a command that it got no answer for, so it must be safe to repeat.
    public static func handle<C: Command, Prepared: Sendable>(
        _ type: C.Type,
        prepare: @escaping @Sendable (C, RequestContext) async throws -> Prepared,
        run: @escaping @Sendable (C, Prepared, inout CommandContext) throws -> C.Result,
        finish: (@Sendable (C, C.Result, RequestContext) async throws -> Void)? = nil
    ) -> CommandRegistration {
        make(type, prepares: true, prepare: prepare, run: run, finish: finish)
    }

    /// Registers a command whose work after the transaction decides the answer. Its answer is not stored for repeated
    /// requests (`replay: .natural`).
    /// - Parameter complete: returns the result, and the feedback if it differs from that of `run`.
    public static func handle<C: Command, Prepared: Sendable>(
        _ type: C.Type,
        prepare: @escaping @Sendable (C, RequestContext) async throws -> Prepared,
        run: @escaping @Sendable (C, Prepared, inout CommandContext) throws -> C.Result,
        complete: @escaping @Sendable (C, Prepared, C.Result, RequestContext) async throws -> (C.Result, Feedback?)
    ) -> CommandRegistration {
        precondition(C.contract.replay == .natural, "a kept answer would differ from the first one")
        return make(
            type, prepares: true, prepare: prepare, run: run, finish: nil,
            complete: { command, prepared, body, context in
                let (result, feedback) = try await complete(
                    command, prepared, JSON.decode(C.Result.self, from: body), context)
                return Completion(body: try JSON.encode(result), feedback: feedback)
            })
    }

    private static func make<C: Command, Prepared: Sendable>(
        _ type: C.Type, prepares: Bool,
        prepare: @escaping @Sendable (C, RequestContext) async throws -> Prepared,
        run: @escaping @Sendable (C, Prepared, inout CommandContext) throws -> C.Result,
        finish: (@Sendable (C, C.Result, RequestContext) async throws -> Void)?,
        complete: (@Sendable (C, Prepared, Data, RequestContext) async throws -> Completion)? = nil
    ) -> CommandRegistration {
        CommandRegistration(
            contract: C.contract, input: FieldReader.describe(C.init), result: { Schema.of(C.Result.self) },
            prepares: prepares
        ) { input, isForm in
            let command = try FieldReader.read(input, isForm: isForm, C.init)
            return DecodedCommand(
                prepare: { context in
                    let prepared = try await prepare(command, context)
                    return PreparedCommand(
                        run: { try JSON.encode(run(command, prepared, &$0)) },
                        complete: { body in try await complete?(command, prepared, body, context) })
                },
                finish: { body, context in
                    guard let finish else { return }
                    try await finish(command, JSON.decode(C.Result.self, from: body), context)
                })
        }
    }
}

/// A command whose input has been read from the request and checked.
package struct DecodedCommand: Sendable {
    package let prepare: @Sendable (RequestContext) async throws -> PreparedCommand
    package let finish: @Sendable (Data, RequestContext) async throws -> Void
}

/// A command whose slow work before the transaction is done, so that only its transaction is left to run.
package struct PreparedCommand: Sendable {
    package let run: @Sendable (inout CommandContext) throws -> Data
    /// The work after the command's transaction that decides the answer; `nil` if there is none.
    package let complete: @Sendable (Data) async throws -> Completion?
}

/// The answer of a command and its feedback, after the work that follows its transaction.
package struct Completion: Sendable {
    package let body: Data
    package let feedback: Feedback?
}
