public import Domain
public import FeatureKit
public import Foundation

/// Exports a school as a ZIP file with a CSV file for each table that has rows, and a README.
public struct SchoolExport: Sendable {
    private let readKinds: @Sendable () -> [RecordKind]
    var kinds: [RecordKind] { readKinds() }
    let archives: any Archiving
    let folder: WorkFolder
    let directory: any Database
    let blobs: any SchoolBlobs

    /// Creates the service that exports schools. The record kinds are those of all feature blocks, read at each use.
    public init(
        kinds: @autoclosure @escaping @Sendable () -> [RecordKind], archives: any Archiving, folder: WorkFolder,
        directory: any Database,
        blobs: any SchoolBlobs
    ) {
        readKinds = kinds
        self.archives = archives
        self.folder = folder
        self.directory = directory
        self.blobs = blobs
    }

    /// Writes the export of a school as a ZIP file. The file appears only when it is complete.
    public func write(
        _ orgId: UUID, _ school: any Database, named name: String, to file: URL, words: Words
    ) async throws {
        try await BackupRefusal.translating {
            try await folder.with { work in
                var parts: [ArchivePart] = []
                var lines: [String] = []
                for kind in kinds {
                    for table in kind.tables {
                        guard let statement = table.export?(orgId) else { continue }
                        let database = kind.store == .school ? school : directory
                        // Only one table at a time is in memory.
                        let text = try await database.read { CSVText.of(try $0.rows(statement)) }
                        let csv = work.appending(path: "\(table.name).csv")
                        do {
                            try Data(text.utf8).write(to: csv)
                        } catch {
                            throw BackupRefusal.noSpace
                        }
                        parts.append(ArchivePart("\(table.name).csv", .file(csv)))
                        lines.append("\(table.name).csv — \(words(kind.title))")
                    }
                }
                let cited = try await school.read { try kinds.citedFiles(in: $0) }
                let files = try await blobs.blobs(of: orgId).parts(cited)
                if !files.isEmpty { lines.append("files — \(words("records.export.files"))") }
                let note = words("records.export.readme", name) + "\n\n" + lines.joined(separator: "\n") + "\n"
                try await archives.zip(
                    [ArchivePart("README.txt", .bytes(Data(note.utf8)))] + parts + files, into: file)
            }
        }
    }
}

/// Rows as CSV (RFC 4180) in UTF-8, with instants in ISO 8601. Begins with a byte order mark, without which Excel does
/// not read UTF-8.
enum CSVText {
    static func of(_ rows: [SQLRow]) -> String {
        guard let columns = rows.first?.columns else { return "" }
        var text = "\u{FEFF}" + columns.joined(separator: ",") + "\r\n"
        for row in rows {
            text += zip(columns, row.values).map { field($1, of: $0) }.joined(separator: ",")
            text += "\r\n"
        }
        return text
    }

    private static func field(_ value: SQLValue, of column: String) -> String {
        guard let plain = RecordText.of(value, in: column) else { return "" }
        return switch value {
        // Base64 may begin with a plus sign, which starts a formula.
        case .text, .blob: CSVField.written(plain)
        case .null, .integer, .double: CSVField.written(plain, isText: false)
        }
    }
}

/// The readable form of a stored value.
enum RecordText {
    /// Returns the value as text, or `nil` for NULL.
    static func of(_ value: SQLValue, in column: String) -> String? {
        switch value {
        case .null: nil
        case .integer(let number) where isInstant(column):
            Date(timeIntervalSince1970: Double(number) / 1000).ISO8601Format()
        case .integer(let number): String(number)
        case .double(let number): String(number)
        case .text(let text): text
        case .blob(let bytes): Data(bytes).base64EncodedString()
        }
    }

    /// Columns of instants have such names in all tables.
    private static func isInstant(_ column: String) -> Bool { column == "at" || column.hasSuffix("_at") }
}
