public import Foundation

/// Reads and writes JSON as the API spells it: ISO 8601 instants, lower-case ids, sorted names (docs/decisions/0025).
public enum JSON {
    /// Encodes a value as JSON.
    public static func encode(_ value: some Encodable) throws -> Data {
        var writer = JSONWriter()
        writer.write(try JSONTree.of(value))
        return Data(writer.bytes)
    }

    /// Decodes a value of a type from JSON.
    public static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try decoder.decode(type, from: data)
    }
}

/// The reason why a text is not JSON; positions are byte offsets.
enum JSONFault: Error, Equatable {
    case unexpected(at: Int)
    case sameName(String)
    case tooDeep
    case noNumber(at: Int)
}

/// A strict reader of JSON texts (RFC 8259): one value, no repeated names, no trailing commas.
struct JSONReader {
    /// The largest nesting depth: deeper than any request of ours, and shallow enough for the small stacks of Swift's
    /// threads.
    static let deepest = 512

    private let bytes: UnsafeBufferPointer<UInt8>
    private var place = 0
    private var depth = 0

    static func read(_ data: Data) throws -> InputValue {
        try data.withUnsafeBytes { raw in
            var reader = JSONReader(bytes: raw.bindMemory(to: UInt8.self))
            let value = try reader.value()
            reader.skipBlanks()
            guard reader.place == reader.bytes.count else { throw reader.unexpected }
            return value
        }
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    private var unexpected: JSONFault { .unexpected(at: place) }

    /// The current byte; 0 at the end, which occurs nowhere in JSON.
    private var here: UInt8 { place < bytes.count ? bytes[place] : 0 }

    private mutating func skipBlanks() {
        while place < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[place]) { place += 1 }
    }

    private mutating func take(_ byte: UInt8) throws {
        guard here == byte else { throw unexpected }
        place += 1
    }

    private mutating func take(word: String) throws {
        for byte in word.utf8 { try take(byte) }
    }

    private mutating func value() throws -> InputValue {
        skipBlanks()
        switch here {
        case UInt8(ascii: "\""): return .text(try text())
        case UInt8(ascii: "{"): return try nested { try $0.object() }
        case UInt8(ascii: "["): return try nested { try $0.list() }
        case UInt8(ascii: "t"):
            try take(word: "true")
            return .bool(true)
        case UInt8(ascii: "f"):
            try take(word: "false")
            return .bool(false)
        case UInt8(ascii: "n"):
            try take(word: "null")
            return .null
        default: return .number(try number())
        }
    }

    private mutating func nested(_ read: (inout JSONReader) throws -> InputValue) throws -> InputValue {
        guard depth < Self.deepest else { throw JSONFault.tooDeep }
        depth += 1
        place += 1
        defer { depth -= 1 }
        return try read(&self)
    }

    private mutating func object() throws -> InputValue {
        var members: [String: InputValue] = [:]
        skipBlanks()
        if here == UInt8(ascii: "}") {
            place += 1
            return .object(members)
        }
        while true {
            skipBlanks()
            let name = try text()
            skipBlanks()
            try take(UInt8(ascii: ":"))
            guard members.updateValue(try value(), forKey: name) == nil else { throw JSONFault.sameName(name) }
            guard try goesOn(until: UInt8(ascii: "}")) else { return .object(members) }
        }
    }

    private mutating func list() throws -> InputValue {
        var items: [InputValue] = []
        skipBlanks()
        if here == UInt8(ascii: "]") {
            place += 1
            return .list(items)
        }
        while true {
            items.append(try value())
            guard try goesOn(until: UInt8(ascii: "]")) else { return .list(items) }
        }
    }

    /// Consumes the comma before another element and returns `true`, or the closing bracket and returns `false`.
    private mutating func goesOn(until end: UInt8) throws -> Bool {
        skipBlanks()
        if here == end {
            place += 1
            return false
        }
        try take(UInt8(ascii: ","))
        return true
    }

    // MARK: - Texts

    private mutating func text() throws -> String {
        try take(UInt8(ascii: "\""))
        let start = place
        while place < bytes.count, bytes[place] >= 0x20, bytes[place] != UInt8(ascii: "\\") {
            if bytes[place] == UInt8(ascii: "\"") {
                defer { place += 1 }
                return try utf8(bytes[start..<place])
            }
            place += 1
        }
        var decoded = Array(bytes[start..<place])
        while true {
            switch here {
            case UInt8(ascii: "\""):
                place += 1
                return try decoded.withUnsafeBufferPointer { try utf8($0[...]) }
            case UInt8(ascii: "\\"):
                place += 1
                try escape(into: &decoded)
            case 0x20...:
                decoded.append(here)
                place += 1
            // A control character, or the end of the text.
            default: throw unexpected
            }
        }
    }

    private func utf8(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) throws -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw unexpected }
        return text
    }

    private mutating func escape(into decoded: inout [UInt8]) throws {
        let byte = here
        place += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): decoded.append(byte)
        case UInt8(ascii: "b"): decoded.append(0x08)
        case UInt8(ascii: "f"): decoded.append(0x0C)
        case UInt8(ascii: "n"): decoded.append(0x0A)
        case UInt8(ascii: "r"): decoded.append(0x0D)
        case UInt8(ascii: "t"): decoded.append(0x09)
        case UInt8(ascii: "u"):
            var code = try hexadecimal()
            if (0xD800..<0xDC00).contains(code) {
                try take(UInt8(ascii: "\\"))
                try take(UInt8(ascii: "u"))
                let low = try hexadecimal()
                guard (0xDC00..<0xE000).contains(low) else { throw unexpected }
                code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
            }
            // The second half of a surrogate pair without its first is no character.
            guard let scalar = Unicode.Scalar(code) else { throw unexpected }
            decoded.append(contentsOf: String(scalar).utf8)
        default:
            place -= 1
            throw unexpected
        }
    }

    private mutating func hexadecimal() throws -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            let digit: UInt8
            switch here {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = here - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = here - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = here - UInt8(ascii: "A") + 10
            default: throw unexpected
            }
            code = code << 4 | UInt32(digit)
            place += 1
        }
        return code
    }

    // MARK: - Numbers

    /// Consumes digits and returns their number.
    private mutating func digits() -> Int {
        let start = place
        while (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(here) { place += 1 }
        return place - start
    }

    private mutating func number() throws -> Double {
        let start = place
        if here == UInt8(ascii: "-") { place += 1 }
        let isZero = here == UInt8(ascii: "0")
        let count = digits()
        guard count > 0, !isZero || count == 1 else { throw unexpected }
        if here == UInt8(ascii: ".") {
            place += 1
            guard digits() > 0 else { throw unexpected }
        }
        if here | 0x20 == UInt8(ascii: "e") {
            place += 1
            if here == UInt8(ascii: "+") || here == UInt8(ascii: "-") { place += 1 }
            guard digits() > 0 else { throw unexpected }
        }
        // A number that is too large is refused instead of becoming infinite.
        guard let number = Double(String(decoding: bytes[start..<place], as: UTF8.self)), number.isFinite else {
            throw JSONFault.noNumber(at: start)
        }
        return number
    }
}

/// A writer of JSON texts without white space, with the names of objects sorted.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []

    init() { bytes.reserveCapacity(256) }

    mutating func write(_ node: JSONTree) {
        switch node {
        case .null: raw("null")
        case .flag(let flag): raw(flag ? "true" : "false")
        case .number(let digits): bytes.append(contentsOf: digits.utf8)
        case .text(let text): write(text)
        case .list(let list):
            bytes.append(UInt8(ascii: "["))
            for (index, item) in list.items.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                write(item)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let object):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in object.members.sorted(by: { $0.key < $1.key }).enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                write(member.key)
                bytes.append(UInt8(ascii: ":"))
                write(member.value)
            }
            bytes.append(UInt8(ascii: "}"))
        case .later(let slot): write(slot.tree)
        }
    }

    private mutating func raw(_ word: StaticString) { word.withUTF8Buffer { bytes.append(contentsOf: $0) } }

    private mutating func write(_ text: String) {
        var text = text
        bytes.append(UInt8(ascii: "\""))
        text.withUTF8 { text in
            var written = 0
            for (index, byte) in text.enumerated()
            where byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                bytes.append(contentsOf: text[written..<index])
                escape(byte)
                written = index + 1
            }
            bytes.append(contentsOf: text[written...])
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): raw("\\\"")
        case UInt8(ascii: "\\"): raw("\\\\")
        case 0x08: raw("\\b")
        case 0x0C: raw("\\f")
        case 0x0A: raw("\\n")
        case 0x0D: raw("\\r")
        case 0x09: raw("\\t")
        default:
            raw("\\u00")
            let digits = Array("0123456789abcdef".utf8)
            bytes.append(digits[Int(byte >> 4)])
            bytes.append(digits[Int(byte & 15)])
        }
    }
}
