import Domain
import Testing

@Suite("Values that a file's writer saw") struct ExportedValuesTests {
    static let exported = ExportedValues(["email": "old@a.example", "beds": "2"], source: "maple")

    @Test("the column's text can be read again, and a changed one is refused")
    func text() {
        let text = Self.exported.text
        #expect(ExportedValues(text: text) == Self.exported)
        // SHA-256 of an empty text begins so (FIPS 180-4).
        #expect(ExportedValues(["a": ""], source: "").text == "a=e3b0c442 source=e3b0c442")
        for other in ["", "yes", "email=1", "email=12345678", text + "0", text + " x=1=2", "email=1234567g"] {
            #expect(ExportedValues(text: other) == nil, "\(other)")
        }
        #expect(Self.exported.isFrom("maple") && !Self.exported.isFrom("birch"))
    }

    @Test(
        "a value is judged by who changed it since the export",
        arguments: [
            ("old@a.example", "old@a.example", ExportedValues.Judgment.usesFile),
            ("new@a.example", "old@a.example", .usesFile),
            ("old@a.example", "now@a.example", .staysInSchool),
            ("now@a.example", "now@a.example", .usesFile),
            ("new@a.example", "now@a.example", .conflict),
            ("", "now@a.example", .conflict),
        ])
    func judges(_ file: String, _ school: String, _ expected: ExportedValues.Judgment) {
        #expect(Self.exported.judge("email", file: file, school: school) == expected)
        #expect(Self.exported.judge("phone", file: file, school: school) == .usesFile, "it was not exported")
    }
}
