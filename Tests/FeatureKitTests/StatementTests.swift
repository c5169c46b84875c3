import Domain
import Foundation
import TestKit
import Testing

@testable import FeatureKit

@Suite("SQL statements")
struct SQLTests {
    @Test(
        "lists for IN hold any number of values, each once and in order, and leave room for others",
        arguments: [0, 1, 460, 461, 40_000])
    func lists(count: Int) {
        let lists = SQL.lists(of: (0..<count).flatMap { [$0, $0] })
        #expect(lists.flatMap(Array.init) == Array(0..<count))
        #expect(lists.allSatisfy { !$0.isEmpty && $0.count + 20 <= SQL.valueLimit })
    }

    @Test(
        "an interpolated value becomes a parameter, whatever it contains",
        arguments: ["x'; DROP TABLE people; --", "$1", "\" OR 1=1", ""])
    func binds(_ value: String) {
        let sql: SQL = "SELECT * FROM people WHERE name = \(value) AND age > \(7)"
        #expect(sql.text == "SELECT * FROM people WHERE name = $1 AND age > $2")
        #expect(sql.values == [.text(value), .integer(7)])
    }

    @Test("nil is bound as null, a list as one parameter for each item, and an empty list matches nothing")
    func kinds() throws {
        let sql: SQL =
            "A \(nil as Int?) B \(list: ["x", "y"]) C \(list: [Int]()) D \(true) E \(2.5) F \([1, 2] as [UInt8])"
        #expect(sql.text == "A $1 B ($2, $3) C (NULL) D $4 E $5 F $6")
        #expect(sql.values == [.null, .text("x"), .text("y"), .integer(1), .double(2.5), .blob([1, 2])])
        let day = try #require(Day("2026-11-21"))
        let more: SQL =
            "\(day) \(Role.guide) \(Date(timeIntervalSince1970: 1.0007)) \(UUID(uuidString: someId.uppercased())!)"
        #expect(more.values == [.text("2026-11-21"), .text("guide"), .integer(1001), .text(someId)])
    }

    @Test("an interpolated statement is inserted with its parameters renumbered")
    func nests() {
        let mine: SQL = "owner = \("ana") OR shared = \(true)"
        let inner: SQL = "(\(mine)) AND size < \(9)"
        let sql: SQL = "SELECT 1 WHERE id = \(5) AND \(inner) AND \(mine) LIMIT \(3)"
        #expect(
            sql.text
                == "SELECT 1 WHERE id = $1 AND (owner = $2 OR shared = $3) AND size < $4 AND owner = $5 OR shared = $6 LIMIT $7"
        )
        #expect(
            sql.values == [
                .integer(5), .text("ana"), .integer(1), .integer(9), .text("ana"), .integer(1), .integer(3),
            ])
    }

    @Test("a dollar sign in the text stays, also beside ten and more values")
    func dollars() {
        let price: SQL = "price = '$' AND path = '$.a' AND x = \(1)"
        #expect(("\(price)" as SQL).text == "price = '$' AND path = '$.a' AND x = $1")
        let many: SQL = "\(list: 0..<12)"
        let nested: SQL = "\(0) \(many)"
        #expect(nested.text.hasSuffix("$12, $13)"))
        #expect(nested.values.last == .integer(11))
    }

    @Test("a column is read back as its own type only")
    func conversions() throws {
        #expect(Int(sqlValue: .text("1")) == nil)
        #expect(String(sqlValue: .integer(1)) == nil)
        #expect(Double(sqlValue: .integer(3)) == 3)
        #expect(Bool(sqlValue: .integer(1)) == true)
        #expect(UUID(sqlValue: .text("no")) == nil)
        #expect(Day(sqlValue: .text("2026-02-30")) == nil)
        #expect(Role(sqlValue: .text("king")) == nil)
        let instant = Date(timeIntervalSince1970: 1_793_631_600.123)
        #expect(Date(sqlValue: instant.sqlValue) == instant)
        let row = SQLRow(columns: ["a", "b"], values: [.integer(1), .null])
        #expect(try row.get("a", as: Int.self) == 1)
        #expect(try row.optional("b", as: String.self) == nil)
        #expect(throws: DatabaseFault.self) { try row.get("b", as: String.self) }
    }

    @Test("a migration is split into statements only at line ends")
    func migrations() {
        let migration = Migration(
            "001",
            "CREATE TABLE a (t TEXT DEFAULT ';');\n\nCREATE INDEX b ON a (t);\n;\nINSERT INTO a VALUES ('x;y')")
        #expect(
            migration.statements == [
                "CREATE TABLE a (t TEXT DEFAULT ';')", "CREATE INDEX b ON a (t)", "INSERT INTO a VALUES ('x;y')",
            ])
    }
}
