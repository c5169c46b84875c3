import Domain
import Foundation
import TestKit
import Testing

@testable import FeatureKit

@Suite("Schemas of results")
struct SchemaTests {
    struct Inner: Codable { let id: UUID, at: Date?, size: Double }
    struct Outer: Codable {
        let name: String
        let note: String?
        let count: Int
        let big: Int64?
        let flag: Bool?
        let day: Day
        let shape: Role
        let otherShape: Role?
        let inner: Inner
        let list: [Inner]
        let maybe: [String]?
        let map: [String: String]
    }

    @Test("the schema of an object lists its members")
    func object() throws {
        let inner = Schema.object([
            .init(name: "id", schema: .text(format: "uuid"), isRequired: true),
            .init(name: "at", schema: .text(format: "date-time"), isRequired: false),
            .init(name: "size", schema: .number, isRequired: true),
        ])
        let roles = Schema.choice(Role.allCases.map(\.rawValue))
        #expect(
            Schema.of(Outer.self)
                == .object([
                    .init(name: "name", schema: .text(format: nil), isRequired: true),
                    .init(name: "note", schema: .text(format: nil), isRequired: false),
                    .init(name: "count", schema: .integer, isRequired: true),
                    .init(name: "big", schema: .integer, isRequired: false),
                    .init(name: "flag", schema: .flag, isRequired: false),
                    .init(name: "day", schema: .text(format: "date"), isRequired: true),
                    .init(name: "shape", schema: roles, isRequired: true),
                    .init(name: "otherShape", schema: roles, isRequired: false),
                    .init(name: "inner", schema: inner, isRequired: true),
                    .init(name: "list", schema: .list(inner), isRequired: true),
                    .init(name: "maybe", schema: .list(.text(format: nil)), isRequired: false),
                    .init(name: "map", schema: .map(.text(format: nil)), isRequired: true),
                ]))
    }

    @Test("pages, lists, choices and empty results have their schemas")
    func others() {
        #expect(
            Schema.of(Page<Int>.self)
                == .object([
                    .init(name: "items", schema: .list(.integer), isRequired: true),
                    .init(name: "next", schema: .text(format: nil), isRequired: false),
                ]))
        #expect(Schema.of([String].self) == .list(.text(format: nil)))
        #expect(Schema.of([Decimal].self) == .list(.number))
        #expect(Schema.of(Role.self) == .choice(Role.allCases.map(\.rawValue)))
        #expect(Schema.of(Done.self) == .object([.init(name: "done", schema: .flag, isRequired: true)]))
    }
}
