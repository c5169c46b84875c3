import Domain
import FeatureKit
import Foundation
import TestKit
import Testing

enum Shape: String, CaseIterable, Sendable { case cube, rod }

/// A command input with one field of every kind.
struct Everything: Equatable {
    struct Item: Equatable {
        let name: String
        let size: Int
        init(_ fields: inout FieldReader) {
            name = fields.text("name", max: 10)
            size = fields.integer("size", in: 1...9, default: 5)
        }
    }
    let text: String
    let note: String?
    let secret: String
    let email: String
    let id: UUID
    let otherId: UUID?
    let ids: [UUID]
    let day: Day
    let otherDay: Day?
    let shape: Shape
    let otherShape: Shape?
    let count: Int
    let flag: Bool
    let items: [Item]

    init(_ fields: inout FieldReader) {
        text = fields.text("text", max: 20)
        note = fields.optionalText("note", max: 20, multiline: true)
        secret = fields.secret("secret", min: 4, max: 12)
        email = fields.email("email")
        id = fields.id("id")
        otherId = fields.optionalId("otherId")
        ids = fields.ids("ids", max: 3)
        day = fields.day("day")
        otherDay = fields.optionalDay("otherDay")
        shape = fields.choice("shape")
        otherShape = fields.optionalChoice("otherShape")
        count = fields.integer("count", in: 0...100, default: 7)
        flag = fields.flag("flag")
        items = fields.list("items", max: 3, Item.init)
        fields.refuse("text", "same", unless: text != "refuse me")
    }
}

let someId = "0190a1b2-0000-7000-8000-000000000001"
let otherId = "0190a1b2-0000-7000-8000-000000000002"

/// The smallest valid input, with `changes` applied to it.
func input(_ changes: [String: InputValue] = [:]) -> InputValue {
    var members: [String: InputValue] = [
        "text": "Oak", "secret": " s3cret", "email": "Ana@Maple.Example", "id": .text(someId),
        "day": "2026-11-21", "shape": "rod",
    ]
    for (name, value) in changes { members[name] = value }
    return .object(members)
}

func faults(_ input: InputValue, isForm: Bool = false) -> [String] {
    do {
        _ = try FieldReader.read(input, isForm: isForm, Everything.init)
        return []
    } catch let problem as Problem {
        return problem.faults.map { "\($0.field) \($0.code)" } + (problem.faults.isEmpty ? [problem.code] : [])
    } catch {
        return ["\(error)"]
    }
}

@Suite("Reading fields")
struct FieldReaderTests {
    @Test("a valid input is read completely")
    func good() throws {
        let read = try FieldReader.read(
            input([
                "text": "  Oak  ", "note": " two\nlines ", "otherId": .text(otherId), "otherDay": "2024-02-29",
                "otherShape": "cube", "count": 100, "flag": true,
                "ids": .list([.text(someId), .text(otherId), .text(someId)]),
                "items": .list([["name": "a", "size": 9], ["name": "b"]]),
            ]), Everything.init)
        #expect(read.text == "Oak")
        #expect(read.note == "two\nlines")
        #expect(read.secret == " s3cret")
        #expect(read.email == "ana@maple.example")
        #expect(read.ids.map(\.text) == [someId, otherId])
        #expect(read.items.map(\.name) == ["a", "b"])
        #expect(read.items.map(\.size) == [9, 5])
        #expect(read.otherShape == .cube)
        #expect(read.flag)
    }

    @Test("absent fields get their default values")
    func defaults() throws {
        for absent in [InputValue.null, .text("")] {
            let read = try FieldReader.read(
                input(
                    ["note": absent, "otherId": absent, "count": .null, "flag": .null, "ids": .null].filter {
                        $0.key != "otherId" || absent == .null
                    }), Everything.init)
            #expect(read.note == nil)
            #expect(read.otherId == nil)
            #expect(read.count == 7)
            #expect(!read.flag)
            #expect(read.ids.isEmpty)
            #expect(read.items.isEmpty)
        }
    }

    @Test("every fault is reported at once, each with its field")
    func allAtOnce() {
        let found = faults([
            "text": .text(String(repeating: "x", count: 21)), "note": 5, "secret": "abc", "email": "ana@maple",
            "id": "1", "otherId": "x", "ids": .list(["y"]), "day": "2026-02-30", "otherDay": 3, "shape": "ball",
            "count": 101, "flag": "on", "items": .list([["name": "", "size": 0], 5, ["nom": "a"]]), "extra": 1,
        ])
        #expect(
            Set(found) == [
                "text tooLong", "note text", "secret tooShort", "email email", "id id", "otherId id", "ids[0] id",
                "day day", "otherDay text", "shape choice", "count outOfRange", "flag flag",
                "items[0].name required", "items[0].size outOfRange", "items[1] object", "items[2].name required",
                "items[2].nom unknown", "extra unknown",
            ])
        #expect(found.count == 18)
    }

    @Test("an empty input reports each required field once")
    func empty() {
        let required = ["text", "secret", "email", "id", "day", "shape"].map { "\($0) required" }
        #expect(Set(faults([:])) == Set(required))
        #expect(faults([:]).count == required.count)
        #expect(Set(faults(.null)) == Set(required))
    }

    @Test(
        "JSON is read strictly",
        arguments: [
            ("count", InputValue.text("3"), "integer"), ("count", true, "integer"), ("count", 1.5, "integer"),
            ("count", .number(.nan), "integer"), ("count", .number(.infinity), "integer"),
            ("count", .number(1e300), "integer"),
            ("count", -1, "outOfRange"), ("count", [1], "integer"), ("count", "", "integer"),
            ("flag", 1, "flag"), ("flag", "true", "flag"), ("flag", "on", "flag"), ("flag", [:], "flag"),
            ("text", 5, "text"), ("text", true, "text"), ("text", ["a"], "text"), ("text", ["a": 1], "text"),
            ("text", "   \n ", "required"), ("id", .text(someId.uppercased() + " "), "id"),
            ("id", .text("{\(someId)}"), "id"),
            ("id", .text(someId.replacingOccurrences(of: "-", with: "")), "id"), ("ids", .text(someId), "list"),
            ("ids", .list([.text(someId), .text(someId), .text(someId), .text(someId)]), "tooMany"),
            ("items", ["name": "a"], "list"), ("items", [1, 2, 3, 4], "tooMany"), ("shape", "Cube", "choice"),
            ("shape", "", "choice"), ("day", "2026-11-21T00:00:00Z", "day"),
            ("day", "0001-01-01", "dayFar"), ("day", "9999-12-31", "dayFar"), ("day", "20260-01-01", "day"),
            ("email", "a@b@c.de", "email"),
        ] as [(String, InputValue, String)])
    func strict(_ name: String, _ value: InputValue, _ code: String) {
        #expect(faults(input([name: value])) == ["\(name) \(code)"])
    }

    @Test("the fields of a form are read from text")
    func form() throws {
        let form = InputValue(form: [
            ("text", "Oak"), ("secret", "s3cret"), ("email", "a@b.de"), ("id", .text(someId)),
            ("day", "2026-11-21"),
            ("shape", "cube"), ("count", "12"), ("flag", "on"), ("note", ""), ("otherId", ""), ("otherDay", ""),
            ("otherShape", ""), ("ids", .text(someId)), ("items[1].name", "b"), ("items[0].name", "a"),
            ("items[0].size", "3"), ("_key", "abc"),
        ])
        let read = try FieldReader.read(form, isForm: true, Everything.init)
        #expect(read.count == 12)
        #expect(read.flag)
        #expect(read.note == nil)
        #expect(read.ids.map(\.text) == [someId])
        #expect(read.items.map(\.name) == ["a", "b"])
        #expect(read.items.map(\.size) == [3, 5])
    }

    @Test(
        "the numbers and flags of a form are checked too",
        arguments: [
            ("count", "x", "integer"), ("count", "1e2", "integer"), ("count", "99999999999999999999", "integer"),
            ("count", "٣", "integer"), ("flag", "yes", "flag"), ("secret", "", "required"), ("id", "", "required"),
        ])
    func formFaults(_ name: String, _ value: String, _ code: String) {
        #expect(faults(input([name: .text(value)]), isForm: true) == ["\(name) \(code)"])
    }

    @Test(
        "a name may be in any script, with joiners and marks",
        arguments: [
            "Zoë", "Ng’ang’a", "王小明", "محمد", "می\u{200C}خواهم", "👨‍👩‍👧", "../../etc", "<b>", "a\u{200B}b", "..", "CON",
        ])
    func names(_ name: String) throws {
        #expect(try FieldReader.read(input(["text": .text(name)]), Everything.init).text == name)
    }

    @Test(
        "text that is invisible, or that shows letters in another order, is refused",
        arguments: [
            ("\u{200B}", "required"), ("\u{2060}\u{FEFF} \u{200D}", "required"), ("\u{AD}", "required"),
            ("a\u{0}b", "control"), ("a\nb", "control"), ("a\u{1B}[31m", "control"), ("\u{7F}x", "control"),
            ("a\u{2028}b", "control"), ("abc\u{202E}fdp", "control"), ("\u{0}", "control"),
        ])
    func invisible(_ text: String, _ code: String) {
        #expect(faults(input(["text": .text(text)])) == ["text \(code)"])
    }

    @Test("the length of text is counted in scalars, so that combining marks do not hide in one letter")
    func length() {
        #expect(faults(input(["text": .text("a" + String(repeating: "\u{301}", count: 20))])) == ["text tooLong"])
        #expect(faults(input(["text": .text(String(repeating: "é", count: 20))])).isEmpty)
    }

    @Test(
        "only valid email addresses are accepted",
        arguments: [
            ("a@b.de", true), ("a.b+c@x-y.example", true), ("o'hara@school.example", true), ("a@b", false),
            ("@b.de", false), ("a@.de", false), ("a@b..de", false), ("a@-b.de", false), ("a b@c.de", false),
            ("é@b.de", false), ("a@b.de\n", false), ("a@b.de,c@d.ef", false), ("\"a\"@b.de", false),
            (String(repeating: "a", count: 65) + "@b.de", false),
            ("a@\(String(repeating: "b", count: 64)).de", false),
            ("a@bücher.example", false), ("", false), ("@", false),
        ])
    func emails(_ text: String, _ isValid: Bool) { #expect(EmailAddress.isValid(text) == isValid) }

    @Test("one of a person's two names is enough; if both are missing, the fault is the first field's")
    func nameParts() throws {
        func read(_ members: [String: InputValue], isForm: Bool = false) throws -> [String] {
            try FieldReader.read(.object(members), isForm: isForm) { fields in
                let name = fields.nameParts("first", "last")
                return [name.given, name.family]
            }
        }
        #expect(try read(["first": "Sena\u{200D}", "last": ""]) == ["Sena", ""])
        #expect(try read(["first": "", "last": " Sena "], isForm: true) == ["", "Sena"])
        #expect(try read(["last": "Sena"]) == ["", "Sena"])
        for blank: [String: InputValue] in [
            [:], ["first": "", "last": " "], ["first": "\u{200B}", "last": "\u{3164}"],
        ] {
            let refused = #expect(throws: Problem.self) { try read(blank) }
            #expect(refused?.faults == [Fault("first", "nameMissing")])
        }
        let refused = #expect(throws: Problem.self) { try read(["first": 5]) }
        #expect(refused?.faults == [Fault("first", "text")])
    }

    @Test("a fault of several fields together is reported at the given field")
    func whole() {
        #expect(faults(input(["text": "refuse me"])) == ["text same"])
    }

    @Test("an input that is not an object is refused", arguments: [InputValue.text("x"), [1], 5, true])
    func noObject(_ value: InputValue) { #expect(faults(value) == ["objectExpected"]) }

    @Test("the description lists the fields in the order in which they are read")
    func describes() throws {
        let fields = FieldReader.describe(Everything.init)
        #expect(
            fields.map(\.name) == [
                "text", "note", "secret", "email", "id", "otherId", "ids", "day", "otherDay", "shape", "otherShape",
                "count", "flag", "items",
            ])
        #expect(fields.filter(\.isRequired).map(\.name) == ["text", "secret", "email", "id", "day", "shape"])
        #expect(fields.last?.fields.map(\.name) == ["name", "size"])
        #expect(fields.first { $0.name == "shape" }?.choices == ["cube", "rod"])
        #expect(fields.first { $0.name == "secret" }?.minLength == 4)
        // Each described field is known to the reader.
        for field in fields { #expect(!faults(input([field.name: .null])).contains("\(field.name) unknown")) }
    }
}

@Suite("Encoding of answers")
struct OutputTests {
    @Test("ids are written in lower case, and other texts are not changed")
    func ids() throws {
        struct Output: Encodable {
            let id: UUID
            let others: [UUID?]
            let words: [String]
        }
        let id = UUID.v7(at: Date(timeIntervalSince1970: 1_800_000_000), random: SystemRandomNumberGenerator())
        let words = ["\(id) was here", "", "Ana", String(repeating: "A", count: 36), "\(UUID())"]
        let json = try JSON.encode(Output(id: id, others: [id, nil, id], words: words))
        let text = String(decoding: json, as: UTF8.self)
        #expect(text.components(separatedBy: "\"\(id.text)\"").count == 4)
        #expect(
            try JSONDecoder().decode([String: [String]].self, from: JSON.encode(["words": words]))["words"] == words
        )
    }
}

@Suite("Decoding of inputs")
struct InputValueTests {
    @Test("the types of JSON values are distinguished")
    func kinds() throws {
        let value = try InputValue(
            json: Data(
                #"{"a": true, "b": 1, "c": 0, "d": 1.0, "e": "1", "f": null, "g": [false, 2.5], "h": {}, "i": "\u00e9\ud83d\ude00"}"#
                    .utf8))
        #expect(
            value == [
                "a": true, "b": 1, "c": 0, "d": 1, "e": "1", "f": nil, "g": [false, 2.5], "h": [:], "i": "é😀",
            ])
    }

    @Test(
        "malformed and hostile JSON is refused",
        arguments: [
            "", "{", "{a:1}", "nul", "{\"a\":}", "\"\\ud800\"", "NaN", "[Infinity]", "{\"a\":1}{\"b\":2}",

            "\u{FEFF}x", "\u{FEFF}{}", "1e", "01", "-", "+1", ".5", "1.", "0x10", "[1,]", "{\"a\":1,}", "[,1]",
            "[1 2]",
            "{\"a\":1,\"a\":2}", "{\"a\" 1}", "{1:2}", "\"a\u{0001}b\"", "\"a\nb\"", "\"\\x\"", "\"\\u12\"",
            "\"\\udc00\"", "\"\\ud800\\u0041\"", "\"open", "'a'", "True", "[1]]", "{\"a\":1}\u{0}", "\u{A0}1",
            String(repeating: "[", count: 100_000), String(repeating: "{\"a\":", count: 100_000),
        ])
    func malformed(_ json: String) {
        #expect(throws: Problem(400, "malformedJSON")) { try InputValue(json: Data(json.utf8)) }
    }

    @Test("bytes that are not UTF-8 are refused")
    func bytes() {
        #expect(throws: Problem.self) { try InputValue(json: Data([0x22, 0xFF, 0xFE, 0x22])) }
    }

    @Test("nesting within the limit can be read, compared and refused")
    func nested() async throws {
        let json = String(repeating: "[", count: 400) + String(repeating: "]", count: 400)
        // On a thread of Swift's pool, whose stack is small.
        let same = try await Task.detached {
            let value = try InputValue(json: Data(json.utf8))
            return value == (try InputValue(json: Data(json.utf8))) && Set([value]).contains(value)
        }.value
        #expect(same)
        #expect(faults(input(["text": try InputValue(json: Data(json.utf8))])) == ["text text"])
    }

    @Test(
        "huge numbers are read or refused, and never crash the reader",
        arguments: ["1e308", "-1e308", "1e309", "123456789012345678901234567890", "-0", "1e-400"])
    func huge(_ number: String) {
        do {
            let value = try InputValue(json: Data("{\"count\": \(number)}".utf8))
            #expect(faults(value).contains { $0.hasPrefix("count") } || number == "-0" || number == "1e-400")
        } catch {
            #expect((error as? Problem)?.status == 400)
        }
    }

    @Test(
        "the names of form fields build nested values",
        arguments: [
            ([("a", "1")], ["a": "1"]), ([("a", "1"), ("a", "2")], ["a": ["1", "2"]]),
            ([("a[1]", "y"), ("a[0]", "x")], ["a": ["x", "y"]]),
            ([("a[10]", "y"), ("a[9]", "x")], ["a": ["x", "y"]]),
            ([("a[01]", "y"), ("a[0]", "x")], ["a": ["x", "y"]]), ([("a.b.c", "1")], ["a": ["b": ["c": "1"]]]),
            ([("a[0].b", "1"), ("a[0].c", "2"), ("a[1].b", "3")], ["a": [["b": "1", "c": "2"], ["b": "3"]]]),
            ([("a[x]", "1"), ("a[0]", "2")], ["a": ["x": "1", "0": "2"]]), ([], [:]),
            ([("a]]", "1")], ["a": "1"]), ([("a[999999999999]", "1")], ["a": ["1"]]),
        ] as [([(String, InputValue)], InputValue)])
    func paths(_ pairs: [(String, InputValue)], _ value: InputValue) {
        #expect(InputValue(form: pairs.map { (name: $0.0, value: $0.1) }) == value)
    }

    @Test("a name of a thousand parts is nested eight levels deep")
    func deepName() {
        let form = InputValue(form: [(name: String(repeating: "a.", count: 1000) + "b", value: "x")])
        var depth = 0
        var value = form
        while case .object(let members) = value, let first = members.values.first {
            depth += 1
            value = first
        }
        #expect(depth == 8)
    }
}
