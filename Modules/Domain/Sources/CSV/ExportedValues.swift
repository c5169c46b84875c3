/// The values that an export wrote into one row of a file, as short hashes in a column of its own.
///
/// An import that finds the column can tell a value that the file's writer changed from one that changed in the school
/// after the export.
public struct ExportedValues: Sendable, Hashable {
    /// The value that counts, by who changed it since the export.
    public enum Judgment: Sendable, Hashable {
        /// The file and the school have the same value, or only the file's writer changed it.
        case usesFile
        /// Only the school changed the value since the export.
        case staysInSchool
        /// Both changed the value since the export, to different ones.
        case conflict
    }

    /// The values by their names, as hashes of 32 bits in hexadecimal digits.
    private let hashes: [String: String]
    private static let sourceName = "source"

    /// - Parameters:
    ///   - values: The row's values by name. Names are letters.
    ///   - source: The school or residence that exports the file. Another one ignores the column.
    public init(_ values: [String: String], source: String) {
        hashes = values.merging([Self.sourceName: source]) { _, source in source }.mapValues(Self.hash)
    }

    /// Reads the text of the column; `nil` if it was changed to something else.
    public init?(text: String) {
        var hashes: [String: String] = [:]
        for part in text.split(separator: " ") {
            let pair = part.split(separator: "=", omittingEmptySubsequences: false)
            guard pair.count == 2, pair[1].count == 8, pair[1].allSatisfy(\.isHexDigit) else { return nil }
            hashes[String(pair[0])] = String(pair[1])
        }
        guard hashes[Self.sourceName] != nil else { return nil }
        self.hashes = hashes
    }

    /// The column's text: `email=1f2e3d4c source=9a8b7c6d`.
    public var text: String {
        hashes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
    }

    /// Whether this source exported the row.
    public func isFrom(_ source: String) -> Bool { hashes[Self.sourceName] == Self.hash(source) }

    /// Compares the exported value with the file's and the school's present one.
    public func judge(_ name: String, file: String, school: String) -> Judgment {
        guard let exported = hashes[name], file != school, Self.hash(school) != exported else { return .usesFile }
        return Self.hash(file) == exported ? .staysInSchool : .conflict
    }

    /// The first eight hexadecimal digits of the text's hash. It detects changes and is no secret.
    private static func hash(_ text: String) -> String { String(SHA256.hex(Array(text.utf8)).prefix(8)) }
}
