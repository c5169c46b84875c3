import FeatureKit
import Testing

@testable import Records

@Suite("Exported tables")
struct SchoolExportTests {
    @Test("exported text is never a formula in a spreadsheet, and numbers and instants are unchanged")
    func formulas() {
        let row = SQLRow(
            columns: ["name", "note", "points", "made_at", "picture"],
            values: [
                .text("=HYPERLINK(\"https://x.example\")"), .text("@SUM(A1)"), .integer(-5), .integer(0),
                .blob([0xF8, 0, 0]),
            ])
        #expect(
            CSVText.of([row])
                == "\u{FEFF}name,note,points,made_at,picture\r\n"
                + "\"'=HYPERLINK(\"\"https://x.example\"\")\",'@SUM(A1),-5,1970-01-01T00:00:00Z,'+AAA\r\n")
    }
}
