/// A value of the CBOR subset (RFC 8949) that passkeys use: definite lengths, no tags, no floating point.
indirect enum CBOR: Hashable {
    case unsigned(UInt64)
    /// The number `-1 - n`, stored as `n`.
    case negative(UInt64)
    case bytes([UInt8])
    case text(String)
    case list([CBOR])
    case map([CBOR: CBOR])
    case bool(Bool)
    case null

    /// Thrown for bytes that are not exactly one value of the subset.
    struct Malformed: Error, Equatable {}

    /// The deepest nesting of values; passkeys need three levels.
    static let depthLimit = 8

    /// Decodes exactly one value; trailing bytes throw `Malformed`.
    init(_ bytes: [UInt8]) throws {
        var reader = Reader(bytes: bytes[...])
        self = try reader.value(depth: 0)
        guard reader.bytes.isEmpty else { throw Malformed() }
    }

    /// Decodes the value at the start of `bytes` and removes it from them.
    init(prefixOf bytes: inout ArraySlice<UInt8>) throws {
        var reader = Reader(bytes: bytes)
        self = try reader.value(depth: 0)
        bytes = reader.bytes
    }

    subscript(key: CBOR) -> CBOR? {
        if case .map(let map) = self { map[key] } else { nil }
    }

    var bytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }
    var text: String? { if case .text(let text) = self { text } else { nil } }

    /// An integer, as COSE uses for keys and identifiers.
    static func number(_ value: Int64) -> CBOR {
        value < 0 ? .negative(UInt64(bitPattern: -1 - value)) : .unsigned(UInt64(value))
    }

    private struct Reader {
        var bytes: ArraySlice<UInt8>

        mutating func value(depth: Int) throws -> CBOR {
            guard depth < CBOR.depthLimit else { throw Malformed() }
            let head = try byte()
            switch (head >> 5, head & 31) {
            case (0, let info): return .unsigned(try argument(info))
            case (1, let info): return .negative(try argument(info))
            case (2, let info): return .bytes(Array(try take(try argument(info))))
            case (3, let info):
                guard let text = String(validating: try take(try argument(info)), as: UTF8.self) else {
                    throw Malformed()
                }
                return .text(text)
            case (4, let info): return .list(try items(argument(info), depth).map { $0 })
            case (5, let info): return .map(try map(argument(info), depth))
            case (7, 20): return .bool(false)
            case (7, 21): return .bool(true)
            case (7, 22): return .null
            default: throw Malformed()
            }
        }

        private mutating func items(_ count: UInt64, _ depth: Int) throws -> [CBOR] {
            // Every value takes at least one byte, so the count cannot reserve more memory than was sent.
            guard count <= bytes.count else { throw Malformed() }
            return try (0..<count).map { _ in try value(depth: depth + 1) }
        }

        private mutating func map(_ count: UInt64, _ depth: Int) throws -> [CBOR: CBOR] {
            guard count <= bytes.count / 2 else { throw Malformed() }
            var map: [CBOR: CBOR] = [:]
            for _ in 0..<count {
                let key = try value(depth: depth + 1)
                // Duplicate keys are ambiguous (RFC 8949 section 5.6).
                guard map.updateValue(try value(depth: depth + 1), forKey: key) == nil else { throw Malformed() }
            }
            return map
        }

        /// The argument of a head: in the head itself, or in the 1, 2, 4 or 8 bytes that follow.
        private mutating func argument(_ info: UInt8) throws -> UInt64 {
            switch info {
            case 0..<24: UInt64(info)
            case 24...27: try take(1 << UInt64(info - 24)).reduce(0) { $0 << 8 | UInt64($1) }
            default: throw Malformed()
            }
        }

        private mutating func byte() throws -> UInt8 {
            guard let byte = bytes.popFirst() else { throw Malformed() }
            return byte
        }

        private mutating func take(_ count: UInt64) throws -> ArraySlice<UInt8> {
            guard count <= bytes.count else { throw Malformed() }
            defer { bytes = bytes.dropFirst(Int(count)) }
            return bytes.prefix(Int(count))
        }
    }
}
