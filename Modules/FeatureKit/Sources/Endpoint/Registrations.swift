import Domain
public import Foundation

/// A query with its handler, its types erased.
public struct QueryRegistration: Sendable {
    public let contract: Contract
    public let input: [FieldReader.Specification]
    public let output: Schema
    let answer: @Sendable (InputValue, RequestContext) async throws -> Data

    public static func handle<Q: Query>(
        _ type: Q.Type, _ handler: @escaping @Sendable (Q, RequestContext) async throws -> Q.Result
    ) -> QueryRegistration {
        QueryRegistration(
            contract: Q.contract, input: FieldReader.describe(Q.init), output: Schema.of(Q.Result.self)
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
    public let output: Schema
    /// Whether there is slow work before the transaction, worth sparing a repeated request.
    let prepares: Bool
    let decode: @Sendable (InputValue, Bool) throws -> DecodedCommand

    /// A command whose whole work is one transaction.
    public static func handle<C: Command>(
        _ type: C.Type, _ run: @escaping @Sendable (C, inout CommandContext) throws -> C.Result
    ) -> CommandRegistration {
        make(
            type, prepares: false, prepare: { _, _ in }, run: { command, _, context in try run(command, &context) },
            finish: { _, _, _ in })
    }

    /// A command with slow work before its transaction (hashing a password, reading another database)
    /// and, where two databases are touched, work after it that may be repeated safely: it runs again
    /// when a client repeats the command because it got no answer.
    public static func handle<C: Command, Prepared: Sendable>(
        _ type: C.Type,
        prepare: @escaping @Sendable (C, RequestContext) async throws -> Prepared,
        run: @escaping @Sendable (C, Prepared, inout CommandContext) throws -> C.Result,
        finish: @escaping @Sendable (C, C.Result, RequestContext) async throws -> Void = { _, _, _ in }
    ) -> CommandRegistration {
        make(type, prepares: true, prepare: prepare, run: run, finish: finish)
    }

    private static func make<C: Command, Prepared: Sendable>(
        _ type: C.Type, prepares: Bool,
        prepare: @escaping @Sendable (C, RequestContext) async throws -> Prepared,
        run: @escaping @Sendable (C, Prepared, inout CommandContext) throws -> C.Result,
        finish: @escaping @Sendable (C, C.Result, RequestContext) async throws -> Void
    ) -> CommandRegistration {
        CommandRegistration(
            contract: C.contract, input: FieldReader.describe(C.init), output: Schema.of(C.Result.self),
            prepares: prepares
        ) { input, isForm in
            let command = try FieldReader.read(input, isForm: isForm, C.init)
            return DecodedCommand(
                prepare: { context in
                    let prepared = try await prepare(command, context)
                    return PreparedCommand { try JSON.encode(run(command, prepared, &$0)) }
                },
                finish: { body, context in
                    guard prepares else { return }
                    try await finish(command, JSON.decode(C.Result.self, from: body), context)
                })
        }
    }
}

struct DecodedCommand: Sendable {
    let prepare: @Sendable (RequestContext) async throws -> PreparedCommand
    let finish: @Sendable (Data, RequestContext) async throws -> Void
}

struct PreparedCommand: Sendable {
    let run: @Sendable (inout CommandContext) throws -> Data
}

/// The one JSON spelling of the API: ISO 8601 instants, lower-case ids, sorted keys.
public enum JSON {
    public static func encode(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return loweringIds(in: try encoder.encode(value))
    }

    /// Foundation writes a UUID in capitals and lets no strategy say otherwise; URLs, events and the
    /// database have it in small letters (RFC 9562 section 4), and so must whoever compares them.
    ///
    /// A string counts as an id where it is nothing but a version 7 UUID in capitals.
    private static func loweringIds(in json: Data) -> Data {
        let (quote, dash) = (UInt8(ascii: "\""), UInt8(ascii: "-"))
        let capitals = UInt8(ascii: "A")...UInt8(ascii: "F")
        var json = json
        json.withUnsafeMutableBytes { bytes in
            var start = 0
            while start + 37 < bytes.count {
                guard bytes[start] == quote, bytes[start + 37] == quote, bytes[start + 15] == UInt8(ascii: "7")
                else {
                    start += 1
                    continue
                }
                let id = UnsafeMutableRawBufferPointer(rebasing: bytes[(start + 1)..<(start + 37)])
                let isId = id.indices.allSatisfy { place in
                    [8, 13, 18, 23].contains(place)
                        ? id[place] == dash : (0x30...0x39).contains(id[place]) || capitals.contains(id[place])
                }
                if isId { for place in id.indices where capitals.contains(id[place]) { id[place] |= 0x20 } }
                start += isId ? 38 : 1
            }
        }
        return json
    }

    public static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try decoder.decode(type, from: data)
    }
}
