public import FeatureKit

/// Returns the texts of all columns that kinds of record declare as free text.
///
/// The names of erased people are replaced in these texts. The columns are read by the keys that the kinds declare.
public func freeTexts(of kinds: [RecordKind], in sql: any SQLReading) throws -> Set<String> {
    var found: Set<String> = []
    for texts in kinds.flatMap(\.tables).compactMap(\.texts) {
        for column in texts.columns {
            let key = texts.key.reduce(into: SQL("")) { list, part in list = "\(list)\(part), " }
            let rows = try sql.rows("SELECT \(key)\(column) AS free_text FROM \(texts.table)")
            found.formUnion(try rows.compactMap { try $0.optional("free_text", as: String.self) })
        }
    }
    return found
}
