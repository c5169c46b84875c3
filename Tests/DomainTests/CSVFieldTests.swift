import Foundation
import Testing

@testable import Domain

@Suite("Fields of CSV files")
struct CSVFieldTests {
    static let values = [
        "", "Ana", "O'Neill", "'", "''", "'tis", "=1+1", "=HYPERLINK(\"http://x.example\",\"a\")",
        "+41 44 000 00 00",
        "-", "-5", "@ana", "\t=1", "\r=1", "\n=1", "\r\n=1", "＝1", "＋1", "－1", "＠a", "'=1", "''=1", "'-", "a=1",
        " =1", "a,b", "a\"b", "a\nb", "a\r\nb", "é=", "=\u{301}1", "大翔", "=cmd|' /C calc'!A0",
    ]

    private func read(_ text: String) throws -> [[String]] {
        var faults = 0
        let table = CSVReader.read(Array("head\n\(text)\n".utf8), limits: .init()) { _ in faults += 1 }
        try #require(faults == 0, "\(text)")
        return table.rows.map(\.fields)
    }

    @Test(
        "a written cell is never a formula in a spreadsheet and reads back as the same value",
        arguments: values)
    func roundTrip(_ value: String) throws {
        let written = CSVField.written(value)
        let first = written.unicodeScalars.first { $0 != "\"" }
        #expect(first.map { !"=+-@\t\r\n＝＋－＠".unicodeScalars.contains($0) } ?? true)
        // An empty line is not a row.
        guard !value.isEmpty else { return }
        let fields = try read(written)
        #expect(fields.count == 1 && fields[0].count == 1)
        #expect(CSVField.value(fields[0][0]).unicodeScalars.elementsEqual(value.unicodeScalars))
    }

    @Test("a line of fields reads back as the same values")
    func line() throws {
        let heads = Self.values.indices.map { "column \($0)" }
        var faults = 0
        let text = CSVField.line(heads) + CSVField.line(Self.values)
        let table = CSVReader.read(Array(text.utf8), limits: .init()) { _ in faults += 1 }
        #expect(faults == 0 && table.rows.map { $0.fields.map(CSVField.value) } == [Self.values])
    }

    @Test(
        "text that is not a formula is written unchanged",
        arguments: ["Ana", "O'Neill", "'tis", "a=1", "12.5", "大翔"])
    func untouched(_ value: String) {
        #expect(CSVField.written(value) == value)
        #expect(CSVField.value(value) == value)
    }

    @Test("numbers and dates are written unchanged")
    func numbers() {
        #expect(CSVField.written("-5", isText: false) == "-5")
    }
}
