import GRDB

/// The schema of a database, normalized for comparison.
///
/// SQLite derives a schema from the text of these statements alone (https://sqlite.org/schematab.html).
struct SchoolSchema {
    struct Index {
        let table: String
        let text: String
        /// The original text.
        let statement: String
    }
    /// The sorted column and constraint definitions of each table. Blocks may have applied their migrations in another
    /// order, so the order of columns may differ.
    private(set) var tables: [String: [String]] = [:]
    private(set) var indexes: [String: Index] = [:]
    private(set) var triggers: [String: String] = [:]

    init(_ database: GRDB.Database) throws {
        // Indexes that belong to a constraint have no statement.
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

    /// The statement in lower case, with single spaces and without quotes around names, which `ALTER TABLE` may have
    /// added. Text between single quotes is unchanged.
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

    /// The sorted definitions of a table, followed by what comes after the closing parenthesis.
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
