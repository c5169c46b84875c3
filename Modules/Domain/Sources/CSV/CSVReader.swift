/// A strict reader of CSV files (RFC 4180).
///
/// Nothing is repaired silently. Every fault has its line, and reading continues after a fault, so that all of them
/// are reported at once. docs/decisions/0009-csv.md explains why it is not a package.
public struct CSVReader {
    /// The largest CSV files that are read. The defaults suffice for the yearly roster of a large school district.
    public struct Limits: Sendable {
        public var fileBytes: Int
        public var fieldBytes: Int
        public var rows: Int
        public var columns: Int

        public init(
            fileBytes: Int = 25 * 1024 * 1024, fieldBytes: Int = 64 * 1024, rows: Int = 200_000, columns: Int = 200
        ) {
            self.fileBytes = fileBytes
            self.fieldBytes = fieldBytes
            self.rows = rows
            self.columns = columns
        }
    }

    /// A row of a CSV file after its header.
    public struct Row: Sendable {
        /// The line of the file in which the row begins, counted from 1.
        public let line: Int
        public let fields: [String]
    }

    /// The content of a file. Rows whose number of fields differs from the header's are left out.
    public struct Table: Sendable {
        public var header: [String] = []
        public var rows: [Row] = []
        /// The first fields of the rows that were left out, which usually identify them.
        public var lost: [String] = []
        public var encoding = TextDecoding.Encoding.utf8
    }

    /// A fault that was found in a CSV file.
    public struct Fault: Sendable, Hashable {
        /// The kinds of faults that a CSV file can have, such as a row with too many fields.
        public enum Kind: Sendable, Hashable {
            case tooLarge(limit: Int)
            case utf16, binary, notUTF8, control, strayQuote, textAfterQuote, openQuote, bareCarriageReturn
            case fieldTooLong(limit: Int)
            case tooManyColumns(limit: Int)
            case tooManyRows(limit: Int)
            case fieldCount(found: Int, expected: Int)
            case empty
        }
        public let kind: Kind
        /// The line of the fault, counted from 1; 0 for the file as a whole.
        public let line: Int
        /// The index of the faulty field in its row, counted from 0; `nil` for a fault of a row.
        public var column: Int?

        public init(kind: Kind, line: Int, column: Int? = nil) {
            self.kind = kind
            self.line = line
            self.column = column
        }
    }

    private let limits: Limits
    private let bytes: [UInt8]
    private let separator: UInt8
    private let allowsSeparatorAtEnd: Bool
    private let report: (Fault) -> Void
    private var index = 0
    private var line = 1

    private static let quote = UInt8(ascii: "\"")
    public static let comma = UInt8(ascii: ",")
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    private init(
        _ bytes: [UInt8], separator: UInt8, limits: Limits, allowsSeparatorAtEnd: Bool,
        report: @escaping (Fault) -> Void
    ) {
        self.allowsSeparatorAtEnd = allowsSeparatorAtEnd
        self.bytes = bytes
        self.separator = separator
        self.limits = limits
        self.report = report
    }

    /// Reads a CSV file.
    /// - Parameters:
    ///   - separators: the characters that may separate fields. Of several, the most frequent one in the header is
    ///     used, in doubt the first.
    ///   - allowsSeparatorAtEnd: whether all rows may end with one separator more than the header, as some
    ///     spreadsheets write them.
    ///   - report: receives each fault.
    public static func read(
        _ bytes: [UInt8], separators: [UInt8] = [comma], limits: Limits = Limits(),
        allowsSeparatorAtEnd: Bool = false, report: @escaping (Fault) -> Void
    ) -> Table {
        guard bytes.count <= limits.fileBytes else {
            report(Fault(kind: .tooLarge(limit: limits.fileBytes), line: 0))
            return Table()
        }
        do {
            let text = try TextDecoding(bytes)
            var reader = CSVReader(
                text.bytes, separator: separator(of: text.bytes, among: separators), limits: limits,
                allowsSeparatorAtEnd: allowsSeparatorAtEnd, report: report)
            var table = reader.table()
            table.encoding = text.encoding
            return table
        } catch {
            report(Fault(kind: error == .utf16 ? .utf16 : .binary, line: 0))
            return Table()
        }
    }

    private static func separator(of bytes: [UInt8], among separators: [UInt8]) -> UInt8 {
        var counts: [UInt8: Int] = [:]
        var isQuoted = false
        for byte in bytes {
            if byte == quote { isQuoted.toggle() }
            if isQuoted { continue }
            if byte == lineFeed || byte == carriageReturn { break }
            counts[byte, default: 0] += 1
        }
        return separators.max { counts[$0, default: 0] < counts[$1, default: 0] } ?? comma
    }

    private mutating func table() -> Table {
        var table = Table()
        // Rows with one separator more than the header, accepted only if all rows have one. In a single row it may
        // divide a value.
        var longer: [Row] = []
        func refuse(_ fields: [String], count: Int, line: Int) {
            report(Fault(kind: .fieldCount(found: count, expected: table.header.count), line: line))
            if let first = fields.first { table.lost.append(first) }
        }
        func refuseLonger() {
            for row in longer { refuse(row.fields, count: row.fields.count, line: row.line) }
            longer = []
        }
        while index < bytes.count {
            let start = line
            let (fields, count) = row()
            if count == 1 && fields == [""] { continue }
            if table.header.isEmpty {
                guard count <= limits.columns else {
                    report(Fault(kind: .tooManyColumns(limit: limits.columns), line: start))
                    return table
                }
                table.header = fields
            } else if allowsSeparatorAtEnd && table.rows.isEmpty && table.lost.isEmpty
                && count == table.header.count + 1 && fields.count == count && fields.last == ""
            {
                longer.append(Row(line: start, fields: fields))
            } else if count != table.header.count {
                refuseLonger()
                refuse(fields, count: count, line: start)
            } else {
                refuseLonger()
                table.rows.append(Row(line: start, fields: fields))
            }
            if table.rows.count + table.lost.count + longer.count > limits.rows {
                report(Fault(kind: .tooManyRows(limit: limits.rows), line: start))
                return table
            }
        }
        table.rows += longer.map { Row(line: $0.line, fields: $0.fields.dropLast()) }
        if table.header.isEmpty { report(Fault(kind: .empty, line: 0)) }
        return table
    }

    /// Reads a record and returns its number of fields; fields beyond the limit are counted and dropped.
    private mutating func row() -> (fields: [String], count: Int) {
        var fields: [String] = []
        var count = 0
        while true {
            let text = field(at: count)
            if count < limits.columns { fields.append(text) }
            count += 1
            guard index < bytes.count else { return (fields, count) }
            let end = bytes[index]
            index += 1
            if end == separator { continue }
            if end == Self.carriageReturn {
                if index < bytes.count && bytes[index] == Self.lineFeed {
                    index += 1
                } else {
                    report(Fault(kind: .bareCarriageReturn, line: line))
                }
            }
            line += 1
            return (fields, count)
        }
    }

    /// Reads a field. Afterwards `index` is at the character that ends it.
    private mutating func field(at column: Int) -> String {
        let start = line
        if index < bytes.count && bytes[index] == Self.quote { return quotedField(at: column, from: start) }
        let from = index
        var hasQuote = false
        while index < bytes.count {
            let byte = bytes[index]
            if byte == separator || byte == Self.lineFeed || byte == Self.carriageReturn { break }
            if byte == Self.quote { hasQuote = true }
            index += 1
        }
        if hasQuote { report(Fault(kind: .strayQuote, line: start, column: column)) }
        return text(bytes[from..<index], start, column)
    }

    private mutating func quotedField(at column: Int, from start: Int) -> String {
        index += 1
        var content: [UInt8] = []
        var from = index
        while true {
            guard index < bytes.count else {
                report(Fault(kind: .openQuote, line: start, column: column))
                return ""
            }
            let byte = bytes[index]
            if byte == Self.lineFeed { line += 1 }
            index += 1
            guard byte == Self.quote else { continue }
            content += bytes[from..<(index - 1)]
            guard index < bytes.count && bytes[index] == Self.quote else { break }
            // Two quotation marks stand for one in the text.
            from = index
            index += 1
        }
        let rest = index
        while index < bytes.count {
            let byte = bytes[index]
            if byte == separator || byte == Self.lineFeed || byte == Self.carriageReturn { break }
            index += 1
        }
        if rest < index { report(Fault(kind: .textAfterQuote, line: line, column: column)) }
        return text(content[...], start, column)
    }

    private func text(_ content: ArraySlice<UInt8>, _ line: Int, _ column: Int) -> String {
        guard !content.isEmpty else { return "" }
        guard content.count <= limits.fieldBytes else {
            report(Fault(kind: .fieldTooLong(limit: limits.fieldBytes), line: line, column: column))
            return ""
        }
        if content.contains(where: Self.isControl) {
            report(Fault(kind: .control, line: line, column: column))
        }
        if let text = String(validating: content, as: UTF8.self) { return text }
        report(Fault(kind: .notUTF8, line: line, column: column))
        return String(decoding: content, as: UTF8.self)
    }

    private static func isControl(_ byte: UInt8) -> Bool {
        byte < 0x20 && byte != lineFeed && byte != carriageReturn && byte != UInt8(ascii: "\t") || byte == 0x7F
    }
}
