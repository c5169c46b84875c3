import Domain
import FeatureKit
import Foundation

/// Replaces an erased person's name by a placeholder in texts that other people wrote.
///
/// Finds the full name as whole words, in either order and with the preferred name. A given name alone, a nickname or a
/// misspelling is not found, because it may be another person's.
struct NameReplacement: Sendable {
    let names: [String]
    let placeholder: String

    init(of name: PersonName, by placeholder: String) {
        let forms = [
            name.display, "\(name.given) \(name.family)", "\(name.family) \(name.given)",
            "\(name.family), \(name.given)", "\(name.preferred ?? name.given) \(name.family)",
        ].map { $0.trimmingCharacters(in: .whitespaces) }
        // Some columns store a folded copy of a text for searching.
        let all = Set(forms + forms.map(NameFolding.fold)).filter { $0.contains(" ") && !$0.hasPrefix(",") }
        names = all.sorted { ($0.count, $1) > ($1.count, $0) }
        self.placeholder = placeholder
    }

    /// Returns the text with every name replaced, or `nil` if it contains none.
    func replaced(_ text: String) -> String? {
        var result = text
        for name in names {
            var start = result.startIndex
            while let found = result.range(of: name, options: .caseInsensitive, range: start..<result.endIndex) {
                let before =
                    found.lowerBound > result.startIndex ? result[result.index(before: found.lowerBound)] : " "
                let after = found.upperBound < result.endIndex ? result[found.upperBound] : " "
                guard !before.isLetter, !before.isNumber, !after.isLetter, !after.isNumber else {
                    start = result.index(after: found.lowerBound)
                    continue
                }
                let place = result.distance(from: result.startIndex, to: found.lowerBound)
                result.replaceSubrange(found, with: placeholder)
                start = result.index(result.startIndex, offsetBy: place + placeholder.count)
            }
        }
        return result == text ? nil : result
    }

    /// Replaces the name in all free text columns of the school. Reads whole tables: no index helps to find a name.
    func apply(to kinds: [RecordKind], in sql: any SQLWriting) throws {
        for texts in kinds.filter({ $0.store == .school }).flatMap(\.tables).compactMap(\.texts) {
            for column in texts.columns {
                for name in names {
                    for (key, text) in try FreeTextRepository.rows(with: name, of: column, texts, in: sql) {
                        guard let new = replaced(text) else { continue }
                        try FreeTextRepository.write(new, to: column, of: key, texts, in: sql)
                    }
                }
            }
        }
    }
}

/// The SQL of columns with free text.
enum FreeTextRepository {
    /// The rows whose column contains the name. SQLite ignores the case of ASCII letters only.
    static func rows(
        with name: String, of column: SQL, _ texts: RecordTable.Texts, in sql: any SQLReading
    ) throws -> [(key: [String], text: String)] {
        let escaped = name.map { "!%_".contains($0) ? "!\($0)" : String($0) }.joined()
        let names = texts.key.indices.map { "key\($0)" }
        let key = zip(texts.key, names).reduce(into: SQL("")) { list, part in
            list = "\(list)\(part.0) AS \(SQL(stringLiteral: part.1)), "
        }
        return try sql.rows(
            """
            SELECT \(key)\(column) AS text FROM \(texts.table) WHERE \(column) LIKE \("%\(escaped)%") ESCAPE '!'
            """
        ).map { row in try (key: names.map { try row.get($0) }, text: row.get("text")) }
    }

    static func write(
        _ text: String, to column: SQL, of key: [String], _ texts: RecordTable.Texts, in sql: any SQLWriting
    ) throws {
        let isRow = zip(texts.key, key).reduce(into: SQL("TRUE")) { condition, part in
            condition = "\(condition) AND \(part.0) = \(part.1)"
        }
        try sql.execute("UPDATE \(texts.table) SET \(column) = \(text) WHERE \(isRow)")
    }
}
