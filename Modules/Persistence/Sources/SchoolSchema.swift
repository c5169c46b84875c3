import GRDB

/// The structure of a database in a form in which two can be compared. SQLite makes a database's structure from the text
/// of these statements and from nothing else (https://sqlite.org/schematab.html).
struct SchoolSchema {
    struct Index {
        let table: String
        let text: String
        /// As it was written.
        let statement: String
    }
    /// The columns and conditions of each table. Their order does not count: migrations of different blocks may have
    /// been applied in another order.
    private(set) var tables: [String: [String]] = [:]
    private(set) var indexes: [String: Index] = [:]
    private(set) var triggers: [String: String] = [:]

    init(_ database: GRDB.Database) throws {
        // Indexes that follow from a table's own conditions have no statement.
        let rows = try Row.fetchAll(
            database, sql: "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL")
        for row in rows {
            let (type, name, statement): (String, String, String) = (row["type"], row["name"], row["sql"])
            let text = Self.plain(statement)
            switch type {
            case "table": tables[name] = Self.parts(of: text)
            case "index": indexes[name] = Index(table: row["tbl_name"], text: text, statement: statement)
            default: triggers[name] = text
            }
        }
    }

    /// The statement in lower case, with single blanks and without the quotes around names, which an `ALTER TABLE` may
    /// have added. What stands between single quotes stays as it is.
    static func plain(_ statement: String) -> String {
        var plain = ""
        var (isText, isBlank) = (false, false)
        for character in statement {
            if character == "'" { isText.toggle() }
            if isText || character == "'" {
                plain.append(character)
                isBlank = false
                continue
            }
            if character.isWhitespace {
                isBlank = true
                continue
            }
            if "\"`[]".contains(character) { continue }
            let isWord = { (one: Character) in one.isLetter || one.isNumber || one == "_" }
            if isBlank, let last = plain.last, isWord(last), isWord(character) { plain.append(" ") }
            isBlank = false
            plain += character.lowercased()
        }
        return plain
    }

    /// A table's definitions in the order of their letters, then what follows behind them.
    private static func parts(of text: String) -> [String] {
        guard let start = text.firstIndex(of: "("), let end = text.lastIndex(of: ")"), start < end else {
            return [text]
        }
        var parts: [String] = []
        var part = ""
        var (depth, isText) = (0, false)
        for character in text[text.index(after: start)..<end] {
            if character == "'" { isText.toggle() }
            if !isText {
                if character == "(" { depth += 1 }
                if character == ")" { depth -= 1 }
                if character == ",", depth == 0 {
                    parts.append(part)
                    part = ""
                    continue
                }
            }
            part.append(character)
        }
        parts.append(part)
        return parts.sorted() + [String(text[text.index(after: end)...])]
    }
}
