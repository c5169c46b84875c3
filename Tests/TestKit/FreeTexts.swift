public import FeatureKit

/// The texts in which the name of an erased person is replaced: those of all columns that kinds declare as free text, read
/// by the keys that they declare.
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
