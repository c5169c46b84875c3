import Domain
package import Foundation

/// A query with its handler, its types erased.
public struct QueryRegistration: Sendable {
    public let contract: Contract
    public let input: [FieldReader.Specification]
    private let result: @Sendable () -> Schema
    package let answer: @Sendable (InputValue, RequestContext) async throws -> Data

    /// The shape of the answer, found when it is asked for: the OpenAPI document alone wants it, and finding
    /// all of them took a seventh of the server's start.
    public var output: Schema { result() }

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

/// A command with its handler, its types erased.
public struct CommandRegistration: Sendable {
    public let contract: Contract
    public let input: [FieldReader.Specification]
    private let result: @Sendable () -> Schema
    /// Whether there is slow work before the transaction, worth sparing a repeated request.
    package let prepares: Bool
    package let decode: @Sendable (InputValue, Bool) throws -> DecodedCommand

    /// The shape of the answer; see ``QueryRegistration/output``.
    public var output: Schema { result() }

    /// Whether there is nothing but a transaction to it, and little to read before: its request occupies nobody.
    public var isBrief: Bool { !prepares && contract.bodyLimit <= Contract.commonBodyLimit }

    /// A command whose whole work is one transaction.
    public static func handle<C: Command>(
        _ type: C.Type, _ run: @escaping @Sendable (C, inout CommandContext) throws -> C.Result
    ) -> CommandRegistration {
        make(
            type, prepares: false, prepare: { _, _ in }, run: { command, _, context in try run(command, &context) },
            finish: nil)
    }

    /// A command with slow work before its transaction (hashing a password, reading another database)
    /// and, where two databases are touched, work after it that may be repeated safely: it runs again
    /// when a client repeats the command because it got no answer.
    public static func handle<C: Command, Prepared: Sendable>(
        _ type: C.Type,
        prepare: @escaping @Sendable (C, RequestContext) async throws -> Prepared,
        run: @escaping @Sendable (C, Prepared, inout CommandContext) throws -> C.Result,
        finish: (@Sendable (C, C.Result, RequestContext) async throws -> Void)? = nil
    ) -> CommandRegistration {
        make(type, prepares: true, prepare: prepare, run: run, finish: finish)
    }

    /// The same where the work after the transaction decides what is answered. Such a command keeps no answer for a
    /// repeated request (`replay: .natural`).
    /// - Parameter complete: returns the result, and what a person sees of it where that differs from what `run` said.
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

package struct DecodedCommand: Sendable {
    package let prepare: @Sendable (RequestContext) async throws -> PreparedCommand
    package let finish: @Sendable (Data, RequestContext) async throws -> Void
}

package struct PreparedCommand: Sendable {
    package let run: @Sendable (inout CommandContext) throws -> Data
    /// Work after the transaction that decides the answer; `nil` where there is none.
    package let complete: @Sendable (Data) async throws -> Completion?
}

/// An answer that the work after the transaction has changed.
package struct Completion: Sendable {
    package let body: Data
    package let feedback: Feedback?
}
