import Domain
import Foundation

/// A value that is about to be written as JSON.
enum JSONTree {
    case null
    case flag(Bool)
    /// A number in the spelling of RFC 8259 section 6.
    case number(String)
    case text(String)
    case list(JSONList)
    case object(JSONObject)
    /// A value that is filled in later (`superEncoder`).
    case later(JSONSlot)

    static func of(_ value: some Encodable) throws -> JSONTree {
        if let known = try known(value) { return known }
        let slot = JSONSlot()
        try value.encode(to: TreeEncoder(slot: slot))
        return slot.tree
    }

    /// Returns types that this encoder writes in its own format, whatever their `Codable` conformance does.
    private static func known<Value: Encodable>(_ value: Value) throws -> JSONTree? {
        // Comparing types is cheap; a cast costs about as much as everything else here.
        if Value.self == UUID.self, let id = value as? UUID { return .text(id.text) }
        if Value.self == Date.self, let instant = value as? Date { return .text(spelled(instant)) }
        if Value.self == Data.self, let data = value as? Data { return .text(data.base64EncodedString()) }
        if Value.self == URL.self, let url = value as? URL { return .text(url.absoluteString) }
        if Value.self == Decimal.self, let decimal = value as? Decimal { return .number(decimal.description) }
        return nil
    }

    /// Returns an instant in whole seconds, in UTC: `2026-11-21T09:30:00Z`.
    private static func spelled(_ instant: Date) -> String {
        let day = Day(instant, in: .gmt)
        let seconds = Int(instant.timeIntervalSince1970.rounded(.down)) - day.number * 86_400
        let time = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return "\(day)T\(time[0]):\(time[1]):\(time[2])Z"
    }

    static func number(_ number: some BinaryFloatingPoint & CustomStringConvertible) throws -> JSONTree {
        guard number.isFinite else {
            throw EncodingError.invalidValue(
                number, EncodingError.Context(codingPath: [], debugDescription: "JSON has no such number"))
        }
        let digits = number.description
        return .number(digits.hasSuffix(".0") ? String(digits.dropLast(2)) : digits)
    }
}

final class JSONList {
    var items: [JSONTree] = []
}

final class JSONObject {
    var members: [String: JSONTree] = [:]
}

/// The place where an encoder stores its value. A type that encodes nothing is an empty object.
final class JSONSlot {
    var tree = JSONTree.object(JSONObject())
}

/// The `Encoder` of this codec. It tracks no coding path: a value that cannot be written is a programming error.
private struct TreeEncoder: Encoder {
    let slot: JSONSlot
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(Members(object: object))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { Items(list: list) }

    func singleValueContainer() -> any SingleValueEncodingContainer { Single(slot: slot) }

    /// Returns the same object each time, because a value may request its container more than once.
    private var object: JSONObject {
        if case .object(let object) = slot.tree { return object }
        let object = JSONObject()
        slot.tree = .object(object)
        return object
    }

    private var list: JSONList {
        if case .list(let list) = slot.tree { return list }
        let list = JSONList()
        slot.tree = .list(list)
        return list
    }

    private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let object: JSONObject
        var codingPath: [any CodingKey] { [] }

        func encodeNil(forKey key: Key) { object.members[key.stringValue] = .null }
        func encode(_ value: Bool, forKey key: Key) { object.members[key.stringValue] = .flag(value) }
        func encode(_ value: String, forKey key: Key) { object.members[key.stringValue] = .text(value) }
        func encode(_ value: Int, forKey key: Key) { object.members[key.stringValue] = .number(String(value)) }
        func encode(_ value: some Encodable, forKey key: Key) throws {
            object.members[key.stringValue] = try JSONTree.of(value)
        }

        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) -> KeyedEncodingContainer<Nested> {
            let inner = JSONObject()
            object.members[key.stringValue] = .object(inner)
            return KeyedEncodingContainer(Members<Nested>(object: inner))
        }
        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
            let inner = JSONList()
            object.members[key.stringValue] = .list(inner)
            return Items(list: inner)
        }
        func superEncoder() -> any Encoder { later("super") }
        func superEncoder(forKey key: Key) -> any Encoder { later(key.stringValue) }

        private func later(_ name: String) -> any Encoder {
            let slot = JSONSlot()
            object.members[name] = .later(slot)
            return TreeEncoder(slot: slot)
        }
    }

    private struct Items: UnkeyedEncodingContainer {
        let list: JSONList
        var codingPath: [any CodingKey] { [] }
        var count: Int { list.items.count }

        func encodeNil() { list.items.append(.null) }
        func encode(_ value: String) { list.items.append(.text(value)) }
        func encode(_ value: some Encodable) throws { list.items.append(try JSONTree.of(value)) }

        func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
            let inner = JSONObject()
            list.items.append(.object(inner))
            return KeyedEncodingContainer(Members<Nested>(object: inner))
        }
        func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
            let inner = JSONList()
            list.items.append(.list(inner))
            return Items(list: inner)
        }
        func superEncoder() -> any Encoder {
            let slot = JSONSlot()
            list.items.append(.later(slot))
            return TreeEncoder(slot: slot)
        }
    }

    private struct Single: SingleValueEncodingContainer {
        let slot: JSONSlot
        var codingPath: [any CodingKey] { [] }

        func encodeNil() { slot.tree = .null }
        func encode(_ value: Bool) { slot.tree = .flag(value) }
        func encode(_ value: String) { slot.tree = .text(value) }
        func encode(_ value: Double) throws { slot.tree = try .number(value) }
        func encode(_ value: Float) throws { slot.tree = try .number(value) }
        func encode(_ value: Int) { slot.tree = .number(String(value)) }
        func encode(_ value: Int8) { slot.tree = .number(String(value)) }
        func encode(_ value: Int16) { slot.tree = .number(String(value)) }
        func encode(_ value: Int32) { slot.tree = .number(String(value)) }
        func encode(_ value: Int64) { slot.tree = .number(String(value)) }
        func encode(_ value: UInt) { slot.tree = .number(String(value)) }
        func encode(_ value: UInt8) { slot.tree = .number(String(value)) }
        func encode(_ value: UInt16) { slot.tree = .number(String(value)) }
        func encode(_ value: UInt32) { slot.tree = .number(String(value)) }
        func encode(_ value: UInt64) { slot.tree = .number(String(value)) }
        func encode(_ value: some Encodable) throws { slot.tree = try JSONTree.of(value) }
    }
}
