import Domain
import Testing

@Suite("Reading CSV files") struct CSVReaderTests {
    struct Reading {
        var header: [String]
        var rows: [[String]]
        var lines: [Int]
        var faults: [CSVReader.Fault]
    }

    func read(_ bytes: [UInt8], limits: CSVReader.Limits = .init()) -> Reading {
        var faults: [CSVReader.Fault] = []
        let table = CSVReader.read(bytes, limits: limits) { faults.append($0) }
        return Reading(
            header: table.header, rows: table.rows.map(\.fields), lines: table.rows.map(\.line), faults: faults)
    }

    func read(_ text: String, limits: CSVReader.Limits = .init()) -> Reading {
        read(Array(text.utf8), limits: limits)
    }

    @Test("quotes, doubled quotes, commas and line ends inside a field are text")
    func quoted() {
        let reading = read("a,b\r\n\"x, \"\"y\"\"\",\"two\r\nlines\"\r\n\"\",z\r\n")
        #expect(reading.header == ["a", "b"])
        #expect(reading.rows == [["x, \"y\"", "two\r\nlines"], ["", "z"]])
        #expect(reading.lines == [2, 4])
        #expect(reading.faults.isEmpty)
    }

    @Test("line ends, a byte order mark and empty lines do not change what is read")
    func lineEnds() {
        for text in [
            "a,b\n1,2\n3,", "a,b\r\n1,2\r\n3,\r\n", "\u{FEFF}a,b\n\n1,2\n3,\n\n", "\"a\",\"b\"\n1,2\r\n3,",
        ] {
            let reading = read(text)
            #expect(reading.header == ["a", "b"], "\(text.debugDescription)")
            #expect(reading.rows == [["1", "2"], ["3", ""]], "\(text.debugDescription)")
            #expect(reading.faults.isEmpty, "\(text.debugDescription)")
        }
    }

    @Test("rows that all end with one separator more than the header are accepted if that is allowed")
    func separatorAtEnd() {
        func read(_ text: String, allowed: Bool = true) -> (faults: [CSVReader.Fault], rows: [[String]]) {
            var faults: [CSVReader.Fault] = []
            let table = CSVReader.read(Array(text.utf8), allowsSeparatorAtEnd: allowed) { faults.append($0) }
            return (faults, table.rows.map(\.fields))
        }
        func fault(_ count: Int, _ line: Int) -> CSVReader.Fault {
            CSVReader.Fault(kind: .fieldCount(found: count, expected: 2), line: line)
        }
        #expect(read("a,b\n1,2,\n\n3,\"\",\n") == ([], [["1", "2"], ["3", ""]]))
        #expect(read("a,b\n1,2,\n3,4,\n", allowed: false).faults == [fault(3, 2), fault(3, 3)])
        #expect(
            read("a,b\n1,2,\n3,4\n") == ([fault(3, 2)], [["3", "4"]]), "one row alone may hold a divided value")
        #expect(read("a,b\n1,2\n3,4,\n") == ([fault(3, 3)], [["1", "2"]]))
        #expect(read("a,b\n1,2,\n3,4,,\n") == ([fault(3, 2), fault(4, 3)], []))
    }

    @Test(
        "a malformed field is reported with its line and column, and the rows after it are read",
        arguments: [
            ("a,b\n1,x\"y\n3,4\n", CSVReader.Fault(kind: .strayQuote, line: 2, column: 1)),
            ("a,b\n1,\"x\"y\n3,4\n", CSVReader.Fault(kind: .textAfterQuote, line: 2, column: 1)),
            ("a,b\n1,x\0y\n3,4\n", CSVReader.Fault(kind: .control, line: 2, column: 1)),
            ("a,b\n1,2,9\n3,4\n", CSVReader.Fault(kind: .fieldCount(found: 3, expected: 2), line: 2)),
            ("a,b\n1\n3,4\n", CSVReader.Fault(kind: .fieldCount(found: 1, expected: 2), line: 2)),
            ("a,b\n1,2\r3,4\n", CSVReader.Fault(kind: .bareCarriageReturn, line: 2)),
        ])
    func malformed(_ text: String, _ fault: CSVReader.Fault) {
        let reading = read(text)
        #expect(reading.faults == [fault])
        #expect(reading.rows.last == ["3", "4"])
    }

    @Test("a quotation mark that is never closed is reported where it opens")
    func openQuote() {
        let reading = read("a,b\n1,2\n3,\"4\n5,6\n")
        #expect(reading.faults.first == CSVReader.Fault(kind: .openQuote, line: 3, column: 1))
        #expect(reading.rows == [["1", "2"], ["3", ""]])
    }

    @Test(
        "invalid UTF-8 is reported field by field, and UTF-16 without a byte order mark for the whole file")
    func encodings() {
        // The ï is UTF-8, so the file is not Windows-1252.
        let broken: [UInt8] = Array("a,ï\nChlo".utf8) + [0xE9] + Array(",2\n3,4\n".utf8)
        #expect(read(broken).faults == [CSVReader.Fault(kind: .notUTF8, line: 2, column: 0)])
        for bytes in [
            [0xFF, 0xFE, 0x61, 0, 0x62], [0xFE, 0xFF, 0xD8, 0], [0x61, 0, 0x2C, 0], [0, 0x61, 0, 0x2C],
        ]
            as [[UInt8]]
        {
            #expect(read(bytes).faults == [CSVReader.Fault(kind: .utf16, line: 0)])
        }
    }

    @Test("content beyond a limit is reported and dropped")
    func limits() {
        var limits = CSVReader.Limits()
        limits.fieldBytes = 1000
        limits.rows = 3
        limits.columns = 4
        let long = read("a,b\n\(String(repeating: "x", count: 1001)),2\n", limits: limits)
        #expect(long.faults == [CSVReader.Fault(kind: .fieldTooLong(limit: 1000), line: 2, column: 0)])
        #expect(long.rows == [["", "2"]])
        let many = read("a\n" + String(repeating: "1\n", count: 100_000), limits: limits)
        #expect(many.faults == [CSVReader.Fault(kind: .tooManyRows(limit: 3), line: 5)])
        let wide = read(String(repeating: ",", count: 1_000_000), limits: limits)
        #expect(wide.faults.first == CSVReader.Fault(kind: .tooManyColumns(limit: 4), line: 1))
        let crooked = read("a\n" + String(repeating: ",", count: 1_000_000) + "\n1\n", limits: limits)
        #expect(crooked.faults == [CSVReader.Fault(kind: .fieldCount(found: 1_000_001, expected: 1), line: 2)])
        limits.fileBytes = 5
        #expect(read("a,b\n1,2\n", limits: limits).faults == [CSVReader.Fault(kind: .tooLarge(limit: 5), line: 0)])
    }

    @Test("an empty file is a fault", arguments: ["", "\n\n", "\u{FEFF}"])
    func empty(_ text: String) {
        #expect(read(text).faults == [CSVReader.Fault(kind: .empty, line: 0)])
    }

    @Test("every prefix of a file is read without a crash, and no row is invented")
    func prefixes() {
        let bytes = Array("a,b\r\n\"x\"\"y\",\"p\r\nq\"\r\nŁódź,ü\r\n".utf8)
        for end in 0...bytes.count {
            let reading = read(Array(bytes[..<end]))
            #expect(reading.rows.count <= 2)
        }
    }
}
