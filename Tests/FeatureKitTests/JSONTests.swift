import Domain
import Foundation
import TestKit
import Testing

@testable import FeatureKit

/// A value with a property of every type that answers have.
private struct Told: Codable, Equatable {
    enum Kind: String, Codable { case cube, rod }
    struct Part: Codable, Equatable {
        let name: String
        let sizes: [Int]
    }
    let id: UUID
    let at: Date
    let day: Day
    let kind: Kind
    let text: String
    let nothing: String?
    let isSolid: Bool
    let number: Double
    let count: Int64
    let byte: UInt8
    let parts: [Part]
    let byName: [String: Part]
    let bytes: Data
    let place: URL
}

@Suite("JSON")
struct JSONTests {
    private static let told = Told(
        id: UUID(uuidString: "0190A1B2-0000-4000-8000-00000000ABCD") ?? UUID(),
        at: Date(timeIntervalSince1970: 1_795_000_000), day: Day(Date(timeIntervalSince1970: 0), in: .gmt),
        kind: .rod,
        text: "é \"/\\\u{1}\n 🌱\u{2028}", nothing: nil, isSolid: true, number: 2.5, count: -9_007_199_254_740_993,
        byte: 255, parts: [.init(name: "b", sizes: [3, 1]), .init(name: "", sizes: [])],
        byName: ["z": .init(name: "1", sizes: []), "a": .init(name: "2", sizes: [])], bytes: Data([0, 255]),
        place: URL(filePath: "/a b"))

    private func text(_ value: some Encodable) throws -> String {
        String(decoding: try JSON.encode(value), as: UTF8.self)
    }

    @Test("an answer has sorted names and lower-case ids, and leaves out absent values")
    func spelling() throws {
        let text = try text(Self.told)
        #expect(
            text == """
                {"at":"2026-11-18T11:06:40Z","byName":{"a":{"name":"2","sizes":[]},"z":{"name":"1","sizes":[]}},\
                "byte":255,"bytes":"AP8=","count":-9007199254740993,"day":"1970-01-01",\
                "id":"0190a1b2-0000-4000-8000-00000000abcd","isSolid":true,"kind":"rod","number":2.5,\
                "parts":[{"name":"b","sizes":[3,1]},{"name":"","sizes":[]}],"place":"file:///a%20b",\
                "text":"é \\"/\\\\\\u0001\\n 🌱\u{2028}"}
                """)
        #expect(try JSON.decode(Told.self, from: JSON.encode(Self.told)) == Self.told)
    }

    @Test("a text that looks like an id is not changed")
    func lookalike() throws {
        #expect(try text(["0190A1B2-0000-7000-8000-00000000ABCD"]) == #"["0190A1B2-0000-7000-8000-00000000ABCD"]"#)
    }

    @Test("numbers are written exactly and without a needless fraction, and infinite ones are refused")
    func numbers() throws {
        #expect(try text([1.0, -0.5, 1e21, 0.1]) == "[1,-0.5,1e+21,0.1]")
        #expect(try text([Decimal(string: "89.50") ?? 0]) == "[89.5]")
        #expect(try text([UInt64.max]) == "[18446744073709551615]")
        #expect(throws: EncodingError.self) { try text([Double.nan]) }
        #expect(throws: EncodingError.self) { try text(["a": -Double.infinity]) }
    }

    @Test("instants are written in whole seconds of UTC, as Foundation writes them")
    func instants() throws {
        var chance = SeededGenerator(seed: 11)
        for _ in 0..<2_000 {
            // Between 1583 and 9999.
            let instant = Date(
                timeIntervalSince1970: Double.random(in: -12_200_000_000...253_400_000_000, using: &chance))
            #expect(try text([instant]) == "[\"\(Date.ISO8601FormatStyle.iso8601.format(instant))\"]")
        }
        #expect(try text([Date(timeIntervalSince1970: -0.5)]) == #"["1969-12-31T23:59:59Z"]"#)
    }

    @Test("nested containers, super encoders and empty types are written in their places")
    func containers() throws {
        struct Odd: Encodable {
            enum Name: String, CodingKey { case list, inner, parent, gone }
            func encode(to encoder: any Encoder) throws {
                var own = encoder.container(keyedBy: Name.self)
                var list = own.nestedUnkeyedContainer(forKey: .list)
                try list.encode("a")
                try list.encodeNil()
                var within = list.nestedContainer(keyedBy: Name.self)
                try within.encode(true, forKey: .inner)
                var again = encoder.container(keyedBy: Name.self)
                try again.encodeNil(forKey: .gone)
                try ["b"].encode(to: own.superEncoder(forKey: .parent))
            }
        }
        struct Silent: Encodable { func encode(to encoder: any Encoder) {} }
        #expect(try text(Odd()) == #"{"gone":null,"list":["a",null,{"inner":true}],"parent":["b"]}"#)
        #expect(try text([Silent()]) == "[{}]")
        #expect(try text(String?.none) == "null")
    }

    @Test("a thousand random values survive writing and reading, by our reader and by Foundation's")
    func roundTrips() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<1000 {
            let value = InputValue.madeUp(depth: 4, using: &random)
            let json = try JSON.encode(Spelled(value: value))
            #expect(try InputValue(json: json) == value)
            let theirs = try JSONSerialization.jsonObject(with: json, options: .fragmentsAllowed)
            let again = try JSONSerialization.data(withJSONObject: theirs, options: .fragmentsAllowed)
            #expect(try InputValue(json: again) == value)
        }
    }

    @Test("of five thousand broken texts, none is accepted that Foundation refuses")
    func broken() throws {
        var random = SystemRandomNumberGenerator()
        var read = 0
        for _ in 0..<5000 {
            var bytes = [UInt8](try JSON.encode(Spelled(value: .madeUp(depth: 3, using: &random))))
            for _ in 0...Int.random(in: 0..<2, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                let byte = Array("{}[]\",:\\0-e.u \u{7F}".utf8).randomElement(using: &random) ?? 0
                if Bool.random(using: &random) { bytes[place] = byte } else { bytes.insert(byte, at: place) }
            }
            // A refusal proves nothing here: the test is about texts that are accepted.
            guard (try? InputValue(json: Data(bytes))) != nil else { continue }
            read += 1
            #expect(throws: Never.self) {
                try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
            }
        }
        // Some changes leave the text valid, so that accepted texts were compared too.
        #expect(read > 0)
    }
}

/// Writes an `InputValue` as an answer.
private struct Spelled: Encodable {
    let value: InputValue

    func encode(to encoder: any Encoder) throws {
        var single = encoder.singleValueContainer()
        switch value {
        case .null, .file: try single.encodeNil()
        case .bool(let flag): try single.encode(flag)
        case .number(let number): try single.encode(number)
        case .text(let text): try single.encode(text)
        case .list(let items): try single.encode(items.map(Spelled.init))
        case .object(let members): try single.encode(members.mapValues(Spelled.init))
        }
    }
}

extension InputValue {
    fileprivate static func madeUp(depth: Int, using random: inout some RandomNumberGenerator) -> InputValue {
        func text() -> String {
            let letters = Array("aé\"\\/\u{0}\u{1F}\n\u{2028}語🌱\u{301}")
            return String(
                (0..<Int.random(in: 0..<8, using: &random)).map { _ in letters.randomElement(using: &random) ?? "a"
                })
        }
        switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &random) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &random))
        case 2: return .number(Double(Int.random(in: -1_000_000...1_000_000, using: &random)))
        case 3: return .number(Double.random(in: -1e9...1e9, using: &random))
        case 4: return .text(text())
        case 5:
            return .list(
                (0..<Int.random(in: 0..<5, using: &random)).map { _ in madeUp(depth: depth - 1, using: &random) })
        default:
            return .object(
                (0..<Int.random(in: 0..<5, using: &random)).reduce(into: [:]) { members, _ in
                    members[text()] = madeUp(depth: depth - 1, using: &random)
                })
        }
    }
}
