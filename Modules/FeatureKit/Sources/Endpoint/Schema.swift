import Domain
import Foundation

/// The schema of a JSON value, for the OpenAPI document.
public indirect enum Schema: Sendable, Hashable {
    case text(format: String?)
    case choice([String])
    case integer
    case number
    case flag
    case list(Schema)
    case map(Schema)
    case object([Member])
    case anything

    /// A member of a JSON object, as its schema describes it.
    public struct Member: Sendable, Hashable {
        public let name: String
        public let schema: Schema
        public let isRequired: Bool
    }

    /// Returns the schema of a type. It is found by decoding the type from a recorder, so that the document always
    /// agrees with the code.
    public static func of<Value: Decodable>(_ type: Value.Type) -> Schema {
        let box = SchemaBox()
        do {
            _ = try RecordingDecoder(box: box, codingPath: []).value(of: Value.self)
        } catch {
            return .anything
        }
        return box.schema
    }
}

private final class SchemaBox {
    var schema: Schema = .anything
    var members: [Schema.Member] = []
}

private protocol EmptyMaking { init() }
extension Dictionary: EmptyMaking {}

private struct RecordingDecoder: Decoder {
    let box: SchemaBox
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Returns a neutral value of the type, and stores its schema in `box`.
    func value<Value: Decodable>(of type: Value.Type) throws -> Value {
        func known(_ schema: Schema, _ value: Any) throws -> Value {
            box.schema = schema
            guard let value = value as? Value else { throw RecordingFailure() }
            return value
        }
        switch type {
        case is String.Type: return try known(.text(format: nil), "")
        case is Bool.Type: return try known(.flag, false)
        case is Int.Type: return try known(.integer, 0)
        case is Int64.Type: return try known(.integer, Int64(0))
        case is Double.Type: return try known(.number, 0.0)
        case is Decimal.Type: return try known(.number, Decimal(0))
        case is BlobHash.Type: return try known(.text(format: nil), BlobHash(of: []))
        case is UUID.Type: return try known(.text(format: "uuid"), UUID())
        case is Date.Type: return try known(.text(format: "date-time"), Date(timeIntervalSince1970: 0))
        case is Day.Type: return try known(.text(format: "date"), Day(Date(timeIntervalSince1970: 0), in: .gmt))
        default: break
        }
        if let choices = type as? any CaseIterable.Type, let (names, first) = RecordingDecoder.cases(of: choices) {
            return try known(.choice(names), first)
        }
        if let empty = type as? any EmptyMaking.Type {
            return try known(.map(.text(format: nil)), empty.init())
        }
        let value = try Value(from: self)
        if !box.members.isEmpty { box.schema = .object(box.members) }
        return value
    }

    private static func cases(of type: any CaseIterable.Type) -> ([String], Any)? {
        func open<Choice: CaseIterable>(_ type: Choice.Type) -> ([String], Any)? {
            let names = type.allCases.compactMap { ($0 as? any RawRepresentable)?.rawValue as? String }
            guard let first = type.allCases.first, names.count == type.allCases.count else { return nil }
            return (names, first)
        }
        return open(type)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Keyed<Key>(decoder: self))
    }
    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { Unkeyed(decoder: self) }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { Single(decoder: self) }

    struct RecordingFailure: Error {}

    private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let decoder: RecordingDecoder
        var codingPath: [any CodingKey] { decoder.codingPath }
        var allKeys: [Key] { [] }
        func contains(_ key: Key) -> Bool { true }
        func decodeNil(forKey key: Key) throws -> Bool { false }

        func record<Value: Decodable>(_ type: Value.Type, _ key: Key, isRequired: Bool) throws -> Value {
            let inner = SchemaBox()
            let value = try RecordingDecoder(box: inner, codingPath: codingPath + [key]).value(of: type)
            decoder.box.members.append(
                Schema.Member(name: key.stringValue, schema: inner.schema, isRequired: isRequired))
            return value
        }
        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            try record(type, key, isRequired: true)
        }
        func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
            try record(type, key, isRequired: false)
        }
        func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
            try record(type, key, isRequired: false)
        }
        func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
            try record(type, key, isRequired: false)
        }
        func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
            try record(type, key, isRequired: false)
        }
        func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
            try record(type, key, isRequired: false)
        }
        func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
            try record(type, key, isRequired: false)
        }
        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) throws -> KeyedDecodingContainer<Nested> { throw RecordingFailure() }
        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            throw RecordingFailure()
        }
        func superDecoder() throws -> any Decoder { throw RecordingFailure() }
        func superDecoder(forKey key: Key) throws -> any Decoder { throw RecordingFailure() }
    }

    /// A list that claims to hold one element, which reveals the schema of its elements.
    private struct Unkeyed: UnkeyedDecodingContainer {
        let decoder: RecordingDecoder
        var codingPath: [any CodingKey] { decoder.codingPath }
        var count: Int? { 1 }
        var isAtEnd: Bool { currentIndex >= 1 }
        var currentIndex = 0

        init(decoder: RecordingDecoder) { self.decoder = decoder }

        mutating func decodeNil() throws -> Bool { false }
        mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            currentIndex += 1
            let inner = SchemaBox()
            let value = try RecordingDecoder(box: inner, codingPath: codingPath).value(of: type)
            decoder.box.schema = .list(inner.schema)
            return value
        }
        mutating func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type
        ) throws -> KeyedDecodingContainer<Nested> { throw RecordingFailure() }
        mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { throw RecordingFailure() }
        mutating func superDecoder() throws -> any Decoder { throw RecordingFailure() }
    }

    private struct Single: SingleValueDecodingContainer {
        let decoder: RecordingDecoder
        var codingPath: [any CodingKey] { decoder.codingPath }
        func decodeNil() -> Bool { false }
        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.value(of: type) }
    }
}
