public import Domain
public import Foundation

/// One SQL statement with its bound values.
///
/// Interpolated values become parameters: `"SELECT name FROM people WHERE id = \(id)"` is `... WHERE id = $1` and one
/// value. SQLite and PostgreSQL both understand `$n`.
public struct SQL: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// The statement with its parameters: `SELECT name FROM people WHERE id = $1`.
    public private(set) var text: String
    /// The values of the statement's parameters; the first is `$1`.
    public private(set) var values: [SQLValue]

    public init(stringLiteral text: String) {
        self.text = text
        values = []
    }

    public init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.text
        values = stringInterpolation.values
    }

    /// The builder of a statement's text and values from a string literal.
    public struct StringInterpolation: StringInterpolationProtocol {
        var text = ""
        var values: [SQLValue] = []

        public init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + interpolationCount * 3)
            values.reserveCapacity(interpolationCount)
        }

        public mutating func appendLiteral(_ literal: String) { text += literal }

        /// Appends a value as a parameter of the statement.
        public mutating func appendInterpolation(_ value: some SQLConvertible) {
            append(value.sqlValue)
        }

        /// Appends a value, or null, as a parameter of the statement.
        public mutating func appendInterpolation(_ value: (some SQLConvertible)?) {
            append(value?.sqlValue ?? .null)
        }

        private mutating func append(_ value: SQLValue) {
            values.append(value)
            text += values.count < Self.places.count ? Self.places[values.count] : "$\(values.count)"
        }

        private static let places = (0...24).map { "$\($0)" }

        /// Appends a list for `IN`: `WHERE id IN \(list: ids)`. An empty list matches nothing.
        public mutating func appendInterpolation(list values: some Sequence<some SQLConvertible>) {
            text += "("
            var isFirst = true
            for value in values {
                if !isFirst { text += ", " }
                isFirst = false
                appendInterpolation(value)
            }
            text += isFirst ? "NULL)" : ")"
        }

        /// Appends rows for `VALUES`: `INSERT INTO pairs (a, b) VALUES \(rows: pairs.map { [$0.a.sqlValue,
        /// $0.b.sqlValue] })`.
        ///
        /// There must be at least one row, and at most `SQL.valueLimit` values.
        public mutating func appendInterpolation(rows: some Sequence<[SQLValue]>) {
            var isFirstRow = true
            for row in rows {
                text += isFirstRow ? "(" : ", ("
                isFirstRow = false
                for (index, value) in row.enumerated() {
                    values.append(value)
                    text += index == 0 ? "$\(values.count)" : ", $\(values.count)"
                }
                text += ")"
            }
        }

        /// Appends another statement's text and values, with its parameters renumbered. Use it to share a condition.
        public mutating func appendInterpolation(_ fragment: SQL) {
            let before = values.count
            values += fragment.values
            // Without values before it, its numbers stay as they are.
            guard before > 0, !fragment.values.isEmpty else { return text += fragment.text }
            // Byte by byte, because iterating over characters took longer than most statements run.
            var rest = fragment.text.utf8[...]
            while let dollar = rest.firstIndex(of: UInt8(ascii: "$")) {
                let digits = rest[rest.index(after: dollar)...].prefix { (0x30...0x39).contains($0) }
                text += Substring(rest[..<dollar])
                text += "$"
                if let number = Int(Substring(digits)), fragment.values.indices.contains(number - 1) {
                    text += String(before + number)
                } else {
                    // A dollar sign of the text itself.
                    text += Substring(digits)
                }
                rest = rest[digits.endIndex...]
            }
            text += Substring(rest)
        }
    }
}

extension SQL {
    /// The largest number of values in one statement of many rows, far below SQLite's limit of 32,766 and
    /// PostgreSQL's of 65,535.
    public static let valueLimit = 480

    /// Divides rows into portions that each fit into one statement.
    public static func portions(of rows: [[SQLValue]]) -> [ArraySlice<[SQLValue]>] {
        guard let width = rows.first?.count, width > 0 else { return [] }
        let size = Swift.max(1, valueLimit / width)
        return stride(from: 0, to: rows.count, by: size).map { rows[$0..<Swift.min($0 + size, rows.count)] }
    }

    /// Divides values into lists that each fit into one statement, for `IN \(list:)` with any number of values.
    ///
    /// Each list leaves room for twenty other values in its statement. Equal values come once, so that rows that are
    /// found with several lists are different ones.
    public static func lists<Value: SQLConvertible & Hashable>(of values: some Sequence<Value>) -> [ArraySlice<
        Value
    >] {
        var seen: Set<Value> = []
        let all = values.filter { seen.insert($0).inserted }
        let size = valueLimit - 20
        return stride(from: 0, to: all.count, by: size).map { all[$0..<Swift.min($0 + size, all.count)] }
    }
}

extension SQLReading {
    /// Returns the rows of a statement with a list for `IN`, which may have any number of values.
    ///
    /// The statement runs once for each list of `SQL.lists`, so its order and its limit are those of one list.
    public func rows<Value: SQLConvertible & Hashable>(
        ofEach values: some Sequence<Value>, _ statement: (ArraySlice<Value>) throws -> SQL
    ) throws -> [SQLRow] {
        try SQL.lists(of: values).flatMap { try rows(statement($0)) }
    }
}

/// The value of a database column, in the types that both engines share.
public enum SQLValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case double(Double)
    case text(String)
    case blob([UInt8])
}

/// A type whose values are stored in one column.
public protocol SQLConvertible: Sendable {
    var sqlValue: SQLValue { get }
    /// Creates a value from a column; `nil` if the column holds a value of another type.
    init?(sqlValue: SQLValue)
}

extension String: SQLConvertible {
    public var sqlValue: SQLValue { .text(self) }
    @inlinable
    public init?(sqlValue: SQLValue) {
        guard case .text(let text) = sqlValue else { return nil }
        self = text
    }
}

extension Int64: SQLConvertible {
    public var sqlValue: SQLValue { .integer(self) }
    @inlinable
    public init?(sqlValue: SQLValue) {
        guard case .integer(let number) = sqlValue else { return nil }
        self = number
    }
}

extension Int: SQLConvertible {
    public var sqlValue: SQLValue { .integer(Int64(self)) }
    @inlinable
    public init?(sqlValue: SQLValue) {
        guard case .integer(let number) = sqlValue else { return nil }
        self = Int(number)
    }
}

extension Double: SQLConvertible {
    public var sqlValue: SQLValue { .double(self) }
    @inlinable
    public init?(sqlValue: SQLValue) {
        switch sqlValue {
        case .double(let number): self = number
        case .integer(let number): self = Double(number)
        default: return nil
        }
    }
}

/// Booleans are 0 and 1, because SQLite has no type of its own for them.
extension Bool: SQLConvertible {
    public var sqlValue: SQLValue { .integer(self ? 1 : 0) }
    @inlinable
    public init?(sqlValue: SQLValue) {
        guard case .integer(let number) = sqlValue else { return nil }
        self = number != 0
    }
}

/// Ids are stored as lower-case text: readable for owners who open the file, and equal in both engines.
extension UUID: SQLConvertible {
    public var sqlValue: SQLValue { .text(text) }
    @inlinable
    public init?(sqlValue: SQLValue) {
        guard case .text(let text) = sqlValue, let id = UUID(text: text) else { return nil }
        self = id
    }
}

/// Instants are stored as whole milliseconds since 1970 (UTC) in a `BIGINT` column.
extension Date: SQLConvertible {
    public var sqlValue: SQLValue { .integer(Int64((timeIntervalSince1970 * 1000).rounded())) }
    @inlinable
    public init?(sqlValue: SQLValue) {
        guard case .integer(let milliseconds) = sqlValue else { return nil }
        self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
}

extension Day: SQLConvertible {
    public var sqlValue: SQLValue { .text(description) }
    @inlinable
    public init?(sqlValue: SQLValue) {
        guard case .text(let text) = sqlValue else { return nil }
        self.init(text)
    }
}

/// Times of day are stored as minutes since midnight.
extension ClockTime: SQLConvertible {
    public var sqlValue: SQLValue { .integer(Int64(minutes)) }
    public init?(sqlValue: SQLValue) {
        guard case .integer(let minutes) = sqlValue, let minutes = Int(exactly: minutes) else { return nil }
        self.init(minutes: minutes)
    }
}

extension Array: SQLConvertible where Element == UInt8 {
    public var sqlValue: SQLValue { .blob(self) }
    @inlinable
    public init?(sqlValue: SQLValue) {
        guard case .blob(let bytes) = sqlValue else { return nil }
        self = bytes
    }
}

/// Enumerations with text raw values are stored as that text: declare `extension X: SQLConvertible {}`.
extension SQLConvertible where Self: RawRepresentable, RawValue == String {
    public var sqlValue: SQLValue { .text(rawValue) }
    @inlinable
    public init?(sqlValue: SQLValue) {
        guard case .text(let text) = sqlValue else { return nil }
        self.init(rawValue: text)
    }
}

extension Role: SQLConvertible {}
extension Tint: SQLConvertible {}
extension Language: SQLConvertible {}
extension Appearance: SQLConvertible {}
extension ThemeName: SQLConvertible {}

extension StringProtocol {
    /// The text with `\`, `%` and `_` escaped, for a pattern of `LIKE ... ESCAPE '\'`.
    public var likeEscaped: String {
        reduce(into: "") { text, letter in
            if letter == "\\" || letter == "%" || letter == "_" { text.append("\\") }
            text.append(letter)
        }
    }
}
